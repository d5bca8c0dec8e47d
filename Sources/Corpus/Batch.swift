import Carillon
import Reports

/// A data set on its way: lines of a manifest become jobs for the workers of a pool, and their answers become rows and files in
/// a folder. A job that is done already is skipped. One thread.
public final class Batch {
    /// The settings of a batch.
    public struct Setup {
        /// The names of the fields that decide a sound, beside the song: they go into its key. Other fields pass through.
        public var options: Set<String> = []
        /// Those of them that no job may have: they are about a call of a program.
        package var refused: Set<String> = []
        /// Defaults for the fields of all jobs: a file's path, or the JSON object itself.
        public var recipe: String?
        /// Workers at a time.
        public var jobs = 1
        /// Seconds that a job may take, if its worker is a process.
        public var timeLimit = Double(BatchLimits.time.initial)
        /// The seed of jobs without one.
        public var seed = ""
        /// The share of the manifest.
        public var shard = BatchShard.whole
        /// The seed of a random order; nil means the manifest's order.
        public var shuffle: String?
        /// The descriptor that rows are written to; nil means they only lie in the folder.
        public var rows: Int32?
        /// The version of the program, for the lock file.
        public var version = ""
        /// A lock file that must name every file.
        package var lock: (path: String, lock: BatchLock)?
        /// The name of a recipe that is not a file, in messages.
        package var recipeTitle = "recipe"
        /// Gets each warning once.
        package var warn: (String) -> Void = { _ in }

        public init() {}
    }

    /// A job that is to be rendered, and its line.
    struct Work {
        let job: BatchJob
        let order: BatchOrder
        /// The line in the index, and the files that its key rests on.
        let line: BatchIndex.Line, files: [String]
        /// The number of workers that have died over it.
        var deaths = 0
    }

    /// Makes a worker for a folder.
    package typealias Hire = (BatchFolder) throws(Fault) -> any PoolWorker<BatchOrder, BatchAnswer>
    typealias Workers = Pool<BatchOrder, BatchAnswer>

    let folder: BatchFolder
    let setup: Setup
    /// The counts of its jobs so far.
    public private(set) var tally = BatchTally()
    private let recipes: BatchRecipes
    private let inputs: BatchInputs
    private let index: BatchIndex
    private let lines: BatchLines
    private let rows: BatchRows
    /// Lines in another order than the manifest's, the next one last; nil means as they come.
    private var shuffled: [(number: Int, text: String)]?
    /// Jobs that workers have, by their keys; with each, jobs that wait for the same sound.
    private var running: [String: (work: Work, following: [Work])] = [:]
    /// Jobs to be begun once more.
    private var again: [Work] = []
    /// The first fault of the folder: after it nothing is begun.
    private var fault: Fault?

    /// Opens a manifest, which has a job on each line; `-` is standard input. The folder is made if it is missing.
    ///
    /// - Throws: a fault with the code 65, 66 or 73.
    public init(manifest: String, folder: String, _ setup: Setup) throws(Fault) {
        (self.folder, self.setup) = (BatchFolder(path: folder), setup)
        rows = BatchRows(setup.rows)
        recipes = try BatchRecipes(setup)
        lines = try BatchLines(manifest)
        try self.folder.make()
        self.folder.clean()
        inputs = BatchInputs(try BatchLock(folder: folder))
        index = BatchIndex(folder: folder, context: Self.context(recipes, setup))
    }

    /// All that decides what a line means, beside the line and the files that it names.
    static func context(_ recipes: BatchRecipes, _ setup: Setup) -> String {
        let locator = SoundFontLocator(), found = locator.installed[0].path
        let parts = [
            "\(SoundVersion.number)", recipes.text, setup.seed, locator.environment ?? "", found, setup.lock?.path ?? "",
        ]
        return parts.map { $0 + "\n" }.joined()
    }

