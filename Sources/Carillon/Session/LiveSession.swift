import ALSA
import Graph
import MIDI
import Patch
import RealtimeCore
import RemoteIO
import Sequencer
import SoundFonts
import Units

/// An instrument that is being played: an engine, a device, MIDI sources, songs, and a recorder that never stops, put
/// together of parts that know nothing of each other.
///
/// ```
/// MIDI thread -> Renderer <- device                CommandInbox, any thread
///                  ^  |                                 |
///     Playlist ----+  performed -> Recorder, SessionCapture, SoundingKeys
/// ```
/// Control side, one thread: call `maintain` ten to a hundred times a second. What happens in the audio and MIDI threads
/// goes on whether it is called or not; only the recorder and a capture would miss something after some seconds. On a
/// `SimulatedPort` time passes when the port is told so, and the same session runs without waiting for anything.
public final class LiveSession {
    /// The options that it was started with.
    public internal(set) var options: LiveOptions
    /// The engine that plays.
    public let engine: Engine
    /// The graph's units by their part.
    public internal(set) var graph: SongGraph
    /// Where any thread puts what it wants of the session.
    public let inbox = CommandInbox()
    /// The songs; nil where none are played.
    public let playlist: Playlist?
    /// True once `quit` was asked for, or the last song has ended and nothing else is to be played.
    public internal(set) var isOver = false
    /// Sentences on what was not as it should be and did not stop the start.
    public private(set) var remarks: [String]
    let port: any DevicePort
    /// The parts of the graph that hear the device.
    let feeds: DeviceFeeds
    let sequencer: MIDIClient?
    let recorder: Recorder
    let capture: SessionCapture?
    let liveFilter: LiveFilter
    let outputs: SessionOutputs
    private var performances: PerformanceReader
    private var ending: SongEnding
    private var outbox = ScoreOutbox()
    /// The views of the session that change seldom: values that were moved, the notes of the song.
    var views = SessionViews()
    private(set) var keys = SoundingKeys()
    var sounds = ChannelSounds()
    var notes = CommandedNotes()
    private(set) var worstLoad = WorstOfLate()
    /// The set list; nil where one patch is played, or none.
    let patches: Patches?
    /// The keyboards that have input ports of their own.
    let inputs: KeyboardInputs
    /// The demands of the list's songs on the graph.
    var demand: SongDemand
    /// When the instruments of a song with other SoundFonts took or take over, and from when on the song that plays has to be
    /// told them anew.
    var bankTime = SampleTime.zero, bankRefresh: SampleTime?
    /// The names of sounds until the instruments of `graph` take over; nil: they have.
    var formerNames: (names: SoundNames, until: SampleTime)?
    /// The sounds that were made ready, by their names.
    var soundPlayers: [String: FilePlayer] = [:]
    /// The reasons why commands were refused whose sender wanted no answer, and why units do not work.
    var notices: [String] = []
    private var complaints = UnitComplaints()
    /// The patch as its file had it when it was read, with what was written into it since; nil: the graph's patch says it.
    var saved: Patch?
    /// The other patches of a set list as their files had them, with what was written into them since, by file.
    var files: [String: Patch] = [:]
    /// Called when the device is lost, comes back, or another one plays. Session's thread.
    public var onAudioSession: (AudioSessionEvent) -> Void = { _ in }
    var audioSession = AudioSession(), listening = CaptureWatch()
    /// True while nothing is heard, and the second at which the song was heard last; nil while it did not play.
    var isInterrupted = false, lastHeard: Double?
    /// The master that the songs follow; nil: nobody.
    var following: SessionFollowing?
    /// Called when a stage of the end begins (`finish`), with the seconds that it may take: what takes longer stands, such as a
    /// driver that does not let go of its device. Session's thread.
    public var onEnd: (_ seconds: Double) -> Void = { _ in }
    /// Called with all that was performed, once it is recorded.
    var onPerformance: (Performance) -> Void = { _ in }

