import Glibc
import TestFolders

/// One thread of another process that stands still while all others run, as in a driver that never returns: it is held with
/// ptrace(2). All calls are to come from one thread, as the kernel wants it.
struct StoppedThread {
    private typealias Trace = @convention(c) (Int, Int, Int, Int) -> Int

    private static let seize = 0x4206, interrupt = 0x4207, detach = 17
    private static let anyChild: Int32 = 0x4000_0000

    let id: pid_t
    private let trace: Trace

    /// Stops the thread of that name; returns when it stands.
    init(_ name: String, of process: pid_t) throws {
        guard let id = Self.threads(of: process).first(where: { $0.name == name })?.id else {
            throw CallFailure(call: "no thread \(name)", code: ESRCH)
        }
        self.id = id
        // Swift does not import functions with varying arguments.
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "ptrace") else {
            throw CallFailure(call: "ptrace", code: ENOSYS)
        }
        trace = unsafeBitCast(symbol, to: Trace.self)
        guard trace(Self.seize, Int(id), 0, 0) == 0 else { throw CallFailure(call: "PTRACE_SEIZE", code: errno) }
        guard trace(Self.interrupt, Int(id), 0, 0) == 0 else { throw CallFailure(call: "PTRACE_INTERRUPT", code: errno) }
        var status: Int32 = 0
        guard waitpid(id, &status, Self.anyChild) == id, status & 0xFF == 0x7F else {
            throw CallFailure(call: "waitpid: \(status)", code: errno)
        }
    }

    /// Lets it go on.
    func release() throws {
        guard trace(Self.detach, Int(id), 0, 0) == 0 else { throw CallFailure(call: "PTRACE_DETACH", code: errno) }
    }

    /// The threads of a process.
    static func threads(of process: pid_t) -> [(id: pid_t, name: String)] {
        TemporaryFolder.names(in: "/proc/\(process)/task").compactMap { text in
            pid_t(text).map { id in
                let name = String(decoding: bytes("/proc/\(process)/task/\(text)/comm"), as: UTF8.self)
                return (id, name.filter { $0 != "\n" })
            }
        }
    }

    /// Seconds of a processor that all threads of a process have used: to the nanosecond, not by ticks.
    static func processorSeconds(of process: pid_t) -> Double {
        threads(of: process).reduce(0) { sum, thread in
            let text = String(decoding: bytes("/proc/\(process)/task/\(thread.id)/schedstat"), as: UTF8.self)
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        }
    }
}
