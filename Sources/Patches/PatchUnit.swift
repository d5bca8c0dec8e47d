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
    /// The preset of the unit; nil means none. `values` contain all of it already, and other settings as well: a file need not
    /// repeat the values of the preset.
    public var preset: UnitPreset?
    /// Parameters by name that do not start at their default: one value, or one for each input.
    public var values: [String: [Float]] = [:]
    /// Properties that the unit defines for itself, such as the SoundFonts of a sampler.
    public var properties: [String: PropertyValue] = [:]
    /// True if sound passes the unit by.
    public var isBypassed = false

    /// Creates a unit with default settings.
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
    /// Returns the parts that a unit of it receives if songs and keyboards play it: an instrument or a MIDI unit that names
    /// none receives all of them, unless something leads into it, an arpeggiator say.
    public func heardParts(of unit: PatchUnit) -> PartList {
        guard unit.parts.isEmpty, unit.role?.isPlayed == true else { return unit.parts }
        let isLedTo = inputs.contains { $0.unit == unit.name } || connections.contains { $0.to.unit == unit.name }
        return isLedTo ? PartList() : PartList(0..<256)
    }
}