    /// Builds the graph (SoundFonts are read here), opens the device and the sequencer; nothing sounds yet.
    ///
    /// - Parameters:
    ///   - songs: what is played, in this order. One that cannot be read is left out, told, as long as there is another.
    ///   - port: what plays it: a sound card, or simulated time, which has no keyboards.
    ///   - outlet: where it plays out to; nil: the system's MIDI ports, in simulated time nowhere.
    /// - Throws: `unavailable` when there is no device or no sequencer, and what is wrong with options, sounds, files.
    public convenience init(
        _ options: LiveOptions, songs: [SessionSong] = [], on port: any DevicePort = ALSAPort.ofEverySystem(),
        outlet: (any MIDIOutlet)? = nil
    ) throws(LiveError) {
        try self.init(options, songs: songs, on: port, outlet: outlet, start: .zero)
    }

    /// Builds the graph and opens the device and the sequencer, with a sample time for the first slice.
    init(
        _ options: LiveOptions, songs: [SessionSong], on port: any DevicePort, outlet: (any MIDIOutlet)? = nil,
        start: SampleTime
    ) throws(LiveError) {
        var options = options
        if let first = options.patches.first { (options.patch, options.patchPath) = (first.patch, first.path) }
        self.options = options
        self.port = port
        following = options.follows.map { SessionFollowing($0) }
        try options.check()
        var demand = SongDemand()
        playlist =
            songs.isEmpty
            ? nil
            : try Playlist(
                songs, layers: options.layers, silent: options.sentParts, sampleRate: options.sampleRate, demand: &demand)
        options.songBank = playlist?.bankAhead
        self.options = options
        inputs = try Self.inputs(options)
        var first: PreparedPatch?
        if options.patches.count > 1 {
            engine = LiveGraph.engine(options, start: start)
            if !songs.isEmpty { throw .option(name: "patch", value: "several", remedy: "songs are played through one") }
            let patches = Patches(options, keyboards: inputs.keyboards, engine, isThreaded: port.hasOwnThread)
            self.patches = patches
            (first, graph) = try patches.begin()
        } else {
            patches = nil
            (engine, graph) = try LiveGraph.make(options, songs: songs.isEmpty ? nil : demand, start: start)
        }
        self.demand = demand
        let structure = engine.beginJournal()
        // A simulated device is never late.
        if port.hasOwnThread { try Rehearsal.run(options) }
        remarks = graph.remarks + Self.unheardInputs(options) + Self.folds(options)
        var deviceFault: DeviceError?, sequencerFault: MIDIClientError?
        let wish = try Self.request(options, engine), request = wish.request
        feeds = wish.feeds
        let queue = options.capturePath.map { _ in
            SessionCapture.makeQueue(channels: request.channels, sampleRate: options.sampleRate)
        }
        do throws(DeviceError) {
            let (grant, remark) = try wish.open(
                port, engine.renderer, capture: queue, mustCapture: options.inputDevice != nil)
            if let remark { remarks.append(remark) }
            if let made = grant.foldedLayout {
                remarks.append(
                    "the patch plays on \(made.rawValue); \(grant.device) has \(grant.layout?.rawValue ?? "fewer") "
                        + "speakers, and gets it folded down")
            }
        } catch { deviceFault = error }
        var sequencer: MIDIClient?
        let zones = try options.patch.flatMap { [inputs] (patch) throws(LiveError) in try Self.zones(patch, inputs) }
        let hasZones = zones != nil || options.patches.contains { !$0.patch.zones.isEmpty }
        let liveFilter = LiveFilter(options.filter, zones: zones, ports: graph.ports)
        self.liveFilter = liveFilter
        engine.midi.filter = liveFilter.player
        let outputs = SessionOutputs(clock: options.clock, sends: options.sends, sampleRate: options.sampleRate)
        self.outputs = outputs
        engine.midi.outside = { outputs.send($0) }
        let playsOut = outputs.isNeeded(by: options.patch)
        if options.ports > 0 || outlet == nil && (playsOut || options.follows != nil), port.hasOwnThread {
            do throws(MIDIClientError) {
                // Each keyboard that zones name has an input port of its own.
                var rules: [ConnectionRule] = []
                for (input, text) in inputs.keyboards.enumerated() where options.ports > 0 {
                    // Where zones name none, they have what is connected anyway.
                    for text in text == "any" ? options.connections : [text] {
                        var rule = try ConnectionRule(text)
                        if hasZones { rule.input = input }
                        rules.append(rule)
                    }
                }
                let ports = options.ports > 0 ? max(options.ports, inputs.keyboards.count) : 0
                sequencer = try MIDIClient(
                    MIDIClientSetup(
                        ports: ports, rules: rules, isImmediate: options.isImmediate, master: options.follows),
                    renderer: engine.renderer, filter: { liveFilter.commands(for: $0) },
                    time: { [weak port] in port?.status.time?.eventTime(atNanoseconds: $0) })
            } catch { sequencerFault = error }
        }
        if let fault = sequencerFault, options.canDoWithoutKeyboards(fault, on: port.grant) {
            remarks.append(fault.description)
            sequencerFault = nil
        }
        self.sequencer = sequencer
        outputs.attach(outlet ?? sequencer as (any MIDIOutlet)?)
        outputs.open(zones, options.patch)
        recorder = Recorder(minutes: options.recordedMinutes, sampleRate: options.sampleRate, patch: structure)
        performances = PerformanceReader(engine)
        ending = SongEnding(sampleRate: options.sampleRate)
        do throws(LiveError) {
            if deviceFault != nil || sequencerFault != nil {
                throw .unavailable(device: deviceFault, sequencer: sequencerFault)
            }
            if let path = options.capturePath, let queue {
                capture = try SessionCapture(
                    path, from: queue, layout: request.layout ?? .stereo, sampleRate: options.sampleRate, patch: structure)
            } else {
                capture = nil
            }
        } catch {
            port.stop()
            throw error
        }
        remarks += capture?.remarks ?? []
        renewControls()
        if let first { try choose(first) }
        playlist?.willPlay = { [unowned self] (timeline, bank, time) throws(LiveError) in
            try makeRoom(for: timeline, bank: bank, at: time)
        }
        playlist?.clock = { [unowned self] in (now, soon) }
    }

