import CarillonTestKit
import Glibc
import MIDI
import Testing
import UnitAPI
import Units

/// What the drums are, measured: where their energy is, how long they ring, what ends them.
@Suite struct DrumSynthTests {
    @Test(arguments: Array(35...81)) func everyDrumBeginsOnItsFrameAndEnds(_ key: Int) throws {
        let heard = try DrumStrokes.stroke(key, frames: 240_000)
        #expect(heard.left[..<100].allSatisfy { $0 == 0 } && heard.left[100] != 0)
        let peak = heard.peak(100..<48_000)
        #expect(peak > 0.08 && peak < 1.2, "key \(key): peak \(peak)")
        #expect(heard.isAsleep && heard.violations.total == 0 && heard.faults == 0, "key \(key): \(heard.violations)")
    }

    @Test(arguments: [0, 34, 82, 127]) func keysWithoutADrumAreSilent(_ key: Int) throws {
        #expect(try DrumStrokes.stroke(key, frames: 4_000).left.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [35, 36]) func aLoudKickHasItsEnergyBelow150Hz(_ key: Int) throws {
        let heard = try DrumStrokes.stroke(key)
        let low = DrumStrokes.share(heard.left[100...], 20..<150)
        #expect(low > 0.85, "\(low)")
        // It falls from above 100 Hz to its own pitch: fewer crossings of zero the later.
        let late = heard.left[9_700..<19_300]
        let crossings = zip(late, late.dropFirst()).filter { $0.0 < 0 && $0.1 >= 0 }.count
        let wanted = key == 35 ? 46.0 : 52
        #expect(abs(Double(crossings) / 0.2 - wanted) <= 5, "\(crossings)")
        let early = heard.left[100..<1_300]
        let begin = zip(early, early.dropFirst()).filter { $0.0 < 0 && $0.1 >= 0 }.count
        #expect(Double(begin) / 0.025 > 1.5 * wanted, "\(begin)")
    }

    @Test func aSnareHasABodyAndSnares() throws {
        let heard = try DrumStrokes.stroke(38)
        let body = DrumStrokes.share(heard.left[100...], 150..<400)
        let snares = DrumStrokes.share(heard.left[100...], 1_500..<20_000)
        #expect(body > 0.15 && snares > 0.15 && body + snares > 0.8, "\(body), \(snares)")
        let bare = try DrumStrokes.stroke(38, 127, ["snares": 0])
        #expect(DrumStrokes.share(bare.left[100...], 1_500..<20_000) < 0.02)
    }

    @Test func hatsAreHighAndTomsAreInOrder() throws {
        for key in [42, 44, 46] {
            let centre = DrumStrokes.centroid(try DrumStrokes.stroke(key).left[100...])
            #expect(centre > 7_000 && centre < 14_000, "key \(key): \(centre) Hz")
        }
        let toms = try [41, 43, 45, 47, 48, 50].map { key in
            let late = try DrumStrokes.stroke(key).left[7_000..<16_600]
            return zip(late, late.dropFirst()).filter { $0.0 < 0 && $0.1 >= 0 }.count
        }
        #expect(toms == toms.sorted() && Set(toms).count == 6, "\(toms)")
        // The cowbell is its two squares, with their odd partials.
        let bell = try DrumStrokes.stroke(56).left[100...]
        #expect(DrumStrokes.share(bell, 525..<555) + DrumStrokes.share(bell, 785..<815) > 0.5)
    }

    /// Frames until it has fallen by 40 dB from its loudest 10 ms.
    private func ring(_ key: Int, _ settings: [String: Float] = [:]) throws -> Int {
        let heard = try DrumStrokes.stroke(key, 127, settings, frames: 240_000)
        let levels = stride(from: 100, to: 239_000, by: 480).map { heard.level($0..<($0 + 480)) }
        let most = levels.max()!
        return 480 * (levels.lastIndex { $0 > 0.01 * most } ?? 0)
    }

