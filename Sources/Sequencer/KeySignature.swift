/// A key signature.
public struct KeySignature: Hashable, Sendable {
    /// -7 (seven flats) ... 7 (seven sharps).
    public var sharps: Int8
    public var isMinor: Bool

    public init(sharps: Int8, isMinor: Bool) {
        self.sharps = sharps
        self.isMinor = isMinor
    }
}

extension KeySignature: CustomStringConvertible {
    private static let tonics = [
        "C flat", "G flat", "D flat", "A flat", "E flat", "B flat", "F", "C", "G", "D", "A", "E", "B", "F sharp",
        "C sharp", "G sharp", "D sharp", "A sharp",
    ]

    /// `E flat major`, `F sharp minor`.
    public var description: String {
        let place = min(max(Int(sharps), -7), 7) + (isMinor ? 10 : 7)
        return "\(Self.tonics[place]) \(isMinor ? "minor" : "major")"
    }
}
