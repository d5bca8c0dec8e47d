import Carillon
import CarillonTestKit
import Foundation
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import TestFolders
import Testing

@testable import EngineCore
@testable import Sequencer
@testable import Sessions

/// Loops that are written over, begun late, kept and captured; and requests at random.
extension MIDILoopTests {
    @Test func whatIsWrittenOverGoes() throws {
        try record(60)
        try pass(2)
        try ask("replace")
        // From the next bar on for two bars and a half; the note of the loop is one of them.
        try pass(3)
        try note(70)
        try pass(2)
        try ask("replace")
        try pass(2)
        let count = onsets(60).count
        try pass(9)
        #expect(onsets(60).count == count && onsets(70).count >= 3 && loop.layers == 2)
        try ask("undo")
        try pass(9)
        #expect(onsets(60).count > count)
        try session.finish()
    }

    @Test func aLoopPlaysOnceOrFromItsBeginning() throws {
        try record(60)
        try pass(6)
        try ask("once")
        try pass(7)
        #expect(loop.state == "stopped")
        let count = onsets(60).count
        try pass(6)
        #expect(onsets(60).count == count && down.isEmpty)
        try ask("retrigger")
        try pass(5)
        #expect(loop.state == "playing" && onsets(60).count > count)
        try session.finish()
    }

    /// A press a little after the bar: what the loop has missed is struck at once, and is on its frame from the next turn on.
    @Test func aLatePressIsMadeUpFor() throws {
        try session.perform(.metronome(true, tempo: 120))
        try session.perform(.looper(kind: .midi, track: 1))
        try pass(1.5)
        try ask("record", 1)
        let metronome = try #require(session.parts[MetronomePart.self])
        let bar = try #require(metronome.next(.bar, after: SampleTime(Int64(port.played[0].count))))
        try pass(0.53)
        try note(60, 0.05)
        // Four seconds after the bar, and 70 ms.
        while port.played[0].count < bar.rawValue + 192_000 + 3_360 { try pass(0.01) }
        try ask("play")
        try pass(9)
        let first = try #require(onsets(60).first), turns = onsets(60).dropFirst()
        #expect(loop.beats == 8 && turns.count == 3)
        #expect(first - Int(bar.rawValue) < 3_360)
        #expect(turns.first.map { $0 - first > 192_000 && $0 - first < 198_000 } == true)
        #expect(turns.dropFirst().map { ($0 - first) % 192_000 }.allSatisfy { $0 == 0 })
        try session.finish()
    }

