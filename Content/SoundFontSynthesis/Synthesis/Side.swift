/// One side of a stereo pair of samples.
public enum Side: Int, Sendable {
    case left = 0
    case right = 1

    /// What the names of its samples end with.
    var letter: String { self == .left ? "L" : "R" }

    /// -1 left, 1 right.
    var sign: Double { self == .left ? -1 : 1 }
}
