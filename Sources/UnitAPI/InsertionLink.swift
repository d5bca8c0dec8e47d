// [render]
import MIDI
import RealtimeCore

/// The place of a unit in an insertion effect of GS or XG, whose messages (`MusicEvent.insertion`) move its parameters.
///
/// Any unit may have it as a property: `0 part 3` for the switch of a channel in slot 0; `0 gs 0110 1` for the second unit of a type
/// (`InsertionType`), the strip after the last one included. Such a unit follows no controllers and no other effects.
package struct InsertionLink: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        /// Its first parameter is how much of a channel, 0...15, goes through the slot.
        case part(UInt8)
        /// A unit of a type, by the number of the type in `InsertionType.all`; -1 is the strip before them, which only the type
        /// opens. `isWet`: in an effect that parts send to, nothing of what goes in is added.
        case unit(Int, ofType: Int, isWet: Bool = false)
        /// The strip through which an effect that parts send to comes back.
        case system
    }

    /// The name of the property.
    package static let property = "insertion"

    package let slot: UInt8
    package let place: Place

    package init(slot: UInt8, _ place: Place) { (self.slot, self.place) = (slot, place) }

    /// What the property says; nil if it makes no sense.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count > 1, let slot = UInt8(words[0]) else { return nil }
        if words[1...] == ["system"] {
            self.init(slot: slot, .system)
            return
        }
        if words[1] == "part", words.count == 3, let channel = UInt8(words[2]), (1...16).contains(channel) {
            self.init(slot: slot, .part(channel - 1))
            return
        }
        let count = InsertionType.roland.count, types = words[1] == "xg" ? count..<InsertionType.all.count : 0..<count
        let isWet = words.last == "wet"
        guard words.count == (isWet ? 5 : 4), words[1] == "gs" || words[1] == "xg", let unit = Int(words[3]),
            let type = InsertionType.all[types].firstIndex(where: { $0.address == words[2] }),
            (-1...InsertionType.all[type].units.count).contains(unit)
        else { return nil }
        self.init(slot: slot, .unit(unit, ofType: type, isWet: isWet))
    }

    package var text: String {
        switch place {
        case .part(let channel): "\(slot) part \(channel + 1)"
        case .unit(let unit, let type, let isWet):
            "\(slot) \(type < InsertionType.roland.count ? "gs" : "xg") \(InsertionType.all[type].address) \(unit)"
                + (isWet ? " wet" : "")
        case .system: "\(slot) system"
        }
    }

    /// The parameters that messages move: the number of the message, the parameter and its element.
    fileprivate var targets: [(number: UInt8, parameter: String?, element: Int)] {
        let sends: [(InsertionParameter, String)] = [
            (.toReverb, "reverb-send"), (.toChorus, "chorus-send"), (.toDelay, "delay-send"),
        ]
        let returns: [(InsertionParameter, String)] = [(.system, "mute"), (.level, "gain"), (.pan, "pan")]
        let unit: Int, number: Int, isWet: Bool
        switch place {
        case .part(let channel): return [(InsertionParameter.part(channel).number, nil, 0)]
        case .system: return (sends + returns).map { ($0.0.number, $0.1, 0) }
        case .unit(let place, let type, let wet): (unit, number, isWet) = (place, type, wet)
        }
        if unit < 0 { return [(InsertionParameter.type.number, "mute", 0)] }
        let type = InsertionType.all[number]
        let own = type.settings.enumerated().filter {
            $0.element.unit == unit && !(isWet && $0.element.parameter == "mix")
        }.map {
            (InsertionParameter.setting(UInt8($0.offset)).number, Optional($0.element.parameter), $0.element.element)
        }
        if unit < type.units.count { return own }
        return own + sends.map { ($0.0.number, $0.1, 0) }
    }
}

extension UnitSetup {
    var insertionLink: InsertionLink? {
        guard case .text(let text) = properties[InsertionLink.property] else { return nil }
        return InsertionLink(text)
    }
}

/// A link as the render side follows it.
package struct InsertionTargets: BitwiseCopyable {
    /// A parameter, or -1.
    package struct Target: BitwiseCopyable {
        package var index = -1, element = 0
        fileprivate var low: Float = 0, high: Float = 0
        /// True for what is muted while the message's value is 0.
        fileprivate var isOpening = false
    }

    private let slot: UInt8
    private let type: Float
    /// True while the type that the unit belongs to is the slot's.
    private var isCurrent: Bool
    /// By number of the message.
    package let targets: UnsafeMutablePointer<Target>

    static func make(
        _ link: InsertionLink?, _ specs: [ParameterSpec], in owned: inout OwnedMemory
    ) -> UnsafeMutablePointer<InsertionTargets>? {
        guard let link else { return nil }
        let targets = InsertionTargets(link, specs, in: &owned)
        return owned.make(1, of: targets)
    }

    private init(_ link: InsertionLink, _ specs: [ParameterSpec], in owned: inout OwnedMemory) {
        slot = link.slot
        if case .unit(_, let type, _) = link.place { self.type = Float(type) } else { type = -1 }
        isCurrent = type == 0
        targets = owned.make(256, of: Target())
        for (number, name, element) in link.targets {
            guard let index = specs.firstIndex(where: { $0.name == name ?? $0.name }) else { continue }
            let range = specs[index].range
            targets[Int(number)] = Target(
                index: index, element: element, low: range.lowerBound, high: range.upperBound,
                isOpening: number == InsertionParameter.system.number)
        }
    }

    @_noLocks package func hears(_ number: UInt8, slot: UInt8) -> Bool {
        slot == self.slot && (number == 0 || targets[Int(number)].index >= 0)
    }

    /// Returns the value that a message gives its target; nil if it moves none. At the start and after a reset the type is thru,
    /// and for `EffectParameter.asSet` what was set is right: `set`.
    @_noLocks package mutating func value(_ value: Float, number: UInt8, set: Float) -> Float? {
        if number == 0 {
            isCurrent = type == (value == EffectParameter.asSet ? 0 : value)
            return isCurrent ? 0 : 1
        }
        if number >= 32 && !isCurrent { return nil }
        if number < 32 && value == EffectParameter.asSet { return set }
        let target = targets[Int(number)]
        if target.isOpening { return 1 - value }
        return value > target.low ? (value < target.high ? value : target.high) : target.low
    }
}

/// What messages move in a unit: the targets of those to shared effects, its place in an insertion effect.
package struct EffectLinks: BitwiseCopyable {
    package let shared: UnsafeMutablePointer<EffectTarget>?
    package let insertion: UnsafeMutablePointer<InsertionTargets>?

    package init(shared: UnsafeMutablePointer<EffectTarget>?, insertion: UnsafeMutablePointer<InsertionTargets>?) {
        (self.shared, self.insertion) = (shared, insertion)
    }
}
