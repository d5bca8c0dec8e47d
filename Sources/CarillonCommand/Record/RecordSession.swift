import Carillon
import Glibc
import Patches

/// The session of `carillon record`: the device's input, through a patch or straight, on its way into a file. Knows no
/// terminal.
final class RecordSession {
    struct Options {
        var path: String
        /// Nil means the format of the path's ending, as floating point if it has that.
        var format: AudioFileFormat?
        var sampleRate = LiveOptions().sampleRate
        /// The patch whose unit `input` gets the device's input; nil means the input is recorded as it comes.
        var patch: Patch?
        /// Channels of the device that are recorded, 1...8; with a patch, its unit `input` sets them.
        var channels = 2
        /// True if what is recorded is played too.
        var monitors = false
        /// Seconds; nil means until the end is requested.
        var duration: Double?
        /// True if a file that is there may go.
        var replaces = false
    }

    let engine: Engine
    private let options: Options
    /// The output that is written, and the meters of what comes in and of what is written, which are one without a patch.
    private let source: (node: NodeID, bus: Int)
    private let input: NodeID
    private let meters: (input: NodeID, recorded: NodeID?)
    private var recorder: AudioRecorder?
    private var listening = CaptureWatch()
    /// Frames that were written before anything was captured.
    private var silentFrames: Int64 = 0

    init(_ options: Options) throws(Fault) {
        self.options = options
        let made: (Engine, (node: NodeID, bus: Int), NodeID, NodeID, NodeID?)
        made = try Self.graph(options)
        (engine, source, input, meters) = (made.0, made.1, made.2, (made.3, made.4))
    }

    private static func graph(_ options: Options) throws(Fault) -> (Engine, (node: NodeID, bus: Int), NodeID, NodeID, NodeID?) {
        let rate = Double(options.sampleRate), type = DeviceInput.descriptor.component
        let engine: Engine
        if let patch = options.patch {
            engine = try Engine(patch: patch, sampleRate: rate)
        } else {
            engine = Engine(sampleRate: rate)
        }
        let hears = engine.graph.nodes.contains { $0.instance.descriptor.component == type }
        if options.patch != nil, !hears { throw .deaf }
        var source: (node: NodeID, bus: Int)?, input: NodeID?, meter: NodeID?, recorded: NodeID?
        try engine.edit { (graph) throws(Fault) in
            let heard = graph.nodes.first { $0.instance.descriptor.component == type }?.id
            let found =
                if let heard { heard } else {
                    try graph.add(DeviceInput.self, properties: Self.width(options.channels))
                }
            let end = graph.output.map { ($0.node, $0.bus) } ?? (found, 0)
            let first = try Self.meter(found, 0, "record-input-meter", in: &graph)
            if options.patch != nil { recorded = try Self.meter(end.0, end.1, "record-meter", in: &graph) }
            // Without monitoring nothing is played: a loudspeaker beside the microphone would howl.
            let isWide = try Self.channels(end.0, end.1, in: graph) > 2
            if options.monitors && isWide {
                try graph.setOutput(end.0, bus: end.1)
            } else {
                let monitor = try graph.add(MultichannelMixer.self, name: "record-monitor", inputs: 1)
                if options.monitors { try graph.connect(end.0, output: end.1, to: monitor, input: 0) }
                try graph.setOutput(monitor)
            }
            (source, input, meter) = (end, found, first)
        }
        guard let source, let input, let meter else { preconditionFailure("the edit has made them") }
        return (engine, source, input, meter, recorded)
    }

    /// Returns the properties for creating a unit with `channels` channels; none for a stereo one.
    private static func width(_ channels: Int) -> [String: PropertyValue] {
        channels == 2 ? [:] : [UnitDescriptor.widthProperty: .integer(channels)]
    }

    private static func channels(_ node: NodeID, _ bus: Int, in graph: Graph) throws(Fault) -> Int {
        try graph.node(node).instance.descriptor.outputs[bus].channels
    }

    private static func meter(_ node: NodeID, _ bus: Int, _ name: String, in graph: inout Graph) throws(Fault) -> NodeID {
        let width = width(try channels(node, bus, in: graph))
        let meter = try graph.add(PeakMeter.self, name: name, properties: width)
        try graph.connect(node, output: bus, to: meter)
        return meter
    }

    /// The loudspeakers that the file names for its channels; nil if they are not known.
    var layout: SpeakerLayout? {
        do { return try engine.layout(of: source.node, bus: source.bus) } catch {
            preconditionFailure("it was found: \(error)")
        }
    }

    /// Channels of the file.
    private var channels: Int {
        do { return try layout?.channels ?? Self.channels(source.node, source.bus, in: engine.graph) } catch {
            preconditionFailure("it was found: \(error)")
        }
    }

    /// The channels wanted of the device that plays: those of the recording if it is to be heard, and else stereo.
    var played: (channels: Int, layout: SpeakerLayout?) {
        options.monitors && channels > 2 ? (channels, layout) : (2, nil)
    }

