import RealtimeCore
import Reports
import Units

/// The metronome, and the beat of units that follow one while no song plays.
final class MetronomePart: SessionPart {
    private let core: SessionCore
    private let outputs: OutputsPart
    private let songs: SongsPart?
    /// True if a song played at the last look.
    private var songLeads = false
    /// True while the units that follow the metronome still have to get its last change.
    private var owesTime = false

    static let verbs = [Verb.metronome]
    static let fields: [PartField<MetronomePart>] = [
        PartField(\.metronome, "metronome", "The metronome.") { $0.unit.snapshot }
    ]

    init(_ core: SessionCore, _ outputs: OutputsPart, _ songs: SongsPart?) {
        (self.core, self.outputs, self.songs) = (core, outputs, songs)
        outputs.metronome = { [unowned self] in unit.setting }
    }

    private var unit: SessionMetronome { SessionMetronome(engine: core.engine, graph: core.graph) }

    /// The metronome leads again when the song has ended or is paused. Tried again if the queue is full.
    func turn() throws(Fault) {
        let plays = songs?.isPlaying ?? false
        if songLeads, !plays, unit.setting?.isRunning == true { owesTime = true }
        songLeads = plays
        if plays { owesTime = false }
        // One frame after the event that stops the song.
        if owesTime { try again { () throws(Fault) in try lead(from: core.soon + 1) } }
    }

    func release(at stop: SampleTime) throws(Fault) { try unit.run(false, tempo: nil, at: stop) }

    /// Starts or stops the metronome, and with it the clock and, while no song plays, the units that follow one.
    func run(_ isRunning: Bool, tempo: Double?) throws(Fault) {
        let start = core.soon
        try unit.run(isRunning, tempo: tempo, at: start)
        outputs.change(isRunning: isRunning, tempo: tempo, at: start)
        if unit.setting == nil || songs?.isPlaying == true { return }
        owesTime = true
        // The change is sent as soon as there is room.
        try again { () throws(Fault) in try lead(from: start) }
    }

    private func lead(from time: SampleTime) throws(Fault) {
        for said in outputs.beat.musicalTime(at: time, unit.meter) { try core.engine.send(.time(said), at: time) }
        owesTime = false
    }
}

extension SnapshotKeys {
    /// The metronome, once one was requested.
    public var metronome: SnapshotKey<SessionSnapshot.Metronome?> { SnapshotKey(nil) }
}

extension SessionSnapshot {
    /// A metronome that was requested.
    public struct Metronome: Sendable, Hashable {
        public var isRunning: Bool
        /// Quarter notes a minute.
        public var tempo: Double
        /// Beats of a bar.
        public var beats: Int
        /// The beat and the bar, from 1 on; 0 before the first.
        public var beat: Int
        public var bar: Int
    }
}

extension SessionSnapshot.Metronome: Fielded {
    package static let fields: [Field<Self>] = [
        Field("isRunning", \.isRunning, "Whether it clicks."),
        Field("tempo", \.tempo, "Quarter notes a minute."),
        Field("beats", \.beats, "Beats of a bar."),
        Field("beat", \.beat, "The beat, from 1 on; 0 before the first."),
        Field("bar", \.bar, "The bar, from 1 on; 0 before the first."),
    ]
}

extension Verb {
    static let metronome = Verb(
        "metronome", [.onOff, .init("TEMPO", .number(Metronome.Parameter.tempo.spec), isOptional: true)],
        help: "Switches the metronome on or off.", "metronome on 120", movesSound: true
    ) { (metronome: MetronomePart, values) throws(Fault) in
        try metronome.run(values.flag(0), tempo: values.optionalNumber(1))
    }
}

extension ControlCommand {
    /// Starts or stops the metronome; it begins with the first beat of a bar. Quarter notes a minute, 20...400; nil means as
    /// before, at first 120.
    public static func metronome(_ isOn: Bool, tempo: Double?) -> ControlCommand { Verb.metronome(isOn, tempo) }
}
