import AudioFiles
import CarillonTestKit
import DSP
import Foundation
import Graphs
import Testing
import UnitAPI

@testable import Convolution

@Suite struct ConvolverTests {
    /// White noise, the same in every run.
    private func noise(_ frames: Int, _ seed: UInt64) -> [Float] {
        let noise = CounterNoise(seed: seed)
        return (0..<frames).map { Float(noise.pair(at: Int64($0)).left) * 0.5 }
    }

    /// Decibels of a ratio of amplitudes.
    private func decibels(_ ratio: Double) -> Double {
        20 * DeterministicMath.log2(max(ratio, 1e-30)) / DeterministicMath.log2(10)
    }

    private func level(_ x: some Collection<Float>) -> Double {
        (x.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(x.count, 1))).squareRoot()
    }

    /// What comes out of a convolver.
    private func play(
        _ left: [Float], _ right: [Float], frames: Int? = nil, file: String? = nil, block: Int = 512,
        values: [String: Float] = [:]
    ) throws -> OfflineRig {
        let rig = OfflineRig()
        let setup = rig.setup(startValues: values, properties: file.map { ["file": .text($0)] } ?? [:])
        let node = try rig.graph.add(try UnitInstance.make(Convolver.self, setup))
        try rig.graph.connect(try rig.add(left: left, right: right), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(frames ?? left.count, block: block)
        return rig
    }

    /// Hands `body` the path of a file with `planes` in it.
    private func withFile<R>(_ planes: [[Float]], rate: Int = 48_000, _ body: (String) throws -> R) throws -> R {
        let path = FileManager.default.temporaryDirectory.appending(path: "response-\(UUID().uuidString).wav").path
        defer { unlink(path) }
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(.wav, encoding: .float32), channels: planes.count, sampleRate: rate)
        let pointers = planes.map { plane in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: plane.count)
            memory.initialize(from: plane, count: plane.count)
            return memory
        }
        defer { for memory in pointers { memory.deallocate() } }
        try writer.write(pointers.map { UnsafePointer($0) }, frames: planes[0].count)
        try writer.finish()
        return try body(path)
    }

    private static let plain: [String: Float] = ["normalize": 0]

    @Test(arguments: [1, 2, 4]) func aFileIsFoldedAsTheDefinitionSays(channels: Int) throws {
        let left = noise(6_000, 1), right = noise(6_000, 2), responses = (0..<channels).map { noise(5_000, UInt64(3 + $0)) }
        let heard = try withFile(responses) { try play(left, right, file: $0, values: Self.plain).recording }
        func sum(_ sound: [Float], _ response: [Float], _ n: Int) -> Double {
            (max(0, n - response.count + 1)...n).reduce(0.0) { $0 + Double(sound[$1]) * Double(response[n - $1]) }
        }
        for side in 0..<2 {
            var wrong = 0.0, all = 0.0
            for n in stride(from: 0, to: 6_000, by: 59) {
                let wanted =
                    switch channels {
                    case 1: sum([left, right][side], responses[0], n)
                    case 2: sum([left, right][side], responses[side], n)
                    default: sum(left, responses[side], n) + sum(right, responses[2 + side], n)
                    }
                wrong += (Double(heard[side][n]) - wanted) * (Double(heard[side][n]) - wanted)
                all += wanted * wanted
            }
            let error = decibels((wrong / all).squareRoot())
            #expect(error < -120, "\(channels) channels, side \(side): \(error) dB")
        }
    }

    @Test func aClickGivesTheResponseWithoutADelay() throws {
        let response = noise(3_000, 9), click = [1] + [Float](repeating: 0, count: 2_999)
        let heard = try withFile([response]) { try play(click, click, file: $0, values: Self.plain).recording }
        for n in 0..<3_000 { #expect(abs(heard[1][n] - response[n]) < 1e-6) }
        #expect(try UnitInstance.make(Convolver.self, UnitSetup(sampleRate: 48_000)).latency == 0)
    }

    @Test(arguments: [0.3, 1.8, 4] as [Float]) func thePlainHallDiesAwayInTheTimeOfDecay(decay: Float) throws {
        let click = [1] + [Float](repeating: 0, count: Int(decay * 48_000))
        for heard in try play(click, click, values: ["decay": decay]).recording {
            // The energy still to come (M. R. Schroeder, 1965), from -5 to -35 dB.
            var energy = 0.0, curve = [Double](repeating: 0, count: heard.count)
            for n in heard.indices.reversed() {
                energy += Double(heard[n]) * Double(heard[n])
                curve[n] = energy
            }
            let a = try #require(curve.firstIndex { decibels(($0 / energy).squareRoot()) < -5 })
            let b = try #require(curve.firstIndex { decibels(($0 / energy).squareRoot()) < -35 })
            let measured = Double(b - a) / 24_000
            #expect(abs(measured / Double(decay) - 1) < 0.05, "\(measured) s")
        }
    }

    @Test func noiseComesBackAsLoudAsItWentIn() throws {
        let sound = noise(48_000, 11)
        let hall = try play(sound, sound, values: ["decay": 0.5]).recording
        #expect(abs(decibels(level(hall[0][28_800...]) / level(sound))) < 1)
        let response = noise(2_000, 12).map { $0 * 7 }
        let heard = try withFile([response]) { try play(sound, sound, file: $0).recording }
        #expect(abs(decibels(level(heard[0][28_800...]) / level(sound))) < 0.5)
    }

    /// A file at another rate: what a filter does to a tone does not depend on how often it is looked at.
    @Test(arguments: [44_100, 96_000]) func aFileOfAnotherRateKeepsItsGainAtEveryTone(rate: Int) throws {
        // A decaying hum of 1 kHz: a resonance. Its answer to a tone is the integral, a sum over frames.
        let response = (0..<rate / 10).map { n in
            let t = Double(n) / Double(rate)
            return Float(DeterministicMath.exp2(-t * 100) * DeterministicMath.sine(turns: 1_000 * t) * 200 / Double(rate))
        }
        for frequency in [200.0, 1_000, 3_000] {
            var re = 0.0, im = 0.0
            for (n, sample) in response.enumerated() {
                re += Double(sample) * DeterministicMath.cosine(turns: frequency * Double(n) / Double(rate))
                im -= Double(sample) * DeterministicMath.sine(turns: frequency * Double(n) / Double(rate))
            }
            let tone = (0..<24_000).map { Float(DeterministicMath.sine(turns: frequency * Double($0) / 48_000)) }
            let heard = try withFile([response], rate: rate) { try play(tone, tone, file: $0, values: Self.plain).recording }
            let gain = level(heard[0][14_400...]) / level(tone[14_400...]), wanted = (re * re + im * im).squareRoot()
            #expect(abs(decibels(gain / wanted)) < 0.05, "\(frequency) Hz: \(gain), not \(wanted)")
        }
    }

    @Test func aLengthEndsTheResponseSoftly() throws {
        let response = [Float](repeating: 0.5, count: 9_600), click = [1] + [Float](repeating: 0, count: 9_599)
        let values = Self.plain.merging(["length": 0.1]) { $1 }
        let heard = try withFile([response]) { try play(click, click, file: $0, values: values).recording[0] }
        #expect(abs(heard[4_319] - 0.5) < 1e-6 && abs(heard[4_800]) < 1e-6)
        for n in 4_320..<4_799 { #expect(heard[n + 1] < heard[n] && heard[n] - heard[n + 1] < 0.002, "frame \(n)") }
    }

    @Test func preDelayAndMixAreAroundTheResponse() throws {
        let click = [1] + [Float](repeating: 0, count: 6_000)
        let late = try play(click, click, values: ["pre-delay": 0.1]).recording[0]
        #expect(late.firstIndex { abs($0) > 1e-6 } == 4_800)
        let sound = noise(4_800, 21)
        #expect(try play(sound, sound, values: ["mix": 0]).recording[0] == sound)
    }

    @Test func itSleepsBehindTheResponseAndWakesAsNew() throws {
        let burst = noise(1_000, 31), sound = burst + [Float](repeating: 0, count: 60_000) + burst
        let values: [String: Float] = ["decay": 0.2]
        let rig = try play(sound, sound, frames: 60_000, values: values)
        let sleeps = rig.graph.nodes[0].instance.isAtRest
        #expect(sleeps)
        let whole = try play(sound, sound, frames: sound.count + 20_000, values: values).recording
        for block in [1, 63, 1_000] {
            let other = try play(sound, sound, frames: sound.count + 20_000, block: block, values: values).recording
            #expect(firstDifference(whole, other) == nil, "block \(block)")
        }
    }

    @Test func whatIsNoResponseIsRefusedWithItsRemedy() throws {
        func refusal(_ path: String) -> UnitError? {
            do throws(UnitError) {
                _ = try UnitInstance.make(Convolver.self, UnitSetup(sampleRate: 48_000, properties: ["file": .text(path)]))
            } catch { return error }
            return nil
        }
        guard case .resource("convolver", let reason, .missing) = refusal("/proc/nowhere/hall.wav") else {
            return #expect(Bool(false), "a missing file was not missed")
        }
        #expect(reason.contains("/proc/nowhere/hall.wav"))
        try withFile([[1], [1], [1]]) { #expect(refusal($0)?.description.contains("has 3 channels") == true) }
        try withFile([[0, 0]]) { #expect(refusal($0)?.description.contains("contains only silence") == true) }
        try withFile([[1, .infinity]]) { #expect(refusal($0)?.description.contains("not numbers") == true) }
        try withFile([[Float](repeating: 1, count: 168_000)], rate: 8_000) {
            #expect(refusal($0)?.description.contains("lasts 21.0 s; cut it to 20 s") == true)
        }
        let wrong = UnitSetup(sampleRate: 48_000, properties: ["file": .integer(7)])
        #expect(
            throws: UnitError.invalidProperty(
                unit: "convolver", property: "file", reason: "is the path of an audio file, as text")
        ) { _ = try UnitInstance.make(Convolver.self, wrong) }
    }

    @Test func itKeepsTheLawsOfAllUnits() throws {
        let broken = try checkUnit(UnitUnderTest(Convolver.self))
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }
}
