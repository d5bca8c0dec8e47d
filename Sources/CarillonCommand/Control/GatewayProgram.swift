import Glibc
import Reports

/// The program `carillon-gateway`, started, with the pipes to and from it.
struct GatewayProgram {
    static let name = "carillon-gateway"

    let id: pid_t
    /// Closing the first asks the program to end; the second carries its standard error.
    let input: Int32, output: Int32

    /// Starts it, with this process's environment.
    init(_ arguments: [String]) throws(Fault) {
        // The parent process may have made the system discard the exit status of processes.
        signal(SIGCHLD, SIG_DFL)
        guard let down = Self.pipe() else { throw Fault(String(cString: strerror(errno)), .system) }
        guard let up = Self.pipe() else {
            let code = errno
            down.forEach { close($0) }
            throw Fault(String(cString: strerror(code)), .system)
        }
        defer {
            close(down[0])
            close(up[1])
        }
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, up[1], STDERR_FILENO)
        // Ctrl-C is for the session, which ends it; no signal is held back there because it is here.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let program = Self.found, words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, program, &actions, &attributes, words, environ)
        if code != 0 {
            close(down[1])
            close(up[0])
            throw code == ENOENT ? .noGateway : Fault(String(cString: strerror(code)), .system, of: program)
        }
        (id, input, output) = (child, down[1], up[0])
    }

    /// It has to end by itself. Returns nil if it has ended well, else its last words.
    static func run(_ arguments: [String]) throws(Fault) -> String? {
        let program = try GatewayProgram(arguments)
        defer {
            close(program.input)
            close(program.output)
        }
        var text: [UInt8] = [], bytes = [UInt8](repeating: 0, count: 4096), count: Int
        repeat {
            count = read(program.output, &bytes, bytes.count)
            if count > 0, text.count < 65_536 { text += bytes[..<count] }
        } while count > 0 || (count < 0 && errno == EINTR)
        var status: Int32 = 0
        while waitpid(program.id, &status, 0) < 0, errno == EINTR {}
        if status == 0 { return nil }
        let last = text.split(separator: UInt8(ascii: "\n")).last.map(sentence)
        return last ?? "\(name) has ended (\(end(of: status)))"
    }

    /// A line that it has written, without its name.
    static func sentence(_ line: some Collection<UInt8>) -> String {
        let line = String(decoding: line, as: UTF8.self), prefix = name + ": "
        return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
    }

    static func end(of status: Int32) -> String {
        isExit(status) ? "exit code \(status >> 8 & 255)" : "signal \(status & 127)"
    }

    static func isExit(_ status: Int32) -> Bool { status & 127 == 0 }

    /// Beside this program, where both are installed and built; else where the shell finds it.
    private static var found: String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
        let own = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "") + name
        return access(beside, X_OK) == 0 ? beside : name
    }

    /// No other process inherits them; nil if there is no pipe.
    private static func pipe() -> [Int32]? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }
}

extension Fault {
    static let noGateway = Fault(
        "\(GatewayProgram.name) is not beside carillon and not in PATH", .unavailable, remedy: "install or build it too")
}
