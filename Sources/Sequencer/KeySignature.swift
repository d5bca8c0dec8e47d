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
