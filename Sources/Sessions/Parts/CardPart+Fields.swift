import EngineCore
import Reports

extension CardPart {
    static let fields: [PartField<CardPart>] = [
        PartField(\.device, "device", "The device that plays.") { $0.device },
        PartField(\.deviceOutputs, "deviceOutputs", "Other devices that units play on.") { $0.core.engine.deviceOutputs },
        PartField(
            \.load, "load", as: .gauge("load", in: "ratio"), "The share of the available time that rendering takes."
        ) { $0.core.port.status.load },
        PartField(\.worstLoad, "worstLoad", as: .gauge("worst_load", in: "ratio"), "The highest recent load.") {
            $0.worstLoad.value
        },
        PartField(
            \.sheddingLevel, "shedding", as: .gauge("shedding_level"), "How much load is shed: 0 none, 3 as much as possible."
        ) { $0.core.port.status.sheddingLevel },
        PartField(\.xrunCauses, "xruns", "Interruptions of the sound by cause.") { part in
            let counts = part.core.port.status.counts
            return .init(renderLate: counts.renderLate, wokeLate: counts.wokeLate, driver: counts.driver)
        },
        outputs(.gauge("device_output_running", "Whether the second device of a unit device-output runs: 1 or 0, by unit.")) {
            $0.state == "running" ? 1 : 0
        },
        outputs(.counter("device_output_xruns", "Interruptions of the sound of a second device, by unit.")) { Double($0.xruns) },
        outputs(
            .counter("device_output_missing", in: "frames", "Frames that came too late for a second device, by unit.")
        ) { Double($0.missingFrames) },
    ]

    /// A metric of all other devices, by unit.
    private static func outputs(
        _ metric: Metric, _ value: @escaping @Sendable (DeviceOutputState) -> Double
    ) -> PartField<CardPart> {
        PartField(
            showing: Field(measuring: metric) { $0.deviceOutputs.map { Metric.Sample(value($0), "unit", $0.unit) } })
    }
}

extension SnapshotKeys {
    public var device: SnapshotKey<SessionSnapshot.Device> { SnapshotKey(.init()) }
    /// The other devices that units `device-output` play on.
    public var deviceOutputs: SnapshotKey<[DeviceOutputState]> { SnapshotKey([]) }
    /// The share of the available time that rendering takes; 1 is all of it.
    public var load: SnapshotKey<Double> { SnapshotKey(0) }
    /// The recent maximum of `load`.
    public var worstLoad: SnapshotKey<Double> { SnapshotKey(0) }
    /// The degree to which load is being shed: 0 not at all, 3 all that can go.
    public var sheddingLevel: SnapshotKey<Int> { SnapshotKey(0) }
    /// Interruptions of the sound by their cause.
    public var xrunCauses: SnapshotKey<SessionSnapshot.Xruns> { SnapshotKey(.init()) }
}

extension SessionSnapshot {
    /// All interruptions.
    public var xruns: Int { self.xrunCauses.total }

    /// Interruptions by their cause.
    public struct Xruns: Sendable, Hashable, Fielded {
        /// Rendering took too long, the audio thread woke too late, or the driver reported an xrun without a cause here.
        public var renderLate = 0, wokeLate = 0, driver = 0

        /// All of them.
        public var total: Int { renderLate + wokeLate + driver }

        package static let fields: [Field<Self>] = [
            Field("renderLate", \.renderLate, "Rendering took too long."),
            Field("wokeLate", \.wokeLate, "The audio thread woke too late."),
            Field("driver", \.driver, "The driver reported an xrun with another cause."),
            Field(measuring: .counter("xruns", "Interruptions of the sound by cause.")) {
                [
                    Metric.Sample(Double($0.renderLate), "cause", "render-late"),
                    Metric.Sample(Double($0.wokeLate), "cause", "woke-late"),
                    Metric.Sample(Double($0.driver), "cause", "driver"),
                ]
            },
        ]
    }

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
        /// The way the audio thread runs, and how to improve it.
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
        Field("thread", \.thread, "The way the audio thread runs, and how to improve it."),
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
}
