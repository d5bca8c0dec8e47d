import CarillonTestKit
import Graphs
import RealtimeCore
import Testing
import UnitAPI
import Units

/// What a click becomes in each of the reverb's presets: when it is first heard, and how free of repeats and resonances its
/// end is.
@Suite struct ReverbResponseTests {
    /// Settings by name: the presets, and none.
    static let presets: [String: [String: Float]] = {
        var presets: [String: [String: Float]] = ["default": [:]]
        for preset in Reverb.descriptor.factoryPresets {
            presets[preset.name] = preset.settings.compactMapValues {
                guard case .number(let value) = $0 else { return nil }
                return value
            }
        }
        return presets
    }()
    static let names = presets.keys.sorted()

    /// What comes out of a click on one side: left, right and their sum.
    private static func click(_ values: [String: Float], side: Int, frames: Int, rate: Double = 48_000) throws -> [[Float]] {
        let heard = try play(
            Reverb.self, left: [side == 0 ? 1 : 0], right: [side == 0 ? 0 : 1], frames: frames, rate: rate, values: values
        ).recording
        return heard + [zip(heard[0], heard[1]).map { $0 + $1 }]
    }

    /// The frame from which on more than a thousandth of the peak is heard.
    private static func first(_ x: [Float]) -> Int {
        let peak = x.reduce(0) { max($0, abs($1)) }
        return x.firstIndex { abs($0) > peak * 0.001 } ?? x.count
    }

    /// The end of a click, from 0.1 s behind the pre-delay on, for 0.9 s or, where it dies sooner, that part of its decay; every
    /// frame over the root mean square of the 50 ms around it, so that nothing of the decay is left.
    private static func late(_ x: [Float], _ values: [String: Float]) -> [Double] {
        let start = Int((0.1 + Double(values["pre-delay"] ?? 0.012)) * 48_000)
        let end = start + Int(0.9 * min(Double(values["decay"] ?? 1.8), 1) * 48_000)
        var sums = [0.0]
        for sample in x { sums.append(sums[sums.count - 1] + Double(sample) * Double(sample)) }
        return (start..<end).map { i in
            let low = i - 1_200, high = min(i + 1_200, x.count)
            return Double(x[i]) / ((sums[high] - sums[low]) / Double(high - low) + 1e-30).squareRoot()
        }
    }

    /// The correlation with itself that is furthest from 0, 10 to 300 ms apart: the cosine transform of the power.
    private static func correlation(_ x: [Double]) -> (value: Double, frames: Int) {
        let power = Spectrum.magnitudes(x + [Double](repeating: 0, count: 131_072 - x.count)).map { $0 * $0 }
        // Power is even: mirrored, its spectrum is real, so a magnitude tells how far it is from 0.
        let around = Spectrum.magnitudes(power + power[1..<power.count - 1].reversed())
        let furthest = (480..<14_400).max { around[$0] < around[$1] } ?? 0
        return (around[furthest] / around[0], furthest)
    }

