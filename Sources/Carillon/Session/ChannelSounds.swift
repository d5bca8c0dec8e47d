import Graph
import MIDI
import SoundFonts

/// The sounds that channels ask for, as the units have heard it, and the way to make them ask for others. Control side.
struct ChannelSounds {
    /// The state machine that the instruments walk too, one for each port.
    private var ports = [ChannelPrograms](repeating: ChannelPrograms(), count: 16)

    /// Takes in what was performed.
    mutating func take(_ command: RenderCommand) {
        switch command.event {
        case .music(let event): _ = ports[Int(event.port & 15)].apply(event)
        case .reset where command.node == nil: for port in ports.indices { ports[port] = ChannelPrograms() }
        default: break
        }
    }

    /// A port begins anew: other units hear it.
    mutating func forget(port: Int) { ports[port & 15] = ChannelPrograms() }

    /// Returns the preset that a part, port * 16 + channel, asks for.
    func request(part: Int) -> PresetRequest { ports[part >> 4 & 15].request(part & 15) }

    /// Makes a part ask for a preset, by the bank rules that hold for it now.
    ///
    /// - Returns: what is to be played so that the instrument knows; nil where the rules have no way there.
    mutating func choose(_ wanted: PresetRequest, part: Int) -> [MusicEvent]? {
        let port = part >> 4 & 15, channel = part & 15
        let bank = UInt8(wanted.isDrums ? 0 : wanted.bank)
        let banks: (upper: UInt8, lower: UInt8) =
            switch ports[port].rule {
            case .gs: (bank, 0)
            case .generalMIDI: (0, 0)
            case .generalMIDI2: wanted.isDrums ? (120, 0) : (121, bank)
            case .xg: wanted.isDrums ? (127, 0) : bank == 64 ? (64, 0) : (0, bank)
            }
        var events: [MusicEvent] = [
            .message(MIDIMessage(part: part, 0xB0, 0, banks.upper)), .message(MIDIMessage(part: part, 0xB0, 32, banks.lower)),
            .message(MIDIMessage(part: part, 0xC0, UInt8(wanted.program), 0)),
        ]
        var programs = ports[port]
        for event in events { _ = programs.apply(event) }
        if programs.request(channel).isDrums != wanted.isDrums {
            // What a channel's programs mean is said before they are.
            events.insert(
                .partMode(wanted.isDrums ? .drums : .melodic, port: UInt8(port), channel: UInt8(channel)), at: 0)
            programs = ports[port]
            for event in events { _ = programs.apply(event) }
        }
        guard programs.request(channel) == wanted else { return nil }
        ports[port] = programs
        return events
    }
}
