import MIDI
import Sequencer

/// The sounds that each part of a song plays: the presets that its notes ask for, and how many do.
struct PartSounds {
    struct Use {
        let request: PresetRequest
        var notes: Int
    }

    private var uses: [Int: [Use]] = [:]

    init(_ timeline: Timeline, _ names: SoundNames) {
        var programs = [ChannelPrograms](repeating: ChannelPrograms(), count: 16)
        var zones = [ZoneScan](repeating: ZoneScan(), count: 16)
        for timed in timeline.events {
            let event = timed.event, port = Int(event.port & 15)
            if case .message(let message) = event, message.beginsNote {
                // In a zone the manager's sound is played.
                let request = programs[port].request(Int(zones[port].zones.manager(of: message.channel)))
                count(names.plain(request), part: port * 16 + Int(message.channel))
            }
            zones[port].apply(event)
            _ = programs[port].apply(event)
        }
    }

    private mutating func count(_ request: PresetRequest, part: Int) {
        if let index = uses[part]?.firstIndex(where: { $0.request == request }) {
            uses[part]?[index].notes += 1
        } else {
            uses[part, default: []].append(Use(request: request, notes: 1))
        }
    }

    /// The presets of a part in the order of their first notes.
    subscript(part: Int) -> [Use] { uses[part] ?? [] }

    /// The preset that most notes of a part ask for, the first of those.
    func main(_ part: Int) -> PresetRequest? {
        let uses = self[part], most = uses.map(\.notes).max()
        return uses.first { $0.notes == most }?.request
    }

    func notes(_ part: Int) -> Int { self[part].reduce(0) { $0 + $1.notes } }
}
