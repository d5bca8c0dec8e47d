import Carillon
import Foundation
import Installations
import Synchronization

@testable import Control
@testable import EngineCore
@testable import Gateway
@testable import Sessions
@testable import SongRendering

/// A session in simulated time on a thread of its own, with a socket and a gateway before it.
final class OpenSession: Sendable {
    let gateway: Gateway
    let path: String
    private let ending = Mutex(false)
    private let begun = DispatchSemaphore(value: 0), ended = DispatchSemaphore(value: 0)
    private let folder: String

    init(tokens: Tokens? = nil, origins: [String] = [], proxies: [String] = [], hasSession: Bool = true) throws {
        var template = Array("/tmp/carillon-gateway-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        path = folder + "/s"
        var options = Gateway.Options(socket: path, addresses: [try ListenAddress("0")], tokens: tokens)
        (options.origins, options.proxies) = (origins, proxies)
        options.osc = try ListenAddress("0")
        gateway = try Gateway(options)
        if hasSession { open() }
    }

    /// The session comes; once.
    func open() {
        Thread.detachNewThread { [self] in
            do { try run() } catch { fatalError("\(error)") }
            ended.signal()
        }
        begun.wait()
        // The gateway finds it by itself.
        while HTTPClient(port).get("/health").status != 200 { usleep(20_000) }
    }

    /// The session goes.
    func close() {
        if ending.withLock({ was in (was, was = true).0 }) { return }
        ended.wait()
    }

    deinit {
        gateway.end()
        rmdir(folder)
    }

    var port: Int { gateway.addresses[0].port }
    var oscPort: Int { gateway.osc?.port ?? 0 }

    private func run() throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.ports = 0
        let port = SimulatedPort()
        let session = try Session(options, songs: [SessionSong(name: "beats", song: Self.song)], on: port)
        let socket = try ControlSocket(path, inbox: session.inbox, grammar: .installation)
        try session.start()
        socket.publish(session.snapshot, of: session)
        begun.signal()
        while !ending.withLock({ $0 }) {
            var waiting = pollfd(fd: socket.arrivals, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, 5)
            socket.takeArrivals()
            port.advance(seconds: 0.005)
            try session.maintain()
            socket.publish(session.snapshot, of: session)
        }
        socket.end()
        try session.finish()
    }

    /// Half an hour of beats.
    private static var song: Song {
        var track = Track(name: "beats")
        for beat in 0..<3600 {
            let tick = Int64(beat) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
                SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))),
            ]
        }
        track.endTick = 3600 * 480
        return Song(tracks: [track])
    }
}
