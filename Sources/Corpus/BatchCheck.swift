import AudioFiles
import Carillon
import FoundationEssentials
import Glibc

/// The cost of a manifest before anything of it is rendered: all lines are read, and a sample of the jobs is rendered elsewhere.
package struct BatchCheck: Encodable {
    /// The jobs of the shard, those that are done already, and those that cannot be begun.
    package let jobs: Int, done: Int, faulty: Int
    /// The first of the faults.
    package let firstFault: String?
    /// The jobs of the sample that were rendered, and those that failed.
    package let sampled: Int, failed: Int
    /// Names of fields of the sample that are not options.
    package let passed: [String]
    /// Estimates for all that is not done: hours of sound, bytes of files, hours of one processor. Nil without a sample.
    package let audioHours: Double?, bytes: Int64?, processorHours: Double?

    private static let size = 20

    /// Reads the manifest, and renders the sample.
    package init(manifest: String, folder path: String, _ setup: Batch.Setup, hire: Batch.Hire) throws(Fault) {
        let lines = try BatchLines(manifest), recipes = try BatchRecipes(setup)
        let index = BatchIndex(folder: path, context: Batch.context(recipes, setup)), folder = BatchFolder(path: path)
        var jobs = 0, done = 0, faults = BatchTally(), waiting: [String] = []
        for line in try lines.rest() where setup.shard.has(line: line.number) {
            jobs += 1
            if let key = index.key(of: index.name(line.text)), access(folder.row(key), R_OK) == 0 {
                done += 1
                continue
            }
            do throws(Fault) {
                let members = try BatchJob.fields(of: line.text, line: line.number)
                let job = try BatchJob(members, line: line.number, seed: setup.seed, recipe: recipes.fields)
                if case .path(let path) = job.song, access(path, R_OK) != 0 {
                    throw Fault("\(path): \(SystemFault(code: errno))", .noInput)
                }
                waiting.append(line.text)
            } catch {
                faults.failed += 1
                faults.firstFault = faults.firstFault ?? error.description
            }
        }
        // Evenly through all of it: neighbours are alike.
        let count = min(Self.size, waiting.count)
        let sample = (0..<count).map { waiting[$0 * waiting.count / count] }
        let tally = try Self.render(sample, setup, hire)
        (self.jobs, self.done, faulty) = (jobs, done, faults.failed)
        (sampled, failed, passed) = (tally.done, tally.failed, tally.passed.sorted())
        firstFault = faults.firstFault ?? tally.firstFault
        let share = Double(waiting.count) / Double(max(count, 1))
        audioHours = tally.done > 0 ? tally.duration * share / 3_600 : nil
        bytes = tally.done > 0 ? Int64(Double(tally.bytes) * share) : nil
        processorHours = tally.done > 0 ? tally.processorSeconds * share / 3_600 : nil
    }

    /// Renders lines into a folder that is removed again.
    private static func render(_ lines: [String], _ setup: Batch.Setup, _ hire: Batch.Hire) throws(Fault) -> BatchTally {
        if lines.isEmpty { return BatchTally() }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/carillon-batch-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Fault("\(parent): takes no folder for the sample (\(SystemFault(code: errno)))", .cannotCreate)
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // What cannot be removed stays: there is nothing to report it to.
        defer { do { try FileManager.default.removeItem(atPath: path) } catch {} }
        let manifest = "\(path)/sample", code = WholeText.write(lines.map { $0 + "\n" }.joined(), toFile: manifest)
        if code != 0 { throw Fault("\(manifest): cannot be written (\(SystemFault(code: code)))", .cannotCreate) }
        var setup = setup
        (setup.shard, setup.shuffle, setup.rows) = (.whole, nil, nil)
        let batch = try Batch(manifest: manifest, folder: path, setup)
        try batch.run(hire: hire)
        return batch.tally
    }
}
