package import EngineCore
internal import Sequencer
import Synchronization

/// What sounds the tracks of a sequence: an engine, and the ports by which its instruments are played.
package protocol SequenceHost: AnyObject {
    /// The port, 0...15, whose sixteen parts lead to the instrument of a node; of nil to the one of tracks without a node. With
    /// the channel on which it plays everything, if it has one instrument alone. nil if there is none.
    func place(of node: AUNode?) -> (port: UInt8, channel: UInt8?)?
    /// Runs something on the engine, alone.
    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result
    /// Starts the output, if it does not run.
    func start() throws
    /// What a track's parameter event sets, when it is heard.
    func set(_ parameter: ParameterEvent, of node: AUNode?)
    /// True where the host serves its players after each slice, so that no thread has to.
    var servesPlayers: Bool { get }
}

extension SequenceHost {
    package var servesPlayers: Bool { false }
}

/// Tracks that are sent to MIDI endpoints: their messages travel as cues, and go out when they are due.
enum EndpointMessages {
    private static let message = 0x100, note = 0x101

    /// Sends bytes to an endpoint, at a host time or at once (0). A struct, since a closure that lies bare in a mutex is wrapped
    /// anew at each access.
    struct Sender {
        var send: @Sendable (MIDIEndpointRef, [UInt8], UInt64) -> Void
    }
    static let sender = Mutex(ofCoreMIDI)
    static let ofCoreMIDI = Sender { sendMIDI($1, to: $0, at: $2) }

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