    /// What cannot be is refused before a file that is there is touched. Returns what the device granted.
    func start(on choice: DeviceChoice) throws(Fault) -> DeviceGrant {
        if !options.replaces, access(options.path, F_OK) == 0 { throw Fault(AudioFileError.exists(path: options.path)) }
        do throws(AudioFileError) {
            if let layout { try options.format?.requireSupport(layout: layout) }
            try options.format?.requireSupport(channels: channels, sampleRate: options.sampleRate)
        } catch { throw Fault(error) }
        let grant = try engine.start(on: choice)
        // The old take is kept under another name until the new one has begun.
        let aside = options.path + ".old-\(getpid())"
        let standsAside = options.replaces && rename(options.path, aside) == 0
        // What has its length begins when even a busy machine has all of the sound there.
        let first = options.duration.map { _ in engine.time(after: .milliseconds(250)) }
        do {
            recorder = try engine.record(
                source.node, bus: source.bus, to: options.path, format: options.format, sampleRate: options.sampleRate,
                at: first, seconds: options.duration)
        } catch {
            if standsAside { rename(aside, options.path) }
            // The file's fault is the one to report.
            do { try engine.stop() } catch {}
            throw error
        }
        if standsAside { unlink(aside) }
        listen()
        return grant
    }

    /// Pauses or resumes; nothing if the time is set.
    func togglePause() {
        guard options.duration == nil, let recorder else { return }
        switch recorder.state {
        case .recording: recorder.pause()
        case .paused: recorder.resume()
        case .waiting, .finished, .failed: break
        }
    }

    /// Looks after the engine; call it some ten times a second.
    func maintain() throws(Fault) {
        listen()
        try engine.maintain()
    }

    /// Looks whether the device gives something.
    private func listen() {
        guard let status = engine.deviceStatus else { return }
        _ = listening.look(status, sampleRate: options.sampleRate)
        if !listening.hasHeard { silentFrames = recorder?.framesWritten ?? 0 }
    }

    /// The file first, so that it is complete even if the device fails. `onEnd` gets the seconds that a stage of it may take.
    /// Throws the error that ended the recording before its end; what was written until then is in the file.
    func finish(onEnd: (Double) -> Void = { _ in }) throws(Fault) {
        listen()
        onEnd(Session.filePatience)
        var fault: Fault?
        do throws(Fault) { if let recorder { try engine.finish(recorder) } } catch { fault = error }
        onEnd(Session.devicePatience)
        if engine.isRunning { try engine.stop() }
        if let fault { throw fault }
    }

    var view: RecordView {
        var view = RecordView()
        view.path = options.path
        if let recorder {
            let width = recorder.layout?.rawValue ?? "\(recorder.channels) channels"
            view.format = "\(recorder.format.description), \(width)"
            view.seconds = Double(recorder.framesWritten) / Double(recorder.sampleRate)
            view.clipped = Int(recorder.clippedSamples)
            view.dropped = recorder.droppedFrames
            view.state = recorder.state
            var status = stat()
            if stat(recorder.path, &status) == 0 { view.bytes = Int64(status.st_size) }
        }
        view.duration = options.duration
        view.monitors = options.monitors
        view.layout = layout
        view.input = levels(of: meters.input)
        // Of a bus that is wider than its loudspeakers are many, those.
        view.recorded = (meters.recorded.map(levels) ?? []).prefix(channels).map { $0 }
        view.missing = Int(readout("missing-frames", of: input))
        // A device takes a moment to begin.
        if silentFrames > options.sampleRate / 2 { view.missing += Int(silentFrames) }
        view.isSilent = !listening.hasHeard
        view.overs = Int(readout("overs", of: meters.input))
        if let grant = engine.grant {
            view.device = grant.description
            view.isNull = grant.isNull
        }
        if let status = engine.deviceStatus {
            view.deviceState = "\(status.phase)"
            if listening.isDeaf, !view.isNull {
                view.deafness = CaptureWatch.reason(status.phase, engine.captureError)
            } else if status.phase == .running {
                // Not all of it is silent, but some channels.
                view.deafness = engine.captureError?.description
            }
        }
        return view
    }

    private func levels(of meter: NodeID) -> [SessionSnapshot.Level] {
        let node = engine.graph[meter]
        return (0..<(node?.instance.inputs[0].channels ?? 0)).map { channel in
            let name = channel < 2 ? ["-left", "-right"][channel] : "[\(channel)]"
            return SessionSnapshot.Level(
                peak: Double(readout("peak\(name)", of: meter)), average: Double(readout("average\(name)", of: meter)))
        }
    }

    /// 0 for a readout that the graph was made without.
    private func readout(_ name: String, of node: NodeID) -> Float {
        do { return try engine.readout(name, of: node) ?? 0 } catch { return 0 }
    }
}

struct RecordView: Sendable {
    var path = ""
    var format = ""
    /// The length of what is in the file, in seconds and in bytes.
    var seconds = 0.0
    var bytes: Int64 = 0
    /// The length that the recording is to have, in seconds; nil means until the end is requested.
    var duration: Double?
    var state = AudioRecorder.State.waiting
    /// The loudspeakers of the channels in the file; nil if they are not known.
    var layout: SpeakerLayout?
    /// The channels of what comes in, and of what is written if a patch lies between.
    var input: [SessionSnapshot.Level] = []
    var recorded: [SessionSnapshot.Level] = []
    /// Samples at full scale at the input; samples that the file could not hold; frames that the device, or the disk, lost.
    var overs = 0
    var clipped = 0
    var missing = 0
    var dropped = 0
    var monitors = false
    var device = ""
    var deviceState = ""
    var isNull = false
    /// Why all or some channels capture nothing at the moment, and whether nothing has been captured so far.
    var deafness: String?
    var isSilent = false
}
