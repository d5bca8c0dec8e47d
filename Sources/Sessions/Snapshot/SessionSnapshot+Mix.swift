import SongRendering

/// Levels of a session, and the sounds of its channels.
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

    /// The sound of one MIDI channel, after its strip: the louder side.
    public struct Channel: Sendable, Hashable {
        /// Counted from 1 over all ports.
        public var number: Int
        public var level: Level
        /// The sound that it plays now; nil if no sound matches its request.
        public var sound: SoundPreset?
        /// The unit of a patch that it plays, if that has no presets.
        public var instrument: String?
    }
}

extension SessionSnapshot.Level: Fielded {
    package static let fields: [Field<Self>] = [
        Field("peak", \.peak, "The highest recent sample, in dBFS."),
        Field("average", \.average, "The recent root mean square, in dBFS."),
    ]

    /// The metrics of the output's channels.
    static let measuredFields: [Field<SessionSnapshot>] = [
        metric(.gauge("peak", in: "dbfs", "The highest recent sample, by output channel."), \.peak),
        metric(.gauge("average", in: "dbfs", "The recent root mean square, by output channel."), \.average),
    ]

    private static func metric(
        _ metric: Metric, _ value: @escaping @Sendable (SessionSnapshot.Level) -> Double
    ) -> Field<SessionSnapshot> {
        Field(measuring: metric) { snapshot in
            snapshot.levels.enumerated().map { Metric.Sample(value($1), "channel", "\($0 + 1)") }
        }
    }
}

extension SessionSnapshot.Channel: Fielded {
    package static let fields: [Field<Self>] = [
        Field("number", \.number, "The channel, counted from 1 over all ports."),
        Field("sound", { $0.sound?.name ?? $0.instrument }, "The sound, or the unit, that it plays."),
        Field("bank", { $0.sound?.bank }, "The bank of the sound; 128 has the drum kits."),
        Field("program", { $0.sound?.program }, "The program of the sound."),
        Field("peak", \.level.peak, "The highest recent sample, in dBFS."),
        Field("average", \.level.average, "The recent root mean square, in dBFS."),
    ]
}
