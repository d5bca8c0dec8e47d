import CProgram
import Carillon
import Corpus
import Glibc

/// A process of a batch as the batch sees it: it gets one order at a time.
final class BatchProcess {
    let id: pid_t
    /// The ends at which its answers, and its messages, are read.
    let answers: Int32, words: Int32
    private var orders: Int32
    private var answered: [UInt8] = []
    private var said: [UInt8] = []
    /// The job in hand, and the time at which it is to be over, seconds of `SteadyClock`.
    private(set) var order: BatchWork?
    private(set) var deadline = Double.infinity
    /// The place of its render, in memory that it writes; nil if there was none to be had.
    private let place: UnsafeMutablePointer<RenderPlace.Record>?
    private static let placeDescriptor: Int32 = 3

    /// Starts a process.
    ///
    /// - Throws: exit code 71 if there is none to be had.
    init(out: String, memory: Int) throws(BatchFault) {
        var ends: [[Int32]] = []
        func closeAll() { for pair in ends { for end in pair { close(end) } } }
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else {
                let code = errno
                closeAll()
                throw BatchFault("no pipe can be opened (\(SystemCode.text(code)))", .system)
            }
            for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            ends.append(pair)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0][0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1][1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[2][1], 2)
        var words = [
            "carillon", "batch-worker", "--out", out, "--parent", "\(getpid())", "--memory", "\(memory)",
        ]
        let shared = program_shared_memory(Int64(RenderPlace.bytes))
        defer { if shared >= 0 { close(shared) } }
        place = shared < 0 ? nil : RenderPlace.map(shared)
        if place != nil {
            posix_spawn_file_actions_adddup2(&actions, shared, Self.placeDescriptor)
            words += ["--place", "\(Self.placeDescriptor)"]
        }
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, arguments, environ)
        if code != 0 {
            closeAll()
            throw BatchFault("no process can be started (\(SystemCode.text(code)))", .system)
        }
        id = child
        (orders, answers, self.words) = (ends[0][1], ends[1][0], ends[2][0])
        for end in [ends[0][0], ends[1][1], ends[2][1]] { close(end) }
        for end in [answers, self.words] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        for end in [orders, answers, words] where end >= 0 { close(end) }
        if let place { munmap(place, RenderPlace.bytes) }
    }

    /// Gives it something to do. A process that is no more is found out by its answers' end.
    func begin(_ work: BatchWork, seconds: Double) {
        (order, deadline, said) = (work, SteadyClock.seconds + seconds, [])
        _ = WholeText.write(work.order.text + "\n", to: orders)
    }

    /// Nothing more comes: it ends when it has done what it does.
    func finish() {
        close(orders)
        orders = -1
    }

    /// Ends it at once.
    func end() { kill(id, SIGKILL) }

    /// The next answer, if it is there whole; `isOver` once none can come.
    func read() -> (answer: String?, isOver: Bool) {
        let isOver = take(answers, into: &answered)
        _ = take(words, into: &said)
        // Its last lines are what matters.
        if said.count > 8_192 { said.removeFirst(said.count - 4_096) }
        guard let end = answered.firstIndex(of: 10) else { return (nil, isOver) }
        let line = String(decoding: answered[..<end], as: UTF8.self)
        answered.removeSubrange(...end)
        (order, deadline) = (nil, .infinity)
        return (line, isOver)
    }

    private func take(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var room = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            if count > 0 { bytes += room[..<count] } else if count == 0 { return true } else if errno != EINTR { return false }
        }
    }

    /// Waits for its end, and returns how it ended; the death is nil if it has ended by itself.
    func death() -> (death: RenderDeath?, reason: String) {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        _ = take(words, into: &said)
        let signal = status & 0x7f
        if let fault = place?.pointee.fault ?? (signal != 0 ? (signal, false) : nil) {
            let death = RenderDeath(fault.signal, lacksMemory: fault.lacksMemory)
            return (death, Self.text { death.write(place, signal: fault.signal, to: $0) })
        }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        if let last = lines.last { return (nil, last.hasPrefix("carillon: ") ? String(last.dropFirst(10)) : last) }
        return (nil, "ended with exit code \(status >> 8 & 0xff)")
    }

    /// Where its render is: ` while rendering, at 1.250 s`; empty if that is not known.
    var position: String { place.map { place in Self.text { RenderDeath.write(place: place, to: $0) } } ?? "" }

    private static func text(_ write: (RenderDeath.Output) -> Void) -> String {
        var bytes: [UInt8] = []
        write { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A job that is to be rendered, and its line.
struct BatchWork {
    let job: BatchJob
    let order: BatchOrder
    /// The record for the index, without the sound.
    let trace: BatchTrace
    /// The number of processes that have died over it.
    var deaths = 0
}
