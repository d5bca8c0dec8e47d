import MIDI
import Testing
import UnitAPI
import Units

/// Tuning tables, the legato pedal, the range of modulation, and balance.
@Suite struct SquareWaveTuningTests {
    private func held(_ performance: Performance, at frames: Int = 12_000) throws -> Int {
        try performance.render(frames).voices
    }

    @Test func tuningTablesMoveTheKeysOfTheirChannels() throws {
        func heard(_ key: Int, near cents: Double, channel: Int = 0, _ prepare: (inout Performance) -> Void) throws -> Double {
            var performance = Performance()
            prepare(&performance)
            performance.on(key, at: 10, channel: channel)
            return try performance.render(30_000).pitch(2_000..<30_000, near: cents) - cents
        }
        func scale(_ performance: inout Performance) {
            performance.play(.scaleTuning(channels: 0b10, step: 4, hundredths: -1_350, port: 0), at: 0)
            performance.play(.scaleTuning(channels: 0b1, step: 4, hundredths: 5_000, port: 1), at: 0)
        }
        #expect(abs(try heard(64, near: 6_386.5, channel: 1, scale)) < 0.01)
        #expect(abs(try heard(52, near: 5_186.5, channel: 1, scale)) < 0.01)
        #expect(abs(try heard(65, near: 6_500, channel: 1, scale)) < 0.01)
        #expect(abs(try heard(64, near: 6_400, scale)) < 0.01)

        func keys(_ performance: inout Performance) {
            performance.play(.keyTuning(KeyTuning(key: 69, semitone: 70, program: 0, port: 0)), at: 0)
            performance.play(
                .keyTuning(KeyTuning(key: 69, semitone: 60, fraction: 8_192, program: 7, port: 0)), at: 0)
        }
        #expect(abs(try heard(69, near: 7_000, keys)) < 0.01)
        #expect(
            abs(
                try heard(69, near: 6_050) {
                    keys(&$0); $0.registered(3, 7, at: 1)
                }) < 0.01)
        #expect(
            abs(
                try heard(69, near: 6_900) {
                    keys(&$0); $0.registered(4, 1, at: 1)
                }) < 0.01)
        #expect(
            abs(
                try heard(69, near: 6_900) {
                    keys(&$0); $0.play(.reset(.gs, port: 0), at: 1)
                }) < 0.01)
        // The programs are as they were, too.
        let afterReset = try heard(69, near: 6_900) {
            keys(&$0)
            $0.play(.reset(.gs, port: 0), at: 1)
            $0.registered(3, 7, at: 2)
        }
        #expect(abs(afterReset) < 0.01)
    }

    @Test func aNoteThatSoundsFollowsItsTable() throws {
        var performance = Performance()
        performance.on(69, at: 10)
        performance.play(.keyTuning(KeyTuning(key: 69, semitone: 71, program: 0, port: 0)), at: 12_000)
        let recording = try performance.render(30_000)
        #expect(abs(recording.pitch(2_000..<12_000, near: 6_900) - 6_900) < 0.05)
        #expect(abs(recording.pitch(13_000..<30_000, near: 7_100) - 7_100) < 0.01)
    }

    @Test func theLegatoPedalMakesOneNoteOfKeysThatOverlap() throws {
        var performance = Performance(["attack": 0.2])
        performance.on(60, at: 0)
        performance.control(68, 127, at: 11_000)
        performance.on(67, at: 12_000)
        performance.off(67, at: 24_000)
        let recording = try performance.render(36_000)
        #expect(recording.voices == 1)
        #expect(abs(recording.pitch(13_000..<24_000, near: 6_700) - 6_700) < 0.1)
        #expect(abs(recording.pitch(25_000..<36_000, near: 6_000) - 6_000) < 0.1)
        // No new attack: the level stays.
        #expect(abs(recording.level(12_200..<14_000) / recording.level(10_000..<12_000) - 1) < 0.05)
        performance.off(60, at: 36_000)
        #expect(try held(performance, at: 40_000) == 0)
        // The same key again is a new stroke.
        var again = Performance(["attack": 0.2])
        again.control(68, 127, at: 0)
        again.on(60, at: 0)
        again.on(60, at: 12_000)
        let struck = try again.render(14_000)
        #expect(struck.level(12_800..<14_000) < struck.level(10_000..<12_000) / 2)
        // Keys that do not overlap are notes of their own, and a chord struck before stays one.
        var chord = Performance()
        for key in [48, 52] { chord.on(key, at: 0) }
        chord.control(68, 127, at: 100)
        chord.on(55, at: 1_000)
        #expect(try held(chord) == 2)
        for key in [48, 55] { chord.off(key, at: 13_000 + key) }
        #expect(abs(try chord.render(30_000).pitch(16_000..<30_000, near: 5_200) - 5_200) < 0.1)    // still down
        #expect(try held(chord, at: 16_000) == 1)
        chord.off(52, at: 16_000)
        #expect(try held(chord, at: 20_000) == 0)
        chord.on(60, at: 20_000)
        #expect(try held(chord, at: 24_000) == 1)
    }

    @Test func theRangeOfTheModulationWheelScalesTheVibrato() throws {
        var performance = Performance(["vibrato-depth": 50, "vibrato-rate": 2])
        performance.registered(5, 1, 0, at: 0)
        performance.on(69, at: 0)
        performance.control(1, 127, at: 1)
        let recording = try performance.render(24_000)
        #expect(abs(recording.pitch(5_400..<6_600, near: 7_000) - 7_000) < 6)
    }

    @Test func masterBalanceTakesFromOneSide() throws {
        for (balance, left, right) in [(-1, 1, 0), (-0.25, 1, 0.75), (0, 1, 1), (0.5, 0.5, 1)] as [(Float, Double, Double)] {
            var performance = Performance(), reference = Performance()
            performance.play(.masterBalance(balance, port: 0), at: 0)
            performance.on(60, at: 10)
            reference.on(60, at: 10)
            let heard = try performance.render(8_000), plain = try reference.render(8_000)
            for (side, factor) in [left, right].enumerated() {
                for frame in 4_000..<8_000 {
                    #expect(abs(heard.channels[side][frame] - plain.channels[side][frame] * Float(factor)) < 1e-5)
                }
            }
        }
    }
}
