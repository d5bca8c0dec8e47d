/// The outputs of an instrument that has a bus for each MIDI channel, as those that play SoundFonts do.
///
/// Property `buses` of the unit. If it is not set, in a patch or by `UnitEntry.make`, an instrument has its channel buses;
/// `Graph.add` of a type or a name chooses `main`.
public enum OutputBuses: String, CaseIterable, Sendable {
    /// One stereo bus, on which all channels are heard.
    case main
    /// The buses that the unit's type declares: one for each channel, and their sends to effects.
    case channels
}

extension UnitDescriptor {
    /// The property that chooses the outputs of a unit with a bus for each channel.
    public static let busesProperty = "buses"

    /// True for an instrument whose outputs are a bus for each MIDI channel, and that may be made with one for all instead:
    /// it declares the property.
    public var hasChannelBuses: Bool { properties.contains(Self.busesProperty) }

    /// Returns `properties` for a unit that is made in code: its outputs are `buses` if `properties` do not set them. A unit
    /// without a bus for each channel refuses `channels` when it is made.
    package func choosing(_ buses: OutputBuses, in properties: [String: PropertyValue]) -> [String: PropertyValue] {
        if !hasChannelBuses && buses == .main { return properties }
        return properties.merging([Self.busesProperty: .text(buses.rawValue)]) { said, _ in said }
    }

    mutating func chooseBuses(_ properties: [String: PropertyValue]) throws(UnitError) {
        guard hasChannelBuses, let value = properties[Self.busesProperty] else { return }
        guard case .text(let text) = value, let buses = OutputBuses(rawValue: text) else {
            let names = OutputBuses.allCases.map(\.rawValue).joined(separator: " or ")
            throw .invalidProperty(unit: name, property: Self.busesProperty, reason: "choose \(names)")
        }
        if buses == .main { outputs = [Bus("main")] }
    }
}

extension UnitSetup {
    /// The outputs of a unit with a bus for each channel that is made with this setup.
    public var buses: OutputBuses {
        guard case .text(let text) = properties[UnitDescriptor.busesProperty] else { return .channels }
        return OutputBuses(rawValue: text) ?? .channels
    }
}

extension UnitEntry {
    /// Returns the description of a unit that is made with these properties; if it cannot be made so, that of its type.
    public func descriptor(with properties: [String: PropertyValue]) -> UnitDescriptor {
        do throws(UnitError) { return try descriptor.fitted(to: properties) } catch { return descriptor }
    }
}
