import CarillonTestKit
import DSP
import Graphs
import SOFAFiles
import Testing
import UnitAPI

@testable import Units

/// What the spatial mixer makes of a head: one of our own, and the one of the SOFA file that Debian's libmysofa1 brings.
@Suite struct HeadFilterTests {
    static let rate = 48_000.0
    private static let hrtf: [String: Float] = ["rendering": 1]

    /// A head without a shape: from 5 degrees to 5 degrees around, each ear hears one sample, later on the far side by up to
    /// 30 samples and softer by up to a half.
    static func plainHead(step: Int = 5, sampleRate: Double = rate) -> HeadResponses {
        let length = 64, angles = Array(stride(from: 0, to: 360, by: step))
        var samples = [Float](repeating: 0, count: 2 * angles.count * length)
        var places: [(ahead: Float, left: Float, up: Float)] = []
        for (index, angle) in angles.enumerated() {
            let left = DeterministicMath.sine(turns: Double(angle) / 360)
            places.append((Float(DeterministicMath.cosine(turns: Double(angle) / 360)), Float(left), 0))
            for (ear, side) in [left, -left].enumerated() {
                samples[(2 * index + ear) * length + 20 - Int((15 * side).rounded())] = Float(0.75 + 0.25 * side)
            }
        }
        return HeadResponses(
            sampleRate: sampleRate, length: length, places: places, samples: samples,
            delays: Array(repeating: 0, count: 2 * angles.count))
    }

    private static let filters = HeadFilters(plainHead(), sampleRate: rate)

    private static func rig(_ head: HeadFilters, rate: Double = rate) throws -> (OfflineRig, NodeID) {
        let rig = OfflineRig(sampleRate: rate), setup = rig.setup(inputs: 1, startValues: hrtf)
        return (rig, try rig.graph.add(UnitInstance.boxing(try SpatialMixer(setup, head: head), setup)))
    }

    /// What the ears hear of `x` from a direction.
    private static func heard(
        _ x: [Float], azimuth: Double, elevation: Double = 0, head: HeadFilters, rate: Double = rate, block: Int = 512,
        _ change: (OfflineRig, NodeID) -> Void = { _, _ in }
    ) throws -> [[Float]] {
        let (rig, mixer) = try rig(head, rate: rate)
        try rig.graph.connect(try rig.add(left: x, right: x), to: mixer)
        try rig.graph.setOutput(mixer)
        try rig.publish()
        let flat = DeterministicMath.cosine(turns: elevation / 360)
        rig.set(SpatialMixer.Parameter.x, Float(flat * DeterministicMath.sine(turns: azimuth / 360)), of: mixer, at: 0)
        rig.set(SpatialMixer.Parameter.z, Float(-flat * DeterministicMath.cosine(turns: azimuth / 360)), of: mixer, at: 0)
        rig.set(SpatialMixer.Parameter.y, Float(DeterministicMath.sine(turns: elevation / 360)), of: mixer, at: 0)
        change(rig, mixer)
        rig.render(x.count, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig.recording
    }

    /// A click at frame 2 048, when the source has arrived where it is.
    private static let click = [Float](repeating: 0, count: 2_048) + [1] + [Float](repeating: 0, count: 2_047)

    private static func onset(_ x: some Collection<Float>) -> Int {
        let peak = x.reduce(Float(0)) { max($0, abs($1)) }
        return x.enumerated().first { abs($0.element) >= peak / 7 }?.offset ?? -1
    }

    @Test(arguments: [-175.0, -150, -110, -90, -45, -5, 0, 20, 65, 90, 130, 180])
    func eachEarHearsAsLateAndAsLoudAsTheHeadSays(_ azimuth: Double) throws {
        let heard = try Self.heard(Self.click, azimuth: azimuth, head: Self.filters)
        let right = DeterministicMath.sine(turns: azimuth / 360)
        for (ear, side) in [-right, right].enumerated() {
            // The nearest ear of all is 15 frames before the middle; what is in front of an onset is 4 frames long.
            #expect(Self.onset(heard[ear]) == 2_048 + 4 + 15 - Int((15 * side).rounded()))
            let power = heard[ear].reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(power.squareRoot() - (0.75 + 0.25 * side) / 0.75 / 2.0.squareRoot()) < 1e-4)
        }
    }

