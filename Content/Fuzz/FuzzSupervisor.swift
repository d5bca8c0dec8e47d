import Glibc

/// Starts workers, listens to them and counts; what a worker dies of is a finding of the seed it was at.
final class FuzzSupervisor {
    /// The exit code of a worker that has grown beyond the limit.
    static let memoryCode: Int32 = 99

    private final class Worker {
        let process: ChildProcess
        let pipe: Int32
        var seed: Int
        var text: [UInt8] = []
        /// When its present case began, in seconds of the clock and of its own CPU time.
        var caseStart = ChildProcess.now
        var cpuAtStart = 0.0
        let folder: String

        init(_ process: ChildProcess, pipe: Int32, seed: Int, folder: String) {
            self.process = process
            self.pipe = pipe
            self.seed = seed
            self.folder = folder
        }
    }

    private let options: FuzzOptions
    private let last: Int
    private let folder: String
    private let corpus: Corpus
    private let start = ChildProcess.now
    private var counts: [(what: String, count: Int)] = []
    private var findings: [(seed: Int, what: String)] = []
    private var cases = 0
    private var longest = (seconds: 0.0, seed: 0)
    private var peakMemory = 0

    init(_ options: FuzzOptions) throws(FuzzError) {
        self.options = options
        last = options.first + options.count - 1
        guard mkdir(options.keep, 0o755) == 0 || errno == EEXIST else { throw .unwritable(options.keep) }
        // Mutated files change too quickly for a disk.
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : options.keep
        folder = "\(base)/carillon-fuzz-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else { throw .unwritable(folder) }
        corpus = try Corpus(songs: options.songs, soundFont: options.soundFont, folder: folder)
    }

    /// Runs all seeds; 0 when nothing was found, else 1.
    func run() throws(FuzzError) -> Int32 {
        defer { remove(folder) }
        var workers: [Worker] = []
        for lane in 0..<options.workers where options.first + lane <= last {
            workers.append(try start(lane: lane, at: options.first + lane))
        }
        while !workers.isEmpty {
            var polls = workers.map { pollfd(fd: $0.pipe, events: Int16(POLLIN), revents: 0) }
            poll(&polls, nfds_t(polls.count), 100)
            let isOver = options.seconds.map { ChildProcess.now - start > $0 } ?? false
            for (index, worker) in workers.enumerated().reversed() {
                var isGone = false
                if polls[index].revents != 0 { isGone = !listen(to: worker) }
                guard isGone || isOver || isHung(worker) else { continue }
                let next = bury(worker, isGone: isGone && !isOver, isOver: isOver)
                close(worker.pipe)
                workers.remove(at: index)
                if let next, next <= last { workers.append(try start(lane: lane(of: next), at: next)) }
            }
        }
        report()
        return findings.isEmpty ? 0 : 1
    }

    private func lane(of seed: Int) -> Int { (seed - options.first) % options.workers }

    private func start(lane: Int, at seed: Int) throws(FuzzError) -> Worker {
        let home = "\(folder)/\(lane)"
        guard mkdir(home, 0o700) == 0 || errno == EEXIST else { throw .unwritable(home) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw .cannotStart("pipe", code: errno)
        }
        let arguments = ["/proc/self/exe"] + options.workerArguments(first: seed, last: last, folder: home)
        let process = try ChildProcess(arguments, outputPath: nil, outputDescriptor: ends[1], errorPath: "\(home)/log")
        close(ends[1])
        return Worker(process, pipe: ends[0], seed: seed, folder: home)
    }

