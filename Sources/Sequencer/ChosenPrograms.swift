import MIDI
import RealtimeCore

/// The presets that some parts of a song play instead of those that it asks for.
///
/// A part is sent its preset before everything else, and again after each reset, by the bank rules that hold then. Its own
/// banks and programs are left out, and also messages that would make it a drum part or a melodic one.
struct ChosenPrograms {
    private let wanted: [Int: PresetRequest]
    /// Parts whose preset is in a bank that the song's standard cannot select.
    private(set) var partsWithoutBank: Set<Int> = []
    private var ports = [ChannelPrograms](repeating: ChannelPrograms(), count: 16)

    /// - Parameter wanted: the programs by part, port * 16 + channel, 0...255.
    init(_ wanted: [Int: PresetRequest]) { self.wanted = wanted }

    /// Returns events with the presets in place of their own programs; a part without events gets no preset.
    mutating func replacing(_ events: [TimedMusicEvent]) -> [TimedMusicEvent] {
        var used: Set<Int> = []
        for timed in events { if case .message(let message) = timed.event { used.insert(message.part) } }
        let parts = wanted.keys.filter(used.contains).sorted()
        var result: [TimedMusicEvent] = []
        result.reserveCapacity(events.count + 4 * parts.count)
        for part in parts { tell(part, at: .zero, &result) }
        for timed in events {
            switch timed.event {
            case .message(let message) where wanted[message.part] != nil && message.choosesProgram: continue
            case .partMode(_, let port, let channel) where wanted[Int(port & 15) * 16 + Int(channel & 15)] != nil: continue
            case .reset(_, let port), .standard(_, let port):
                result.append(timed)
                _ = ports[Int(port & 15)].apply(timed.event)
                for part in parts where part >> 4 == Int(port & 15) { tell(part, at: timed.time, &result) }
            default: result.append(timed)
            }
        }
        return result
    }

    private mutating func tell(_ part: Int, at time: SampleTime, _ result: inout [TimedMusicEvent]) {
        guard let preset = wanted[part] else { return }
        var events = ports[part >> 4].choose(preset, part: part)
        if events == nil {
            partsWithoutBank.insert(part)
            events = ports[part >> 4].choose(PresetRequest(bank: 0, program: UInt8(preset.program)), part: part)
        }
        for event in events ?? [] { result.append(TimedMusicEvent(time: time, event: event)) }
    }
}

extension MIDIMessage {
    fileprivate var choosesProgram: Bool {
        switch kind {
        case .programChange: true
        case .controlChange: data1 == 0 || data1 == 32
        default: false
        }
    }
}
