import Carillon
import Corpus
import Glibc
import Reports

/// A batch while it runs: lines of a manifest become orders for its processes, and what these answer becomes rows. One thread.
final class BatchRun {
    /// The options of a call.
    struct Setup {
        var jobs = 1
        /// Seconds, and mebibytes.
        var timeLimit = Double(BatchLimits.time.initial)
        var memory = Int(BatchLimits.memory.initial)
        var seed = ""
        var shard = BatchShard.whole
        /// The order by a seed, in the place of the manifest's.
        var shuffle: String?
        /// False for a sample, whose rows are not written.
        var tellsRows = true
        /// A lock file that everything must be named in.
        var lock: (path: String, lock: BatchLock)?
    }

    let folder: BatchFolder
    let setup: Setup
    private(set) var tally = BatchTally()
    private let recipes: BatchRecipes
    private let inputs: BatchInputs
    let index: BatchIndex
    private let lines: BatchLines
    private let rows: BatchRows
    /// The names of the options of `render`.
    private let options: Set<String>
    private var processes: [BatchProcess] = []
    /// Lines in another order than the manifest's, the next one last; nil: as they come.
    private var shuffled: [(number: Int, text: String)]?
    /// Jobs whose process has died; and, by its key, jobs that wait for another job that makes the same sound.
    private var again: [BatchWork] = []
    private var following: [String: [BatchWork]] = [:]
    /// The first fault of the folder: after it nothing is begun.
    private var fault: BatchFault?

    init(
        manifest: String, folder: BatchFolder, recipe: String?, setup: Setup, options: Set<String>
    ) throws(BatchFault) {
        (self.folder, self.setup, self.options) = (folder, setup, options)
        rows = BatchRows(areWanted: setup.tellsRows)
        recipes = try BatchRecipes(recipe, title: "--recipe", known: options)
        lines = try BatchLines(manifest)
        try folder.make()
        folder.clean()
        inputs = BatchInputs(try BatchLock(folder: folder.path), code: Self.code)
        index = BatchIndex(folder: folder.path, context: Self.context(recipes, setup))
    }

    private static func code(_ error: any Error) -> BatchFault.Code {
        switch error {
        case let error as SoundFontError: BatchFault.Code(rawValue: error.exitCode)
        case let error as PatchFileError: BatchFault.Code(rawValue: error.exitCode)
        default: .software
        }
    }

    /// All that decides what a line means, beside the line and the files that it names.
    static func context(_ recipes: BatchRecipes, _ setup: Setup) -> String {
        let font = getenv("CARILLON_SOUNDFONT").map { String(cString: $0) } ?? ""
        let found = SoundFontLocator().system.first { access($0, R_OK) == 0 } ?? ""
        return "\(SoundVersion.number)\n\(recipes.text)\n\(setup.seed)\n\(font)\n\(found)\n\(setup.lock?.path ?? "")\n"
    }

    /// Renders everything.
    ///
    /// - Throws: what ended it before its end.
    func run() throws(BatchFault) {
        if let seed = setup.shuffle { try shuffle(seed) }
        do throws(BatchFault) {
            while true {
                try feed()
                if processes.allSatisfy({ $0.order == nil }), again.isEmpty, isAtEnd || fault != nil { break }
                try rows.flush()
                try wait()
            }
            try rows.flush()
        } catch {
            end()
            throw error
        }
        end()
        try BatchLock.add(inputs.used, to: folder, version: CarillonVersion.number)
        if let fault { throw fault }
    }

    private func end() {
        index.flush()
        processes.forEach { $0.finish() }
        for process in processes { _ = process.death() }
        processes = []
        folder.end()
    }

    // MARK: - Lines become work

    private var isAtEnd: Bool { shuffled?.isEmpty ?? lines.isOver }

    /// Reads all lines, and puts them into an order that the seed decides.
    private func shuffle(_ seed: String) throws(BatchFault) {
        var all: [(rank: UInt64, number: Int, text: String)] = []
        while true {
            while let line = lines.next() {
                let digits = ContentHash.of("\(seed)\n\(line.number)\n").prefix(16)
                all.append((UInt64(digits, radix: 16) ?? 0, line.number, line.text))
            }
            if lines.isOver { break }
            try lines.fill()
        }
        shuffled = all.sorted { ($0.rank, $0.number) > ($1.rank, $1.number) }.map { ($0.number, $0.text) }
    }

