import ArgumentParser
import Carillon
import Corpus
import Glibc
import Patches
import Reports

/// `carillon batch`: a manifest of jobs becomes sounds, and a row for each.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Render a manifest of songs, one job per line, and report the result of each.",
        discussion: """
            A job is a line: the path of a song, or a JSON object with it and with options of carillon render, by the same names: \
            {"song": "a.mid", "format": "flac", "rate": 16000, "soundfont": ["GM.sf2"], "set": {"reverb.decay": "3s"}, \
            "stems": "channel", "labels": ["json"]}. Fields that are not options pass through to the row. A job has the song's own \
            level unless it says otherwise (loudness off).

            Each sound is named after its key, the hash of all its inputs: what is in the folder already is skipped, so a run \
            that was interrupted is resumed by the same command. Rows go to standard output as the jobs are done. The same job \
            gives the same bytes, on any machine, in any order.

            A recipe has fields for all jobs, whose values can be random: {"tempo": {"uniform": [0.9, 1.1]}, "soundfont": \
            {"choose": ["A.sf2", "B.sf2"]}}. The values drawn are in the row, and a row is a job.

            Examples:
              carillon batch jobs.jsonl --out data > rows.jsonl
              carillon batch songs.txt --out data --recipe '{"format": "flac", "rate": "16k", "labels": "json"}'
              carillon batch jobs.jsonl --out data --recipe recipe.json --seed 7 --jobs 8
              carillon batch jobs.jsonl --out data --shard auto
              carillon batch jobs.jsonl --out data --check
            """)

    @Argument(
        help: ArgumentHelp("A file with a job on each line; - is standard input.", valueName: "manifest"), completion: .file())
    var manifest: String

    @Option(
        name: [.short, .long], help: ArgumentHelp("The folder of the sounds; created if missing.", valueName: "folder"),
        completion: .directory)
    var out: String

    @Option(
        help: ArgumentHelp(
            "Defaults for the fields of all jobs: a JSON file, or the object itself.", valueName: "file|object"),
        completion: .file(extensions: ["json"]))
    var recipe: String?

    @Option(help: ArgumentHelp("The seed of jobs without one.", valueName: "text"))
    var seed = ""

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Processes that render at the same time, 1 to 256. (default: one for each processor)", valueName: "number"),
        transform: BatchLimits.jobs.wholeNumber)
    var jobs: Int?

    @Option(
        parsing: .unconditional, help: BatchLimits.time.argumentHelp("a job's time-limit takes precedence"),
        transform: BatchLimits.time.number)
    var timeLimit = Double(BatchLimits.time.initial)

    @Option(parsing: .unconditional, help: BatchLimits.memory.argumentHelp(), transform: BatchLimits.memory.wholeNumber)
    var memoryLimit = Int(BatchLimits.memory.initial)

    @Option(help: ArgumentHelp(MemorySize.help, valueName: "size"), transform: MemorySize.init)
    var sampleMemory: MemorySize?

    @Option(
        help: ArgumentHelp(
            """
            Render only every n-th job, from the i-th on, 0/n to n-1/n; auto: by SLURM_ARRAY_TASK_ID and _COUNT, or by \
            JOB_COMPLETION_INDEX of Kubernetes with --shards.
            """, valueName: "i/n|auto"))
    var shard: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of shards, for --shard auto.", valueName: "number"))
    var shards: Int?

    @Option(help: ArgumentHelp("Render in a random order with this seed, not in the manifest's.", valueName: "seed"))
    var shuffle: String?

    @Option(
        help: ArgumentHelp(
            "Reject files that this lock file does not name, and other versions of the sound.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var lock: String?

    @Flag(help: "Estimate the cost of the manifest from a sample of 20 jobs, and render nothing.")
    var check = false

    @Flag(help: "Exit with 0 even if jobs failed; their rows say so.")
    var acceptFailures = false

    @Flag(help: "Print no summary.")
    var quiet = false

    func validate() throws {
        if recipe == "" { throw ValidationError("--recipe: the name is empty") }
        if out == "" { throw ValidationError("--out: the name is empty") }
        if shards != nil, shard != "auto" { throw ValidationError("--shards belongs to --shard auto; add it, or leave it out") }
        if let shards, shards < 1 { throw ValidationError("--shards \(shards): choose 1 or more") }
        if manifest == "-", isatty(0) == 1 {
            throw ValidationError("-: standard input is a terminal; give a manifest: carillon batch - --out DIR < jobs.jsonl")
        }
    }

    func run() throws {
        Interruption.reportClosedPipes()
        let start = SteadyClock.seconds
        let hire: Batch.Hire = { (folder) throws(Fault) in
            try BatchProcess(for: folder, memory: memoryLimit, samples: sampleMemory)
        }
        let isFaulty: Bool
        var report: (json: String, lines: [String])?
        do throws(Fault) {
            let setup = try setup()
            if check {
                let found = try BatchCheck(manifest: manifest, folder: out, setup, hire: hire)
                isFaulty = found.faulty + found.failed > 0
                report = (JSONOutput.text(found), found.lines(jobs: setup.jobs))
            } else {
                let batch = try Batch(manifest: manifest, folder: out, setup)
                try batch.run(hire: hire)
                if !quiet { StandardError.print(batch.tally.summary(seconds: SteadyClock.seconds - start)) }
                isFaulty = batch.tally.failed > 0
            }
        } catch { throw Failure.report(error) }
        if let report {
            try StandardOutput.print(report.json)
            if !quiet { for line in report.lines { StandardError.print(OneLine.text(line)) } }
        }
        if isFaulty, !acceptFailures { throw ExitCode(65) }
    }

    private func setup() throws(Fault) -> Batch.Setup {
        var setup = Batch.Setup()
        setup.options = Set(RenderRequest.settings.map(\.name))
        setup.refused = Set(RenderRequest.settings.filter(\.form.isOfCall).map(\.name) + ["help", "version"])
        (setup.recipe, setup.recipeTitle) = (recipe, "--recipe")
        (setup.jobs, setup.timeLimit, setup.seed, setup.shuffle) = (jobs ?? RenderBatch.processors, timeLimit, seed, shuffle)
        (setup.rows, setup.version) = (1, CarillonVersion.number)
        setup.warn = { StandardError.print("warning: \($0)") }
        if let shard {
            setup.shard = try BatchShard(shard, count: shards) { name in getenv(name).map { String(cString: $0) } }
        }
        if let lock { setup.lock = (lock, try BatchLock(path: lock)) }
        return setup
    }
}
