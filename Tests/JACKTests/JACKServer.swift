import CarillonTestKit
import Glibc

@testable import JACK

/// A JACK server of the test's own: dummy driver, no real time, a name that nobody else has.
final class JACKServer {
    /// Why no server can be had here; nil where one must start.
    static let refusal: String? = {
        if !JACKCalls.isInstalled { return "libjack-jackd2-0 is not installed" }
        return program == nil ? "jackd2 is not installed" : nil
    }()
    static let isThere = refusal == nil
    private static let program = ["/usr/bin/jackd", "/usr/local/bin/jackd"].first { (path: String) in access(path, X_OK) == 0 }

    let name: String
    private var process: ServerProcess?
    /// Locked while it runs; the same file in CarillonCommandTests.
    private let turn = open("/tmp/carillon-jack-servers.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)

    /// Starts one and waits until it answers.
    init(name: String = "carillon-test-\(getpid())", rate: Int = 48_000, period: Int = 256) throws {
        self.name = name
        flock(turn, LOCK_EX)
        process = try ServerProcess(
            Self.program ?? "jackd",
            [
                "--name", name, "--no-realtime", "--silent", "-d", "dummy", "--rate", "\(rate)", "--period", "\(period)",
                // Somebody's desktop session is none of its business.
            ], environment: ["JACK_DEFAULT_SERVER": nil, "JACK_NO_AUDIO_RESERVATION": "1"]
        ) {
            do {
                _ = try JACKVisitor(server: name)
                return true
            } catch { return false }
        }
    }

    deinit {
        process = nil
        close(turn)
    }

    /// Lets it stand still: it is there, and answers nothing.
    func freeze() { process?.freeze() }

    /// Ends it as a crash does.
    func kill() { process?.kill() }
}
