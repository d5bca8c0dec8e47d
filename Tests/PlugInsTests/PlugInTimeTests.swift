import Carillon
import CarillonTestKit
import Foundation
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

@testable import PlugIns

/// What plug-ins are told of the song's time, and on which frame. The test's plug-in gives a value of it on the left, and how
/// often it was told on the right.
@Suite(.serialized) struct PlugInTimeTests {
    enum Field: Int, Sendable { case speed, frame, bar, barBeat, beat, beatUnit, beatsPerBar, beatsPerMinute }

    private func rig(_ field: Field, inChild: Bool = false) throws -> (rig: OfflineRig, unit: UnitInstance, node: NodeID) {
        try TestPlugIns.rig(
            "lv2:test-clock", startValues: ["field": Float(field.rawValue)],
            properties: inChild ? ["in-child": .flag(true), "child-latency": .integer(256)] : [:])
    }

    private func say(_ times: [MusicalTime], at frame: Int, _ rig: OfflineRig) {
        for time in times {
            #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(frame)), node: nil, event: .music(.time(time)))))
        }
    }

    /// Six eighths at 90 quarter notes, in the third beat of the sixth bar.
    private func sayAll(at frame: Int, _ rig: OfflineRig) {
        let meter = Meter(beats: 6, unit: 3)
        say([.tempo(90), .meter(bar: 4, meter), .beat(24), .frame(1_000), .place(4 * 26_880)], at: frame, rig)
    }

    @Test(
        arguments: zip(
            [Field.speed, .frame, .bar, .barBeat, .beat, .beatUnit, .beatsPerBar, .beatsPerMinute],
            [1, 1_000, 5, 2, 32, 8, 6, 180] as [Float]))
    func aPositionIsToldOnItsFrame(_ field: Field, _ value: Float) throws {
        for block in [1, 64, 1_000] {
            let (rig, _, _) = try rig(field)
            sayAll(at: 1_001, rig)
            rig.render(1_500, block: block)
            let frames = rig.recording[0].indices.prefix(1_500)
            #expect(frames.allSatisfy { rig.recording[0][$0] == ($0 < 1_001 ? 0 : value) }, "\(rig.recording[0][1_001])")
            #expect(frames.allSatisfy { rig.recording[1][$0] == ($0 < 1_001 ? 0 : 1) }, "once")
            #expect(rig.violations.total == 0, "\(rig.violations)")
        }
    }

    @Test func eachChangeIsToldOnceAndThatTheMusicStandsStill() throws {
        let (rig, _, _) = try rig(.speed)
        sayAll(at: 100, rig)
        say([.tempo(60), .place(5 * 26_880)], at: 700, rig)
        say([.stopped], at: 900, rig)
        rig.render(1_024, block: 128)
        for (frame, speed, count) in [(99, 0, 0), (100, 1, 1), (699, 1, 1), (700, 1, 2), (900, 0, 3), (1_023, 0, 3)] {
            #expect(rig.recording[0][frame] == Float(speed) && rig.recording[1][frame] == Float(count), "frame \(frame)")
        }
    }