    /// Starts the threads: from here on it sounds.
    public func start() throws(LiveError) {
        if options.measuresUnits {
            for node in engine.graph.nodes { node.instance.measureTime() }
        }
        try startDevices()
        if let patches { try patches.list.start() } else { for sound in liveFilter.zones?.sounds ?? [] { try set(sound) } }
        do { try sequencer?.start() } catch { throw .unavailable(device: nil, sequencer: error) }
        // Who follows waits for its master.
        if playlist != nil, following == nil { try perform(.play) }
        followClock()
    }

    /// Does what a surface asks for, at once. Session's thread; others have the `inbox`.
    @discardableResult
    public func perform(_ command: ControlCommand) throws(LiveError) -> CommandOutcome {
        defer { followClock() }
        if try isFollowed(command) { return .done }
        return try command.perform(on: self)
    }

    /// Lets whoever looks after it know that nothing else is to be played.
    func end() { isOver = true }

    func panic(_ scope: PanicScope) throws(LiveError) {
        switch scope {
        case .source(let name):
            let sources = sequencer?.sources ?? []
            let meant = sources.filter { $0.name == name || $0.identity.description == name }
            if meant.isEmpty { throw .unknownSource(name, known: sources.map(\.name)) }
            for source in meant { sequencer?.panic(source: source.identity) }
        case .unit(let name): try desk.silence(unit: name)
        case .channel(let channel): try desk.silence(channel: channel)
        case .all:
            try play(notes.releaseAll())
            outputs.release()
            sequencer?.panicAll()
            try desk.silenceAll()
            for former in patches?.stage.formers ?? [] { try desk.silence(former) }
        }
    }

