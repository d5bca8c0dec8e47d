/// The numbers by which an event for an insertion effect says what it sets, in one slot of a port.
///
/// Slot 0 is the insertion effect of GS, slots 1...4 are XG's, slot 5 is XG's variation. A type's own parameters are numbered by their place in `InsertionType.settings`; their values are in the units' own measures.
package enum InsertionParameter: Hashable, Sendable {
    /// The place of the type in `InsertionType.all`; 0, thru, also for a type that is not followed.
    case type
    /// Whether a channel's part goes through the slot: 0 or 1. 0...15.
    case part(UInt8)
    /// A share of what comes out: 0...1.
    case toReverb, toChorus, toDelay
    /// Whether XG's variation is an effect that parts send to: 0 or 1.
    case system
    /// Level and pan of what comes back from it: decibels, -100...100.
    case level, pan
    /// A setting of the type that is set.
    case setting(UInt8)

    package var number: UInt8 {
        switch self {
        case .type: 0
        case .part(let channel): 1 + (channel & 15)
        case .toReverb: 17
        case .toChorus: 18
        case .toDelay: 19
        case .system: 20
        case .level: 21
        case .pan: 22
        case .setting(let place): 32 + place
        }
    }

    /// The parameter of a number; nil for numbers without one.
    package init?(_ number: UInt8) {
        switch number {
        case 0: self = .type
        case 1...16: self = .part(number - 1)
        case 17: self = .toReverb
        case 18: self = .toChorus
        case 19: self = .toDelay
        case 20: self = .system
        case 21: self = .level
        case 22: self = .pan
        case 32...: self = .setting(number - 32)
        default: return nil
        }
    }

    /// Returns the settings, by their place, whose values differ.
    static func changes(from before: [Float], to now: [Float]) -> [(parameter: InsertionParameter, value: Float)] {
        zip(before, now).enumerated().filter { $0.element.0 != $0.element.1 }.map {
            (.setting(UInt8($0.offset)), $0.element.1)
        }
    }
}
