import RealtimeCore

/// The metronome, and the beat of units that follow one while no song plays.
final class MetronomePart: SessionPart {
    private let core: SessionCore
    private let outputs: OutputsPart
    private let songs: SongsPart?
    /// True if a song played when that was looked at last.
    private var songLeads = false
    /// True while the units that follow the metronome still have to get its last change.
    private var owesTime = false

    static let verbs = [Verb.metronome]

    init(_ core: SessionCore, _ outputs: OutputsPart, _ songs: SongsPart?) {
        (self.core, self.outputs, self.songs) = (core, outputs, songs)
        outputs.metronome = { [unowned self] in unit.setting }
    }

    private var unit: SessionMetronome { SessionMetronome(engine: core.engine, graph: core.graph) }

    /// The metronome leads again when the song has ended or is paused. Tried again if the queue is full.
    func turn() throws(LiveError) {
        let plays = songs?.isPlaying ?? false
        if songLeads, !plays, unit.setting?.isRunning == true { owesTime = true }
        songLeads = plays
        if plays { owesTime = false }
        // One frame after the event that stops the song.
        if owesTime { try again { () throws(LiveError) in try lead(from: core.soon + 1) } }
    }

    func release(at stop: SampleTime) throws(LiveError) { try unit.run(false, tempo: nil, at: stop) }

    func tell(_ snapshot: inout SessionSnapshot) { snapshot.metronome = unit.snapshot }

    /// Starts or stops the metronome, and with it the clock and, while no song plays, the units that follow one.
    func run(_ isRunning: Bool, tempo: Double?) throws(LiveError) {
        let start = core.soon
        try unit.run(isRunning, tempo: tempo, at: start)
        outputs.change(isRunning: isRunning, tempo: tempo, at: start)
        if unit.setting == nil || songs?.isPlaying == true { return }
        owesTime = true
        // The change is sent as soon as there is room.
        try again { () throws(LiveError) in try lead(from: start) }
    }

    private func lead(from time: SampleTime) throws(LiveError) {
        do {
            for said in outputs.beat.musicalTime(at: time, unit.meter) { try core.engine.send(.time(said), at: time) }
        } catch { throw .engine(error) }
        owesTime = false
    }
}
