import Glibc

/// The resources that a case may use. (Done-when of the first issue; CPU time, so that a busy machine is not taken for a hang.)
enum FuzzLimits {
    static let cpuSeconds = 5.0
    /// Seconds by the clock, for what waits instead of working.
    static let wallSeconds = 60.0
    /// Resident memory in bytes.
    static let memory = 1 << 30
}

/// A process of ours: started, watched, ended.
struct ChildProcess {
    enum Way {
        case exit(Int32)
        case signal(Int32)
        /// Ended here, because it took too long.
        case hung
    }

    let id: pid_t

    /// Output goes to files; an `outputDescriptor` takes standard output instead. Throws `FuzzError.cannotStart`.
    init(
        _ arguments: [String], outputPath: String?, outputDescriptor: Int32? = nil, errorPath: String
    ) throws(FuzzError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let outputPath { posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, O_WRONLY, 0) }
        if let outputDescriptor { posix_spawn_file_actions_adddup2(&actions, outputDescriptor, STDOUT_FILENO) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, arguments[0], &actions, nil, &pointers, environ)
        guard code == 0 else { throw .cannotStart(arguments[0], code: code) }
        id = child
    }

    /// Seconds of CPU time so far; nil when it is gone.
    var cpuTime: Double? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Waits until it ends, or ends it. Peak memory in bytes.
    func wait(cpuSeconds: Double, wallSeconds: Double) -> (way: Way, peakMemory: Int) {
        let start = Self.now
        var isKilled = false
        var pause: UInt32 = 200
        while true {
            var status: Int32 = 0
            var usage = rusage()
            if wait4(id, &status, isKilled ? 0 : WNOHANG, &usage) == id {
                let memory = Int(usage.ru_maxrss) * 1024
                if isKilled { return (.hung, memory) }
                let signal = status & 0x7F
                return (signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal), memory)
            }
            if (cpuTime ?? 0) > cpuSeconds || Self.now - start > wallSeconds {
                kill(id, SIGKILL)
                isKilled = true
                continue
            }
            usleep(pause)
            pause = min(pause * 2, 5_000)
        }
    }

    /// Seconds of a clock that only goes forward.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
