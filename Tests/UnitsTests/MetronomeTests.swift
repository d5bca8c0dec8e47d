import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Beats are where they belong, to the frame, and the first of a bar stands out.
@Suite struct MetronomeTests {
    private struct Run {
        let rig: OfflineRig
        let node: NodeID

        init(_ values: [String: Float], sampleRate: Double = 48_000) throws {
            rig = OfflineRig(sampleRate: sampleRate)
            node = try rig.add(Metronome.self, startValues: values)
            try rig.graph.setOutput(node)
            try rig.publish()
        }

        func set(_ parameter: Metronome.Parameter, _ value: Float, at time: Int) {
            rig.set(parameter, value, of: node, at: time)
        }

        /// The frames behind a pause of 5 ms on which something sounds, and the peak of what follows.
        func clicks(in frames: Int, block: Int = 512) -> [(frame: Int, peak: Float)] {
            rig.render(frames, block: block)
            let sound = rig.recording[0]
            var clicks: [(frame: Int, peak: Float)] = [], quiet = 240
            for (frame, sample) in sound.enumerated() {
                if sample == 0 {
                    quiet += 1
                    continue
                }
                // The first sample of a click is a sine's zero.
                if quiet >= 240 { clicks.append((frame - 1, 0)) }
                quiet = 0
                clicks[clicks.count - 1].peak = max(clicks[clicks.count - 1].peak, abs(sample))
            }
            return clicks
        }
    }

    @Test(arguments: [1, 7, 512]) func beatsAreOnTheirFrames(_ block: Int) throws {
        let clicks = try Run(["tempo": 120]).clicks(in: 48_000 * 5, block: block)
        #expect(clicks.map(\.frame) == (0..<10).map { $0 * 24_000 })
    }

    /// 90 a minute are 29 400 frames at 44.1 kHz; 70 are 37 800.
    @Test func aTempoHasItsFramesAtEveryRate() throws {
        #expect(try Run(["tempo": 90], sampleRate: 44_100).clicks(in: 100_000).map(\.frame) == [0, 29_400, 58_800, 88_200])
        #expect(try Run(["tempo": 70], sampleRate: 44_100).clicks(in: 100_000).map(\.frame) == [0, 37_800, 75_600])
    }

    /// 130 a minute are 22 153.8 frames: each beat is on the frame that follows its moment.
    @Test func fractionsOfAFrameDoNotAddUp() throws {
        let frames = try Run(["tempo": 130]).clicks(in: 48_000 * 60).map(\.frame)
        #expect(frames == (0..<130).map { (beat: Int) -> Int in Int((Double(beat) * 48_000 * 60 / 130).rounded(.up)) })
    }

    @Test func theFirstBeatOfABarStandsOut() throws {
        let clicks = try Run(["tempo": 240, "beats": 3]).clicks(in: 12_000 * 7)
        #expect(clicks.map { $0.peak > 0.068 } == [true, false, false, true, false, false, true])
        let even = try Run(["tempo": 240, "beats": 1]).clicks(in: 12_000 * 3)
        #expect(Set(even.map(\.peak)).count == 1)
    }

    @Test func sixEighthsHaveTwiceAsManyBeats() throws {
        let clicks = try Run(["tempo": 120, "beats": 6, "beat-unit": 3]).clicks(in: 72_000)
        #expect(clicks.map(\.frame) == (0..<6).map { $0 * 12_000 })
    }

    @Test func eachStartIsTheFirstBeatOnItsFrame() throws {
        let run = try Run(["tempo": 120, "running": 0])
        run.set(.running, 1, at: 1_001)
        run.set(.running, 0, at: 60_000)
        run.set(.running, 1, at: 70_007)
        let clicks = run.clicks(in: 100_000)
        #expect(clicks.map(\.frame) == [1_001, 25_001, 49_001, 70_007, 94_007])
        #expect(clicks[3].peak == clicks[0].peak && clicks[4].peak == clicks[1].peak)
        #expect(run.rig.graph.nodes[0].instance.readout("beat") == 2)
    }

    /// A song says where it is, a little beside where the metronome has got to, around a beat: none is lost, none comes twice.
    @Test(arguments: [-600, -1, 0, 1, 600], [-300, -1, 0, 1, 300])
    func noBeatIsLostOrDoubledWhereThePlaceIsSaid(_ frames: Int, _ parts: Int) throws {
        let run = try Run(["tempo": 60])
        func say(_ times: [MusicalTime], at frame: Int) {
            for time in times {
                let event = UnitEvent.music(.time(time))
                #expect(run.rig.renderer.send(RenderCommand(time: SampleTime(Int64(frame)), node: nil, event: event)))
            }
        }
        say([.tempo(60), .meter(bar: 0, Meter(beats: 3, unit: 2)), .place(0)], at: 0)
        let said = 48_000 + frames
        say([.tempo(60), .place(Int32(26_880 + parts))], at: said)
        let clicks = run.clicks(in: 200_000)
        let third = said + Int((Double(26_880 - parts) / 26_880 * 48_000).rounded())
        #expect(clicks.count == 5 && clicks[0].frame == 0 && abs(clicks[1].frame - 48_000) <= 1_200, "\(clicks)")
        #expect((2..<5).allSatisfy { abs(clicks[$0].frame - third - ($0 - 2) * 48_000) <= 1 }, "\(clicks) \(third)")
        #expect(clicks.map { $0.peak > 0.068 } == [true, false, false, true, false])
        #expect(run.rig.violations.total == 0, "\(run.rig.violations)")
    }

    @Test func stoppedItSleeps() throws {
        let run = try Run(["running": 0])
        #expect(run.clicks(in: 4_800).isEmpty)
        #expect(run.rig.graph.nodes[0].instance.isAtRest && run.rig.violations.total == 0)
    }
}