    // MARK: - Its parts

    var desk: SoundDesk { SoundDesk(engine: engine, graph: graph) }
    var metronome: SessionMetronome { SessionMetronome(engine: engine, graph: graph) }
    var meters: SessionMeters {
        SessionMeters(
            engine: engine, graph: graph, hasChannels: options.patch != nil || options.instrument != .squareWave,
            formers: patches?.stage.formers ?? [])
    }
    /// The file that what sounds is written to: the one that the options name, or a free name beside it.
    public var capturePath: String? { capture?.path }
    /// The reason why the capture ended before the session.
    public var captureFault: LiveError? { capture?.fault }
    /// Events that recorder and capture have missed because nobody called `maintain` for too long.
    var unrecorded: Int { engine.renderer.counters.unrecordedEvents }
    var now: SampleTime { engine.renderer.sampleTime }

    /// When a command from here can take effect at the earliest, whatever the audio thread does meanwhile: after a late
    /// wake-up it fills a whole buffer at once, though hardly ever one of more than three periods.
    var soon: SampleTime {
        let grant = port.grant
        let slice = max(grant?.sliceFrames ?? 0, options.period)
        return now + (min(max(grant?.periods ?? 0, options.periods), 3) + 1) * slice
    }

    /// Lets the songs play what these calls of theirs give; refused, with nothing changed, while something older waits.
    func post(_ segments: (Playlist) throws(LiveError) -> [ScoreSegment]) throws(LiveError) {
        guard let playlist else { throw .noSong }
        outbox.post(to: engine.renderer)
        guard outbox.isEmpty else { throw .engine(.queueFull) }
        let posted = try segments(playlist)
        outputs.post(posted)
        outbox.post(posted, to: engine.renderer)
        try fadeSongs()
    }

    // MARK: - While it sounds

    /// Obeys what has arrived, takes in what was performed, writes captured sound, frees what has come back, schedules what
    /// a song plays next.
    ///
    /// Whatever fails, the rest is done. A capture that fails ends there, is told once, and once more by `finish`.
    public func maintain() throws(LiveError) {
        var faults = Attempts()
        for item in inbox.take() {
            do throws(LiveError) {
                let outcome = try perform(item.command)
                item.answer?(.success(outcome))
            } catch {
                if let answer = item.answer { answer(.failure(error)) } else { notices.append("\(error)") }
            }
        }
        notices += complaints.look(engine.graph)
        // Nobody reads them: the oldest go.
        if notices.count > 100 { notices.removeFirst(notices.count - 100) }
        learnWhatWasHeard()
        faults.attempt { () throws(LiveError) in try followDevice() }
        let performance = performances.read(&keys, &sounds) { port.report?.eventError.add($0) }
        recorder.take(performance, now: now)
        onPerformance(performance)
        faults.attemptAgain { () throws(LiveError) in try play(notes.due(now)) }
        faults.attempt { () throws(LiveError) in try advancePatches() }
        faults.attempt { () throws(LiveError) in try capture?.take(performance) }
        faults.attemptAgain { () throws(LiveError) in try followMaster() }
        faults.attemptAgain { () throws(LiveError) in
            guard let playlist else { return }
            try post { $0.advance(now: now, soon: soon) }
            let meters = meters
            if ending.isOver(isAtEnd: playlist.isAtEnd, voices: meters.voices, levels: meters.levels, now: now),
                options.playedPorts == 0, following == nil
            {
                isOver = true
            }
        }
        faults.attempt { () throws(LiveError) in try keepBank() }
        faults.attemptAgain { () throws(LiveError) in try leadBehindSongs() }
        followClock()
        worstLoad.take(port.status.load, at: Double(now.rawValue) / Double(options.sampleRate))
        faults.attempt { () throws(LiveError) in
            do throws(GraphError) { try engine.maintain() } catch { throw .sound(RenderError(error)) }
        }
        renewViews()
        try faults.finish()
    }
}