    /// Renders everything with threads that call a closure.
    ///
    /// - Parameter render: renders a job into files in a folder, whose names begin with the job's key. What it throws is the
    ///   error of the job's row.
    /// - Throws: what ended it before its end; failed jobs are counted in `tally`.
    public func run(_ render: @escaping @Sendable (_ order: BatchOrder, _ folder: String) throws -> BatchResult) throws(Fault) {
        var stages: [BatchStage] = []
        defer { stages.forEach { $0.end() } }
        try run { (folder) throws(Fault) in
            let stage = try BatchStage(in: folder, number: stages.count)
            stages.append(stage)
            return try ThreadWorker { BatchWorker(stage, render).answer($0) }
        }
    }

    /// Renders everything with workers of the caller's.
    package func run(hire: Hire) throws(Fault) {
        if let seed = setup.shuffle {
            let ranked = try lines.rest().map {
                (UInt64(ContentHash.of("\(seed)\n\($0.number)\n").prefix(16), radix: 16) ?? 0, $0)
            }
            shuffled = ranked.sorted { ($0.0, $0.1.number) > ($1.0, $1.1.number) }.map(\.1)
        }
        let pool = Workers(size: setup.jobs)
        do throws(Fault) {
            try pool.run(
                hire: { () throws(Fault) in try hire(folder) }, next: next,
                isOver: { again.isEmpty && (isAtEnd || fault != nil) },
                source: { fault == nil && shuffled == nil && !lines.isOver ? lines.descriptor : nil }, look: rows.flush, done: end
            )
            try rows.flush()
        } catch {
            close()
            throw error
        }
        close()
        try BatchLock.add(inputs.used, to: folder, version: setup.version)
        if let fault { throw fault }
    }

    private func close() {
        index.flush()
        folder.end()
    }

    // MARK: - Lines become work

    private var isAtEnd: Bool { shuffled?.isEmpty ?? lines.isOver }

    private func nextLine() throws(Fault) -> (number: Int, text: String)? {
        while true {
            var line = shuffled == nil ? lines.next() : shuffled?.popLast()
            while line == nil, shuffled == nil, !lines.isOver, lines.isReady {
                try lines.fill()
                line = lines.next()
            }
            guard let line else { return nil }
            if setup.shard.has(line: line.number) { return line }
        }
    }

    /// The next order for a worker. Jobs before it that need no render are reported.
    private func next() throws(Fault) -> (job: BatchOrder, limit: Double?)? {
        if fault != nil {
            try stop()
            return nil
        }
        var work = again.popLast()
        if work == nil {
            work = try nextWork()
            if let work { running[work.order.key] = (work, []) }
        }
        guard let work else { return nil }
        return (work.order, work.job.timeLimit ?? setup.timeLimit)
    }

    /// What is not begun has its row too.
    private func stop() throws(Fault) {
        let reason = "not begun: the folder accepts no more files"
        for work in again {
            let following = running.removeValue(forKey: work.order.key)?.following ?? []
            for one in [work] + following { tell(.stopped, reason, .io, one.job.fields) }
        }
        again = []
        while let line = try nextLine() {
            var fields: [String: JSONValue] = ["line": .whole(line.number)]
            do throws(Fault) { fields = try job(line).fields } catch {}
            tell(.stopped, reason, .io, fields)
        }
    }

    /// A line's job without its draws.
    private func job(_ line: (number: Int, text: String)) throws(Fault) -> BatchJob {
        try BatchJob(
            BatchJob.fields(of: line.text, line: line.number), line: line.number, seed: setup.seed, recipe: recipes.fields)
    }

    private func nextWork() throws(Fault) -> Work? {
        while let line = try nextLine() {
            let name = index.name(line.text)
            if let key = index.key(of: name), let row = folder.keptRow(key).flatMap(BatchRow.skipped) {
                rows.add(row)
                tally.skipped += 1
                if rows.isFull { try rows.flush() }
                continue
            }
            var fields: [String: JSONValue] = ["line": .whole(line.number)]
            do throws(Fault) {
                let members = try BatchJob.fields(of: line.text, line: line.number)
                fields = members.filter { !BatchJob.resultFields.contains($0.key) && $0.key != "bytes" }
                var job = try BatchJob(members, line: line.number, seed: setup.seed, recipe: recipes.fields)
                fields = job.fields
                let work = try work(&job, named: name)
                fields = work.job.fields
                if running[work.order.key]?.following.append(work) == nil, !skip(work) { return work }
            } catch {
                tell(.failed, "\(error)", error.kind.exit, fields)
                if error.kind.exit == .io { fault = error }
            }
        }
        return nil
    }

