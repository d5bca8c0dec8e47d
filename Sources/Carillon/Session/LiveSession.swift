import ALSA
import Glibc
import Graph
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer
import Units

/// An instrument that is being played: the graph, an audio device, MIDI sources, songs, and a recorder that never stops.
///
/// ```
/// MIDI thread -> Renderer <- audio thread -> device
///                  ^  |
///    ControlCommand   performed, levels -> recorder, capture, SessionSnapshot
/// ```
/// Control side, one thread: call `maintain` ten to a hundred times a second. What happens in the audio and MIDI threads
/// goes on whether it is called or not; only the recorder and a capture would miss something after some seconds.
public final class LiveSession {
    /// What it was started with.
    public let options: LiveOptions
    /// The engine that plays.
    public let engine: Engine
    /// The graph's units by their part.
    public let graph: SongGraph
    /// Whether `quit` was asked for, or the last song has ended and nothing else is to be played.
    public private(set) var isOver = false
    let unit: RemoteIOUnit
    let sequencer: MIDIClient?
    private let liveFilter: LiveFilter
    let player: SongPlayer?
    private(set) var recorder: MIDIRecorder
    private var capture: LiveCapture?
    /// The file that what sounds is written to: the one that the options name, or a free name beside it.
    public let capturePath: String?
    /// Why the capture ended before the session.
    public private(set) var captureFault: LiveError?
    /// The time since which all that can still be heard of a song that has ended is next to nothing.
    private var quietSince: SampleTime?
    private(set) var keys = SoundingKeys()
    /// Channels, from 1, whose strips are muted or soloed: what the parameters say.
    var muted: Set<Int> { channels(engine.mutedStrips) }
    var soloed: Set<Int> { channels(engine.soloedStrips) }
    private var names: [NodeID: String] = [:]
    private(set) var worstLoad = WorstOfLate()
    private let captureQueue: CaptureQueue?
    /// What was not as it should be and did not stop the start, as sentences.
    public private(set) var remarks: [String]

    /// Builds the graph (SoundFonts are read here), opens the device and the sequencer; nothing sounds yet.
    ///
    /// - Parameter songs: what `play` plays, in this order.
    /// - Throws: `unavailable` when there is no device or no sequencer, and what is wrong with options, sounds, files.
    public init(_ options: LiveOptions, songs: [SessionSong] = []) throws(LiveError) {
        self.options = options
        let timelines = try SongPlayer.timelines(songs, sampleRate: options.sampleRate)
        (engine, graph) = try LiveGraph.make(options, timelines: timelines)
        let structure = engine.beginJournal()
        try Rehearsal.run(options)
        remarks = graph.remarks
        captureQueue = options.capturePath.map { _ in
            // A slice is a block or several, and may be short: so are the blocks.
            CaptureQueue(channels: 2, frames: options.sampleRate * 6, blockFrames: 64)
        }
        var deviceFault: DeviceError?, sequencerFault: MIDIClientError?
        var unit: RemoteIOUnit?, sequencer: MIDIClient?
        let liveFilter = LiveFilter(options.filter)
        self.liveFilter = liveFilter
        do throws(DeviceError) {
            unit = try RemoteIOUnit(renderer: engine.renderer, request: options.stream, capture: captureQueue)
        } catch { deviceFault = error }
        if options.ports > 0 {
            do throws(MIDIClientError) {
                var rules: [ConnectionRule] = []
                for text in options.connections { rules.append(try ConnectionRule(text)) }
                sequencer = try MIDIClient(
                    MIDIClientSetup(ports: options.ports, rules: rules, isImmediate: options.isImmediate),
                    renderer: engine.renderer, filter: { liveFilter.events(for: $0) },
                    time: { [weak unit] in unit?.deviceTime?.eventTime(atNanoseconds: $0) })
            } catch { sequencerFault = error }
        }
        // Without a device, by wish, one may well try things out without a sequencer too.
        if let fault = sequencerFault, fault == .noSequencer || fault == .notPermitted, options.devices == ["null"] {
            remarks.append(fault.description)
            sequencerFault = nil
        }
        guard let unit, deviceFault == nil, sequencerFault == nil else {
            throw .unavailable(device: deviceFault, sequencer: sequencerFault)
        }
        self.unit = unit
        self.sequencer = sequencer
        player = songs.isEmpty ? nil : SongPlayer(songs, timelines)
        recorder = MIDIRecorder(
            frames: Int(options.recordedMinutes * 60 * Double(options.sampleRate)), patch: structure)
        for node in engine.graph.nodes { names[node.id] = node.name }
        if let path = options.capturePath {
            let setup = Journal.Setup(sampleRate: options.sampleRate, patch: structure)
            let capture = try LiveCapture(path: path, setup: setup, sampleRate: options.sampleRate)
            if capture.path != path {
                remarks.append("\(path) or its journal is there already; what sounds is written to \(capture.path)")
            } else if capture.journal.path != path + ".journal" {
                remarks.append("\(path).journal is there already; the journal is written to \(capture.journal.path)")
            }
            self.capture = capture
            capturePath = capture.path
        } else {
            capturePath = nil
            capture = nil
        }
    }

