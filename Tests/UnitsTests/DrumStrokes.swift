import CarillonTestKit
import Glibc
import MIDI
import UnitAPI
import Units

/// Strokes on the drum-synth, and measures of what drums are made of.
enum DrumStrokes {
    /// A drum-synth without pan and with all of its level, on a part at full volume on the left; what is asked for goes before.
    static func performance(_ settings: [String: Float] = [:], sampleRate: Double = 48_000) -> Performance {
        var performance = Performance(sampleRate: sampleRate)
        performance.settings = ["gain": 0, "width": 0].merging(settings) { $1 }
        performance.make = { rig, values in try rig.add(DrumSynth.self, startValues: values) }
        performance.control(7, 127, at: 0)
        performance.control(10, 0, at: 0)
        return performance
    }

    /// One stroke at frame 100.
    static func stroke(
        _ key: Int, _ velocity: Int = 127, _ settings: [String: Float] = [:], frames: Int = 48_000
    ) throws -> Recording {
        var performance = performance(settings)
        performance.on(key, velocity, at: 100)
        return try performance.render(frames)
    }

    /// The part of the energy between two frequencies, 0...1, in 16 384 or 32 768 frames.
    static func share(_ x: ArraySlice<Float>, _ hertz: Range<Double>) -> Double {
        let count = x.count >= 32_768 ? 32_768 : 16_384
        let bins = Spectrum.magnitudes(x.prefix(count).map(Double.init))
        let width = 48_000 / Double(count)
        var inside = 0.0, all = 0.0
        for (index, bin) in bins.enumerated() {
            all += bin * bin
            if hertz.contains(Double(index) * width) { inside += bin * bin }
        }
        return inside / all
    }

    /// The centroid of the spectrum in hertz, energy by energy.
    static func centroid(_ x: ArraySlice<Float>) -> Double {
        let bins = Spectrum.magnitudes(x.prefix(16_384).map(Double.init)), width = 48_000.0 / 16_384
        var moment = 0.0, all = 0.0
        for (index, bin) in bins.enumerated() {
            moment += Double(index) * width * bin * bin
            all += bin * bin
        }
        return moment / all
    }
}