    /// Makes a job's draws, and finds its key.
    private func work(_ job: inout BatchJob, named name: BatchIndex.Line) throws(Fault) -> Work {
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
        let given = try BatchOptions(job, known: setup.options, refused: setup.refused)
        for name in given.passed where tally.passed.insert(name).inserted {
            guard let near = NearName.of(name, among: setup.options.sorted()) else { continue }
            setup.warn("\(name) is no option, and passes through; did you mean \(near)?")
        }
        let sound = try inputs.sound(given)
        if let lock = setup.lock { try lock.lock.require(inputs.used, in: lock.path) }
        let key = ContentHash.of("carillon batch 1\nsound \(SoundVersion.number)\nsong \(hash)\n\(sound.text)\(given.text)")
        let order = BatchOrder(key: key, song: song, songHash: hash, options: given, fields: job.fields)
        return Work(job: job, order: order, line: name, files: [song] + sound.paths)
    }

    /// Reports a job whose sound is there already; false if it is not.
    private func skip(_ work: Work) -> Bool {
        guard let kept = folder.keptRow(work.order.key), let row = BatchRow.skipped(kept, fields: work.job.fields),
            FileIdentity(path: "\(folder.path)/\(row.output)")?.size == row.bytes
        else { return false }
        rows.add(row.text)
        tally.skipped += 1
        if row.isSame { note(work, row.output) }
        return true
    }

    /// Keeps the result of a line, with the state of its sound.
    private func note(_ work: Work, _ output: String) {
        index.add(work.line, work.order.key, work.files + ["\(folder.path)/\(output)"])
    }

    // MARK: - Answers become rows

    private func end(_ order: BatchOrder, _ ending: Workers.Ending) {
        guard var (work, following) = running.removeValue(forKey: order.key) else { return }
        func begin(again work: Work) {
            running[order.key] = (work, following)
            again.append(work)
        }
        /// The job failed, and so do others that wait for the same sound.
        func conclude(_ status: BatchRow.Status, _ reason: String, _ code: Fault.Exit = .software, _ ended: String? = nil) {
            for one in [work] + following { tell(status, reason, code, one.job.fields, ended) }
        }
        switch ending {
        case .answer(let answer):
            guard let row = answer.row else {
                if answer.endsBatch { fault = fault ?? Fault(answer.error ?? folder.path, .io) }
                return conclude(answer.status, answer.error ?? "", answer.code)
            }
            rows.add(row)
            tally.add(answer)
            if let output = answer.output { note(work, output) }
            following.removeAll(where: skip)
            if !following.isEmpty { begin(again: following.removeFirst()) }
        case .timeout(let position):
            let limit = BatchLimits.time.text(Float(work.job.timeLimit ?? setup.timeLimit))
            conclude(.timeout, "\(order.song): took longer than \(limit)\(position)", .software, "time-limit")
        case .death(let death) where work.deaths > 0:
            conclude(
                .crashed, death.cause == nil ? death.reason : "\(order.song): \(death.reason)", .software, death.cause)
        case .death:
            work.deaths += 1
            tally.redone += 1
            begin(again: work)
        }
    }

    private func tell(
        _ status: BatchRow.Status, _ reason: String, _ code: Fault.Exit, _ fields: [String: JSONValue],
        _ ended: String? = nil
    ) {
        rows.add(BatchRow.failure(status, reason, code, ended: ended, fields: fields))
        tally.failed += 1
        tally.firstFault = tally.firstFault ?? reason
    }
}