    /// The standard deviation of the levels of a spectrum's lines from 200 Hz to 8 kHz, in decibels from their mean over a sixth of
    /// an octave. Gaussian noise has 5.6.
    private static func spread(_ x: [Double]) -> Double {
        let windowed = x.indices.map { i -> Double in
            x[i] * (1 - (2 * (Double(i) + 0.5) / Double(x.count) - 1) * (2 * (Double(i) + 0.5) / Double(x.count) - 1))
        }
        let count = 65_536
        let power = Spectrum.magnitudes(windowed + [Double](repeating: 0, count: count - x.count)).map { $0 * $0 }
        var sums = [0.0]
        for line in power { sums.append(sums[sums.count - 1] + line) }
        var levels: [Double] = []
        for k in 200 * count / 48_000..<8_000 * count / 48_000 {
            let low = Int(Double(k) / 1.12), high = Int(Double(k) * 1.12) + 1
            let mean = (sums[high] - sums[low]) / Double(high - low)
            levels.append(decibels((power[k] / mean + 1e-12).squareRoot()))
        }
        let mean = levels.reduce(0, +) / Double(levels.count)
        return (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)).squareRoot()
    }

    @Test func everyPresetHasASize() {
        #expect(Self.presets.allSatisfy { $0.key == "default" || $0.value["size"] != nil })
    }

    @Test(arguments: names) func theFirstSoundComesBehindThePreDelayAsTheSizeHasIt(_ name: String) throws {
        let values = try #require(Self.presets[name])
        for side in 0..<2 {
            let heard = try Self.click(values, side: side, frames: 24_000)
            let wait = Double(Self.first(heard[side])) / 48_000 - Double(values["pre-delay"] ?? 0.012)
            #expect(abs(wait - 0.00004 * Double(values["size"] ?? 100)) < 0.0005, "\(wait * 1000) ms")
            if name == "plate" { #expect(wait > 0 && wait < 0.005) }
        }
    }

    @Test(arguments: [8_000, 44_100, 96_000, 192_000]) func itComesSoonAtEveryRate(rate: Double) throws {
        let values: [String: Float] = ["size": 25, "pre-delay": 0]
        let first = Self.first(try Self.click(values, side: 0, frames: Int(rate / 4), rate: rate)[0])
        #expect(abs(first - max(64, Int(0.001 * rate))) < 4, "frame \(first)")
    }

    @Test(arguments: names) func theEndHasNoRepeatsAndNoResonances(_ name: String) throws {
        let values = try #require(Self.presets[name])
        for side in 0..<2 {
            let heard = try Self.click(values, side: side, frames: 55_000).map { Self.late($0, values) }
            for (i, x) in heard.enumerated() {
                let furthest = Self.correlation(x)
                #expect(furthest.value < 0.1, "\(furthest.value) at \(furthest.frames) frames, side \(side), channel \(i)")
            }
            let spread = (Self.spread(heard[0]) + Self.spread(heard[1])) / 2
            #expect(spread < 6, "\(spread) dB, side \(side)")
        }
    }

    /// Of noise 32 % lies outside one standard deviation (Abel and Huang 2006).
    @Test(arguments: names) func itIsDenseFromTheBeginning(_ name: String) throws {
        let values = try #require(Self.presets[name])
        let heard = try Self.click(values, side: 0, frames: 24_000)[0]
        let start = Self.first(heard) + 480, part = heard[start..<start + 960], deviation = level(part)
        let outside = Double(part.filter { abs(Double($0)) > deviation }.count) / 960
        #expect(outside > 0.24, "\(outside)")
    }

    /// A rig that plays noise, moves the size at frames and records.
    private func sized(
        _ moves: [(frame: Int, value: Float)], from size: Float = 100, block: Int = 256, sound: [Float]? = nil, reset: Int? = nil,
        frames: Int = 36_000
    ) throws -> [[Float]] {
        let rig = OfflineRig(), sound = sound ?? noise(amplitude: 0.3, frames: 24_000)
        let source = try rig.add(left: sound, right: sound.map { 0.5 * $0 })
        let node = try rig.add(Reverb.self, startValues: ["size": size])
        try rig.graph.connect(source, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for move in moves { rig.set(Reverb.Parameter.size, move.value, of: node, at: move.frame) }
        if let reset {
            rig.render(reset, block: block)
            #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(reset)), node: node, event: .reset)))
            rig.forget()
        }
        rig.render(frames - (reset ?? 0), block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig.recording
    }

    @Test func aChangeOfSizeIsTheSameInAllBlocksAndHasNoStep() throws {
        let moves: [(Int, Float)] = [(9_001, 40), (9_500, 180), (12_345, 60), (20_000, 200), (20_100, 25)]
        let reference = try sized(moves)
        for block in [1, 33, 4_096] {
            let other = try sized(moves, block: block)
            #expect(firstDifference(reference, other) == nil, "block \(block)")
        }
        // A tone: a step would be steep.
        let tone = sine(300, amplitude: 0.3, frames: 36_000)
        func steepest(_ x: [Float]) -> Float {
            (8_000..<x.count - 1).reduce(0) { max($0, abs(x[$1 + 1] - x[$1])) }
        }
        let usual = try sized([], sound: tone)[0], changing = try sized(moves, sound: tone)[0]
        #expect(changing != usual && steepest(changing) < 2 * steepest(usual))
    }

    @Test func aSizeThatIsSetAtRestOrBeforeAResetIsThatOfAHallMadeSo() throws {
        let later = [Float](repeating: 0, count: 3_000) + noise(amplitude: 0.3, frames: 3_000)
        for size in [25, 60, 200] as [Float] {
            #expect(try sized([(1_000, size)], sound: later) == sized([], from: size, sound: later), "\(size) %")
        }
        // Noise before and after: what a fade was on its way to is forgotten.
        #expect(try sized([(7_000, 40), (7_300, 150)], reset: 7_500) == sized([], from: 150, reset: 7_500))
    }
}