    private func nextLine() throws(BatchFault) -> (number: Int, text: String)? {
        while true {
            let line: (number: Int, text: String)?
            if shuffled != nil {
                line = shuffled?.popLast()
            } else {
                line = lines.next()
                if line == nil, !lines.isOver, Self.isReady(lines.descriptor) {
                    try lines.fill()
                    continue
                }
            }
            guard let line else { return nil }
            if setup.shard.has(line: line.number) { return line }
        }
    }

    /// Gives every process something to do, as long as there is something.
    private func feed() throws(BatchFault) {
        while fault == nil {
            let idle = processes.first { $0.order == nil }
            if idle == nil, processes.count >= setup.jobs { return }
            guard let work = try nextWork() else { return }
            let process: BatchProcess
            if let idle {
                process = idle
            } else {
                process = try BatchProcess(out: folder.path, memory: setup.memory)
                processes.append(process)
            }
            process.begin(work, seconds: work.job.timeLimit ?? setup.timeLimit)
        }
        // What is not begun has its row too.
        again.forEach { tell(.stopped, "not begun: the folder takes nothing more", .io, $0.job.fields) }
        again = []
        while let line = try nextLine() {
            let job = job(line)
            tell(.stopped, "not begun: the folder takes nothing more", .io, job?.fields ?? ["line": .whole(line.number)])
        }
    }

    /// A line's job without its draws; nil if it is none.
    private func job(_ line: (number: Int, text: String)) -> BatchJob? {
        do throws(BatchFault) {
            return try BatchJob(
                BatchJob.fields(of: line.text, line: line.number), line: line.number, seed: setup.seed, recipe: recipes.fields)
        } catch { return nil }
    }

    /// The next job that has to be rendered. Jobs before it that need no render are reported.
    private func nextWork() throws(BatchFault) -> BatchWork? {
        if let work = again.popLast() { return work }
        while let line = try nextLine() {
            let name = index.name(line.text)
            if let key = index.key(of: name), rows.addKept(folder.row(key)) {
                tally.skipped += 1
                if rows.isFull { try rows.flush() }
                continue
            }
            var fields: [String: JSONValue] = ["line": .whole(line.number)]
            do throws(BatchFault) {
                let members = try BatchJob.fields(of: line.text, line: line.number)
                fields = members.filter { !BatchJob.resultFields.contains($0.key) && $0.key != "bytes" }
                var job = try BatchJob(members, line: line.number, seed: setup.seed, recipe: recipes.fields)
                fields = job.fields
                let work = try work(&job, named: name)
                fields = work.job.fields
                if following[work.order.key] != nil {
                    following[work.order.key]?.append(work)
                } else if !skip(work) {
                    following[work.order.key] = []
                    return work
                }
            } catch {
                tell(.failed, error.reason, error.code, fields)
                if error.code == .io { fault = error }
            }
        }
        return nil
    }

    /// Makes a job's draws, and finds its key.
    private func work(_ job: inout BatchJob, named name: BatchIndex.Line) throws(BatchFault) -> BatchWork {
        let hash: String, song: String
        switch job.song {
        case .path(let path):
            hash = try inputs.hash(path, isSong: true)
            song = path
        case .bytes(let bytes):
            hash = ContentHash.of(bytes)
            song = try folder.keep(song: bytes, hash: hash)
            job.keep(bytesAt: song)
        }
        try job.draw(songHash: hash)
        let given = try BatchOptions(job, known: options)
        for name in given.passed where tally.passed.insert(name).inserted {
            guard let near = NearName.of(name, among: options.sorted()) else { continue }
            StandardError.print("warning: \(name) is no option, and passes through; did you mean \(near)?")
        }
        let sound = try inputs.sound(given)
        if let lock = setup.lock { try lock.lock.require(inputs.used, in: lock.path) }
        let key = ContentHash.of("carillon batch 1\nsound \(SoundVersion.number)\nsong \(hash)\n\(sound.text)\(given.text)")
        let order = BatchOrder(key: key, song: song, songHash: hash, arguments: given.arguments, fields: job.fields)
        return BatchWork(
            job: job, order: order, trace: BatchTrace(line: name, key: key, files: [song] + sound.paths))
    }

    /// Reports a job whose sound is there already; false if it is not.
    private func skip(_ work: BatchWork) -> Bool {
        guard let kept = folder.keptRow(work.order.key), let row = BatchRow.skipped(kept, fields: work.job.fields),
            FileIdentity(path: "\(folder.path)/\(row.output)")?.size == row.bytes
        else { return false }
        rows.add(row.text)
        tally.skipped += 1
        if row.isSame { note(work, row.output) }
        return true
    }

