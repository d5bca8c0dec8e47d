import EngineCore
import RealtimeCore
import SongRendering

/// The state that a running session shows of itself at one moment. A value: it can cross threads and be drawn at leisure.
public struct SessionSnapshot: Sendable {
    /// The sample time of the next slice.
    public var sampleTime = SampleTime.zero
    public var device = Device()
    /// The other devices that units `device-output` play on.
    public var deviceOutputs: [DeviceOutputState] = []
    /// The share of the available time that rendering takes: now, and the recent maximum; 1 is all of it.
    public var load = 0.0
    public var worstLoad = 0.0
    /// The degree to which load is being shed: 0 not at all, 3 all that can go.
    public var sheddingLevel = 0
    /// Interruptions of the sound by their cause.
    public var xrunCauses = Xruns()
    /// Events that came after their time.
    public var lateEvents = 0
    /// Events that found a full queue or a unit that is not there, and notes that began and reached no instrument.
    public var lostEvents = 0
    /// The number of different remarks so far: on requests of songs, SoundFonts and keyboards that are not met.
    public var remarks = 0
    /// The reason why the sound is not captured any more.
    public var captureFault: String?
    /// True if there is a sequencer, through which keyboards come.
    public var hasSequencer = true
    /// Every MIDI source there is.
    public var sources: [Source] = []
    /// The MIDI ports outside that are played to.
    public var outputs: [Output] = []
    /// Notes that keys hold.
    public var notes: [Note] = []
    /// Voices that sound.
    public var voices = 0
    /// Levels of the output, channel by channel.
    public var levels: [Level] = []
    /// The reduction by the limiter, and the gain it worked with, in decibels.
    public var limiter = LimiterWork()
    public var gain: Float = 0
    /// Volume of the whole sound, in decibels; 0 is the volume at the start.
    public var volume = 0.0
    /// Semitones by which keyboards are transposed.
    public var keyTranspose = 0
    /// The metronome, once one was asked for.
    public var metronome: Metronome?
    /// The master that the songs follow; nil if they follow none.
    public var following: Following?
    /// The patch's scenes, in order, and the one that was called last.
    public var scenes: [String] = []
    public var scene: String?
    /// The zones of the patch, in order.
    public var zones: [Zone] = []
    /// The parameter for which a control is waited for.
    public var learning: String?
    /// Seconds since the beginning.
    public var seconds = 0.0
    /// The channels that have strips of their own or a sound to choose, in order; without a strip there is no level.
    public var channels: [Channel] = []
    /// The song, if one is played.
    public var transport: Transport?
    /// The layers that can lie over the songs, in the order in which they were named.
    public var layers: [Layer] = []
    /// The set list, if there is one.
    public var patches: PatchList?
    /// Rises whenever a value of a unit has changed, from any source, or units have come and gone.
    public var parameterEdition = 0
    /// Rises whenever another song plays, or something else lies over it.
    public var songEdition = 0
    /// The facts of the parts, by their keys, in addition to the ones above, and their metrics.
    package var others: [FieldValue.Member] = []
    package var otherMetrics: [(metric: Metric, samples: [Metric.Sample])] = []
    /// The installation, if there is one.
    public var house: House?

    /// A snapshot of nothing yet.
    public init() {}

    /// All interruptions.
    public var xruns: Int { xrunCauses.total }
}

extension SessionSnapshot: Fielded {
    /// Rises when a key changes its meaning or goes; new keys do not raise it.
    package static let statusVersion = 1

