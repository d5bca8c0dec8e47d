import Glibc

/// `carillon-fuzz`: damaged songs, SoundFonts and patches by the hundred thousand, each from its seed.
///
/// A supervisor (`FuzzSupervisor`) starts workers, which are this program again, and watches them from outside: a
/// worker that dies, works too long on one case or grows too big is a finding, and the next seed goes to a new worker.
///
/// Exit codes: 0 nothing found, 1 something found, 64 usage, 66 and 73 files.
@main
struct CarillonFuzz {
    static func main() {
        do throws(FuzzError) {
            let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
            if let seed = options.seed {
                exit(try runOne(seed, options))
            } else if options.isWorker {
                try work(options)
            } else {
                exit(try FuzzSupervisor(options).run())
            }
        } catch {
            Self.tell("carillon-fuzz: \(error)", to: STDERR_FILENO)
            switch error {
            case .usage: exit(EX_USAGE)
            case .unreadable: exit(EX_NOINPUT)
            case .unwritable: exit(EX_CANTCREAT)
            case .cannotStart: exit(EX_OSERR)
            }
        }
    }

    /// Cases one after the other. Every line on standard output is for the supervisor: `case N`, `done WHAT`.
    private static func work(_ options: FuzzOptions) throws(FuzzError) {
        limitMemory()
        let corpus = try Corpus(songs: options.songs, soundFont: options.soundFont, folder: options.keep)
        let trial = FuzzTrial(corpus: corpus, folder: options.keep, carillon: options.carillon)
        for seed in stride(from: options.first, to: options.first + options.count, by: options.workers) {
            tell("case \(seed)")
            let fuzzCase = FuzzCase(seed: seed, corpus: corpus, only: options.only)
            let outcome = trial.run(fuzzCase)
            switch outcome {
            case .rendered: tell("done rendered \(fuzzCase.trial.rawValue)")
            case .read: tell("done read \(fuzzCase.trial.rawValue)")
            case .refused: tell("done refused \(fuzzCase.trial.rawValue)")
            case .finding(let what): tell("done found \(what.split(separator: "\n").joined(separator: " / "))")
            }
            var usage = rusage()
            getrusage(RUSAGE_SELF.rawValue, &usage)
            if Int(usage.ru_maxrss) * 1024 > FuzzLimits.memory { exit(FuzzSupervisor.memoryCode) }
        }
    }

    /// One case in this process, for a debugger; `--write` only writes its bytes.
    private static func runOne(_ seed: Int, _ options: FuzzOptions) throws(FuzzError) -> Int32 {
        guard mkdir(options.keep, 0o755) == 0 || errno == EEXIST else { throw .unwritable(options.keep) }
        let corpus = try Corpus(songs: options.songs, soundFont: options.soundFont, folder: options.keep)
        let fuzzCase = FuzzCase(seed: seed, corpus: corpus, only: options.only)
        tell(
            "seed \(seed): \(fuzzCase.trial.rawValue), \(fuzzCase.bytes.count) bytes, \(fuzzCase.sampleRate) Hz, "
                + "blocks of \(fuzzCase.blockFrames)")
        if let path = options.write {
            guard FileBytes.write(fuzzCase.bytes, to: path) else { throw .unwritable(path) }
            return 0
        }
        switch FuzzTrial(corpus: corpus, folder: options.keep, carillon: options.carillon).run(fuzzCase) {
        case .rendered: tell("rendered")
        case .read: tell("read")
        case .refused(let why): tell("refused: \(why)")
        case .finding(let what):
            tell("found: \(what)")
            return 1
        }
        return 0
    }

    /// The address space, so that a wild allocation fails at once instead of taking the machine with it.
    private static func limitMemory() {
        var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// One line, at once: what is buffered is lost in a crash.
    static func tell(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
        let bytes = Array("\(line)\n".utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
