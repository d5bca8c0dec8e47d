import EngineCore
import MIDI
import Patches
import RemoteIO
import SongRendering
import SoundFonts

/// The zones of a patch as a filter: it turns events of a keyboard into events for the units of the patch. A zone that names a
/// unit plays that unit alone (`PartRouting`), in a graph that was made of `Patch.hearing`, as those of sessions are.
///
/// Keyboards are distinguished by the input port that they are connected to; `keyboards` lists them in the order of the ports.
/// No note hangs when zones change, since the filter's owner remembers what each note-on has become.
package struct ZoneRouter: MIDIFilter {
    struct Lane: Sendable {
        let zone: Zone
        /// The input port that it listens to; nil means all.
        let input: UInt8?
        /// The part that it plays, with outputs after the program's own ports; nil means the keyboard's own channel there.
        let part: Int?
        let port: UInt8
    }

    private let lanes: [Lane]
    /// The keyboards that are distinguished, by the input port that each of them has: a part of a name, an identity, or `any`
    /// for the first port if zones name no keyboard.
    package let keyboards: [String]
    /// The outputs that zones play to, in order: a message to the first has the port `MIDIOutput.firstPort`.
    package let outputs: [MIDIOutput]

    /// The zones that are heard, by name; nil means all. Held keys end where they began, heard or not.
    private(set) var heard: Set<String>?

    /// Restricts hearing to these zones; if none of them exists, all are heard.
    mutating func hear(_ names: Set<String>) {
        let known = names.intersection(lanes.map(\.zone.name))
        heard = known.isEmpty && !names.isEmpty ? nil : known
    }

    /// The names of the zones that hear a message, each once; an empty name means a patch without zones.
    func names(hearing message: MIDIMessage) -> [String] {
        var names: [String] = []
        for lane in lanes where isHeard(lane) && lane.hears(message) {
            let part = lane.part ?? Int(lane.port) * 16 + Int(message.channel)
            if lane.message(message, part: part) != nil, names.last != lane.zone.name { names.append(lane.zone.name) }
        }
        return names
    }

    /// The zones for display, each once; none if the patch has none. `channel`: how surfaces call a part; `sound`: what it plays
    /// there by a unit, or by any.
    func shown(_ channel: (Int) -> Int, sound: (Int, String?) -> SoundPreset?) -> [SessionSnapshot.Zone] {
        var zones: [SessionSnapshot.Zone] = []
        for lane in lanes where !lane.zone.name.isEmpty && lane.zone.name != zones.last?.name {
            let plays = [lane.zone.unit, lane.zone.output].compactMap { $0 }.joined(separator: ", ")
            zones.append(
                .init(
                    name: lane.zone.name, keys: lane.zone.keys.description, plays: plays.isEmpty ? nil : plays,
                    channel: lane.isOutside ? nil : lane.part.map { channel($0) + 1 },
                    sound: lane.isOutside ? nil : lane.part.flatMap { sound($0, lane.zone.unit) }, isHeard: isHeard(lane)))
        }
        return zones
    }

    /// The names of the zones, in order.
    var names: [String] { lanes.map(\.zone.name).filter { !$0.isEmpty } }

    /// The part of the patch that a zone plays; nil for one that plays what its keyboard's channel says, or outside.
    func part(ofZone name: String) -> Int? { lanes.first { $0.zone.name == name && !$0.isOutside }?.part }

    var playedParts: Set<Int> { Set(lanes.filter { !$0.isOutside }.compactMap(\.part)) }

    struct Sound: Hashable {
        let zone: String
        let unit: String?
        let part: Int
        let bank: Int?
        let program: Int?
    }

    let sounds: [Sound]

    /// The zones of a patch.
    ///
    /// - Parameters:
    ///   - keyboards: those that have input ports already; nil means the zones say which are needed.
    ///   - outputs: the names of those that have numbers already.
    /// - Throws: the fault of the patch; `zone` for one whose keyboard is not among `keyboards`.
    package init(
        _ patch: Patch, keyboards given: [String]? = nil, outputs known: [String] = []
    ) throws(PatchError) {
        let flat = try patch.flattened()
        let inputs = try KeyboardInputs(flat, given: given)
        keyboards = inputs.keyboards
        var outputs = known.map { MIDIOutput($0) }, lanes: [Lane] = []
        let routing = PartRouting(flat)
        // In a patch without zones, all keyboards play all of it.
        for zone in flat.zones.isEmpty ? [Zone("")] : flat.zones {
            let input = inputs.input(of: zone.keyboard)
            if zone.unit != nil || zone.output == nil {
                let part = routing.part(of: zone)
                lanes.append(Lane(zone: zone, input: input, part: part, port: UInt8((part ?? 0) / 16)))
            }
            guard let name = zone.output else { continue }
            if !outputs.contains(where: { $0.name == name }) { outputs.append(MIDIOutput(name)) }
            guard let number = outputs.firstIndex(where: { $0.name == name }), number < MIDIOutput.most else {
                throw .zone(zone.name, reason: "there is no room for the output \(name) beside the former ones; start again")
            }
            let port = MIDIOutput.firstPort + UInt8(number)
            let lane = Lane(
                zone: zone, input: input, part: zone.channel.map { Int(port) * 16 + $0 - 1 }, port: port)
            lanes.append(lane)
            outputs[number].greeting += lane.greeting
            // Bytes of a device belong to no channel.
            if zone.channels.isEmpty { outputs[number].systemExclusiveInputs.formUnion(input.map { [$0] } ?? Set(0..<16)) }
        }
        self.outputs = outputs
        self.lanes = lanes
        sounds = lanes.compactMap { lane in
            guard !lane.isOutside, let part = lane.part, lane.zone.bank != nil || lane.zone.program != nil else { return nil }
            return Sound(
                zone: lane.zone.name, unit: lane.zone.unit, part: part, bank: lane.zone.bank, program: lane.zone.program)
        }
    }

    /// Returns the zones' events for the event, in the order of the zones.
    package func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(let message) = event else { return toUnits(event) }
        var made: [MusicEvent] = []
        // An event that belongs to no key is heard once by each part, with any number of zones.
        var reached: Set<Int> = []
        for lane in lanes where isHeard(lane) && lane.hears(message) {
            let part = lane.part ?? Int(lane.port) * 16 + Int(message.channel)
            guard let heard = lane.message(message, part: part), message.hasKey || reached.insert(part).inserted else { continue }
            made.append(.message(heard))
        }
        return made
    }

    private func isHeard(_ lane: Lane) -> Bool { heard?.contains(lane.zone.name) ?? true }

    /// Sends what concerns a whole port to every port of the units that its keyboard plays; a channel's mode to its parts.
    /// Outside the bytes themselves arrive.
    private func toUnits(_ event: MusicEvent) -> [MusicEvent] {
        let heard = lanes.filter { !$0.isOutside && ($0.input == nil || $0.input == event.port) }
        if case .partMode(let mode, _, let channel) = event {
            let parts = Set(heard.filter { $0.hears(channel: Int(channel)) }.map { $0.part ?? Int(channel) })
            return parts.sorted().map { .partMode(mode, port: UInt8($0 / 16), channel: UInt8($0 % 16)) }
        }
        if case .part(let parameter, let value, let key, let part) = event {
            let parts = Set(heard.filter { $0.hears(channel: Int(part & 15)) }.map { $0.part ?? Int(part & 15) })
            return parts.sorted().map { .part(parameter, value, key: key, part: UInt8($0)) }
        }
        let ports = Set(heard.map(\.port)).sorted()
        return ports.map { port in if case .message = event { event } else { event.moved(toPort: port) } }
    }
}

extension ZoneRouter.Lane {
    var isOutside: Bool { port >= MIDIOutput.firstPort }

    /// Bank and program that it begins with outside.
    var greeting: [MIDIMessage] {
        guard let part, isOutside else { return [] }
        let channel = UInt8(part % 16)
        func message(_ kind: MIDIMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0) -> MIDIMessage {
            MIDIMessage(status: kind.rawValue | channel, data1: data1, data2: data2)
        }
        var messages: [MIDIMessage] = []
        // Kits of drums are a unit's affair.
        if let bank = zone.bank, bank < 128 {
            messages += [
                message(.controlChange, Controller.bankSelect.rawValue, UInt8(bank)),
                message(.controlChange, Controller.bankSelectLSB.rawValue, 0),
            ]
        }
        if zone.bank != nil || zone.program != nil { messages.append(message(.programChange, UInt8(zone.program ?? 0))) }
        return messages
    }

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
