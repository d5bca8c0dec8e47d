import Graphs
import MIDI

/// The sounds that channels ask for, as the units have heard it, and the way to make them ask for others. Control side.
struct ChannelSounds {
    /// The state machine that the instruments walk too, one for each port.
    private var ports = [ChannelPrograms](repeating: ChannelPrograms(), count: 16)

    mutating func take(_ command: RenderCommand) {
        switch command.event {
        case .music(let event): _ = ports[Int(event.port & 15)].apply(event)
        case .reset where command.node == nil: for port in ports.indices { ports[port] = ChannelPrograms() }
        default: break
        }
    }

    /// A port begins anew: other units hear it.
    mutating func forget(port: Int) { ports[port & 15] = ChannelPrograms() }

    func request(part: Int) -> PresetRequest { ports[part >> 4 & 15].request(part & 15) }

    /// By the bank rules that hold for the part now. Returns the events by which the instrument gets the preset; nil if none.
    mutating func choose(_ wanted: PresetRequest, part: Int) -> [MusicEvent]? {
        ports[part >> 4 & 15].choose(wanted, part: part)
    }
}
