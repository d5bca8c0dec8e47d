import Foundation
import Reports
import TestFolders
import Testing

@testable import Installations

/// What the service manager receives, byte by byte.
@Suite struct ServiceNoticeTests {
    static func notice(_ variables: [String: String], process: Int32 = 77) throws -> ServiceNotice {
        try ServiceNotice(process: process) { variables[$0] }
    }

    @Test func theMessageIsOneDatagramOfLines() throws {
        let folder = TemporaryFolder(), path = folder.path + "/notify"
        for address in [path, "@carillon-test-\(getpid())-\(path)"] {
            let manager = try ListeningSocket(address), notice = try Self.notice(["NOTIFY_SOCKET": address])
            #expect(notice.isWanted)
            #expect(notice.send([.ready, .status("plays ü\nbar 3\r\u{0}x\u{2028}\u{85}"), .watchdog]) == nil)
            #expect(notice.send([.reloading(monotonicMicroseconds: .max), .mainPID(12)]) == nil)
            #expect(notice.send([.stopping]) == nil && notice.send([]) == nil)
            #expect(manager.receive() == "READY=1\nSTATUS=plays ü bar 3  x  \nWATCHDOG=1")
            #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=18446744073709551615\nMAINPID=12")
            #expect(manager.receive() == "STOPPING=1")
            #expect(manager.receive() == nil && notice.lost == 0)
        }
    }

    @Test func aLongStatusIsCutAtACharacter() throws {
        let folder = TemporaryFolder(), path = folder.path + "/notify"
        let manager = try ListeningSocket(path), notice = try Self.notice(["NOTIFY_SOCKET": path])
        notice.send([.status("x" + String(repeating: "ü", count: 100_000)), .ready])
        #expect(manager.receive() == "STATUS=x" + String(repeating: "ü", count: 1023) + "\nREADY=1")
    }

    @Test func nobodyWhoAsksIsToldNothing() throws {
        for variables in [[:], ["NOTIFY_SOCKET": ""]] {
            let notice = try Self.notice(variables)
            #expect(!notice.isWanted && notice.send([.ready, .watchdog]) == nil && notice.lost == 0)
        }
    }

    @Test func theLongestAddressIsReachedAndALongerOneRefused() throws {
        let folder = TemporaryFolder()
        for start in [folder.path + "/", "@" + folder.path.dropFirst()] {
            let longest = start + String(repeating: "n", count: 107 - start.utf8.count)
            let manager = try ListeningSocket(longest)
            #expect(try Self.notice(["NOTIFY_SOCKET": longest]).send([.ready]) == nil)
            #expect(manager.receive() == "READY=1")
            #expect(throws: Fault.addressTooLong(longest + "n", limit: 107)) {
                try Self.notice(["NOTIFY_SOCKET": longest + "n"])
            }
        }
    }

    @Test(arguments: ["notify", "/", "@", "vsock:2:1234", "./notify", "/a\0b"])
    func whatIsNoAddressIsRefused(_ address: String) {
        #expect(throws: Fault.unknownAddress(address)) { try Self.notice(["NOTIFY_SOCKET": address]) }
    }

    @Test func aSocketThatVanishesIsToldOnceAndFoundAgain() throws {
        let folder = TemporaryFolder(), path = folder.path + "/notify"
        let notice = try Self.notice(["NOTIFY_SOCKET": path])
        let error = Fault.cannotSend(address: path, code: ENOENT)
        #expect(notice.send([.ready, .status("a"), .watchdog]) == error)
        #expect(notice.send([.status("b"), .watchdog]) == nil && notice.lost == 2)
        do {
            let manager = try ListeningSocket(path)
            #expect(notice.send([.mainPID(3)]) == nil)
            // All but the stale food and the status that another one replaced.
            #expect(manager.receive() == "READY=1\nSTATUS=b\nMAINPID=3")
            #expect(notice.send([.watchdog]) == nil)
            #expect(manager.receive() == "WATCHDOG=1" && manager.receive() == nil)
        }
        // The name stands, but nobody listens.
        #expect(notice.send([.watchdog]) == .cannotSend(address: path, code: ECONNREFUSED))
        #expect(notice.send([.watchdog]) == nil)
        #expect(unlink(path) == 0)
        #expect(notice.send([.watchdog]) == error)
        #expect(error.description.contains("No such file or directory") && notice.lost == 5)
    }

    @Test func aFullSocketIsCountedAndNeverWaitedFor() throws {
        let folder = TemporaryFolder(), path = folder.path + "/notify"
        let manager = try ListeningSocket(path), notice = try Self.notice(["NOTIFY_SOCKET": path])
        for _ in 0..<10_000 where notice.lost == 0 { #expect(notice.send([.watchdog]) == nil) }
        #expect(notice.lost == 1)
        #expect(notice.send([.ready]) == nil && notice.send([.reloading(monotonicMicroseconds: 5)]) == nil)
        #expect(notice.send([.ready]) == nil && notice.lost == 4)
        while manager.receive() != nil {}
        #expect(notice.send([.watchdog]) == nil)
        #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=5\nREADY=1\nWATCHDOG=1")
        notice.send([.stopping])
        #expect(manager.receive() == "STOPPING=1")
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 15), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"], 15),
            (["WATCHDOG_USEC": "1"], 0.000_000_5), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"], nil),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "x"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-1"], nil),
            (["WATCHDOG_USEC": "x"], nil), (["WATCHDOG_USEC": "18446744073709551615"], nil), ([:], nil),
            (["WATCHDOG_PID": "77"], nil),
        ] as [([String: String], Double?)])
    func theWatchdogIsFedTwiceInItsTime(_ variables: [String: String], _ interval: Double?) throws {
        #expect(try Self.notice(variables).watchdogInterval == interval)
    }

    @Test func theSocketIsClosedWithTheNotice() throws {
        let folder = TemporaryFolder(), path = folder.path + "/notify"
        let manager = try ListeningSocket(path)
        var notice: ServiceNotice? = try Self.notice(["NOTIFY_SOCKET": path]), before = stat(), after = stat()
        notice?.send([.watchdog])
        #expect(manager.receive() == "WATCHDOG=1")
        let descriptor = try #require(notice).channel.withLock { $0.descriptor }
        #expect(fstat(descriptor, &before) == 0)
        notice = nil
        // Another test may have the number by now, but not the socket.
        let isOpen = fstat(descriptor, &after) == 0 && after.st_dev == before.st_dev && after.st_ino == before.st_ino
        #expect(!isOpen)
    }
}

/// The service manager's end.
final class ListeningSocket {
    private let descriptor: Int32

    init(_ address: String) throws {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(kind), 0)
        let result = try SocketAddress(address).withPointer { bind(descriptor, $0, $1) }
        guard descriptor >= 0, result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// The next datagram; nil where none is waiting.
    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
