import UnitAPI

/// A unit as the laws need it: its descriptor, and a way to make one.
public struct UnitUnderTest: Sendable {
    /// The unit's description of itself.
    public let descriptor: UnitDescriptor
    /// The parameters.
    public let specs: [ParameterSpec]
    /// Makes one.
    public let make: @Sendable (UnitSetup) throws(UnitError) -> UnitInstance
    /// The rates it offers, of those that the laws try.
    public let sampleRates: [Double]

    /// The input buses that the laws feed: the declared ones, and three more if the last one repeats.
    var inputs: [UnitDescriptor.Bus] {
        guard descriptor.repeatsLastInput, let last = descriptor.inputs.last else { return descriptor.inputs }
        return descriptor.inputs + Array(repeating: last, count: 3)
    }

    /// Creates a unit that `make` makes.
    public init(
        descriptor: UnitDescriptor, specs: [ParameterSpec],
        sampleRates: [Double] = [8_000, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000],
        make: @escaping @Sendable (UnitSetup) throws(UnitError) -> UnitInstance
    ) {
        (self.descriptor, self.specs, self.sampleRates, self.make) = (descriptor, specs, sampleRates, make)
    }

    /// Creates a unit by its type.
    public init<U: AudioUnit & ~Copyable>(_: U.Type) {
        self.init(descriptor: U.descriptor, specs: U.Parameter.allCases.map(\.spec)) { (setup) throws(UnitError) in
            try UnitInstance.make(U.self, setup)
        }
    }
}

/// A law that a unit broke, as a sentence.
public struct LawViolation: Sendable, CustomStringConvertible {
    /// The law.
    public let law: String
    /// The deviation that was seen.
    public let observation: String
    public var description: String { "\(law): \(observation)" }
}
