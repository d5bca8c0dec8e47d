/// A modulator of SoundFont 2.04, section 8.2: a controller that moves a generator.
public struct Modulator: Hashable, Sendable {
    /// Source enumerations of section 8.2.1.
    public var source: UInt16
    public var destination: Generator
    public var amount: Int16
    public var amountSource: UInt16

    public init(source: UInt16, destination: Generator, amount: Int16, amountSource: UInt16 = 0) {
        self.source = source
        self.destination = destination
        self.amount = amount
        self.amountSource = amountSource
    }

    /// Key velocity closes the filter: `cents` at velocity 0, nothing at 127. It has the identity of the default
    /// modulator of section 8.4.2 and replaces it.
    public static func velocityToFilter(cents: Int16) -> Modulator {
        Modulator(source: 0x0102, destination: .initialFilterFc, amount: cents)
    }
}
