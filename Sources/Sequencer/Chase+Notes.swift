import MIDI

extension Chase {
    /// Note-ons in their order; no drums, for one that is struck again is another stroke. What ends on the frame is not held.
    func heldNotes(at frame: Int64) -> [MusicEvent] {
        var held: [Int: (order: Int, note: MusicEvent)] = [:]
        var drums = (0..<256).map { PartMode.initial($0).isDrums }
        for (order, timed) in events.enumerated() {
            if timed.time.rawValue > frame { break }
            switch timed.event {
            case .message(let message):
                let part = message.part & 255, key = part * 128 + Int(message.data1 & 127)
                switch message.kind {
                case .noteOn where message.data2 > 0:
                    if timed.time.rawValue < frame { held[key] = drums[part] ? nil : (order, timed.event) }
                case .noteOn, .noteOff: held[key] = nil
                case .controlChange where message.silencesPart: held = held.filter { $0.key / 128 != part }
                default: break
                }
            case .reset(_, let port), .standard(_, let port):
                held = held.filter { $0.key / 2048 != Int(port & 15) }
                for channel in 0..<16 { drums[Int(port & 15) * 16 + channel] = PartMode.initial(channel).isDrums }
            case .partMode(let mode, let port, let channel): drums[Int(port & 15) * 16 + Int(channel & 15)] = mode.isDrums
            default: break
            }
        }
        return held.values.sorted { $0.order < $1.order }.map(\.note)
    }
}
