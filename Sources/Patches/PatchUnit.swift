import UnitAPI

/// One unit of a patch: which one, what it is called, and how it is set.
public struct PatchUnit: Hashable, Sendable {
    /// The name that `--set`, surfaces and connections use; unique in its patch, without dots.
    public var name: String
    /// The unit's name in the catalogue, `multichannel-mixer`.
    public var component: String
    /// The purpose of the unit; nil if no surface needs to know.
    public var role: UnitRole?
    /// The element count of a mixer; 0: as many inputs as it declares.
    public var inputCount = 0
    /// The parts that it receives.
    public var parts = PartList()
    /// The preset that the unit is set by; nil: each parameter by itself. `values` have all of it already, and also later or
    /// separate settings: a file need not repeat what the preset has.
    public var preset: UnitPreset?
    /// Parameters by name that do not start at their default: one value, or one for each input.
    public var values: [String: [Float]] = [:]
    /// Properties that the unit defines for itself, such as the SoundFonts of a sampler.
    public var properties: [String: PropertyValue] = [:]
    /// True if sound passes the unit by.
    public var isBypassed = false

    /// A unit with default settings.
    public init(_ name: String, _ component: String, role: UnitRole? = nil) {
        self.name = name
        self.component = component
        self.role = role
    }

    /// Returns true if the unit can become `other` without a new instance: only values differ that an existing unit can take
    /// on.
    public func isMadeLike(_ other: PatchUnit) -> Bool {
        component == other.component && inputCount == other.inputCount && properties == other.properties
    }
}

extension Patch {
    /// The parts that a unit of it receives if songs and keyboards play it: an instrument or a MIDI unit that names none
    /// receives all of them, unless something leads into it, an arpeggiator say.
    public func heardParts(of unit: PatchUnit) -> PartList {
        guard unit.parts.isEmpty, unit.role?.isPlayed == true else { return unit.parts }
        let isLedTo = inputs.contains { $0.unit == unit.name } || connections.contains { $0.to.unit == unit.name }
        return isLedTo ? PartList() : PartList(0..<256)
    }
}

extension PatchUnit: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case component = "unit"
        case role
        case inputCount = "input-count"
        case parts, preset, values, properties
        case isBypassed = "bypass"
    }

    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        component = try keys.decode(String.self, forKey: .component)
        name = try keys.decodeIfPresent(String.self, forKey: .name) ?? component
        role = try keys.decodeIfPresent(UnitRole.self, forKey: .role)
        inputCount = try keys.decodeIfPresent(Int.self, forKey: .inputCount) ?? 0
        parts = try keys.decodeIfPresent(PartList.self, forKey: .parts) ?? PartList()
        preset = try keys.decodeIfPresent(UnitPreset.self, forKey: .preset)
        values = try keys.decodeIfPresent([String: ValueList].self, forKey: .values)?.mapValues(\.values) ?? [:]
        properties = try keys.decodeIfPresent([String: PropertyValue].self, forKey: .properties) ?? [:]
        isBypassed = try keys.decodeIfPresent(Bool.self, forKey: .isBypassed) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(name, forKey: .name)
        try keys.encode(component, forKey: .component)
        try keys.encodeIfPresent(role, forKey: .role)
        if inputCount != 0 { try keys.encode(inputCount, forKey: .inputCount) }
        if !parts.isEmpty { try keys.encode(parts, forKey: .parts) }
        try keys.encodeIfPresent(preset, forKey: .preset)
        if !values.isEmpty { try keys.encode(values.mapValues(ValueList.init), forKey: .values) }
        if !properties.isEmpty { try keys.encode(properties, forKey: .properties) }
        if isBypassed { try keys.encode(isBypassed, forKey: .isBypassed) }
    }
}

/// One number as a number, several as a list.
private struct ValueList: Codable {
    let values: [Float]

    init(_ values: [Float]) { self.values = values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try Self.ifIs(Float.self, container) {
            values = [value]
        } else {
            values = try container.decode([Float].self)
        }
    }

    /// nil for what is a list.
    private static func ifIs(_: Float.Type, _ container: any SingleValueDecodingContainer) throws -> Float? {
        do { return try container.decode(Float.self) } catch DecodingError.typeMismatch { return nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if values.count == 1 { try container.encode(values[0]) } else { try container.encode(values) }
    }
}