    /// Starts the threads: from here on it sounds.
    public func start() throws(LiveError) {
        if options.measuresUnits {
            for node in engine.graph.nodes { node.instance.measureTime() }
        }
        do { try unit.start() } catch { throw .unavailable(device: error, sequencer: nil) }
        do { try sequencer?.start() } catch { throw .unavailable(device: nil, sequencer: error) }
        if player != nil { try perform(.play) }
    }

    /// What is made of all that keyboards play from now on; nil: it passes as it is. What sounds is left alone until its own
    /// note-off.
    public var filter: (any MIDIFilter)? {
        get { liveFilter.filter }
        set { liveFilter.filter = newValue }
    }

    /// Does what a surface asks for.
    public func perform(_ command: ControlCommand) throws(LiveError) {
        switch command {
        case .quit: isOver = true
        case .set(let text):
            do { try engine.set(text) } catch { throw .engine(error) }
        case .mute(let channel, let isMuted):
            let strip = try strip(channel)
            do { try engine.set(ChannelStrip.Parameter.mute, isMuted ? 1 : 0, of: strip) } catch { throw .engine(error) }
        case .solo(let channel, let isSoloed):
            let strip = try strip(channel)
            do { try engine.set(ChannelStrip.Parameter.solo, isSoloed ? 1 : 0, of: strip) } catch { throw .engine(error) }
        case .panic(let scope): try panic(scope)
        case .saveRecording(let path): _ = try saveRecording(path)
        default:
            guard let player else { throw .noSong }
            try play(player.perform(command, now: engine.renderer.sampleTime, soon: soon))
        }
    }

    private func channels(_ strips: Set<NodeID>) -> Set<Int> {
        Set(graph.strips.filter { strips.contains($0.node) }.map { $0.part + 1 })
    }

    /// The strip of a channel, which counts from 1.
    private func strip(_ channel: Int) throws(LiveError) -> NodeID {
        guard let strip = graph.strips.first(where: { $0.part + 1 == channel }) else {
            throw .unknownChannel(channel, known: graph.strips.map { $0.part + 1 })
        }
        return strip.node
    }

    /// When a command from here can take effect at the earliest, whatever the audio thread does meanwhile: after a late
    /// wake-up it fills a whole buffer at once, though hardly ever one of more than three periods.
    var soon: SampleTime {
        let slice = max(unit.grant.sliceFrames, options.period)
        return engine.renderer.sampleTime + (min(max(unit.grant.periods, options.periods), 3) + 1) * slice
    }

    func play(_ segments: [ScoreSegment]) throws(LiveError) {
        for segment in segments where !engine.renderer.play(segment) { throw .engine(.queueFull) }
    }

    // MARK: - While it sounds

    /// Takes in what was performed, writes captured sound, frees what has come back, schedules what a song plays next.
    ///
    /// Whatever fails, the rest is done. A capture that fails ends there, is told once, and once more by `finish`.
    public func maintain() throws(LiveError) {
        var fault: LiveError?
        func attempt(_ step: () throws(LiveError) -> Void) { do { try step() } catch { fault = fault ?? error } }
        let (performed, edits) = takePerformed()
        attempt { () throws(LiveError) in try write(performed, edits) }
        attempt { () throws(LiveError) in
            guard let player else { return }
            try play(player.advance(now: engine.renderer.sampleTime, soon: soon))
            if !player.isAtEnd { quietSince = nil }
            if player.isAtEnd, options.ports == 0, hasDiedAway || isQuietForLong { isOver = true }
        }
        worstLoad.take(unit.status.load, at: ContinuousClock().now)
        attempt { () throws(LiveError) in
            do throws(GraphError) { try engine.maintain() } catch { throw .sound(RenderError(error)) }
        }
        if let fault { throw fault }
    }

