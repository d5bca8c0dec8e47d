import DSP
import EngineCore
import UnitAPI

extension LiveOptions {
    /// The audio device of a session, and the terms that are wanted of it.
    public struct Device: Sendable, Hashable {
        /// Names in order of preference; `null` is none: time passes, nothing is heard.
        public var names = ["default"]
        /// The device to capture from, for the unit `input` of the patch; nil: the one that plays. A device other than the
        /// playing one has a clock of its own, and is resampled so that it keeps step.
        public var input: String?
        /// The loudspeakers that it is to have; nil: those of the patch. Sound for others is folded.
        public var layout: SpeakerLayout?
        /// Frames of a period.
        public var period = EngineSetting.period.wholeDefault
        /// Periods of its buffer.
        public var periods = EngineSetting.periods.wholeDefault
        /// Threads that render together.
        public var threads = EngineSetting.threads.wholeDefault
        /// Seconds of sound that each track of the looper may hold on average, 1...600.
        public var loopSeconds = Double(Self.loopSeconds.initial)
        /// Seconds by which what is recorded in loops is placed earlier, 0...0.5, since it comes in so much later than what it was
        /// played to; nil: the device's round trip where the patch plays its input alone, else none.
        public var loopLatency: Double?
        /// True if notes sound as early as they can, instead of all with the same latency.
        public var isImmediate = false
        /// True if a start without a device waits for one, as a session that has lost its device does, instead of failing.
        public var isAwaited = false
        /// The policy for songs while it is gone.
        public var onLoss = InterruptionPolicy.goOn

        package static let loopSeconds = ParameterSpec(
            "loop-seconds", 1...600, default: 60, unit: .seconds,
            help: "Seconds of sound that each track of the looper may hold on average.")

        package static let loopLatency = ParameterSpec(
            "loop-latency", 0...0.5, default: 0, unit: .seconds,
            help: "How much earlier what is recorded in loops is placed.")

        /// The system's device.
        public init() {}

        package init(period: Int) { self.period = period }
    }

    /// The MIDI ports of the system that a session is connected to.
    public struct Connections: Sendable, Hashable {
        /// The sources that are connected by themselves: `any`, a name pattern, an identity. Empty: none.
        public var sources = ["any"]
        /// Ports that get the beat (MIDI's clock), beside those that the patch names: parts of names, or identities.
        public var clock: [String] = []
        /// The port whose beat the songs follow (MIDI's clock, start, stop, song position): a part of its name, or an identity.
        /// They start, stop and keep tempo with it; nil: they follow no port.
        public var master: String?
        /// The buttons of keyboards that make requests; their messages play nothing.
        public var buttons: [Session.Button] = []
        /// Channels of songs that are played by something outside.
        public var sends: [SongSend] = []
        /// The channel or the keyboard whose program changes select patches of a set list; nil means none do.
        package var programs: SetList.Programs?

        /// All keyboards.
        public init() {}
    }
}
