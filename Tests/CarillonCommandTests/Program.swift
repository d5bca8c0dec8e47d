import Glibc
import TestFolders

/// The built program `carillon`, run as a process of its own, as its users meet it. It lies beside the test's program, unless
/// CARILLON_PROGRAM names another: tools/house-vm has that of a release.
enum Program {
    static let path = getenv("CARILLON_PROGRAM").map { String(cString: $0) } ?? folder + "/carillon"

    /// Where the package lies: the folder above the build folder that holds the sources.
    static let package: String = {
        var place = folder
        while !place.isEmpty, access(place + "/Package.swift", F_OK) != 0 {
            place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        }
        return place
    }()

    static let folder: String = {
        guard let file = realpath("/proc/self/exe", nil) else { return "." }
        defer { free(file) }
        let path = String(cString: file)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()

    /// Runs `carillon` with `arguments` in `folder` to its end.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
    ) -> ProgramRun {
        start([path] + arguments, in: folder, environment: environment).end()
    }

    /// Runs a bash script in `folder`; `$CARILLON` is the program.
    static func shell(_ script: String, in folder: TemporaryFolder, environment: [String: String] = [:]) -> ProgramRun {
        start(["/bin/bash", "-c", script], in: folder, environment: environment).end()
    }

    /// Starts a program.
    ///
    /// - Parameter terminal: a pseudo terminal's path, to be its standard input, output and error.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:], terminal: String? = nil
    ) -> RunningProgram {
        let output = folder.hidden("out"), errors = folder.hidden("err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        // Whatever the test's own process ignores or blocks must not be handed down.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t(), none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let variables = variables(environment).map { strdup($0.key + "=" + $0.value) } + [nil]
        // env changes the folder, then becomes the program.
        let words = (["/usr/bin/env", "-C", folder.path] + arguments).map { strdup($0) } + [nil]
        defer { (variables + words).forEach { free($0) } }
        var child: pid_t = 0
        precondition(access(path, X_OK) == 0, "\(path) is missing; build the product carillon first")
        let code = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, words, variables)
        precondition(code == 0, "/usr/bin/env: \(String(cString: strerror(code)))")
        return RunningProgram(id: child, folder: folder, output: output, errors: errors)
    }

    /// A bare environment: the SoundFont of this package, whatever is installed.
    private static func variables(_ added: [String: String]) -> [String: String] {
        let bare = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TERM": "xterm", "CARILLON": path,
            "CARILLON_SOUNDFONT": package + "/soundfonts/carillon.sf2",
        ]
        return bare.merging(added) { $1 }
    }
}

/// A program that runs.
struct RunningProgram {
    let id: pid_t
    /// Kept while it runs.
    private let folder: TemporaryFolder
    private let output: String
    private let errors: String

    fileprivate init(id: pid_t, folder: TemporaryFolder, output: String, errors: String) {
        self.id = id
        self.folder = folder
        self.output = output
        self.errors = errors
    }

    /// Waits for its end.
    func end() -> ProgramRun {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return ProgramRun(
            exitCode: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: bytes(output),
            errors: String(decoding: bytes(errors), as: UTF8.self))
    }

    /// What it has said on standard error up to now.
    var errorsSoFar: String { String(decoding: bytes(errors), as: UTF8.self) }

    /// Whether it has such a file open, by its descriptors in /proc.
    func opens(_ isWanted: (String) -> Bool) -> Bool {
        (3..<32).contains { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/\(id)/fd/\(descriptor)", &target, target.count - 1)
            return count > 0 && isWanted(String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }

    /// Whether it has ended by itself; its status stays to be fetched by `end`.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }
}

/// What a program has left.
struct ProgramRun {
    /// Nil when a signal ended it.
    let exitCode: Int32?
    let signal: Int32?
    /// Standard output.
    let output: [UInt8]
    /// Standard error.
    let errors: String

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }
    /// Lines of standard error.
    var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: true) }
}

extension String {
    /// How often a text is in it.
    func count(of part: String) -> Int { split(separator: part, omittingEmptySubsequences: false).count - 1 }
}

func bytes(_ path: String) -> [UInt8] { TemporaryFolder.bytes(path) }