    /// Between two measured directions the delay lies between theirs, and there is still one sample, not two.
    @Test func betweenMeasuredDirectionsResponsesDoNotCancelEachOther() throws {
        let head = HeadFilters(Self.plainHead(step: 15), sampleRate: Self.rate)
        for azimuth in stride(from: -85.0, through: 85, by: 5) {
            let heard = try Self.heard(Self.click, azimuth: azimuth, head: head)
            let right = DeterministicMath.sine(turns: azimuth / 360)
            for (ear, side) in [-right, right].enumerated() {
                #expect(abs(Double(Self.onset(heard[ear]) - 2_067) + 15 * side) <= 1.5)
                #expect(heard[ear].count { abs($0) > 1e-3 } == 1)
            }
        }
    }

    @Test func aConvolutionIsTheSumOfItsTapsWhateverTheBlockSize() throws {
        let responses = Self.plainHead(), noises = noise(amplitude: 0.3, frames: responses.samples.count, seed: 5)
        let head = HeadFilters(
            HeadResponses(
                sampleRate: Self.rate, length: 64, places: responses.places, samples: noises, delays: responses.delays),
            sampleRate: Self.rate)
        let x = noise(amplitude: 0.5, frames: 6_000), cell = HeadFilters.cell(azimuth: 90, elevation: 0)
        var recordings: Set<[[Float]]> = []
        for block in [1, 7, 64, 100, 1_000] { recordings.insert(try Self.heard(x, azimuth: 90, head: head, block: block)) }
        #expect(recordings.count == 1)
        let heard = try #require(recordings.first)
        for ear in 0..<2 {
            let delay = Int(head.delays[2 * cell + ear])
            let farthest = (3_000..<6_000).map { i in
                (0..<head.length).reduce(0.0) { sum, tap in
                    sum + Double(head.taps[(2 * cell + ear) * head.length + tap]) * Double(x[i - delay - tap])
                } - Double(heard[ear][i])
            }.reduce(0) { max($0, abs($1)) }
            #expect(farthest < 1e-5)
        }
    }

    @Test func aSourceThatCirclesTheHeadDoesNotClick() throws {
        let x = sine(200, amplitude: 0.25, frames: 48_000)
        var recordings: Set<[[Float]]> = []
        for block in [7, 64, 1_000] {
            recordings.insert(
                try Self.heard(x, azimuth: 0, head: Self.filters, block: block) { rig, mixer in
                    for (turn, yaw) in [90, 180, 90, 0, -90, -180].enumerated() {
                        rig.set(SpatialMixer.Parameter.yaw, Float(yaw), of: mixer, at: 4_000 + 7_001 * turn)
                    }
                })
        }
        #expect(recordings.count == 1)
        // A filter that was exchanged at once would leave a step of up to 0.25 sin(2 pi 200 30 / 48 000), a fifth.
        for heard in recordings.joined() { #expect(steepestBend(heard[3_000...]) < 0.001) }
    }

    @Test func itSleepsWhenTheFiltersAreEmptyAndWakesTheSame() throws {
        let (rig, mixer) = try Self.rig(Self.filters)
        let burst = noise(amplitude: 0.5, frames: 1_000), pause = [Float](repeating: 0, count: 9_240)
        let x = burst + pause + burst + pause
        try rig.graph.connect(try rig.add(left: x, right: x), to: mixer)
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(10_240)
        #expect(isAsleep(rig))
        rig.render(10_240)
        #expect(Array(rig.recording[0][..<10_240]) == Array(rig.recording[0][10_240...]))
    }

    @Test func resamplingKeepsWhatIsBelowTheBandsEnd() {
        let x = HeadFilters(Self.plainHead(sampleRate: 44_100), sampleRate: 48_000)
        let cell = HeadFilters.cell(azimuth: 0, elevation: 0)
        let taps = Array(x.taps[2 * cell * x.length..<(2 * cell + 1) * x.length])
        let low = abs(taps.reduce(0, +))
        for tone in [1_000.0, 5_000, 15_000] {
            var re = 0.0, im = 0.0
            for (i, tap) in taps.enumerated() {
                re += Double(tap) * DeterministicMath.cosine(turns: Double(i) * tone / 48_000)
                im += Double(tap) * DeterministicMath.sine(turns: Double(i) * tone / 48_000)
            }
            #expect(abs(decibels((re * re + im * im).squareRoot() / Double(low))) < 0.2, "\(tone) Hz")
        }
    }

    @Test func anglesAreThoseOfTheDirection() {
        for degrees in stride(from: -179.5, through: 180, by: 0.5) {
            let turns = DeterministicMath.turns(
                x: 3 * DeterministicMath.cosine(turns: degrees / 360), y: 3 * DeterministicMath.sine(turns: degrees / 360))
            #expect(abs(turns - degrees / 360) < 4e-9 || abs(abs(turns) - 0.5) < 4e-9)
        }
        #expect(DeterministicMath.turns(x: 0, y: 0) == 0)
    }
}
