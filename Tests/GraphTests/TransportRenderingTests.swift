import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Sequencer
import Testing

/// The transport drives the renderer: whatever is commanded, the right notes begin on their frame and none hangs.
@Suite struct TransportRenderingTests {
    private func timeline(seed: UInt64) throws -> Timeline {
        var random = SeededRandom(seed: seed)
        var tracks: [Track] = []
        for channel in [UInt8(0), 5, 9] {
            var events: [SongEvent] = [SongEvent(tick: 0, .message(MIDIMessage(status: 0xC0 | channel, data1: 5)))]
            for _ in 0..<120 {
                let tick = Int64.random(in: 0..<12_000, using: &random), key = UInt8.random(in: 30...100, using: &random)
                events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: 90))))
                events.append(
                    SongEvent(
                        tick: tick + Int64.random(in: 1...900, using: &random),
                        .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 0))))
                let pedal: UInt8 = Bool.random(using: &random) ? 127 : 0
                events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0xB0 | channel, data1: 64, data2: pedal))))
            }
            events = events.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
            tracks.append(Track(events: events))
        }
        return try Timeline(Song(tracks: tracks), sampleRate: 48_000)
    }

    @Test(arguments: UInt64(1)...8) func whateverIsCommandedNoNoteHangs(_ seed: UInt64) throws {
        let timeline = try timeline(seed: seed), score = Score(timeline.events)
        let rig = OfflineRig(recordsScore: true)
        let node = try rig.add(StairsUnit.self)
        for part in 0..<16 { try rig.graph.route(part: part, to: node) }
        try rig.graph.setOutput(node)
        try rig.publish()
        var transport = Transport(timeline), random = SeededRandom(seed: seed &* 77)
        func post(_ stretches: [ScoreStretch]) {
            for stretch in stretches { #expect(rig.renderer.play(ScoreSegment(score, stretch))) }
        }
        var sounding: [Int: Int] = [:], pedals: Set<UInt8> = [], ons = 0
        func listen() {
            while let event = rig.renderer.nextPerformed() {
                guard case .music(.message(let message)) = event.command.event else { continue }
                let note = Int(message.channel) * 128 + Int(message.data1)
                switch message.kind {
                case .noteOn:
                    sounding[note] = 1
                    ons += 1
                case .noteOff: sounding[note] = nil
                case .controlChange where message.data1 == 64:
                    if message.data2 >= 64 { pedals.insert(message.channel) } else { pedals.remove(message.channel) }
                default: break
                }
            }
        }
        post(transport.take(.play, now: .zero, lookahead: 512))
        for _ in 0..<150 {
            let now = rig.renderer.sampleTime
            post(transport.advance(now: now, horizon: 9_600))
            let commands: [TransportCommand] = [
                .play, .pause, .togglePlay, .play, .seek(.bar(Int.random(in: 1...7, using: &random))), .seek(.byBars(-1)),
                .tempo(Double.random(in: 0.3...6, using: &random)), .transpose(Int.random(in: -48...48, using: &random)),
                .loop(.bars(2, to: 3)), .loop(nil), .stop, .seek(.bySeconds(1)),
            ]
            post(transport.take(commands.randomElement(using: &random) ?? .play, now: now, lookahead: 512))
            rig.render(Int.random(in: 1...4, using: &random) * 700, block: 256)
            listen()
        }
        post(transport.take(.pause, now: rig.renderer.sampleTime, lookahead: 512))
        post(transport.take(.stop, now: rig.renderer.sampleTime, lookahead: 512))
        rig.render(1024, block: 256)
        listen()
        #expect(ons > 100 && sounding.isEmpty && pedals.isEmpty, "seed \(seed): \(sounding), \(pedals)")
        #expect(rig.renderer.counters.lateEvents == 0 && rig.renderer.counters.lostEvents == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }
}
