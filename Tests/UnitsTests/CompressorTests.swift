import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct CompressorTests {
    /// A wave of constant magnitude: a quarter of the sample rate, so that every sample tells the gain.
    static func steady(_ amplitude: Float, frames: Int) -> [Float] {
        (0..<frames).map { $0 % 4 < 2 ? amplitude : -amplitude }
    }

    /// What a compressor makes of a main and of a key signal, both on both sides.
    static func duck(_ main: [Float], key: [Float], _ values: [String: Float]) throws -> OfflineRig {
        let rig = OfflineRig()
        let node = try rig.add(Compressor.self, startValues: values)
        try rig.graph.connect(try rig.add(left: main, right: main), to: node)
        try rig.graph.connect(try rig.add(left: key, right: key, name: "key"), to: node, input: 1)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(main.count)
        return rig
    }

    /// The gain of every frame in decibels.
    static func gains(_ heard: [Float], _ sound: [Float]) -> [Double] {
        zip(heard, sound).map { decibels(Double($0 / $1)) }
    }

    /// The curve of the paper, written a second time: what comes out at a level.
    static func design(_ x: Double, threshold t: Double, ratio r: Double, knee w: Double) -> Double {
        if 2 * (x - t) < -w { return x }
        if 2 * abs(x - t) <= w && w > 0 { return x + (1 / r - 1) * pow(x - t + w / 2, 2) / (2 * w) }
        return t + (x - t) / r
    }

    @Test(arguments: [(-30.0, 4.0, 12.0), (-18, 2, 0), (-40, 20, 24), (-24, .infinity, 6)])
    func theCurveIsThatOfThePaper(_ threshold: Double, _ ratio: Double, _ knee: Double) throws {
        for step in 0..<60 {
            let level = -59.5 + Double(step)
            // A tone of which a sample in six is a crest.
            let tone = sine(4_000, amplitude: pow(10, level / 20), frames: 48_000)
            var values = ["threshold": Float(threshold), "knee": Float(knee), "attack": 0.001, "release": 0.15]
            values[ratio.isInfinite ? "limiting" : "ratio"] = ratio.isInfinite ? 1 : Float(ratio)
            let heard = try play(Compressor.self, left: tone, right: tone, values: values).recording[0]
            let measured = decibels(amplitude(heard[40_800...], at: 4_000))
            let wanted = Self.design(level, threshold: threshold, ratio: ratio, knee: knee)
            #expect(abs(measured - wanted) < 0.05, "\(level) dB became \(measured), not \(wanted) dB")
        }
    }

    @Test(arguments: [0.001, 0.01, 0.1]) func theAttackTakesTheTimeItSays(_ attack: Double) throws {
        let sound = Self.steady(0.01, frames: 4_800) + Self.steady(0.8, frames: 48_000)
        let values: [String: Float] = ["threshold": -30, "ratio": 5, "knee": 0, "attack": Float(attack), "release": 1]
        let gains = Self.gains(try play(Compressor.self, left: sound, right: sound, values: values).recording[0], sound)
        let whole = (decibels(0.8) + 30) * (1 - 1 / 5.0)
        #expect(gains[..<4_800].allSatisfy { $0 == 0 } && abs(gains.last! + whole) < 0.05)
        let reached = Double(gains.firstIndex { $0 <= -whole * (1 - exp(-1)) }! - 4_800) / 48_000
        #expect(abs(reached - attack) < 0.01 * attack + 1.5 / 48_000, "\(reached) s")
    }

    @Test(arguments: [0.05, 0.15, 1]) func theReleaseTakesTheTimeItSays(_ release: Double) throws {
        let sound = Self.steady(0.8, frames: 24_000) + Self.steady(0.01, frames: 144_000)
        let values: [String: Float] = ["threshold": -30, "ratio": 5, "knee": 0, "attack": 0.002, "release": Float(release)]
        let gains = Self.gains(try play(Compressor.self, left: sound, right: sound, values: values).recording[0], sound)
        let whole = (decibels(0.8) + 30) * (1 - 1 / 5.0)
        // The attack rounds the corner: both times together are what the whole of it takes to a third.
        let corner = gains.dropFirst(24_000)
        let third = Double(corner.firstIndex { $0 >= -whole * exp(-1) }! - 24_000) / 48_000
        #expect(abs(third - release) < 0.0025 + 0.005 * release, "\(third) s")
        func time(_ share: Double) -> Double { Double(corner.firstIndex { $0 >= -whole * share }! - 24_000) / 48_000 }
        let constant = time(0.2 * exp(-1)) - time(0.2)
        #expect(abs(constant - release) < 0.01 * release, "\(constant) s")
        if release < 0.5 { #expect(gains.last == 0) }
    }

    @Test func whatIsBelowTheThresholdComesOutBitForBit() throws {
        let left = noise(amplitude: 0.02, frames: 20_000), right = noise(amplitude: 0.02, frames: 20_000, seed: 2)
        let heard = try play(Compressor.self, left: left, right: right, values: ["auto-make-up": 0]).recording
        #expect(firstDifference(heard, [left, right]) == nil)
    }

    @Test func theKeyDucksTheMusicAndIsNotHeard() throws {
        let music = sine(440, amplitude: 0.5, frames: 48_000)
        var key = [Float](repeating: 0, count: 48_000)
        for i in 12_000..<24_000 { key[i] = i % 4 < 2 ? 0.8 : -0.8 }
        let values: [String: Float] = ["key": 1, "threshold": -30, "ratio": 10, "attack": 0.001, "release": 0.05]
        let ducked = try Self.duck(music, key: key, values).recording[0]
        // Whatever the music's own level, without a key it is as it was.
        #expect(Array(ducked[..<12_000]) == Array(music[..<12_000]))
        let wanted = -(decibels(0.8) + 30) * 0.9
        let between = decibels(level(ducked[14_000..<24_000]) / level(music[14_000..<24_000]))
        #expect(abs(between - wanted) < 0.1, "\(between) dB, not \(wanted)")
        #expect(abs(decibels(level(ducked[45_000...]) / level(music[45_000...]))) < 0.01)
        #expect(amplitude(ducked[14_000..<24_000], at: 12_000) < 1e-5)
        // Not asked to, it does not listen there.
        let deaf = try Self.duck(music, key: key, values.merging(["key": 0]) { $1 }).recording[0]
        let own = try play(Compressor.self, left: music, right: music, values: values.merging(["key": 0]) { $1 }).recording[0]
        #expect(deaf == own)
    }

    /// It listens to its input key while something is led there, whichever slices there are; without, to what goes through it.
    @Test(arguments: [64, 512]) func itListensToTheKeyOnceThereIsOne(_ block: Int) throws {
        let music = sine(440, amplitude: 0.5, frames: 96_000), key = Self.steady(0.8, frames: 96_000)
        let values: [String: Float] = ["threshold": -3, "ratio": 10, "attack": 0.001, "release": 0.01, "knee": 0, "auto-key": 1]
        let rig = OfflineRig()
        let node = try rig.add(Compressor.self, startValues: values), source = try rig.add(left: key, right: key, name: "key")
        try rig.graph.connect(try rig.add(left: music, right: music), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(24_000, block: block)
        try rig.graph.connect(source, to: node, input: 1)
        try rig.publish()
        rig.render(24_000, block: block)
        try rig.graph.disconnect(source, from: node, input: 1)
        try rig.publish()
        rig.render(24_000, block: block)
        func gain(_ range: Range<Int>) -> Double { decibels(level(rig.recording[0][range]) / level(music[range])) }
        // The music itself stays below the threshold; the key is a decibel above it.
        #expect(abs(gain(10_000..<24_000)) < 0.001 && abs(gain(60_000..<72_000)) < 0.001)
        #expect(abs(gain(36_000..<48_000) + (decibels(0.8) + 3) * 0.9) < 0.05, "\(gain(36_000..<48_000))")
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func bothSidesShareOneGain() throws {
        let loud = Self.steady(0.8, frames: 24_000), soft = Self.steady(0.05, frames: 24_000)
        let heard = try play(Compressor.self, left: soft, right: loud).recording
        let left = Self.gains(heard[0], soft), right = Self.gains(heard[1], loud)
        #expect(zip(left, right).allSatisfy { abs($0 - $1) < 1e-4 } && right.last! < -10)
    }

    @Test func theMeanOfASineIsThreeDecibelsBelowItsPeak() throws {
        let tone = sine(2_000, amplitude: 0.5, frames: 48_000)
        func gain(_ detector: Float) throws -> Double {
            let values: [String: Float] = ["detector": detector, "threshold": -40, "limiting": 1, "knee": 0]
            let heard = try play(Compressor.self, left: tone, right: tone, values: values).recording[0]
            return decibels(level(heard[36_000...]) / level(tone[36_000...]))
        }
        #expect(abs(try gain(1) - gain(0) - 3.01) < 0.1)
    }

    @Test func theLookAheadCatchesWhatTheAttackLetsThrough() throws {
        let sound = Self.steady(0.01, frames: 9_600) + Self.steady(0.8, frames: 9_600)
        func peak(_ lookAhead: Float) throws -> Float {
            let values: [String: Float] = ["look-ahead": lookAhead, "threshold": -20, "limiting": 1, "attack": 0.001]
            let rig = try play(Compressor.self, left: sound, right: sound, frames: 20_000, values: values)
            let latency = rig.graph.nodes[0].instance.latency
            #expect(latency == Int(lookAhead * 48_000 + 0.5))
            #expect(Array(rig.recording[0][latency..<(latency + 4_800)]) == Array(sound[..<4_800]))
            // As long as it listens to sound: behind that the gain is on its way back.
            return rig.recording[0][..<sound.count].map { abs($0) }.max()!
        }
        #expect(try peak(0) > 0.7)
        #expect(abs(try peak(0.01) - 0.1) < 0.002)
    }

    @Test func halfAMixIsHalfOfEach() throws {
        let sound = Self.steady(0.8, frames: 24_000)
        func last(_ mix: Float) throws -> Float {
            abs(try play(Compressor.self, left: sound, right: sound, values: ["mix": mix]).recording[0].last!)
        }
        #expect(try last(0) == 0.8)
        #expect(abs(try last(50) - (last(0) + last(100)) / 2) < 1e-6)
    }

    @Test func makeUpGivesBackHalfOfWhatFullScaleLoses() throws {
        let soft = Self.steady(0.01, frames: 9_600)
        let values: [String: Float] = ["threshold": -30, "ratio": 3, "auto-make-up": 1, "make-up": 2]
        let gain = Self.gains(try play(Compressor.self, left: soft, right: soft, values: values).recording[0], soft).last!
        #expect(abs(gain - 12) < 1e-3, "2 dB and half of 20: \(gain)")
    }

    @Test func theLowCutIsDeafForTheBass() throws {
        let bass = sine(50, amplitude: 0.8, frames: 48_000)
        func gain(_ lowCut: Float) throws -> Double {
            let heard = try play(Compressor.self, left: bass, right: bass, values: ["low-cut": lowCut]).recording[0]
            return decibels(level(heard[24_000...]) / level(bass[24_000...]))
        }
        #expect(try gain(20) < -8)
        #expect(abs(try gain(1_000)) < 0.01)
    }

    @Test func theReductionIsShown() throws {
        let sound = Self.steady(0.8, frames: 24_000)
        let rig = try play(Compressor.self, left: sound, right: sound, values: ["threshold": -30, "ratio": 5, "make-up": 6])
        let shown = try #require(rig.graph.nodes[0].instance.readout("gain-reduction"))
        #expect(abs(Double(shown) - (decibels(0.8) + 30) * 0.8) < 0.05)
        rig.render(48_000 * 3)
        #expect(isAsleep(rig) && rig.graph.nodes[0].instance.readout("gain-reduction") == 0)
    }

    /// A tone that begins and ends loudly: the curve bends no more than the tone itself and the gain's way.
    @Test func theGainMovesWithoutSteps() throws {
        let tone =
            sine(220, amplitude: 0.02, frames: 9_600) + sine(220, amplitude: 0.9, frames: 9_600)
            + sine(220, amplitude: 0.02, frames: 19_200)
        let values: [String: Float] = ["threshold": -40, "ratio": 20, "attack": 0.005, "release": 0.05]
        let heard = try play(Compressor.self, left: tone, right: tone, values: values).recording[0]
        #expect(steepestBend(heard[...]) <= steepestBend(tone[...]))
    }
}
