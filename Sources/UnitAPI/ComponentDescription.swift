/// The unit that is meant: type, subtype and manufacturer, as in Core Audio.
public struct ComponentDescription: Hashable, Sendable, CustomStringConvertible {
    /// The purpose of the unit; a `ComponentType`'s code, or `.any` in a search.
    public var type: FourCharCode
    /// The unit among those of its type.
    public var subtype: FourCharCode
    /// The maker of the unit; that of Carillon's own units is `Cari`.
    public var manufacturer: FourCharCode

    /// Creates a description; leave out what does not matter to a search.
    public init(type: FourCharCode = .any, subtype: FourCharCode = .any, manufacturer: FourCharCode = .any) {
        (self.type, self.subtype, self.manufacturer) = (type, subtype, manufacturer)
    }

    /// Returns true if `other` is one of those that this description asks for: 0 matches any.
    public func matches(_ other: ComponentDescription) -> Bool {
        (type == .any || type == other.type) && (subtype == .any || subtype == other.subtype)
            && (manufacturer == .any || manufacturer == other.manufacturer)
    }

    /// The three codes, with slashes.
    public var description: String { "\(type)/\(subtype)/\(manufacturer)" }
}

extension FourCharCode {
    /// Makes sound from music events.
    public static let instrument: FourCharCode = "aumu"
    /// Makes sound from nothing but time.
    public static let generator: FourCharCode = "augn"
    /// Changes sound.
    public static let effect: FourCharCode = "aufx"
    /// Changes music: notes and controllers in, notes and controllers out.
    public static let midiProcessor: FourCharCode = "aumi"
    /// Adds sounds up.
    public static let mixer: FourCharCode = "aumx"
    /// Carillon's own units.
    public static let carillon: FourCharCode = "Cari"
}
