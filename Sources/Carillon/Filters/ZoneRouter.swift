import MIDI
import Patch

/// The zones of a patch as a filter: what is played on a keyboard becomes what the units of the patch hear.
///
/// Keyboards are told apart by the input port that they are connected to; `keyboards` says which belongs to which port. No
/// note hangs when zones change, since whoever runs the filter remembers what each note-on has become.
public struct ZoneRouter: MIDIFilter {
    struct Lane: Sendable {
        let zone: Zone
        /// The input port that it listens to; nil: all.
        let input: UInt8?
        /// The part that it plays; nil: the keyboard's own channel, on the first port.
        let part: Int?
    }

    private let lanes: [Lane]
    /// The keyboards that are told apart, by the input port that each of them has: a part of a name, an identity, or `any`
    /// for the first port where zones name no keyboard.
    public let keyboards: [String]

    /// The zones that are heard, by name; nil: all. What they hold ends where it began, heard or not.
    private(set) var heard: Set<String>?

    /// Lets these zones be heard alone; where none of them is there, all are.
    mutating func hear(_ names: Set<String>) {
        let known = names.intersection(lanes.map(\.zone.name))
        heard = known.isEmpty && !names.isEmpty ? nil : known
    }

    /// What a zone begins with.
    struct Sound: Hashable {
        let zone: String
        let unit: String?
        let part: Int
        let bank: Int?
        let program: Int?
    }

    /// What zones begin with.
    let sounds: [Sound]

    /// The zones of a patch.
    ///
    /// - Parameter keyboards: those that have input ports already; nil: the zones say which are needed.
    /// - Throws: what is wrong with the patch; `zone` for one whose keyboard is not among `keyboards`.
    public init(_ patch: Patch, keyboards given: [String]? = nil) throws(PatchError) {
        let flat = try patch.flattened()
        let inputs = try KeyboardInputs(flat, given: given)
        keyboards = inputs.keyboards
        // A patch without zones is one that all play as it is.
        let zones = flat.zones.isEmpty ? [Zone("")] : flat.zones
        lanes = zones.map { Lane(zone: $0, input: inputs.input(of: $0.keyboard), part: $0.part(in: flat)) }
        sounds = lanes.compactMap { lane in
            guard let part = lane.part, lane.zone.bank != nil || lane.zone.program != nil else { return nil }
            return Sound(
                zone: lane.zone.name, unit: lane.zone.unit, part: part, bank: lane.zone.bank, program: lane.zone.program)
        }
    }

    /// What the zones make of it, in their order.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(let message) = event else { return toUnits(event) }
        var made: [MusicEvent] = []
        // What belongs to no key is heard once by each part, however many zones it has.
        var told: Set<Int> = []
        for lane in lanes where isHeard(lane) && lane.hears(message) {
            let part = lane.part ?? Int(message.channel)
            guard let heard = lane.message(message, part: part), message.hasKey || told.insert(part).inserted else { continue }
            made.append(.message(heard))
        }
        return made
    }

    private func isHeard(_ lane: Lane) -> Bool { heard?.contains(lane.zone.name) ?? true }

    /// What concerns a whole port reaches every port of the units that its keyboard plays; a channel's mode its parts.
    private func toUnits(_ event: MusicEvent) -> [MusicEvent] {
        let heard = lanes.filter { $0.input == nil || $0.input == event.port }
        if case .partMode(let mode, _, let channel) = event {
            let parts = Set(heard.filter { $0.hears(channel: Int(channel)) }.map { $0.part ?? Int(channel) })
            return parts.sorted().map { .partMode(mode, port: UInt8($0 / 16), channel: UInt8($0 % 16)) }
        }
        let ports = Set(heard.map { UInt8(($0.part ?? 0) / 16) }).sorted()
        return ports.map { port in
            switch event {
            case .message, .partMode: event
            case .reset(let kind, _): .reset(kind, port: port)
            case .masterVolume(let value, _): .masterVolume(value, port: port)
            case .masterTuning(let cents, _): .masterTuning(cents: cents, port: port)
            }
        }
    }
}

extension ZoneRouter.Lane {
    func hears(_ message: MIDIMessage) -> Bool {
        if let input, input != message.port { return false }
        return hears(channel: Int(message.channel))
    }

    func hears(channel: Int) -> Bool { zone.channels.isEmpty || zone.channels.parts.contains(channel) }

    /// The message as its unit hears it; nil where it does not.
    func message(_ played: MIDIMessage, part: Int) -> MIDIMessage? {
        var message = played
        message.status = played.status & 0xF0 | UInt8(part % 16)
        message.port = UInt8(part / 16)
        if played.hasKey {
            guard zone.keys.keys.contains(played.data1), let key = UInt8(exactly: Int(played.data1) + zone.transpose),
                key < 128
            else { return nil }
            message.data1 = key
        }
        switch played.kind {
        case .noteOn where played.data2 > 0:
            if !(zone.softest...zone.hardest).contains(played.data2) { return nil }
            message.data2 = zone.velocity.value(of: played.data2)
        case .keyPressure: message.data2 = zone.pressure.value(of: played.data2)
        case .channelPressure: message.data1 = zone.pressure.value(of: played.data1)
        case .controlChange:
            if zone.ignoredControllers.contains(Int(played.data1)) { return nil }
            if !zone.passesPrograms, played.data1 == 0 || played.data1 == 32 { return nil }
        case .programChange: if !zone.passesPrograms { return nil }
        default: break
        }
        return message
    }
}
