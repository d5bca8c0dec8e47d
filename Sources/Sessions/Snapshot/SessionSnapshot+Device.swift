import EngineCore

/// The device that a session plays on.
extension SessionSnapshot {
    /// The audio device: the request and the grant.
    public struct Device: Sendable, Hashable {
        /// The names asked for, in order of preference.
        public var wanted: [String] = []
        /// The name in use; nil while none is open.
        public var name: String?
        /// `running`, `xrun`, `suspended`, `lost`, ...: the state of the device as its machine names it.
        public var state = "opening"
        /// Frames per second, wanted and granted; nil while nothing is granted.
        public var wantedRate = 48_000
        public var rate: Int?
        /// Frames of a period, wanted and granted.
        public var wantedPeriod = 256
        public var period: Int?
        /// Periods of the buffer, wanted and granted.
        public var wantedPeriods = 2
        public var periods: Int?
        /// Sample format of the device, `S16_LE`.
        public var format: String?
        /// Channels of the device.
        public var channels: Int?
        /// Milliseconds from a key to the loudspeaker as computed: event latency, buffer, limiter.
        public var latencyMilliseconds: Double?
        /// The way the audio thread runs, and how it could run better.
        public var thread: String?
        /// The reason why no device is open, while none is.
        public var fault: String?
    }
}

extension SessionSnapshot.Device: Fielded {
    package static let fields: [Field<Self>] = [
        Field("state", \.state, "The state of the device: running, xrun, suspended, lost, opening."),
        Field("name", \.name, "The device in use."),
        Field("wanted", \.wanted, "The devices asked for, in order of preference."),
        Field("rate", \.rate, "Frames per second, as granted."),
        Field("period", \.period, "Frames of a period, as granted."),
        Field("periods", \.periods, "Periods of the buffer, as granted."),
        Field("latencyMilliseconds", \.latencyMilliseconds, "Time from a key to the loudspeaker as computed."),
        Field("thread", \.thread, "The way the audio thread runs, and how it could run better."),
        Field("fault", \.fault, "The reason why no device is open."),
        Field(
            measuring: .gauge(
                "device_running", "Whether a device runs or none is wanted: 1; 0 while it is lost or opening.")
        ) { [Metric.Sample(["running", "no device"].contains($0.state) ? 1 : 0)] },
        Field(
            measuring: .gauge("device_latency", in: "seconds", "Time from a key to the loudspeaker as computed.")
        ) { $0.latencyMilliseconds.map { [Metric.Sample($0 / 1000)] } ?? [] },
    ]
}

extension DeviceOutputState: Fielded {
    package static let fields: [Field<Self>] = [
        Field("unit", \.unit, "The unit device-output that plays on it."),
        Field("state", \.state, "The state of the device: running, lost, opening."),
        Field("name", \.name, "The device in use."),
        Field("wanted", \.wanted, "The devices asked for, in order of preference."),
        Field(
            "delayMilliseconds", \.delayMilliseconds,
            "Time by which it lags behind the first device, as computed."),
        Field("drift", \.drift, "Parts per million by which its clock is faster than the first device's."),
        Field("xruns", \.xruns, "How often it ran out of sound."),
        Field("slips", \.slips, "How often it was synchronized again."),
        Field("missingFrames", \.missingFrames, "Frames that came too late."),
        Field("fault", \.fault, "The reason for its silence."),
    ]

    /// The metrics of all of them, each by its unit.
    static let measuredFields: [Field<SessionSnapshot>] = [
        metric(.gauge("device_output_running", "Whether the second device of a unit device-output runs: 1 or 0, by unit.")) {
            $0.state == "running" ? 1 : 0
        },
        metric(.counter("device_output_xruns", "Interruptions of the sound of a second device, by unit.")) { Double($0.xruns) },
        metric(
            .counter("device_output_missing", in: "frames", "Frames that came too late for a second device, by unit.")
        ) { Double($0.missingFrames) },
    ]

    private static func metric(
        _ metric: Metric, _ value: @escaping @Sendable (DeviceOutputState) -> Double
    ) -> Field<SessionSnapshot> {
        Field(measuring: metric) { $0.deviceOutputs.map { Metric.Sample(value($0), "unit", $0.unit) } }
    }
}
