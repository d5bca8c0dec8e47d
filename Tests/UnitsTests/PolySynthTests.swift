import CarillonTestKit
import Glibc
import Graphs
import MIDI
import Testing
import UnitAPI
import Units

/// Notes, envelopes, the matrix, modes and stealing of the polysynth.
@Suite struct PolySynthTests {
    @Test func notesBeginAndEndOnTheirFrame() throws {
        var performance = Performance.polySynth(["release": 0.05])
        for (index, key) in [40, 64, 100].enumerated() {
            performance.on(key, at: 1_001 + 20_000 * index)
            performance.off(key, at: 6_001 + 20_000 * index)
        }
        let heard = try performance.render(70_000)
        for index in 0..<3 {
            let start = 1_001 + 20_000 * index
            #expect(heard.left[(start - 500)..<start].allSatisfy { $0 == 0 } && heard.left[start] != 0)
            #expect(heard.peak((start + 4_000)..<(start + 5_000)) > 0.05)
            #expect(heard.left[(start + 5_000 + 2_416)..<(start + 9_000)].allSatisfy { $0 == 0 })
        }
        #expect(heard.isAsleep && heard.voices == 0 && heard.violations.total == 0, "\(heard.violations)")
    }

    @Test func theLevelFollowsItsEnvelopeAndTheVelocity() throws {
        var performance = Performance.polySynth(["osc-1-shape": 3, "attack": 0.1, "decay": 0.2, "sustain": 40])
        performance.on(69, at: 0)
        performance.on(69, 64, at: 48_000, channel: 1)
        performance.off(69, at: 30_000)
        let heard = try performance.render(90_000)
        let full = heard.level(4_300..<4_900), held = heard.level(20_000..<30_000)
        #expect(abs(held / full - 0.4) < 0.02, "\(held / full)")
        #expect(heard.level(2_000..<2_200) < 0.75 * full && heard.level(2_000..<2_200) > 0.4 * full)
        let soft = heard.level(70_000..<90_000) / held, wanted = 64.0 / 127 * 64 / 127
        #expect(abs(soft / wanted - 1) < 0.01, "\(soft)")
    }

    @Test func theSecondEnvelopeOpensTheFilterAndShutsIt() throws {
        var performance = Performance.polySynth([
            "cutoff": 200, "slope": 1, "filter-envelope": 48, "filter-attack": 0.05, "filter-decay": 0.5, "filter-sustain": 0,
        ])
        performance.on(45, at: 0)
        let heard = try performance.render(60_000)
        /// The tenth partial against the first.
        func bright(_ range: Range<Int>) -> Double {
            let tenth = Spectrum.line(heard.left[range].map(Double.init), frequency: 1_100 / 48_000)
            let size = (tenth.real * tenth.real + tenth.imaginary * tenth.imaginary).squareRoot()
            return 20 * log10(size / heard.fundamental(45, range))
        }
        #expect(bright(1_800..<4_200) > -22 && bright(40_000..<60_000) < -50)
    }