    /// A reset makes another instance of it, which knows nothing: it is told where the music has got to.
    @Test(arguments: [false, true]) func whoWasResetIsToldAgain(inChild: Bool) throws {
        let (rig, unit, node) = try rig(.frame, inChild: inChild)
        sayAll(at: 100, rig)
        play(rig, unit, 1_024)
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(1_024), node: node, event: .reset)))
        rig.forget()
        play(rig, unit, 1_024)
        let first = inChild ? 256 : 0
        #expect(rig.recording[0][first] == 1_924 && rig.recording[1][first] == 1)
        #expect(rig.recording[0][1_023] == 1_924 && rig.recording[1][1_023] == 1)
    }

    private func play(_ rig: OfflineRig, _ unit: UnitInstance, _ frames: Int) {
        for _ in 0..<(frames / 256) {
            unit.companion?.attend()
            rig.render(256, block: 256)
        }
    }

    @Test func inAProcessOfItsOwnItIsToldAsHere() throws {
        for field in [Field.barBeat, .frame, .beatsPerMinute] {
            let (here, _, _) = try rig(field), (there, unit, _) = try rig(field, inChild: true)
            for rig in [here, there] {
                sayAll(at: 333, rig)
                say([.tempo(100), .place(26_880 * 9 / 2)], at: 777, rig)
            }
            here.render(2_048, block: 256)
            play(there, unit, 2_304)
            for channel in 0..<2 {
                #expect(Array(there.recording[channel][256..<2_304]) == Array(here.recording[channel][..<2_048]))
            }
            #expect(there.violations.total == 0, "\(there.violations)")
        }
    }

    @Test(.timeLimit(.minutes(2))) func aProcessThatComesBackIsToldAgain() throws {
        let (rig, unit, _) = try rig(.beatsPerMinute, inChild: true)
        let keeper = try #require(unit.companion as? PlugInKeeper)
        sayAll(at: 0, rig)
        play(rig, unit, 1_024)
        keeper.attend()
        kill(keeper.process, SIGKILL)
        while keeper.crashes == 0 { keeper.look() }
        play(rig, unit, 2_048)
        #expect(rig.recording[0].last == 180 && rig.recording[1].last == 1)
    }

    /// A song that changes its tempo and its meter, through an engine.
    @Test func aSongTellsItsPlugIns() throws {
        let entry = try TestPlugIns.entry("lv2:test-clock")
        let notes = (0..<16).map { SongEvent(tick: $0 * 240, .message(MIDIMessage(status: 0x9F, data1: 60, data2: 0))) }
        let changes = [
            SongEvent(tick: 1_000, .tempo(microsecondsPerQuarter: 600_000)),
            SongEvent(tick: 1_920, .timeSignature(TimeSignature(3, over: 4))),
        ]
        let track = Track(events: (notes + changes).sorted { $0.tick < $1.tick }, endTick: 3_840)
        let timeline = try Timeline(Song(tracks: [track]), sampleRate: 48_000)
        func heard(_ field: Field) throws -> [[Float]] {
            let engine = Engine()
            try engine.edit { graph in
                let unit = try entry.make(UnitSetup(sampleRate: 48_000, startValues: ["field": Float(field.rawValue)]))
                try graph.setOutput(try graph.add(unit))
            }
            try engine.start(on: .offline)
            engine.play(timeline, at: .zero)
            return try engine.render(frames: Int(timeline.summary.end.rawValue))
        }
        let tempo = Int(timeline.tempoMap.time(ofTick: 1_000).rawValue)
        let meter = Int(timeline.tempoMap.time(ofTick: 1_920).rawValue)
        let minutes = try heard(.beatsPerMinute), bars = try heard(.bar), frames = try heard(.frame)
        #expect(minutes[0][tempo - 1] == 120 && minutes[0][tempo] == 100)
        #expect(bars[0][meter - 1] == 0 && bars[0][meter] == 1)
        #expect(frames[0][0] == 0 && frames[0][tempo] == Float(tempo) && frames[0][meter] == Float(meter))
        #expect([0, tempo - 1, tempo, meter - 1, meter].map { minutes[1][$0] } == [1, 1, 2, 2, 3])
    }

    @Test func onlyThoseThatTakeItAreTold() throws {
        #expect(try TestPlugIns.entry("lv2:test-clock").descriptor.hearsTime)
        let (rig, unit, _) = try TestPlugIns.rig("lv2:mda-dx10")
        #expect(!unit.descriptor.hearsTime)
        sayAll(at: 0, rig)
        rig.render(512)
        #expect(rig.recording[0].allSatisfy { $0 == 0 } && rig.renderer.counters.lostEvents == 0)
    }
}
