import CRealtime
import Glibc

/// A program of the system that a test needs beside it, such as a sound server. It ends with the object.
package final class ServerProcess {
    /// The reason why a program is not available, as text.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    private let id: pid_t
    private let log: String
    private var status: Int32?

    /// Starts a program and waits until `answers`. Of `environment`, nil takes a variable of this process's away.
    ///
    /// - Throws: `Refusal` if it ends instead, or prints nothing for a minute and a half.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:], answers: () -> Bool
    ) throws(Refusal) {
        var name = Array("/tmp/carillon-server-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        if file < 0 { throw Refusal(description: "no file in /tmp: \(String(cString: strerror(errno)))") }
        log = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        id = Self.spawn([program] + arguments, environment, output: file)
        close(file)
        if id <= 0 {
            unlink(log)
            throw Refusal(description: "\(program) cannot be started")
        }
        if eventually({ !isRunning || answers() }), isRunning { return }
        throw Refusal(description: "\(program): \(written)")
    }

    /// True while the program runs.
    package var isRunning: Bool {
        if status != nil { return false }
        var status: Int32 = 0
        if waitpid(id, &status, WNOHANG) == id { self.status = status }
        return self.status == nil
    }

    /// The text that the program has written so far.
    package var written: String { Self.text(of: log) }

    /// Ends it as a crash does.
    package func kill() { end(by: SIGKILL) }

    /// Stops it, alive, until it ends.
    package func freeze() { if isRunning { Glibc.kill(id, SIGSTOP) } }

    private func end(by signal: Int32) {
        guard isRunning else { return }
        Glibc.kill(id, signal)
        Glibc.kill(id, SIGCONT)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        self.status = status
    }

    /// Asks it to end; one that has not within some seconds, as a sound server that hangs, is killed.
    deinit {
        if isRunning {
            Glibc.kill(id, SIGTERM)
            Glibc.kill(id, SIGCONT)
            _ = eventually(for: 10) { !isRunning }
        }
        end(by: SIGKILL)
        unlink(log)
    }

    /// Runs a program to its end: its exit code, negative if a signal ended it, and what it wrote.
    package static func run(_ program: String, _ arguments: [String]) -> (code: Int32, text: String) {
        var name = Array("/tmp/carillon-server-XXXXXX".utf8CString)
        let file = mkstemp(&name), log = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        defer { unlink(log) }
        let id = spawn([program] + arguments, [:], output: file)
        close(file)
        var status: Int32 = 0
        if id <= 0 { return (-1, "") }
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return (status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f), text(of: log))
    }

    private static func spawn(_ words: [String], _ environment: [String: String?], output: Int32) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        // `env` changes its environment, and becomes the program.
        let gone = environment.filter { $0.value == nil }.keys.flatMap { ["-u", $0] }
        let given = environment.compactMap { key, value in value.map { "\(key)=\($0)" } }
        let arguments = (["env"] + gone + given + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id: pid_t = 0
        return posix_spawn(&id, "/usr/bin/env", &actions, nil, arguments, environ) == 0 ? id : -1
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var text: [UInt8] = [], bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&bytes, 1, bytes.count, file)
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += bytes[..<count]
        }
    }
}

/// Waits until `condition` holds, and gives up after `seconds`: only what has failed takes so long.
package func eventually(for seconds: Int64 = 90, _ condition: () -> Bool) -> Bool {
    let end = rt_monotonic_nanoseconds() + seconds * 1_000_000_000
    while rt_monotonic_nanoseconds() < end {
        if condition() { return true }
        usleep(1000)
    }
    return condition()
}
