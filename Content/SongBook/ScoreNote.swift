/// A written note.
public struct ScoreNote: Hashable, Sendable {
    /// Unit: ticks.
    public var start: Int
    /// The length as written, before `Touch` shortens it. Unit: ticks.
    public var length: Int
    /// 0...127, 60 is middle C.
    public var key: Int
    /// 1...127, from the dynamics.
    public var velocity: Int
    public var articulation: Articulation

    /// The part of its written length that a note sounds.
    public enum Articulation: Hashable, Sendable { case plain, staccato, tenuto }

    public init(start: Int, length: Int, key: Int, velocity: Int, articulation: Articulation = .plain) {
        self.start = start
        self.length = length
        self.key = key
        self.velocity = velocity
        self.articulation = articulation
    }

    /// Later, higher or louder by so much.
    public func shifted(ticks: Int = 0, keys: Int = 0, velocity change: Int = 0) -> ScoreNote {
        ScoreNote(
            start: start + ticks, length: length, key: key + keys, velocity: min(max(velocity + change, 1), 127),
            articulation: articulation)
    }
}
