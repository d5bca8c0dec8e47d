/// One preset of the SoundFont: bank, program number, name and layers.
public struct Program: Sendable {
    /// 0...127, or 128 for drum kits.
    public var bank: Int
    /// 0...127.
    public var number: Int
    /// The name that players show; at most 20 ASCII characters are stored.
    public var name: String
    public var layers: [Layer]
    /// Decibels that bring the program to the common loudness.
    public var trim = 0.0

    /// Decibels by which every layer is attenuated, so that a trim can also raise it.
    static let headroom = 4.0

    /// The largest trim that does not change the balance of the layers: their loudest is then at full level.
    var loudest: Double {
        let quieter = layers.map { $0.settings.reduce(0.0) { $1.attenuation ?? $0 } }
        return Program.headroom + (quieter.min() ?? 0)
    }

    public init(_ number: Int, _ name: String, bank: Int = 0, _ layers: [Layer]) {
        self.number = number
        self.name = name
        self.bank = bank
        self.layers = layers
    }

    public init(_ number: Int, _ name: String, _ source: Multisample, _ settings: Setting...) {
        self.init(number, name, [Layer(source, settings)])
    }

    /// Returns the program with further layers.
    public func adding(_ more: [Layer]) -> Program {
        Program(number, name, bank: bank, layers + more)
    }
}