    package static let fields: [Field<Self>] =
        [
            Field("statusVersion", { _ in statusVersion }, "Increases when a key is removed or changes its meaning."),
            Field("frames", { Int($0.sampleTime.rawValue) }, as: .counter("frames"), "Frames rendered so far."),
            Field("seconds", \.seconds, "Seconds since the beginning."),
            Field("device", \.device, "The device that plays."),
            Field("deviceOutputs", \.deviceOutputs, "Other devices that units play on."),
            Field("load", \.load, as: .gauge("load", in: "ratio"), "The share of the available time that rendering takes."),
            Field(
                "worstLoad", \.worstLoad, as: .gauge("worst_load", in: "ratio"),
                "The highest recent load."),
            Field(
                "shedding", \.sheddingLevel, as: .gauge("shedding_level"),
                "How much load is shed: 0 none, 3 as much as possible."),
            Field("xruns", \.xrunCauses, "Interruptions of the sound by cause."),
            Field("lateEvents", \.lateEvents, as: .counter("late_events"), "Events that came after their time."),
            Field(
                "lostEvents", \.lostEvents, as: .counter("lost_events"),
                "Events dropped for lack of room, and notes that reached no instrument."),
            Field("voices", \.voices, as: .gauge("voices"), "Voices that sound."),
            Field("volume", \.volume, as: .gauge("volume", in: "decibels"), "Volume of the output; 0 is that of the start."),
            Field("levels", \.levels, "Levels of the output, channel by channel."),
            Field(
                "limiter", \.limiter.now, as: .gauge("limiter_reduction", in: "decibels"), "Gain reduction of the limiter."),
            Field(
                "remarks", \.remarks, as: .gauge("remarks"),
                "Different remarks so far, on what songs, SoundFonts and keyboards request and is not done."),
            Field("captureFault", \.captureFault, "The reason why the output is no longer captured."),
            Field("keyTranspose", \.keyTranspose, "Semitones by which keyboards are transposed."),
            Field("song", \.transport, "The song that plays."),
            Field("lyrics", \.transport?.lyrics, "The line that is sung."),
            Field("parameterEdition", \.parameterEdition, "Increases when a parameter changes, or units are added or removed."),
            Field("songEdition", \.songEdition, "Increases when another song plays, or other layers over it."),
            Field("layers", \.layers, "The layers that can play over the songs."),
            Field("house", \.house, "The installation."),
            Field("patches", \.patches, "The set list."),
            Field("scene", \.scene, "The scene called last."),
            Field("scenes", \.scenes, "The patch's scenes."),
            Field("learning", \.learning, "The parameter that waits for a control."),
            Field("metronome", \.metronome, "The metronome."),
            Field("zones", \.zones, "The zones of the patch."),
            Field("following", \.following, "The master whose clock the songs follow."),
            Field("notes", \.notes, "Notes that keys hold."),
            Field("channels", \.channels, "The channels with a strip or a sound."),
            Field("keyboards", \.sources, "MIDI sources."),
            Field("outputs", \.outputs, "MIDI output ports."),
            Field(measuring: .gauge("held_notes", "Notes that keys hold.")) { [Metric.Sample(Double($0.notes.count))] },
            Field(measuring: .gauge("keyboards", "Keyboards that are connected.")) {
                [Metric.Sample(Double($0.sources.count { $0.isConnected }))]
            },
        ] + Level.measuredFields + DeviceOutputState.measuredFields

    /// The facts of a session's parts follow these; the value of a part that is missing is nothing.
    package static var shape: FieldShape {
        .group(fields.members() + described.map { ($0.name, $0.help, .optional($0.shape)) })
    }
    package var fieldValue: FieldValue {
        let missing = Self.described.filter { part in !others.contains { $0.name == part.name } }
        return .object(Self.fields.told(self) + others + missing.map { FieldValue.Member(name: $0.name, value: .none) })
    }
    private static let described = SessionParts.all.flatMap { $0.described }
    package static var metrics: [Metric] { fields.flatMap(\.metrics) + SessionParts.all.flatMap { $0.ownMetrics } }
    package var measured: [(metric: Metric, samples: [Metric.Sample])] { Self.fields.measured(self) + otherMetrics }

    /// Interruptions by their cause.
    public struct Xruns: Sendable, Hashable, Fielded {
        /// Rendering took too long, the audio thread woke too late, or the driver reported an xrun without a cause here.
        public var renderLate = 0, wokeLate = 0, driver = 0

        /// All of them.
        public var total: Int { renderLate + wokeLate + driver }

        /// None.
        public init() {}

        package static let fields: [Field<Self>] = [
            Field("renderLate", \.renderLate, "Rendering took too long."),
            Field("wokeLate", \.wokeLate, "The audio thread woke too late."),
            Field("driver", \.driver, "The driver reported it for another cause."),
            Field(measuring: .counter("xruns", "Interruptions of the sound by cause.")) {
                [
                    Metric.Sample(Double($0.renderLate), "cause", "render-late"),
                    Metric.Sample(Double($0.wokeLate), "cause", "woke-late"),
                    Metric.Sample(Double($0.driver), "cause", "driver"),
                ]
            },
        ]
    }
}
