import Graphs
import MIDI
import RealtimeCore

/// A live performance, at random and careless: chords on one frame, events that come too late or without a time, commands in
/// between, in slices of any length. And the journal of it, played again.
extension OfflineRig {
    /// Plays for `frames` frames on the parts 0..<`parts`. Returns the journal. `node` is a unit that gets commands of its own,
    /// notes and `parameter`, an index and values that are legal for it.
    package func improvise(
        seed: UInt64, frames: Int, parts: Int = 3, node: NodeID? = nil,
        parameter: (index: Int, values: ClosedRange<Float>)? = nil
    ) -> [PerformedEvent] {
        var random = SeededRandom(seed: seed)
        var journal: [PerformedEvent] = []
        var now = 0
        while now < frames {
            let slice = min(Int.random(in: 1...700, using: &random), frames - now)
            var time = now
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                time += Int.random(in: 0...2, using: &random) == 0 ? 0 : Int.random(in: 0...slice, using: &random)
                let lateness = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 1...300, using: &random) : 0
                let isAtOnce = Int.random(in: 0...4, using: &random) == 0
                let count = Int.random(in: 0...5, using: &random) == 0 ? 12 : 1
                for _ in 0..<count {
                    let moment = isAtOnce ? SampleTime.immediately : SampleTime(Int64(max(time - lateness, 0)))
                    let music = Self.randomMusic(parts: parts, using: &random)
                    _ = renderer.sendLive(TimedMusicEvent(time: moment, event: music))
                }
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let moment = SampleTime(Int64(now + Int.random(in: -50...slice, using: &random)))
                let music = UnitEvent.music(Self.randomMusic(parts: parts, using: &random))
                _ = renderer.send(RenderCommand(time: moment, node: Bool.random(using: &random) ? node : nil, event: music))
                if let node, let parameter {
                    let value = Float.random(in: parameter.values, using: &random)
                    let event = UnitEvent.parameter(index: Int32(parameter.index), element: 0, value: value)
                    _ = renderer.send(RenderCommand(time: moment, node: node, event: event))
                }
            }
            render(slice, block: slice)
            now += slice
            while let event = renderer.nextPerformed() { journal.append(event) }
        }
        return journal
    }

    /// Renders `frames` frames in slices of `block`, with the commands of a journal.
    package func replay(_ journal: [PerformedEvent], frames: Int, block: Int) {
        var next = 0
        var now = 0
        while now < frames {
            let slice = min(block, frames - now)
            while next < journal.count, journal[next].command.time < SampleTime(Int64(now + slice)) {
                precondition(renderer.send(journal[next].command), "more than 4096 events in a slice")
                next += 1
            }
            render(slice, block: slice)
            now += slice
        }
    }

    private static func randomMusic(parts: Int, using random: inout SeededRandom) -> MusicEvent {
        let channel = UInt8(Int.random(in: 0..<parts, using: &random))
        let key = UInt8.random(in: 48...72, using: &random), value = UInt8.random(in: 0...127, using: &random)
        switch Int.random(in: 0...19, using: &random) {
        case 0...8: return .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: max(value, 1)))
        case 9...13: return .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 64))
        case 14: return .message(MIDIMessage(status: 0xE0 | channel, data1: value, data2: 30 + value / 2))
        case 15: return .message(MIDIMessage(status: 0xB0 | channel, data1: 64, data2: value))
        case 16: return .message(MIDIMessage(status: 0xB0 | channel, data1: 1, data2: value))
        case 17: return .message(MIDIMessage(status: 0xC0 | channel, data1: value & 7))
        case 18: return .message(MIDIMessage(status: 0xD0 | channel, data1: value))
        default: return .message(MIDIMessage(status: 0xB0 | channel, data1: 7, data2: 60 + value / 2))
        }
    }
}