    /// Ends it: keys and pedals go up and what sounds dies away, for half a second at most after the song's stop; threads
    /// end, the device is closed, a capture gets its end. Nothing may be called after it but `snapshot`.
    public func finish() throws(LiveError) {
        sequencer?.stop()
        // The song's own stop takes effect then.
        let stop = soon
        var fault: LiveError?
        func attempt(_ step: () throws(LiveError) -> Void) { do { try step() } catch { fault = fault ?? error } }
        attempt { () throws(LiveError) in
            if player != nil { try perform(.stop) }
            try releaseAll()
        }
        let wait = 500 + 1000 * max(stop - engine.renderer.sampleTime, 0) / options.sampleRate
        let deadline = ContinuousClock().now + .milliseconds(wait)
        repeat {
            usleep(5_000)
            attempt { () throws(LiveError) in try maintain() }
        } while !(hasDiedAway && engine.renderer.sampleTime >= stop) && ContinuousClock().now < deadline
        attempt { () throws(LiveError) in try panic(.all) }
        usleep(UInt32(2_000_000 * max(unit.grant.sliceFrames, 1) / options.sampleRate))
        unit.stop()
        attempt { () throws(LiveError) in try maintain() }
        attempt { () throws(LiveError) in
            if let captureFault { throw captureFault }
            guard let capture, let captureQueue else { return }
            let gaps = gaps
            do throws(LiveError) {
                try capture.finish(captureQueue, end: engine.renderer.sampleTime, isComplete: gaps.isEmpty)
            } catch {
                captureFault = error
                throw error
            }
            if !gaps.isEmpty {
                throw .captureGaps(path: capture.journal.path, frames: gaps.frames, events: gaps.events)
            }
        }
        isOver = true
        if let fault { throw fault }
    }

    /// What a capture, or the recorder, has missed because nobody called `maintain` for too long.
    var gaps: (frames: Int, events: Int, isEmpty: Bool) {
        let frames = captureQueue?.droppedFrames ?? 0, events = engine.renderer.counters.unrecordedEvents
        return (frames, events, frames == 0 && events == 0)
    }

    private func takePerformed() -> ([Journal.Entry], [Journal.Edit]) {
        var entries: [Journal.Entry] = [], edits: [Journal.Edit] = []
        while let performed = engine.renderer.nextPerformed() {
            let command = performed.command
            if case .adopted(let plan) = command.event {
                if let difference = engine.takeDifference(ofEdit: Int(plan)) {
                    edits.append(Journal.Edit(time: command.time, difference))
                    for node in engine.graph.nodes { names[node.id] = node.name }
                }
                continue
            }
            keys.take(command)
            if performed.source == .live { self.unit.report.eventError.add(Int64(performed.lateness)) }
            let unit = command.node.map { names[$0] ?? "\($0)" }
            entries.append(Journal.Entry(time: command.time, unit: unit, event: command.event))
        }
        for entry in entries { recorder.record(entry) }
        for edit in edits { recorder.record(edit) }
        recorder.forget(before: SampleTime(engine.renderer.sampleTime.rawValue - Int64(recorder.frames)))
        return (entries, edits)
    }

    /// Writes to the capture, until that fails.
    private func write(_ entries: [Journal.Entry], _ edits: [Journal.Edit]) throws(LiveError) {
        guard let capture, let captureQueue else { return }
        do throws(LiveError) {
            try capture.drain(captureQueue)
            do { try capture.journal.append(entries, edits) } catch { throw .journal(error) }
        } catch {
            captureFault = error
            self.capture = nil
            throw error
        }
    }

    /// What a recording begins with; the recorder knows the graph.
    var setup: Journal.Setup { Journal.Setup(sampleRate: options.sampleRate) }

    /// Whether nobody has heard anything for a second, whatever voices still die away.
    private var isQuietForLong: Bool {
        guard levels.allSatisfy({ $0.average < -70 }) else {
            quietSince = nil
            return false
        }
        let since = quietSince ?? engine.renderer.sampleTime
        quietSince = since
        return engine.renderer.sampleTime - since > options.sampleRate
    }

    /// Whether no voice sounds and what rings on has faded.
    private var hasDiedAway: Bool { voices == 0 && levels.allSatisfy { $0.average < -60 } }

    /// Voices that sound.
    var voices: Int {
        var voices = 0
        for node in engine.graph.nodes where graph.instruments.contains(node.id) {
            voices += Int(node.instance.readout("active-voices") ?? node.instance.readout("voices") ?? 0)
        }
        return voices
    }
}
