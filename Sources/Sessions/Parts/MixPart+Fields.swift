import Reports
import SongRendering

extension MixPart {
    static let fields: [PartField<MixPart>] = [
        PartField(\.voices, "voices", as: .gauge("voices"), "Voices that sound.") { $0.core.meters.voices },
        PartField(\.volume, "volume", as: .gauge("volume", in: "decibels"), "Volume of the output; 0 is that of the start.") {
            $0.core.mix.volume
        },
        PartField(\.levels, "levels", "Levels of the output, channel by channel.") { $0.core.meters.levels },
        PartField(\.limiter) { $0.core.graph.limiterWork(in: $0.core.engine) },
        PartField(
            showing: Field(
                "limiter", \.limiter.now, as: .gauge("limiter_reduction", in: "decibels"), "Gain reduction of the limiter.")),
        PartField(\.gain) { $0.core.options.gain },
        PartField(
            \.parameterEdition, "parameterEdition", "Increases when a parameter changes, or units are added or removed."
        ) { $0.edition },
        level(.gauge("peak", in: "dbfs", "The highest recent sample, by output channel."), \.peak),
        level(.gauge("average", in: "dbfs", "The recent root mean square, by output channel."), \.average),
    ]

    /// A metric of the output's channels.
    private static func level(
        _ metric: Metric, _ value: @escaping @Sendable (SessionSnapshot.Level) -> Double
    ) -> PartField<MixPart> {
        PartField(
            showing: Field(measuring: metric) { snapshot in
                snapshot.levels.enumerated().map { Metric.Sample(value($1), "channel", "\($0 + 1)") }
            })
    }
}

extension SnapshotKeys {
    /// Voices that sound.
    public var voices: SnapshotKey<Int> { SnapshotKey(0) }
    /// Levels of the output, channel by channel.
    public var levels: SnapshotKey<[SessionSnapshot.Level]> { SnapshotKey([]) }
    /// The reduction by the limiter.
    public var limiter: SnapshotKey<LimiterWork> { SnapshotKey(.init()) }
    /// The gain that the session began with, in decibels.
    public var gain: SnapshotKey<Float> { SnapshotKey(0) }
    /// Volume of the whole sound, in decibels; 0 is the volume at the start.
    public var volume: SnapshotKey<Double> { SnapshotKey(0) }
    /// Rises whenever a value of a unit has changed, from any source, or units have come and gone.
    public var parameterEdition: SnapshotKey<Int> { SnapshotKey(0) }
}

extension SessionSnapshot {
    /// Level of one channel of the output, in dBFS; -infinity is silence.
    public struct Level: Sendable, Hashable {
        /// The highest recent sample.
        public var peak: Double
        /// The recent root mean square.
        public var average: Double

        /// Levels in dBFS.
        package init(peak: Double, average: Double) { (self.peak, self.average) = (peak, average) }
    }
}

extension SessionSnapshot.Level: Fielded {
    package static let fields: [Field<Self>] = [
        Field("peak", \.peak, "The highest recent sample, in dBFS."),
        Field("average", \.average, "The recent root mean square, in dBFS."),
    ]
}