    /// Keeps what a line came to, with the state of its sound.
    private func note(_ work: BatchWork, _ output: String) {
        var trace = work.trace
        trace.files.append("\(folder.path)/\(output)")
        index.add(trace)
    }

    // MARK: - Answers become rows

    /// Waits until a process has answered, the manifest has a new line, or a job has taken too long.
    private func wait() throws(BatchFault) {
        var waiting = processes.map { pollfd(fd: $0.answers, events: Int16(POLLIN), revents: 0) }
        waiting += processes.map { pollfd(fd: $0.words, events: Int16(POLLIN), revents: 0) }
        let wantsLines =
            fault == nil && shuffled == nil && !lines.isOver
            && (processes.count < setup.jobs || processes.contains { $0.order == nil })
        if wantsLines { waiting.append(pollfd(fd: lines.descriptor, events: Int16(POLLIN), revents: 0)) }
        let now = SteadyClock.seconds, next = processes.map(\.deadline).min() ?? .infinity
        let patience = next.isFinite ? Int32(min(max((next - now) * 1_000, 0), 3_600_000).rounded(.up)) : -1
        if poll(&waiting, nfds_t(waiting.count), patience) < 0, errno != EINTR {
            throw BatchFault("the processes cannot be waited for (\(SystemCode.text(errno)))", .system)
        }
        for process in processes { hear(process) }
    }

    private static func isReady(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    private func hear(_ process: BatchProcess) {
        let work = process.order, deadline = process.deadline
        let (answer, isOver) = process.read()
        if let answer, let work { take(answer, work) }
        if isOver {
            processes.removeAll { $0 === process }
            let (death, reason) = process.death()
            folder.clean(BatchStage.name(process: process.id))
            if answer == nil, let work { bury(work, death, reason) }
        } else if answer == nil, let work, SteadyClock.seconds > deadline {
            processes.removeAll { $0 === process }
            process.end()
            _ = process.death()
            folder.clean(BatchStage.name(process: process.id))
            let limit = work.job.timeLimit ?? setup.timeLimit
            let reason = "\(work.order.song): took longer than \(BatchLimits.time.text(Float(limit)))\(process.position)"
            conclude(work, .timeout, reason, .software, ended: .timeLimit)
        }
    }

    private func take(_ text: String, _ work: BatchWork) {
        let answer: BatchAnswer
        do { answer = try BatchAnswer(text: text) } catch {
            return conclude(work, .crashed, "its process gave an answer that is not understood", .software)
        }
        guard let row = answer.row else {
            if answer.isOutputAtFault, fault == nil {
                fault = BatchFault(answer.error ?? folder.path, .io)
            }
            return conclude(work, .failed, answer.error ?? "", answer.code)
        }
        rows.add(row)
        tally.add(answer)
        if let output = answer.output { note(work, output) }
        for other in following.removeValue(forKey: work.order.key) ?? [] where !skip(other) { again.append(other) }
    }

    /// Begins a job once more after its process has died.
    private func bury(_ work: BatchWork, _ death: RenderDeath?, _ reason: String) {
        if work.deaths > 0 {
            let remedy =
                switch death {
                case .memoryLimit: "; raise --memory-limit, which is \(setup.memory)"
                case .killed: ", not by this batch: the memory of the machine, or of its container, may have run out"
                case .trap, .signal: "; please report this with the song"
                case .timeLimit, nil: ""
                }
            let sentence = death == nil ? reason : "\(work.order.song): \(reason)\(remedy)"
            return conclude(work, .crashed, sentence, .software, ended: death)
        }
        var work = work
        work.deaths += 1
        tally.redone += 1
        again.append(work)
    }

    /// A job came to nothing; others that wait for the same sound come to the same.
    private func conclude(
        _ work: BatchWork, _ status: BatchRow.Status, _ reason: String, _ code: BatchFault.Code, ended: RenderDeath? = nil
    ) {
        for one in [work] + (following.removeValue(forKey: work.order.key) ?? []) {
            tell(status, reason, code, one.job.fields, ended)
        }
    }

    private func tell(
        _ status: BatchRow.Status, _ reason: String, _ code: BatchFault.Code, _ fields: [String: JSONValue],
        _ ended: RenderDeath? = nil
    ) {
        rows.add(BatchRow.failure(status, reason, code, ended: ended?.rawValue, fields: fields))
        tally.failed += 1
        tally.firstFault = tally.firstFault ?? reason
    }
}
