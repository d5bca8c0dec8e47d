internal import EngineCore
internal import Graphs
internal import MIDI
internal import RealtimeCore
internal import Reports
internal import Sequencer
import Synchronization
internal import UnitAPI

/// What sounds the tracks of a sequence: an engine, and the ports by which its instruments are played. A graph's handle is one.
protocol SequenceHost: AnyObject {
    /// The port, 0...15, whose sixteen parts lead to the instrument of a node; of nil to the one of tracks without a node. nil if
    /// there is none.
    func port(of node: AUNode?) -> UInt8?
    /// Runs something on the engine, alone.
    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result
    /// Starts the output, if it does not run.
    func start() -> OSStatus
    /// What a track's parameter event sets, when it is heard.
    func set(_ parameter: ParameterEvent, of node: AUNode?)
}

/// The SoundFont that `carillon` would choose, on the output of `CARILLON_OUTPUT`: for a sequence without a graph.
final class SoundFontHost: SequenceHost {
    /// Where tests play: nil for the output of the environment.
    static let testOutput = Mutex<(@Sendable () -> DeviceChoice)?>(nil)

    private let engine: Engine
    private let output: NodeID
    private var recorder: AudioRecorder?

    init() throws(Fault) {
        engine = Engine(sampleRate: 48_000)
        output = try engine.edit { (graph) throws(Fault) in
            let instrument = try graph.add(named: "soundfont"), limiter = try graph.add(named: "limiter")
            for part in 0..<16 { try graph.route(part: part, to: instrument) }
            try graph.chain(instrument, limiter)
            try graph.setOutput(limiter)
            return limiter
        }
    }

    deinit { finish() }

    func port(of node: AUNode?) -> UInt8? { node == nil ? 0 : nil }

    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result { try body(engine) }

    func set(_ parameter: ParameterEvent, of node: AUNode?) {}

    func start() -> OSStatus {
        if engine.isRunning { return noErr }
        do {
            if let choice = Self.testOutput.withLock({ $0 }) {
                try engine.start(on: choice())
                return noErr
            }
            let name = ProcessInfo.processInfo.environment["CARILLON_OUTPUT"] ?? "default"
            if name.hasSuffix(".wav") {
                if recorder == nil { recorder = try engine.record(output, to: name) }
                OpenRecordings.add(self)
                try engine.start(on: .device("null"))
            } else {
                try engine.start(on: .device(name))
            }
            return noErr
        } catch {
            report("\(error)")
            return kAudioToolboxErr_CannotDoInCurrentContext
        }
    }

    /// Ends the output; a file is whole then.
    func finish() {
        do {
            if let recorder { try engine.finish(recorder) }
            recorder = nil
            if engine.isRunning { try engine.stop() }
        } catch { report("\(error)") }
    }
}

/// Files that are still written when the program ends.
private enum OpenRecordings {
    private struct Open: @unchecked Sendable {
        weak var host: SoundFontHost?
    }

    private static let open = Mutex<[Open]>([])

    static func add(_ host: SoundFontHost) {
        let added = Open(host: host)
        let isFirst = open.withLock { open in
            let isFirst = open.isEmpty
            open.append(added)
            return isFirst
        }
        guard isFirst else { return }
        atexit { for open in OpenRecordings.open.withLock({ $0 }) { open.host?.finish() } }
    }
}

/// Tracks that are sent to MIDI endpoints: their messages travel as cues, and go out when they are due.
enum EndpointMessages {
    /// The kinds of cues, beyond Apple's types of events.
    private static let message = 0x100, note = 0x101

    /// Sends bytes to an endpoint, at a host time or at once (0).
    typealias Sender = @Sendable (MIDIEndpointRef, [UInt8], UInt64) -> Void
    static let sender = Mutex<Sender>(ofCoreMIDI)
    static let ofCoreMIDI: Sender = { sendMIDI($1, to: $0, at: $2) }

    static func cue(_ kind: EngineEvent.Kind) -> EngineEvent.Kind {
        switch kind {
        case .note(let note):
            let length = withUnsafeBytes(of: note.length) { [UInt8]($0) }
            return .cue([note.part & 15, note.key, note.velocity, note.releaseVelocity] + length, kind: Self.note)
        case .message(let message):
            let isShort = message.kind == .programChange || message.kind == .channelPressure
            return .cue([message.status, message.data1] + (isShort ? [] : [message.data2]), kind: Self.message)
        case .systemExclusive(let bytes, _): return .cue(bytes, kind: Self.message)
        case .tempo, .meter, .cue, .silent: return kind
        }
    }

    /// The bytes that a cue sends, and for a note those that end it and its length in beats.
    static func sent(_ bytes: [UInt8], kind: Int) -> (now: [UInt8], end: [UInt8]?, length: Double)? {
        switch kind {
        case message: return (bytes, nil, 0)
        case note where bytes.count == 12:
            let length = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: Double.self) }
            return ([0x90 | bytes[0], bytes[1], bytes[2]], [0x80 | bytes[0], bytes[1], bytes[3]], length)
        default: return nil
        }
    }
}

/// Sets what sends bytes to MIDI endpoints, at a host time or at once (0), for tests; nil: Core MIDI does.
package func setMIDIEndpointSender(_ sender: (@Sendable (MIDIEndpointRef, [UInt8], UInt64) -> Void)?) {
    EndpointMessages.sender.withLock { $0 = sender ?? EndpointMessages.ofCoreMIDI }
}
