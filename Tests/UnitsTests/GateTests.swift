import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct GateTests {
    /// A wave of constant magnitude: a quarter of the sample rate, so that every sample tells the gain.
    static func steady(_ level: Double, frames: Int) -> [Float] {
        let amplitude = Float(pow(10, level / 20))
        return (0..<frames).map { $0 % 4 < 2 ? amplitude : -amplitude }
    }

    /// The gain of every frame, linear.
    static func gains(_ sound: [Float], _ values: [String: Float]) throws -> [Double] {
        let heard = try play(Gate.self, left: sound, right: sound, values: values).recording
        #expect(heard[0] == heard[1])
        return zip(heard[0], sound).map { Double($0 / $1) }
    }

    @Test(arguments: [0.0005, 0.005, 0.05]) func theAttackTakesTheTimeItSays(_ attack: Double) throws {
        let sound = Self.steady(-60, frames: 4_800) + Self.steady(-10, frames: 24_000)
        let gains = try Self.gains(sound, ["attack": Float(attack), "range": 40])
        #expect(gains[..<4_800].allSatisfy { abs($0 - 0.01) < 1e-6 })
        let wanted = 0.01 + 0.99 * (1 - exp(-1))
        let reached = Double(gains.firstIndex { $0 >= wanted }! - 4_800) / 48_000
        #expect(abs(reached - attack) < 1.5 / 48_000 + 0.001 * attack, "\(reached) s")
        #expect(gains.last! > 0.9999)
    }

    @Test(arguments: [(0.01, 0.05), (0.1, 0.3), (0.5, 0.02)])
    func holdAndReleaseTakeTheTimesTheySay(_ hold: Double, _ release: Double) throws {
        let sound = Self.steady(-10, frames: 9_600) + Self.steady(-60, frames: 96_000)
        let gains = try Self.gains(sound, ["hold": Float(hold), "release": Float(release), "range": 40])
        let closing = gains.dropFirst(9_600).firstIndex { $0 < 1 }! - 9_600
        #expect(abs(Double(closing) / 48_000 - hold) < 2 / 48_000.0, "\(closing) frames")
        let wanted = 0.01 + 0.99 * exp(-1)
        let third = gains.dropFirst(9_600).firstIndex { $0 <= wanted }! - 9_600
        #expect(abs(Double(third - closing) / 48_000 - release) < 2 / 48_000.0 + 0.001 * release, "\(third - closing) frames")
        if release < 0.1 { #expect(abs(gains.last! - 0.01) < 1e-6) }
    }

    /// A staircase of levels up and down again: it opens at the threshold and closes a hysteresis below it.
    @Test(arguments: [(-40.0, 6.0), (-20, 12), (-30, 0)])
    func itOpensAtTheThresholdAndClosesAHysteresisBelow(_ threshold: Double, _ hysteresis: Double) throws {
        let step = 4_800
        let levels = Array(stride(from: threshold - 20.5, to: threshold + 5, by: 1))
        let stairs = levels + levels.reversed()
        let sound = stairs.flatMap { Self.steady($0, frames: step) }
        let values = ["threshold": Float(threshold), "hysteresis": Float(hysteresis), "hold": 0.01, "release": 0.005]
        let gains = try Self.gains(sound, values.merging(["attack": 0.0005]) { $1 })
        for (n, level) in stairs.enumerated() {
            let gain = gains[(n + 1) * step - 1]
            let isOpen = n < levels.count ? level > threshold : level > threshold - hysteresis
            #expect(isOpen ? gain > 0.999 : gain < 0.002, "step \(n), \(level) dB: \(gain)")
        }
    }

    /// A tone that swells by 4 dB around the threshold: with hysteresis the gate opens once, without it every time.
    @Test func aToneNearTheThresholdDoesNotMakeItFlutter() throws {
        let sound = (0..<20).flatMap { Self.steady($0 % 2 == 0 ? -43 : -47, frames: 4_800) }
        func closings(_ hysteresis: Float) throws -> Int {
            let gains = try Self.gains(sound, ["hysteresis": hysteresis, "hold": 0.01])
            return zip(gains, gains.dropFirst()).count { $0 == 1 && $1 < 1 }
        }
        #expect(try closings(6) == 0)
        #expect(try closings(0) == 10)
    }

    @Test func aLowToneHoldsItOpenAndTheRangeIsWhatIsLeft() throws {
        let tone = sine(50, amplitude: 0.02, frames: 48_000)
        let heard = try play(Gate.self, left: tone, right: tone, values: ["hold": 0.01, "threshold": -40]).recording[0]
        #expect(Array(heard[24_000...]) == Array(tone[24_000...]))
        let hiss = noise(amplitude: 0.001, frames: 24_000)
        for range in [Float(0), 20, 120] {
            let left = try play(Gate.self, left: hiss, right: hiss, values: ["range": range]).recording[0]
            if range == 0 { #expect(left == hiss) }
            if range == 20 { #expect(abs(decibels(level(left) / level(hiss)) + 20) < 0.01) }
            if range == 120 { #expect(left.allSatisfy { $0 == 0 }) }
        }
    }

    @Test func theKeyOpensItAndIsNotHeard() throws {
        let music = sine(440, amplitude: 0.5, frames: 48_000)
        var key = [Float](repeating: 0, count: 48_000)
        for i in 12_000..<24_000 { key[i] = i % 4 < 2 ? 0.1 : -0.1 }
        func heard(_ isKeyed: Bool) throws -> [Float] {
            let rig = OfflineRig()
            let node = try rig.add(Gate.self, startValues: ["key": isKeyed ? 1 : 0, "range": 120, "release": 0.01])
            try rig.graph.connect(try rig.add(left: music, right: music), to: node)
            try rig.graph.connect(try rig.add(left: key, right: key, name: "key"), to: node, input: 1)
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.render(48_000)
            return rig.recording[0]
        }
        let keyed = try heard(true)
        #expect(keyed[..<12_000].allSatisfy { $0 == 0 })
        #expect(Array(keyed[13_000..<24_000]) == Array(music[13_000..<24_000]))
        #expect(keyed[36_000...].allSatisfy { $0 == 0 })
        #expect(Array(try heard(false)[2_000...]) == Array(music[2_000...]))
    }

    @Test func theLookAheadSavesTheBeginning() throws {
        let sound = Self.steady(-70, frames: 9_600) + Self.steady(-10, frames: 9_600)
        let rig = try play(Gate.self, left: sound, right: sound, frames: 20_000, values: ["look-ahead": 0.01])
        #expect(rig.graph.nodes[0].instance.latency == 480)
        #expect(abs(rig.recording[0][480 + 9_600] / sound[9_600] - 1) < 1e-4)
    }

    @Test func whatItTakesAwayIsShown() throws {
        let sound = Self.steady(-10, frames: 24_000)
        let rig = try play(Gate.self, left: sound, right: sound, values: ["range": 30])
        let unit = rig.graph.nodes[0].instance
        #expect(unit.readout("gain-reduction") == 0)
        rig.render(48_000 * 3)
        #expect(abs(unit.readout("gain-reduction")! - 30) < 0.01 && isAsleep(rig))
    }

    @Test func itOpensAndClosesWithoutAStep() throws {
        let tone =
            sine(110, amplitude: 0.002, frames: 9_600) + sine(110, amplitude: 0.5, frames: 9_600)
            + sine(110, amplitude: 0.002, frames: 24_000)
        let heard = try play(Gate.self, left: tone, right: tone, values: ["attack": 0.005, "hold": 0.02]).recording[0]
        #expect(steepestBend(heard[...]) <= steepestBend(tone[...]))
    }
}