    @Test func loopsAreSavedAndComeBack() throws {
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        try record(60, track: 2)
        try pass(6)
        try ask("overdub", 2)
        try pass(3)
        try note(67)
        try pass(3)
        try ask("play", 2)
        try pass(3)
        try ask("stop", 2)
        try session.perform(.saveLoops(folder + "/evening"))
        try pass(0.3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/evening") == ["2.mid"])
        #expect(throws: Fault.self) { try session.perform(.saveLoops(folder + "/evening")) }
        let distance = try #require(onsets(67).last) - (try #require(onsets(60).last))
        try ask("clear", 2)
        try session.perform(.looper(kind: .audio, track: 2))
        try record(50, track: 3)
        try pass(5)
        try session.perform(.loadLoops(folder + "/evening"))
        try pass(0.5)
        let loops = session.snapshot.loops
        #expect(loops[1].state == "stopped" && loops[1].kind == .midi && loops[1].beats == 8 && loops[2].state == "empty")
        #expect(session.engine.graph.node(named: "looper") == nil)
        let count = heard.count
        try ask("play", 2)
        try pass(12)
        heard.removeFirst(count)
        let gaps = zip(onsets(60).dropFirst(), onsets(60)).map { $0 - $1 }
        #expect(!gaps.isEmpty && gaps.allSatisfy { $0 == 192_000 })
        let turned = (try #require(onsets(67).last) - (try #require(onsets(60).last)) - distance) % 192_000
        #expect(turned == 0 && onsets(50).isEmpty)
        for name in ["nothing", "evening/2"] {
            #expect(throws: Fault.self) { try session.perform(.loadLoops("\(folder)/\(name)")) }
        }
        try session.finish()
    }

    @Test func theLastBarsBecomeALoop() throws {
        #expect(throws: Fault.self) { try session.perform(.looperCapture(bars: 1, track: 1)) }
        try session.perform(.metronome(true, tempo: 97))
        #expect(throws: Fault.self) { try session.perform(.looperCapture(bars: 1, track: 1)) }
        // One bar is 2.47 s.
        try pass(2.6)
        for key in [60, 64, 67] as [UInt8] {
            try note(key)
            try pass(0.6)
        }
        try pass(3.2)
        try session.perform(.looperCapture(bars: 2, track: 1))
        let played = heard.filter(\.message.beginsNote)
        try pass(12)
        #expect(loop.kind == .midi && loop.state == "playing" && loop.beats == 8)
        for event in played {
            let turns = onsets(event.message.data1).map { Double($0 - event.time) / (8 * 60 * 48_000 / 97.0) }
            #expect(turns.count >= 3 && turns.allSatisfy { abs($0 - $0.rounded()) < 1e-5 }, "\(turns)")
        }
        #expect(throws: Fault.self) { try session.perform(.looperCapture(bars: 2, track: 1)) }
        try session.finish()
    }

    /// Beside a song the loop stays at its place of the song's beats, at every tempo of the song.
    @Test func besideASongLoopsKeepToItsBeats() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(400, beatFrames: 30_000)])
        let session = time.session
        try session.perform(.looper(kind: .midi, track: 1))
        try time.pass(1)
        try session.perform(LooperSessionTests.command("record", 1))
        try time.pass(3)
        try session.perform(.note(channel: 1, key: 72, velocity: 100, seconds: 0.1))
        try time.pass(3)
        try session.perform(LooperSessionTests.command("play", 1))
        try time.pass(6)
        #expect(session.snapshot.loops[0].state == "playing" && session.snapshot.loops[0].beats == 8)
        /// The share of a beat of the song at which the loop's notes begin.
        func shares(_ first: Int) throws -> [Double] {
            let beats = time.onsets.filter { $0.key == 60 }.map(\.time)
            return try time.onsets.filter { $0.key == 72 }.dropFirst(first).dropLast().map { onset in
                let next = try #require(beats.first { $0 > onset.time }), last = try #require(beats.last { $0 <= onset.time })
                return Double(onset.time - last) / Double(next - last)
            }
        }
        let wanted = try #require(shares(0).first)
        for tempo in [1, 1.25, 0.7] {
            try session.perform(.tempo(tempo))
            try time.pass(3)
            let count = time.onsets.count { $0.key == 72 }
            try time.pass(25)
            let shares = try shares(count)
            #expect(shares.count >= 2 && shares.allSatisfy { abs($0 - wanted) < 0.004 }, "\(tempo): \(shares), not \(wanted)")
        }
        try session.finish()
    }

    /// Two thousand requests at random, with keys between them: once all loops are stopped and the keys are up, nothing stays.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func noNoteStays(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func next(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for track in 1...3 { try session.perform(.looper(kind: .midi, track: track)) }
        let actions = [
            "record", "play", "overdub", "replace", "undo", "redo", "mute", "solo", "stop", "clear", "half", "double", "once",
            "retrigger", "arm", "pedal", "hold", "lift",
        ]
        var refused = 0
        for _ in 0..<2_000 {
            do throws(Fault) {
                switch next(24) {
                case 0: try session.perform(.metronome(next(2) == 0, tempo: nil))
                case 1: try session.perform(.tempo(Double(60 + next(120))))
                case 2: try session.perform(.looperMultiply(1 + next(3), track: 1 + next(3)))
                default:
                    let verb = Verb.loopActions.first { $0.words == ["looper", actions[next(actions.count)]] }
                    if let verb { try session.perform(ControlCommand(verb, [.whole(1 + next(3))])) }
                }
            } catch { refused += 1 }
            let key = UInt8(60 + next(4))
            switch next(4) {
            case 0: play(0x90, key)
            case 1: play(0x80, key, 0)
            case 2: play(0xB0, 64, UInt8(next(2) * 127))
            default: play(0xE0, 0, UInt8(next(128)))
            }
            port.advance(seconds: Double(next(8)) / 100)
            try session.maintain()
        }
        #expect(refused < 1_500)
        for track in 1...3 {
            if session.snapshot.loops[track - 1].state != "empty" { try ask("stop", track) }
            try ask("clear", track)
        }
        for key in 60..<64 as Range<UInt8> { play(0x80, key, 0) }
        play(0xB0, 64, 0)
        play(0xE0, 0, 64)
        try pass(1)
        #expect(down.isEmpty, "\(down)")
        #expect(heard.last { $0.message.status == 0xB0 && $0.message.data1 == 64 }?.message.data2 == 0)
        #expect(heard.last { $0.message.status == 0xE0 }?.message.bend == 0)
        let count = heard.count
        try pass(3)
        #expect(heard.count == count)
        try session.finish()
    }

    /// The patch that was left stays as long as a loop plays it, and goes when that is cleared or moved.
    @Test func aLoopKeepsItsInstruments() throws {
        let text = """
            version: 1
            units:
              lead: {unit: square-wave, role: instrument}
              mixer: {unit: multichannel-mixer, role: master}
            connections: [lead -> mixer]
            outputs: mixer
            """
        let patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        for moves in [false, true] {
            var options = SessionInTime.options
            options.patches = (1...7).map { ListedPatch("patch \($0)", patch) }
            let time = try SessionInTime(options), session = time.session
            try session.perform(.looper(kind: .midi, track: 1))
            try session.perform(LooperSessionTests.command("record", 1))
            try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.5))
            try time.pass(1)
            try session.perform(LooperSessionTests.command("play"))
            try time.pass(3)
            // More patches than may ring: those without loops fade.
            for number in 2...7 {
                try session.perform(.patch(.next))
                #expect(try time.pass(atMost: 5) { session.snapshot.patches?.number == number })
                try time.pass(0.3)
            }
            try time.pass(35)
            #expect(session.snapshot.patches?.ringing == 1)
            let former = try #require(session.engine.graph.nodes.first { $0.name.hasSuffix(".lead") })
            let count = time.onsets.count, before = time.port.played[0].count
            try time.pass(3)
            #expect(time.onsets.count > count && former.name.hasPrefix("former"))
            #expect(time.port.played[0][before...].contains { abs($0) > 0.02 })
            if moves {
                try session.perform(.looperMove(track: 1))
            } else {
                try session.perform(LooperSessionTests.command("clear", 1))
            }
            #expect(try time.pass(atMost: 40) { session.snapshot.patches?.ringing == 0 })
            let after = time.onsets.count
            try time.pass(3)
            #expect(moves ? time.onsets.count > after : time.onsets.count == after)
            if moves { #expect(session.engine.renderer.counters.unheardEvents == 0) }
            try session.finish()
        }
    }

    /// Loops through an engine: the same samples for all blocks.
    @Test func theSameForAllBlocks() throws {
        var former: [Float]?
        for block in [16, 100, 512, 4096] {
            let text =
                "{version: 1, units: {lead: {unit: square-wave, role: instrument, parts: 1}}, connections: [], outputs: lead}"
            let engine = try Engine(patch: PatchFile(text: text, units: UnitCatalog.entries).playable(), sampleRate: 48_000)
            var loop = Song.Arrangement.Track([
                .init(0, note: 60, length: 0.5), .init(0.75, note: 64, length: 4), .init(1.3, note: 67, length: 0.2),
            ])
            loop.loop = Song.Arrangement.Loop(0..<2)
            var player = TrackPlayer(Song.Arrangement(tracks: [loop]), sampleRate: 48_000, areLoops: true)
            var outbox = StretchOutbox(in: .loops)
            outbox.post(player.setRate(97 / TrackPlayer.usualTempo, at: .zero, now: .zero), to: engine.renderer)
            outbox.post(player.play(at: .zero, now: .zero), to: engine.renderer)
            outbox.post(player.setRate(131 / TrackPlayer.usualTempo, at: SampleTime(70_001), now: .zero), to: engine.renderer)
            outbox.post(player.edit(Song.Arrangement(tracks: []), at: SampleTime(150_000), now: .zero), to: engine.renderer)
            outbox.post(player.advance(now: .zero, horizon: 192_000), to: engine.renderer)
            for (time, status) in [(20_000, 0x90), (90_000, 0x80)] as [(Int64, UInt8)] {
                let event = MusicEvent.message(MIDIMessage(status: status, data1: 60, data2: 90))
                #expect(engine.renderer.sendLive(TimedMusicEvent(time: SampleTime(time), event: event)))
            }
            let output = try OfflineOutput(renderer: engine.renderer, channels: 2, maximumFrames: 4096)
            var samples: [Float] = []
            while samples.count < 192_000 {
                output.pull(block)
                samples += output.buffer[channel: 0][..<block]
            }
            samples.removeLast(samples.count - 192_000)
            if let former { #expect(former == samples) }
            #expect(samples.contains { abs($0) > 0.02 })
            former = samples
        }
    }
}
