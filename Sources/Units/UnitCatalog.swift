import Synchronization
import UnitAPI

/// The units there are: find one by name or by component description, read what it says of itself, make one.
///
/// Any thread of the control side.
public enum UnitCatalog {
    /// Carillon's own units, one line each.
    public static let builtIn: [Entry] = [
        Entry(SquareWave.self),
        Entry(ChannelStrip.self),
        Entry(MultichannelMixer.self),
        Entry(Reverb.self),
        Entry(Chorus.self),
        Entry(Limiter.self),
        Entry(PeakMeter.self),
    ]

    /// One unit of the catalogue.
    public struct Entry: Sendable {
        /// What the unit says of itself.
        public let descriptor: UnitDescriptor
        /// Its parameters, in order of index.
        public let parameters: [ParameterSpec]
        private let factory: @Sendable (UnitSetup) throws(UnitError) -> UnitInstance

        /// The entry of a unit that needs nothing but a `UnitSetup`.
        public init<U: AudioUnit & ~Copyable>(_: U.Type) {
            let parameters = U.Parameter.allCases.map(\.spec)
            self.init(descriptor: U.descriptor, parameters: parameters) { setup throws(UnitError) in
                try UnitInstance.make(U.self, setup)
            }
        }

        /// An entry with a factory of its own.
        public init(
            descriptor: UnitDescriptor, parameters: [ParameterSpec],
            factory: @escaping @Sendable (UnitSetup) throws(UnitError) -> UnitInstance
        ) {
            self.descriptor = descriptor
            self.parameters = parameters
            self.factory = factory
        }

        /// Stable kebab-case name: what the command line says.
        public var name: String { descriptor.name }

        /// A new unit.
        public func make(_ setup: UnitSetup) throws(UnitError) -> UnitInstance { try factory(setup) }
    }

    private static let registered = Mutex<[Entry]>([])

    /// Every unit: the built-in ones, then those registered, in order of registration.
    public static var entries: [Entry] { builtIn + registered.withLock { $0 } }

    /// Adds a unit for the life of the process. False, and nothing changes, when one has that name or description.
    public static func register(_ entry: Entry) -> Bool {
        registered.withLock { registered in
            let isTaken = (builtIn + registered).contains {
                $0.name == entry.name || $0.descriptor.component == entry.descriptor.component
            }
            if !isTaken { registered.append(entry) }
            return !isTaken
        }
    }

    /// The first unit that `description` asks for; zeros in it stand for any.
    public static func first(matching description: ComponentDescription) -> Entry? {
        entries.first { description.matches($0.descriptor.component) }
    }

    /// Every unit that `description` asks for.
    public static func all(matching description: ComponentDescription) -> [Entry] {
        entries.filter { description.matches($0.descriptor.component) }
    }

    /// The unit called `name`.
    public static func named(_ name: String) -> Entry? { entries.first { $0.name == name } }
}