    @Test func theSlowOscillatorBendsThePitchAsFarAsTheMatrixSays() throws {
        for (settings, most, least) in [
            (["lfo-rate": 2, "lfo-shape": 4], 6_960.0, 6_840.0),
            (["lfo-rate": 2, "lfo-shape": 4, "lfo-delay": 9], 6_904, 6_896),
        ] as [([String: Float], Double, Double)] {
            var performance = Performance.polySynth(settings, slots: [(MatrixSource.lfo, MatrixGoal.pitch, 5)])
            performance.on(69, at: 0)
            let heard = try performance.render(24_000)
            let up = heard.pitch(1_500..<11_000, near: 6_900), down = heard.pitch(13_500..<23_500, near: 6_900)
            #expect(up > 6_900 && down < 6_900 && up < most + 0.5 && down > least - 0.5, "\(up), \(down)")
            if settings["lfo-delay"] == nil { #expect(abs(up - most) < 0.1 && abs(down - least) < 0.1, "\(up), \(down)") }
        }
    }

    @Test func velocityPressureWheelAndKeyMoveWhatTheSlotsSay() throws {
        func play(_ slot: (Int, Int, Float), wheel: Int = 0, pressure: Int = 0) throws -> Recording {
            var performance = Performance.polySynth(
                ["osc-1-shape": 3, "velocity-curve": 0, "vibrato-depth": 0], slots: [slot])
            performance.control(1, wheel, at: 0)
            performance.send(0xD0, pressure, at: 0)
            performance.on(60, at: 1)
            return try performance.render(20_000)
        }
        let range = 8_000..<20_000
        // Level: at -100 % the wheel's end is silence, in the middle half.
        let loud = try play((MatrixSource.wheel, MatrixGoal.level, -100)).level(range)
        let half = try play((MatrixSource.wheel, MatrixGoal.level, -100), wheel: 64).level(range)
        #expect(abs(half / loud - 63.0 / 127) < 0.005)
        #expect(try play((MatrixSource.wheel, MatrixGoal.level, -100), wheel: 127).peak(range) < 1e-5)
        // Pitch: an octave, 1/10 of it.
        let bent = try play((MatrixSource.pressure, MatrixGoal.pitch, 10), pressure: 127)
        #expect(abs(bent.pitch(range, near: 6_120) - 6_120) < 0.05)
        // Pan: all the way to the right.
        let right = try play((MatrixSource.velocity, MatrixGoal.pan, 100))
        #expect(right.peak(range) < 1e-6 && right.channels[1][range].contains { abs($0) > 0.1 })
        // Width: an even partial appears; at a half of 50 % there is none.
        let wide = try play((MatrixSource.velocity, MatrixGoal.width, 50)), even = try play((0, 0, 0))
        #expect(even.fundamental(72, range) < 1e-5 && wide.fundamental(72, range) > 0.05)
        // Two notes of one key have another number at random.
        var performance = Performance.polySynth(slots: [(MatrixSource.random, MatrixGoal.pitch, 20)])
        for n in 0..<6 {
            performance.on(69, at: n * 10_000)
            performance.off(69, at: n * 10_000 + 8_000)
        }
        let heard = try performance.render(60_000)
        let pitches = (0..<6).map { heard.pitch(($0 * 10_000 + 1_000)..<($0 * 10_000 + 7_500), near: 6_900) }
        #expect(Set(pitches.map { Int($0) }).count >= 5 && pitches.allSatisfy { abs($0 - 6_900) < 241 }, "\(pitches)")
    }

    @Test func legatoGoesOnAndGlidesAndMonoBeginsAnew() throws {
        func play(_ mode: Float) throws -> Recording {
            var performance = Performance.polySynth([
                "mode": mode, "glide": 0.5, "decay": 0.3, "sustain": 20, "osc-1-shape": 0,
            ])
            performance.on(57, at: 0)
            performance.on(69, at: 48_000)
            performance.off(69, at: 120_000)
            return try performance.render(168_000)
        }
        for mode in [1, 2] as [Float] {
            let heard = try play(mode)
            #expect(heard.voices == 1)
            // Half a second later it has arrived; half way there it is half way up.
            #expect(abs(heard.pitch(80_000..<118_000, near: 6_900) - 6_900) < 0.05)
            let halfway = heard.pitch(58_000..<62_000, near: 6_300)
            #expect(abs(halfway - 6_300) < 20, "\(halfway)")
            // The key that is still down has its pitch back, after another glide.
            #expect(abs(heard.pitch(148_000..<167_000, near: 5_700) - 5_700) < 0.05)
            let before = heard.level(40_000..<47_000), after = heard.level(49_000..<50_000)
            #expect(mode == 1 ? after > 2.5 * before : abs(after / before - 1) < 0.1, "mode \(mode): \(before), \(after)")
        }
        #expect(try play(0).voices == 1)
    }

    @Test func aStolenNoteFadesWithoutAClick() throws {
        var performance = Performance.polySynth(["polyphony": 2, "osc-1-shape": 0, "attack": 0.05, "release": 1])
        performance.on(50, at: 0)
        performance.on(57, at: 1_000)
        performance.on(45, at: 20_000)
        let heard = try performance.render(40_000)
        #expect(heard.voices == 2)
        #expect(heard.fundamental(50, 5_000..<19_000) > 0.1 && heard.fundamental(50, 24_000..<40_000) < 0.002)
        // Cut off, it would bend by its amplitude.
        #expect(steepestBend(heard.left[19_000..<22_000]) < 0.003, "\(steepestBend(heard.left[19_000..<22_000]))")
    }

    @Test func theQuietestReleasedNotesGoWhereTheMachineIsTooSlow() throws {
        let rig = OfflineRig()
        let node = try rig.add(PolySynth.self, startValues: ["release": 8])
        try rig.graph.setOutput(node)
        try rig.publish()
        for n in UInt8(0)..<4 { rig.send(.message(MIDIMessage(status: 0x90, data1: 50 + n, data2: 99)), to: node, at: 0) }
        for n in UInt8(0)..<4 { rig.send(.message(MIDIMessage(status: 0x80, data1: 50 + n, data2: 0)), to: node, at: 500) }
        rig.render(1_000)
        rig.renderer.shed(1)
        rig.render(1_000)
        #expect(try rig.graph.node(node).instance.readout("voices") == 2)
    }

    @Test func drumPartsAreSilentAndTheWheelIsVibrato() throws {
        var drums = Performance.polySynth()
        drums.on(40, at: 0, channel: 9)
        #expect(try drums.render(2_000).left.allSatisfy { $0 == 0 })
        var wheel = Performance.polySynth(["lfo-shape": 4, "lfo-rate": 1])
        wheel.control(1, 127, at: 0)
        wheel.on(69, at: 0)
        let heard = try wheel.render(24_000)
        #expect(abs(heard.pitch(2_000..<23_000, near: 6_950) - 6_950) < 0.1)
    }

    @Test(arguments: [1, 7, 64, 1_000]) func blocksDoNotMatterWhileEverythingMoves(_ block: Int) throws {
        var performance = Performance.polySynth(
            ["osc-2-level": 60, "noise-level": 20, "filter-envelope": 30, "cutoff": 900, "resonance": 50, "slope": 1],
            slots: [(0, 0, 5), (1, 3, 40), (6, 6, 100), (0, 7, 50)])
        var random = SeededRandom(seed: 5)
        let live = PolySynth.Parameter.allCases.filter { $0.spec.applies == .live }
        for n in 0..<60 {
            let time = n * 300 + n % 17
            performance.on(40 + Int(random.next() % 40), 1 + Int(random.next() % 127), at: time)
            performance.off(40 + Int(random.next() % 40), at: time + 50)
            let parameter = live[Int(random.next() % UInt64(live.count))]
            performance.set(
                parameter, element: parameter.spec.scope == .band ? n % 4 : 0,
                parameter.spec.value(atFraction: (random.sample() + 1) / 2), at: time + 77)
            performance.bend(Int(random.next() % 16_384) - 8_192, at: time + 100)
        }
        let reference = try performance.render(20_000, block: 333), other = try performance.render(20_000, block: block)
        #expect(firstDifference(reference.channels, other.channels) == nil && reference.peak(0..<20_000) > 0.1)
        #expect(reference.violations.total == 0 && reference.faults == 0, "\(reference.violations)")
    }
}