    @Test func decaysAndTuningDoWhatTheySay() throws {
        let open = try ring(46), closed = try ring(42)
        #expect(open > 4 * closed, "\(open), \(closed)")
        let long = Double(try ring(46, ["hat-decay": 200])) / Double(open)
        #expect(abs(long - 2) < 0.25, "\(long)")
        let tuned = try DrumStrokes.stroke(50, 127, ["tom-tune": 12]).left[7_000..<16_600]
        let plain = try DrumStrokes.stroke(50).left[7_000..<16_600]
        func count(_ x: ArraySlice<Float>) -> Int { zip(x, x.dropFirst()).filter { $0.0 < 0 && $0.1 >= 0 }.count }
        #expect(abs(count(tuned) - 2 * count(plain)) <= 2)
        #expect(try DrumStrokes.stroke(38, 127, ["snare-level": -40]).peak(0..<48_000) == 0)
    }

    @Test func aClosedHatEndsAnOpenOneAndNoOther() throws {
        var performance = DrumStrokes.performance()
        performance.on(46, at: 0)
        performance.on(49, at: 0)
        performance.on(42, at: 12_000)
        let both = try performance.render(48_000)
        var alone = DrumStrokes.performance()
        alone.on(49, at: 0)
        let crash = try alone.render(48_000)
        // The closed one is over after 0.13 s; what is left then is the crash, to the bit.
        #expect(both.left[20_000...] == crash.left[20_000...])
        var open = DrumStrokes.performance()
        open.on(46, at: 0)
        #expect(try open.render(48_000).level(14_000..<16_000) > 0.001)
        #expect(both.left[11_900..<12_000] != crash.left[11_900..<12_000])
    }

    @Test func aHarderStrokeIsLouderAndBrighter() throws {
        let hard = try DrumStrokes.stroke(38, 127), soft = try DrumStrokes.stroke(38, 64)
        let ratio = 20 * log10(hard.level(100..<5_000) / soft.level(100..<5_000))
        #expect(ratio > 11.5 && ratio < 15, "\(ratio)")    // 12 dB by the square of the velocity, and the noise
        #expect(DrumStrokes.centroid(hard.left[100...]) > DrumStrokes.centroid(soft.left[100...]) * 1.05)
    }

    @Test func nonRegisteredParametersTuneAndPanADrum() throws {
        var performance = DrumStrokes.performance()
        performance.control(10, 64, at: 0)
        performance.control(99, 0x1C, at: 0)
        performance.control(98, 50, at: 0)
        performance.control(6, 127, at: 0)
        performance.on(50, at: 100)
        let heard = try performance.render(20_000)
        #expect(heard.peak(0..<20_000) == 0 && heard.channels[1].contains { abs($0) > 0.1 })
    }

    @Test func allSoundOffSilencesAndVolumeFades() throws {
        var performance = DrumStrokes.performance()
        performance.on(49, at: 0)
        performance.control(120, 0, at: 10_000)
        let heard = try performance.render(20_000)
        #expect(heard.left[10_193...].allSatisfy { $0 == 0 } && heard.voices == 0)
        var quieter = DrumStrokes.performance()
        quieter.on(49, at: 0)
        quieter.control(7, 0, at: 10_000)
        #expect(try quieter.render(20_000).peak(14_000..<20_000) < 1e-5)
    }

    @Test func aFloodOfStrokesLosesTheQuietestAlone() throws {
        var performance = DrumStrokes.performance()
        for n in 0..<60 { performance.on(35 + n % 47, 60 + n, at: n * 20, channel: n % 3) }
        let heard = try performance.render(6_000)
        #expect(heard.voices <= 40 && heard.violations.total == 0, "\(heard.violations)")
    }

    @Test(arguments: [1, 7, 64, 1_000]) func blocksDoNotMatter(_ block: Int) throws {
        var performance = DrumStrokes.performance(["width": 80])
        var random = SeededRandom(seed: 8)
        for n in 0..<80 {
            performance.on(35 + Int(random.next() % 47), 1 + Int(random.next() % 127), at: n * 251, channel: n % 2)
        }
        let reference = try performance.render(24_000, block: 333), other = try performance.render(24_000, block: block)
        #expect(firstDifference(reference.channels, other.channels) == nil)
    }
}
