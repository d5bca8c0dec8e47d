import Carillon
import Corpus
import Glibc

/// The cost of a manifest before anything of it is rendered: all lines are read, and a sample of the jobs is rendered elsewhere.
struct BatchCheck: Encodable {
    /// The jobs of the shard, those that are done already, and those that cannot be begun.
    let jobs: Int, done: Int, faulty: Int
    /// The first of the faults.
    let firstFault: String?
    /// The jobs of the sample that were rendered, and those that came to nothing.
    let sampled: Int, failed: Int
    /// Names of fields of the sample that are no options.
    let passed: [String]
    /// Estimates for all that is not done: hours of sound, bytes of files, hours of one processor. Nil without a sample.
    let audioHours: Double?, bytes: Int64?, processorHours: Double?

    private static let size = 20

    /// Looks.
    init(manifest: String, out: String, recipe: String?, setup: BatchRun.Setup, options: Set<String>) throws(BatchFault) {
        let lines = try BatchLines(manifest), recipes = try BatchRecipes(recipe, title: "--recipe", known: options)
        let index = BatchIndex(folder: out, context: BatchRun.context(recipes, setup)), folder = BatchFolder(path: out)
        var jobs = 0, done = 0, faults = BatchTally(), waiting: [String] = []
        while true {
            while let line = lines.next() {
                guard setup.shard.has(line: line.number) else { continue }
                jobs += 1
                if let key = index.key(of: index.name(line.text)), access(folder.row(key), R_OK) == 0 {
                    done += 1
                    continue
                }
                do throws(BatchFault) {
                    let members = try BatchJob.fields(of: line.text, line: line.number)
                    let job = try BatchJob(members, line: line.number, seed: setup.seed, recipe: recipes.fields)
                    if case .path(let path) = job.song, access(path, R_OK) != 0 {
                        throw BatchFault("\(path): \(SystemCode.text(errno))", .noInput)
                    }
                    waiting.append(line.text)
                } catch {
                    faults.failed += 1
                    faults.firstFault = faults.firstFault ?? error.reason
                }
            }
            if lines.isOver { break }
            try lines.fill()
        }
        // Evenly through all of it: neighbours are alike.
        let count = min(Self.size, waiting.count)
        let sample = (0..<count).map { waiting[$0 * waiting.count / count] }
        let tally = try Self.render(sample, recipe, setup, options)
        (self.jobs, self.done, faulty) = (jobs, done, faults.failed)
        (sampled, failed, passed) = (tally.done, tally.failed, tally.passed.sorted())
        firstFault = faults.firstFault ?? tally.firstFault
        let share = Double(waiting.count) / Double(max(count, 1))
        audioHours = tally.done > 0 ? tally.duration * share / 3_600 : nil
        bytes = tally.done > 0 ? Int64(Double(tally.bytes) * share) : nil
        processorHours = tally.done > 0 ? tally.processorSeconds * share / 3_600 : nil
    }

    /// Renders lines into a folder that goes again.
    private static func render(
        _ lines: [String], _ recipe: String?, _ setup: BatchRun.Setup, _ options: Set<String>
    ) throws(BatchFault) -> BatchTally {
        if lines.isEmpty { return BatchTally() }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/carillon-batch-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BatchFault("\(parent): takes no folder for the sample (\(SystemCode.text(errno)))", .cannotCreate)
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { BatchFolder(path: path).remove() }
        let manifest = "\(path)/sample"
        let code = WholeText.write(lines.map { $0 + "\n" }.joined(), toFile: manifest)
        if code != 0 { throw BatchFault("\(manifest): cannot be written (\(SystemCode.text(code)))", .cannotCreate) }
        var setup = setup
        (setup.shard, setup.shuffle, setup.tellsRows) = (.whole, nil, false)
        let run = try BatchRun(
            manifest: manifest, folder: BatchFolder(path: path), recipe: recipe, setup: setup, options: options)
        try run.run()
        return run.tally
    }

    /// The report as lines of text.
    func lines(jobs processes: Int) -> [String] {
        var lines = ["\(CountedNoun.text(jobs, "job")): \(done) done before, \(faulty) that cannot be begun"]
        if let firstFault { lines.append("the first fault: \(firstFault)") }
        if let audioHours, let bytes, let processorHours {
            let work = processorHours * 3_600, size = Double(bytes)
            lines.append(
                "from \(CountedNoun.text(sampled, "job")): about \(BatchTally.length(audioHours * 3_600)) of sound, "
                    + (size < 1e9 ? "\(RenderJob.fixed(size / 1e6, 1)) MB" : "\(RenderJob.fixed(size / 1e9, 1)) GB")
                    + ", \(BatchTally.length(work)) of a processor (\(BatchTally.length(work / Double(max(processes, 1)))) with "
                    + "\(processes))")
        }
        if failed > 0 { lines.append("\(failed) of the sample came to nothing") }
        if !passed.isEmpty { lines.append("passed through, being no options: \(passed.joined(separator: ", "))") }
        return lines
    }
}

extension BatchFolder {
    /// Takes the folder away, with all that a batch has put there.
    func remove() {
        for shelf in [path + "/songs"] + Self.names(in: path).map({ "\(path)/\($0)" }) {
            for name in Self.names(in: shelf) {
                for inner in Self.names(in: "\(shelf)/\(name)") { unlink("\(shelf)/\(name)/\(inner)") }
                if unlink("\(shelf)/\(name)") != 0 { rmdir("\(shelf)/\(name)") }
            }
            if unlink(shelf) != 0 { rmdir(shelf) }
        }
        rmdir(path)
    }
}