    private func listen(to worker: Worker) -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        let count = read(worker.pipe, &block, block.count)
        guard count > 0 else { return false }
        worker.text += block.prefix(count)
        while let end = worker.text.firstIndex(of: 10) {
            take(String(decoding: worker.text[..<end], as: UTF8.self), from: worker)
            worker.text.removeSubrange(...end)
        }
        return true
    }

    private func take(_ line: String, from worker: Worker) {
        if line.hasPrefix("case ") {
            worker.seed = Int(line.dropFirst(5)) ?? worker.seed
            worker.caseStart = ChildProcess.now
            worker.cpuAtStart = worker.process.cpuTime ?? 0
            return
        }
        cases += 1
        let seconds = ChildProcess.now - worker.caseStart
        if seconds > longest.seconds { longest = (seconds, worker.seed) }
        let what = line.dropFirst("done ".count)
        if what.hasPrefix("found ") { note(String(what.dropFirst(6)), of: worker) } else { count(String(what)) }
        if cases % 5_000 == 0 {
            CarillonFuzz.tell("\(cases) cases, \(findings.count) findings, \(Int(ChildProcess.now - start)) s")
        }
    }

    private func isHung(_ worker: Worker) -> Bool {
        let cpu = (worker.process.cpuTime ?? 0) - worker.cpuAtStart
        // The command's own time is watched by `CommandTrial`; so a worker waits a little longer than that.
        return cpu > FuzzLimits.cpuSeconds || ChildProcess.now - worker.caseStart > FuzzLimits.wallSeconds + 10
    }

    /// Ends a worker that hangs or whose time is over, or learns why it has gone; the seed to go on with, nil when it was through.
    private func bury(_ worker: Worker, isGone: Bool, isOver: Bool) -> Int? {
        let end = worker.process.wait(cpuSeconds: isGone ? .infinity : 0, wallSeconds: isGone ? 10 : 0)
        peakMemory = max(peakMemory, end.peakMemory)
        if isOver { return nil }
        switch end.way {
        case .exit(0): return nil
        case .exit(Self.memoryCode): note("\(end.peakMemory >> 20) MiB of memory", of: worker)
        case .exit(let code): note("exit code \(code): \(log(of: worker))", of: worker)
        case .signal(let signal): note("crash, signal \(signal): \(log(of: worker))", of: worker)
        case .hung: note("hang", of: worker)
        }
        cases += 1
        return worker.seed + options.workers
    }

    private func log(of worker: Worker) -> String {
        let text = String(decoding: (FileBytes.read("\(worker.folder)/log") ?? []).suffix(4_000), as: UTF8.self)
        let lines = text.split(separator: "\n")
        return String((lines.first { $0.contains("rror") } ?? lines.last ?? "").prefix(200))
    }

    private func count(_ what: String) {
        if let index = counts.firstIndex(where: { $0.what == what }) {
            counts[index].count += 1
        } else {
            counts.append((what, 1))
        }
    }

    private func note(_ what: String, of worker: Worker) {
        findings.append((worker.seed, what))
        let fuzzCase = FuzzCase(seed: worker.seed, corpus: corpus, only: options.only)
        let path = "\(options.keep)/seed-\(worker.seed).\(fuzzCase.ending)"
        let isKept = FileBytes.write(fuzzCase.bytes, to: path)
        CarillonFuzz.tell("seed \(worker.seed): \(fuzzCase.trial.rawValue): \(what)\(isKept ? "; \(path)" : "")")
    }

    private func report() {
        for (what, count) in counts.sorted(by: { $0.what < $1.what }) { CarillonFuzz.tell("\(count) \(what)") }
        let milliseconds = Int(longest.seconds * 1000)
        CarillonFuzz.tell(
            "\(cases) cases from seed \(options.first) on, \(findings.count) findings, "
                + "\(Int(ChildProcess.now - start)) s; longest case \(milliseconds) ms (seed \(longest.seed)), "
                + "most memory \(peakMemory >> 20) MiB")
        let only = options.only.map { " --only \"\($0.rawValue)\"" } ?? ""
        if let first = findings.first { CarillonFuzz.tell("again with: tools/fuzz --seed \(first.seed)\(only)") }
    }

    private func remove(_ folder: String) {
        for name in FileBytes.names(in: folder) {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0 { remove(path) }
        }
        rmdir(folder)
    }
}
