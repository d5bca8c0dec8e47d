/// One unit of a catalogue: its descriptor, and a way to make one.
public struct UnitEntry: Sendable {
    /// The unit's description of itself.
    public let descriptor: UnitDescriptor
    /// The parameters, in order of index.
    public let parameters: [ParameterSpec]
    private let factory: @Sendable (UnitSetup) throws(UnitError) -> UnitInstance

    /// The entry of a unit that needs nothing but a `UnitSetup`.
    ///
    /// - Parameter descriptor: its type's; or the same with another name and component, for a unit that has two names.
    public init<U: AudioUnit & ~Copyable>(_: U.Type, as descriptor: UnitDescriptor = U.descriptor) {
        let parameters = U.Parameter.allCases.map(\.spec)
        self.init(descriptor: descriptor, parameters: parameters) { setup throws(UnitError) in
            try UnitInstance.make(U.self, setup, descriptor: descriptor)
        }
    }

    /// Creates an entry with a factory of its own.
    public init(
        descriptor: UnitDescriptor, parameters: [ParameterSpec],
        factory: @escaping @Sendable (UnitSetup) throws(UnitError) -> UnitInstance
    ) {
        (self.descriptor, self.parameters, self.factory) = (descriptor, parameters, factory)
    }

    /// Stable kebab-case name, used on the command line and in patches.
    public var name: String { descriptor.name }

    /// Returns true if the names or the components of two units are the same. (Here and not in the catalogue, since it is
    /// called for every two at each start.)
    package func collides(with other: UnitEntry) -> Bool {
        descriptor.name == other.descriptor.name || descriptor.component == other.descriptor.component
    }

    /// Returns true if a unit that is made with these properties uses notes or controllers.
    public func hearsMusic(_ properties: [String: PropertyValue]) -> Bool {
        descriptor.hearing.chosen(by: properties).notes || parameters.contains { $0.controller != nil || $0.effect != nil }
    }

    /// Returns the settings that it brings along, as values, in its order.
    ///
    /// - Throws: `invalidPreset` for a preset that its parameters cannot be; no unit of it can be made then.
    public func factoryPresets() throws(UnitError) -> [UnitPreset] { try descriptor.presets(parameters) }

    /// Returns a new unit.
    public func make(_ setup: UnitSetup) throws(UnitError) -> UnitInstance { try factory(setup) }
}
