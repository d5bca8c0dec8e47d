import Carillon
import Glibc
import Installations
import Synchronization
import TestFolders

@testable import Control
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A session in simulated time with a control socket in a folder of its own.
final class SteeredSession {
    let session: Session
    let port = SimulatedPort()
    let folder = TemporaryFolder()
    let socket: ControlSocket
    let clock = HandClock()

    init(role: ControlRole = .everything, song: Song? = SteeredSession.song) throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.ports = 0
        session = try Session(options, songs: song.map { [SessionSong(name: "beats", song: $0)] } ?? [], on: port)
        let clock = clock
        socket = try ControlSocket(
            folder.file("s"), inbox: session.inbox, grammar: .installation, role: role, clock: { clock.seconds })
        try session.start()
        socket.publish(session.snapshot, of: session)
    }

    /// Two hundred bars.
    static var song: Song {
        var track = Track(name: "beats")
        for beat in 0..<800 {
            let tick = Int64(beat) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
                SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))),
            ]
        }
        track.endTick = 800 * 480
        return Song(tracks: [track])
    }

    /// Lets the session work, and the socket show it.
    func work() throws {
        port.advance(seconds: 0.01)
        try session.maintain()
        socket.publish(session.snapshot, of: session)
    }

    /// Sends a request and lets the session work until it is answered.
    func ask(_ line: String, through client: RawClient) throws -> String {
        client.send(line + "\n")
        return try answers(1, of: client).first ?? "cut off"
    }

    /// Lets the session work until so many lines have come, or the client was cut off.
    func answers(_ count: Int, of client: RawClient) throws -> [String] {
        while client.lines < count, !client.isCut {
            try work()
            if !client.read() { sched_yield() }
        }
        return client.take(count)
    }

    func client() -> RawClient { RawClient(socket.path) }
}

/// A clock that a test moves.
final class HandClock: Sendable {
    private let time = Mutex(100.0)
    var seconds: Double { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
}

/// A client that never waits, and sends whatever it is told to.
final class RawClient {
    let descriptor: Int32
    private var input: [UInt8] = []
    /// Lines that have come and were not taken.
    private(set) var lines = 0
    /// Nothing more will come.
    private(set) var isCut = false

    init(_ path: String) {
        descriptor = SocketPath.makeSocket()
        let place = SocketPath(path)!
        // Where many have come at once and nobody has let them in yet, the next one is to try again.
        while place.withPointer({ connect(descriptor, $0, $1) }) != 0 {
            precondition(errno == EAGAIN, "\(path): \(String(cString: strerror(errno)))")
            sched_yield()
        }
    }

    deinit { close(descriptor) }

    /// Sends all of it, unless it was cut off.
    ///
    /// - Parameter meanwhile: is called while nobody takes it; whoever asks much has to let the session answer.
    func send(_ bytes: [UInt8], meanwhile: () throws -> Void) rethrows {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EAGAIN { return } else { try meanwhile() }
        }
    }

    func send(_ bytes: [UInt8]) { send(bytes) { sched_yield() } }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// No more will be sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Takes in what has come; false where there was nothing.
    func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            input += bytes[..<count]
            lines += bytes[..<count].count { $0 == UInt8(ascii: "\n") }
            return true
        }
        if count == 0 || errno != EAGAIN { isCut = true }
        return false
    }

    /// Waits for so many lines; fewer where it is cut off.
    func wait(_ count: Int) -> [String] {
        while lines < count, !isCut { if !read() { sched_yield() } }
        return take(count)
    }

    /// Waits until it is cut off.
    func waitForTheEnd() { while !isCut { if !read() { sched_yield() } } }

    func take(_ count: Int) -> [String] {
        var taken: [String] = []
        while taken.count < count, let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            taken.append(String(decoding: input[..<end], as: UTF8.self))
            input.removeFirst(end + 1)
            lines -= 1
        }
        return taken
    }
}
