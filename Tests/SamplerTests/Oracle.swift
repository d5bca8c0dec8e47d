import CarillonTestKit
import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing
import UnitAPI

@testable import Graphs
@testable import Samplers

/// What one note of a known sample sounds like, and what can be measured in it.
///
/// A step tells the gain frame by frame; a ramp of one unit a frame tells where in the sample the voice reads, and so its
/// pitch; a click tells the filter. The gain of the unit is 1, and no frame breaks the rules of the render side.
struct Oracle {
    let left: [Double], right: [Double]
    let rate: Double

    /// Where the note of `play` begins: not on the grid of 64.
    static let start = 1_003
    /// What the filter without resonance makes of a steady level: 3.01 dB of resonance, of which half goes.
    static let filterGain = pow(10, 3.01 / 40)
    /// Either side's share in the middle: the 500th of 1001 steps of a quarter sine, as libfluidsynth has it.
    static let middle = sin(Double.pi / 2 * 500 / 1_001)

    /// Plays events on a bus of the unit: 0...15 channels, 16...31 reverb, 32...47 chorus.
    init(
        _ font: OracleSoundFont, events: [TimedMusicEvent], frames: Int, rate: Double = 48_000, bus: Int = 0,
        block: Int = 512, values: [String: Float] = [:]
    ) throws {
        let rig = OfflineRig(sampleRate: rate, maximumFrames: 4_096)
        try font.write { path in
            let node = try rig.graph.add(
                UnitInstance.make(
                    Sampler.self,
                    rig.setup(
                        startValues: values.merging(["gain": 1]) { own, _ in own },
                        properties: SoundFontSelection.properties([.init(path: path)]))))
            let sum = try rig.graph.add(UnitInstance.boxing(BusSum(), rig.setup()))
            try rig.graph.connect(node, output: bus, to: sum)
            try rig.graph.setOutput(sum)
            for part in 0..<16 { try rig.graph.route(part: part, to: node) }
        }
        try rig.publish()
        rig.renderer.play(Score(events.sorted { $0.time < $1.time }))
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        left = rig.recording[0].map(Double.init)
        right = rig.recording[1].map(Double.init)
        self.rate = rate
    }

    /// Plays one key from `start` on, with other events at frames counted from there; `off` lets it go.
    static func play(
        _ font: OracleSoundFont, key: UInt8 = 60, velocity: UInt8 = 127, off: Int? = nil, frames: Int = 9_600,
        _ events: [(Int, MusicEvent)] = [], rate: Double = 48_000, bus: Int = 0, values: [String: Float] = [:]
    ) throws -> Oracle {
        var all = events.map { TimedMusicEvent(time: SampleTime(Int64(start + $0.0)), event: $0.1) }
        all.append(SamplerRig.note(start, key, velocity))
        if let off { all.append(SamplerRig.message(start + off, 0x80, key)) }
        return try Oracle(font, events: all, frames: start + frames, rate: rate, bus: bus, values: values)
    }

    // MARK: Samples

    /// The height of a step.
    static let height = 16_384.0

    /// A steady level, looped; begins at once.
    static var step: OracleSoundFont.Sample { .init(frames: [Double](repeating: height, count: 64), loop: 8..<40) }
    /// -30 000...29 999, one a frame.
    static let ramp = OracleSoundFont.Sample(frames: (0..<60_000).map { Double($0 - 30_000) }, loop: 40_000..<50_000)
    /// A sine of `period` frames.
    static func sine(_ period: Int, rate: Int = 48_000) -> OracleSoundFont.Sample {
        .init(
            frames: (0..<period * 40).map { 20_000 * sin(2 * .pi * Double($0) / Double(period)) },
            loop: period..<period * 39, rate: rate)
    }
    /// Clicks every `period` frames, the first after `first`.
    static func clicks(_ period: Int, first: Int = 512, count: Int = 1) -> OracleSoundFont.Sample {
        var frames = [Double](repeating: 0, count: first + period * count)
        for click in 0..<count { frames[first + click * period] = 30_000 }
        return .init(frames: frames)
    }

    // MARK: Measures

    /// The gain of a step at a frame after the note's start: 1 for all of the sample's level in the middle.
    func gain(_ age: Int) -> Double {
        left[Self.start + age] / (Self.height / 32_768 * Self.filterGain * Self.middle)
    }

    /// The same in decibels.
    func level(_ age: Int) -> Double { 20 * log10(max(abs(gain(age)), 1e-12)) }

    /// The frame of a ramp that is heard at a frame after the note's start, less what the filter delays.
    func place(_ age: Int) -> Double {
        left[Self.start + age] / (Self.filterGain * Self.middle) * 32_768 + 30_000
    }

    /// How far the sample is read faster than it was recorded, between two frames. Unit: cents.
    func cents(_ from: Int, _ to: Int) -> Double {
        1_200 * log2((place(to) - place(from)) / Double(to - from))
    }

    /// The part of `hertz` in some frames after the note's start, under a Hann window. Twice its absolute value is the
    /// amplitude.
    func part(of hertz: Double, _ frames: Range<Int>, window isWindowed: Bool = true) -> (real: Double, imaginary: Double) {
        var real = 0.0, imaginary = 0.0
        for age in frames {
            let turn = 2 * .pi * Double(age - frames.lowerBound) / Double(frames.count)
            let weight = isWindowed ? (1 - cos(turn)) / Double(frames.count) : 1
            let angle = 2 * .pi * hertz * Double(age) / rate
            real += left[Self.start + age] * cos(angle) * weight
            imaginary -= left[Self.start + age] * sin(angle) * weight
        }
        return (real, imaginary)
    }

    /// The frequency of a sine near `hertz`, by how its phase moves from one window to the next.
    func frequency(near hertz: Double, _ from: Int, _ to: Int) -> Double {
        let half = (to - from) / 2
        let first = part(of: hertz, from..<from + half), second = part(of: hertz, from + half..<from + 2 * half)
        var turn = atan2(second.imaginary, second.real) - atan2(first.imaginary, first.real)
        turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
        return hertz + turn / (2 * .pi) * rate / Double(half)
    }

    // MARK: Laws

    /// Seconds of so many timecents.
    static func seconds(_ timecents: Double) -> Double { pow(2, timecents / 1_200) }
    /// Timecents of so many seconds, as a file has them.
    static func timecents(_ seconds: Double) -> Int { Int((1_200 * log2(seconds)).rounded()) }
    /// Hertz of absolute cents.
    static func hertz(_ cents: Double) -> Double { 440 * pow(2, (cents - 6_900) / 1_200) }

    /// The gain follows `law` (seconds since the note's start to gain): at every 16th frame of a range it lies between what
    /// the law has within `slack` periods of 64 frames, and 0.2 dB.
    func expectGain(
        _ frames: Range<Int>, slack: Int = 1, at location: SourceLocation = #_sourceLocation, _ law: (Double) -> Double
    ) {
        let worst = stride(from: frames.lowerBound, to: frames.upperBound, by: 16).first { age in
            let laws = (-4 * slack...4 * slack).map { $0 * 16 }.map { law(Double(age + $0) / rate) }
            let low = laws.min()! * pow(10, -0.2 / 20) - 1e-5, high = laws.max()! * pow(10, 0.2 / 20) + 1e-5
            return !(low...high).contains(gain(age))
        }
        if let worst {
            Issue.record(
                "frame \(worst): gain \(gain(worst)) instead of \(law(Double(worst) / rate))", sourceLocation: location)
        }
    }
}
