import AudioFiles
import CProgram
import Carillon
import Corpus
import Document
import Glibc

/// A worker of a batch that is a process of its own: a song that crashes the program costs its job only.
final class BatchProcess: PoolWorker {
    private let id: pid_t
    private let folder: BatchFolder
    private let memory: Int
    private let orders: Pipe, answers: Pipe, messages: Pipe
    private var answered: [UInt8] = []
    private var said: [UInt8] = []
    /// The place of its render, in memory that it writes; nil if there was none.
    private let place: UnsafeMutablePointer<RenderPlace.Record>?
    private static let placeDescriptor: Int32 = 3

    var reports: [Int32] { [answers.reader, messages.reader] }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - memory: the mebibytes that it may take.
    ///   - samples: the part of them for samples; nil: as usual.
    /// - Throws: code 71 if there is none to be had.
    init(for folder: BatchFolder, memory: Int, samples: MemorySize?) throws(Fault) {
        (self.folder, self.memory) = (folder, memory)
        (orders, answers, messages) = (try Pipe(), try Pipe(), try Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [orders.reader, answers.writer, messages.writer].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
        }
        var words = ["carillon", "batch-worker", "--out", folder.path, "--parent", "\(getpid())", "--memory", "\(memory)"]
        if let samples { words += ["--\(MemorySize.name)", samples.text] }
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
        if code != 0 { throw Fault("no process can be started (\(SystemFault(code: code)))", .system) }
        id = child
        orders.closeReader()
        answers.closeWriter()
        messages.closeWriter()
        for end in reports { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit { if let place { munmap(place, RenderPlace.bytes) } }

    func begin(_ order: BatchOrder) {
        said = []
        // A process that is no more is found out by its answers' end.
        _ = WholeText.write(order.text + "\n", to: orders.writer)
    }

    func take() -> (answer: BatchAnswer?, isOver: Bool) {
        let isOver = read(answers, into: &answered)
        _ = read(messages, into: &said)
        // Its last lines are what matters.
        if said.count > 8_192 { said.removeFirst(said.count - 4_096) }
        guard let end = answered.firstIndex(of: 10) else { return (nil, isOver) }
        let line = String(decoding: answered[..<end], as: UTF8.self)
        answered.removeSubrange(...end)
        do { return (try BatchAnswer(text: line), isOver) } catch {
            return (BatchAnswer(.crashed, "its process gave an invalid answer"), isOver)
        }
    }

    private func read(_ pipe: Pipe, into bytes: inout [UInt8]) -> Bool {
        var room = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(pipe.reader, &room, room.count)
            if count > 0 { bytes += room[..<count] } else if count == 0 { return true } else if errno != EINTR { return false }
        }
    }

    func finish() { orders.closeWriter() }

    func kill() -> String? {
        Glibc.kill(id, SIGKILL)
        return place.map { place in Self.text { RenderDeath.write(place: place, to: $0) } } ?? ""
    }

    func death() -> WorkerDeath {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        folder.clean(BatchStage.name(process: id))
        _ = read(messages, into: &said)
        let signal = status & 0x7f
        if let fault = place?.pointee.fault ?? (signal != 0 ? (signal, false) : nil) {
            let death = RenderDeath(fault.signal, lacksMemory: fault.lacksMemory)
            let reason = Self.text { death.write(place, signal: fault.signal, to: $0) }
            return (death.rawValue, reason + remedy(death))
        }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        let last = lines.last ?? "ended with exit code \(status >> 8 & 0xff)"
        return (nil, last.hasPrefix("carillon: ") ? String(last.dropFirst(10)) : last)
    }

    private func remedy(_ death: RenderDeath) -> String {
        switch death {
        case .memoryLimit: "; raise --memory-limit, which is \(memory)"
        case .killed: ", not by this batch: the memory of the machine, or of its container, may have run out"
        case .trap, .signal: "; please report this with the song"
        }
    }

    private static func text(_ write: (RenderDeath.Output) -> Void) -> String {
        var bytes: [UInt8] = []
        write { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
