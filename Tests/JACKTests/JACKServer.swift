import CRealtime
import Foundation
import RemoteIO
@testable import JACK

/// A JACK server of the test's own: dummy driver, no real time, a name that nobody else has.
final class JACKServer {
    /// Why no server can be had here; nil where one can.
    static let refusal: String? = {
        if !JACKCalls.isInstalled { return "libjack-jackd2-0 is not installed" }
        guard program != nil else { return "jackd2 is not installed" }
        do {
            _ = try JACKServer()
            return nil
        } catch { return "jackd does not start here: \(error)" }
    }()
    static let isThere = refusal == nil
    private static let program = ["/usr/bin/jackd", "/usr/local/bin/jackd"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let name: String
    private let process = Process()
    /// What it wrote.
    private let output: URL

    struct NotStarted: Error, CustomStringConvertible { let description: String }

    /// Starts one and waits until it answers.
    init(name: String = "carillon-test-\(getpid())", rate: Int = 48_000, period: Int = 256) throws {
        self.name = name
        output = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: output.path(), contents: nil)
        process.executableURL = URL(filePath: Self.program ?? "")
        process.arguments = [
            "--name", name, "--no-realtime", "--silent", "-d", "dummy", "--rate", "\(rate)", "--period", "\(period)",
        ]
        // Somebody's desktop session is none of its business.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "JACK_DEFAULT_SERVER" }
            .merging(["JACK_NO_AUDIO_RESERVATION": "1"]) { $1 }
        let log = try FileHandle(forWritingTo: output)
        process.standardOutput = log
        process.standardError = log
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let answers = eventually {
            guard process.isRunning else { return true }
            do {
                _ = try JACKVisitor(server: name)
                return true
            } catch { return false }
        }
        guard answers, process.isRunning else {
            throw NotStarted(description: (try? String(contentsOf: output, encoding: .utf8)) ?? "no answer")
        }
    }

    /// Ends it as a crash does.
    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: output)
    }
}

/// Waits until `condition` holds, and gives up after a minute and a half: only what has failed takes so long.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = rt_monotonic_nanoseconds() + 90_000_000_000
    while rt_monotonic_nanoseconds() < end {
        if condition() { return true }
        usleep(1000)
    }
    return condition()
}
