import Carillon
import Glibc
import Synchronization
import TestFolders
import Testing

@testable import Control
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// The socket's file, its end, and a client's errors.
@Suite struct SocketFileTests {
    private func fault(_ path: String) -> Fault? {
        do throws(Fault) { _ = try ControlSocket(path, inbox: CommandInbox()) } catch { return error }
        return nil
    }

    private func fault(ofClient path: String) -> Fault? {
        do throws(Fault) { _ = try ControlClient(path) } catch { return error }
        return nil
    }

    @Test func thisUserAloneMayOpenItAndItGoesWithTheSession() throws {
        let folder = TemporaryFolder(), former = umask(0)
        defer { umask(former) }
        let socket = try ControlSocket("unix:" + folder.file("s"), inbox: CommandInbox())
        #expect(socket.path == folder.file("s") && folder.names == ["s"])
        var info = stat()
        #expect(lstat(socket.path, &info) == 0 && info.st_mode == S_IFSOCK | 0o600)
        socket.end()
        socket.end()
        #expect(folder.names == [])
    }

    /// For a gateway that another user runs.
    @Test func theGroupMayOpenItWhereThatIsAskedFor() throws {
        let folder = TemporaryFolder()
        let socket = try ControlSocket(folder.file("s"), inbox: CommandInbox(), isForGroup: true)
        var info = stat()
        #expect(lstat(socket.path, &info) == 0 && info.st_mode == S_IFSOCK | 0o660)
        socket.end()
    }

    @Test func anotherUserSpeaksForOthers() {
        #expect(ControlRole.everything.of(peer: 1000, besides: 1000).namesFiles)
        #expect(ControlRole.everything.of(peer: 0, besides: 1000).forbidden.isEmpty)
        for user in [1001, nil] as [uid_t?] {
            let role = ControlRole.everything.of(peer: user, besides: 1000)
            #expect(role.forbidden == [.quit] && !role.namesFiles)
        }
    }

    @Test func aSocketInUseIsLeftAlone() throws {
        let steered = try SteeredSession()
        #expect(fault(steered.socket.path) == .inUse(path: steered.socket.path))
        #expect(steered.folder.names == ["s"])
        #expect(try steered.ask("play", through: steered.client()) == "ok")
    }

    @Test func theSocketOfADeadProcessIsReplaced() throws {
        let folder = TemporaryFolder(), path = try #require(SocketPath(folder.file("s")))
        let dead = SocketPath.makeSocket()
        #expect(path.withPointer { bind(dead, $0, $1) } == 0)
        close(dead)
        #expect(path.finding == .stale)
        let socket = try ControlSocket(path.text, inbox: CommandInbox())
        #expect(path.finding == .inUse && folder.names == ["s"])
        socket.end()
        #expect(path.finding == .free)
    }

    @Test func whatIsNoSocketIsLeftAlone() {
        let folder = TemporaryFolder(), path = folder.file("file")
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(fault(path) == .notASocket(path: path))
        #expect(folder.names == ["file"])
        #expect(fault(ofClient: path) == .nobodyListens(path: path))
    }

    @Test func whatSomebodyElseHasPutThereStays() throws {
        let folder = TemporaryFolder(), path = folder.file("s")
        let socket = try ControlSocket(path, inbox: CommandInbox())
        unlink(path)
        let second = try ControlSocket(path, inbox: CommandInbox())
        socket.end()
        #expect(try ControlClient(path).ask("status").hasPrefix("{"))
        second.end()
        #expect(folder.names == [])
    }

    @Test func pathsThatCannotBeAreNamed() {
        let long = "/tmp/" + String(repeating: "x", count: 120)
        #expect(fault("") == .path("", limit: 107) && fault("unix:") == .path("unix:", limit: 107))
        #expect(fault(long) == .path(long, limit: 107) && fault(ofClient: long) == .path(long))
        let folder = TemporaryFolder(), nowhere = folder.file("none/s")
        #expect(fault(nowhere) == .cannotListen(call: "bind", path: nowhere, code: ENOENT))
        #expect(fault(ofClient: nowhere) == .nobodyListens(path: nowhere))
        #expect(
            "\(Fault.nobodyListens(path: "/a"))"
                == "/a: no session listens there; start one that does, or name another path")
    }

    @Test func ofManyThatFindADeadSocketOneGetsIt() async throws {
        for _ in 0..<20 {
            let folder = TemporaryFolder(), path = try #require(SocketPath(folder.file("s")))
            let dead = SocketPath.makeSocket()
            #expect(path.withPointer { bind(dead, $0, $1) } == 0)
            close(dead)
            let made = await withTaskGroup(of: ControlSocket?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do { return try ControlSocket(path.text, inbox: CommandInbox()) } catch { return nil }
                    }
                }
                return await group.reduce(into: [ControlSocket]()) { if let socket = $1 { $0.append(socket) } }
            }
            // One that nobody uses any more takes its file away; an optimised build knows that early.
            let names = withExtendedLifetime(made) { folder.names }
            #expect(made.count == 1 && names == ["s"])
        }
    }

    @Test func aClientAsksAndHearsOfTheEnd() throws {
        let steered = try SteeredSession(), client = try ControlClient(steered.socket.path)
        #expect(try client.ask("status").hasPrefix("{\"statusVersion\""))
        #expect(try client.ask("nonsense").hasPrefix("error there is no command"))
        let path = steered.socket.path
        // The session answers from its own thread, which is this one.
        final class Box: Sendable { let said = Mutex<[String]>([]) }
        let box = Box()
        let thread = try PlainThread {
            do throws(Fault) {
                let client = try ControlClient(path)
                let first = try client.ask("volume -3")
                box.said.withLock { $0.append(first) }
                _ = try client.nextLine()
            } catch { box.said.withLock { $0.append("\(error)") } }
        }
        while box.said.withLock({ $0.isEmpty }) { try steered.work() }
        steered.socket.end()
        thread.join()
        #expect(box.said.withLock { $0 } == ["ok", "\(path): the session ended before it answered"])
        #expect(fault(ofClient: path) == .nobodyListens(path: path))
    }

    @Test func whoWaitsAtTheEndIsTold() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send("volume -3\nstatus\n")
        // It has arrived when the session's loop would wake for it.
        var polled = pollfd(fd: steered.socket.arrivals, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, -1) != 1 {}
        steered.socket.takeArrivals()
        try steered.session.finish()
        steered.socket.end()
        client.waitForTheEnd()
        let answers = client.take(2)
        #expect(answers.first?.hasPrefix("error interrupted") == true, "\(answers)")
    }
}
