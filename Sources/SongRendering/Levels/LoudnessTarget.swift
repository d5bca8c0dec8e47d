import DSP
import Reports
import UnitAPI

/// The loudness that a render is to have.
public struct LoudnessTarget: Sendable, Hashable {
    /// Integrated loudness, in LUFS.
    public var loudness = Self.loudness.initial
    /// The highest true peak, in decibels of full scale; nil means the ceiling of the graph's limiter, -1 by default.
    public var peak: Float?
    /// True if a limiter after the gain may have work to do, as little as it is.
    package var isLimited = true

    /// -16 LUFS.
    public init(loudness: Float? = nil, peak: Float? = nil) {
        self.peak = peak
        if let loudness { self.loudness = loudness }
    }

    /// Name, range, default and help of the loudness.
    public static let loudness = ParameterSpec(
        "loudness", -40 ... -5, default: -16, unit: .decibels, applies: .atStart, help: "Integrated loudness, in LUFS.")
    /// Name, range, default and help of the peak.
    public static let peak = ParameterSpec(
        "peak", -20...0, default: -1, unit: .decibels, applies: .atStart, help: "The highest true peak, in dBTP.")

    /// Decibels that a sound is raised by at most: a softer sound is meant to be soft.
    static let mostGain = 24.0
    /// Steps of the gain, so that it is the same on every machine.
    static let stepsPerDecibel = 20.0
    /// Work that the limiter may have: decibels, and the share of the time.
    static let mostReduction = 1.0, mostReducedShare = 0.01
    /// Seconds below which a sound has no loudness to speak of.
    static let shortest = 3.0

    /// Refuses numbers out of range. Throws `setting`.
    func check() throws(Fault) {
        do throws(ParameterError) {
            try Self.loudness.check(Double(loudness))
            if let peak { try Self.peak.check(Double(peak)) }
        } catch { throw .setting(error) }
    }
}

/// The level that a render has come to.
package struct RenderLevel: Sendable, Hashable {
    /// The reason why it is not as loud as it was to be.
    package enum Limit: String, Sendable, Hashable {
        /// A higher gain would give the limiter more to do than it may have.
        case peaks
        /// The highest gain.
        case gain
        /// The sound is shorter than 3 s: the gain is 0.
        case short
        /// Nothing is loud enough to be measured: the gain is 0.
        case silence
    }

    /// Decibels that were added to the sound as it was rendered.
    package var gain = 0.0
    package var limit: Limit?
    /// LUFS, integrated; nil where there is none.
    package var loudness: Double?
    /// The distance between soft and loud parts, in LU.
    package var range: Double?
    /// The highest loudness of 3 s, in LUFS.
    package var shortTermMaximum: Double?
    /// The greatest magnitude of a sample, full scale 1.
    package var samplePeak: Float = 0
    /// The highest true peak, in decibels of full scale; nil for silence.
    package var truePeak: Double?

    package init(
        gain: Double = 0, limit: Limit? = nil, loudness: Double? = nil, range: Double? = nil, samplePeak: Float = 0
    ) {
        (self.gain, self.limit, self.loudness) = (gain, limit, loudness)
        (self.range, self.samplePeak) = (range, samplePeak)
    }
}

extension RenderLevel: Fielded {
    package static let loudness = Field<RenderLevel>(
        "loudness", \.loudness, in: "LUFS", to: 1, column: "LUFS",
        "The integrated loudness (EBU R 128); none for silence and very short audio.")
    package static let range = Field<RenderLevel>(
        "range", \.range, in: "LU", to: 1, column: "range", "The loudness range (EBU Tech 3342).")
    package static let peak = Field<RenderLevel>(
        "peak", \.peak, in: "dBFS", to: 1, column: "peak", "The highest sample; none for silence.")
    package static let truePeak = Field<RenderLevel>(
        "truePeak", \.truePeak, in: "dBTP", to: 1, column: "true-peak", "The highest true peak; none for silence.")

    /// The facts that are measured of any sound, whether it was brought to a loudness or not.
    package static let measuredFields = [loudness, range, peak, truePeak]

    package static let fields: [Field<RenderLevel>] = [
        Field("gain", \.gain, in: "dB", to: 2, "The gain that was added."),
        Field(
            "limit", \.limit?.rawValue,
            "The reason why it is softer than asked: `peaks`, `gain` for 24 dB, `short` for 3 s, `silence`."),
        range,
        Field("shortTermMaximum", \.shortTermMaximum, in: "LUFS", "The highest loudness of 3 s."),
        truePeak,
    ]

    /// The highest sample, in decibels of full scale; nil for silence.
    package var peak: Double? { samplePeak > 0 ? Double(Decibels.level(ofAmplitude: samplePeak)) : nil }
}
