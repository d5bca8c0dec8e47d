/// A multisample with its settings: one voice of a program.
public struct Layer: Sendable {
    public var source: Multisample
    public var settings: [Setting]
    /// Settings that depend on a zone's root key.
    public var perKey: @Sendable (Int) -> [Setting]

    public init(
        _ source: Multisample, _ settings: [Setting], perKey: @escaping @Sendable (Int) -> [Setting] = { _ in [] }
    ) {
        self.source = source
        self.settings = settings
        self.perKey = perKey
    }

    /// Returns the layer with further settings; a later setting wins over an earlier one.
    public func with(_ more: Setting...) -> Layer {
        Layer(source, settings + more, perKey: perKey)
    }

    /// Two voices from one loop, left and right, that begin at different moments and so sound as wide as a stereo
    /// recording.
    public static func wide(_ source: Multisample, offset: Int = 12000, _ settings: Setting...) -> [Layer] {
        [
            Layer(source, settings + [.pan(-0.8), .tuned(cents: -1)]),
            Layer(source, settings + [.pan(0.8), .started(offset), .tuned(cents: 1)]),
        ]
    }
}
