import Corpus
import Reports

extension BatchShard {
    /// Reads `--shard`: `i/n` from 0, or `auto` for the numbers of a job array.
    ///
    /// - Parameters:
    ///   - count: `--shards`, if the environment knows the index alone.
    ///   - environment: a variable's value.
    init(_ text: String, count: Int?, environment: (String) -> String?) throws(Fault) {
        if text == "auto" {
            self = try Self.automatic(count, environment)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let all = Int(parts[1]), all >= 1, (0..<all).contains(index) else {
            throw Fault("--shard \(text): write i/n with i from 0 to n-1, such as 0/3, or auto", .usage)
        }
        if count != nil { throw Fault("--shards belongs to --shard auto; \(text) says it already", .usage) }
        self.init(index: index, count: all)
    }

    private static func automatic(_ count: Int?, _ environment: (String) -> String?) throws(Fault) -> BatchShard {
        func number(_ name: String) throws(Fault) -> Int? {
            guard let text = environment(name), text != "" else { return nil }
            guard let number = Int(text), number >= 0 else {
                throw Fault("--shard auto: \(name) is \(text), not a number", .usage)
            }
            return number
        }
        func shard(_ index: Int, of all: Int?, _ what: String, lack: String) throws(Fault) -> BatchShard {
            guard let all = count ?? all, all >= 1 else { throw Fault("--shard auto: \(lack)", .usage) }
            if (0..<all).contains(index) { return BatchShard(index: index, count: all) }
            throw Fault(
                "--shard auto: \(what) is shard \(index) of \(all), and there is none; run the whole array from 0, or write "
                    + "--shard i/n", .usage)
        }
        // Slurm's arrays: sbatch --array=0-9.
        if let task = try number("SLURM_ARRAY_TASK_ID") {
            let all = try number("SLURM_ARRAY_TASK_COUNT"), first = try number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(try number("SLURM_ARRAY_TASK_STEP") ?? 1, 1)
            return try shard(
                (task - first) / step, of: all, "SLURM_ARRAY_TASK_ID=\(task)",
                lack: "SLURM_ARRAY_TASK_ID is set, SLURM_ARRAY_TASK_COUNT is not; add --shards N")
        }
        if environment("SLURM_ARRAY_TASK_COUNT") != nil {
            throw Fault(
                "--shard auto: SLURM_ARRAY_TASK_COUNT is set, SLURM_ARRAY_TASK_ID is not; write --shard i/n", .usage)
        }
        // Kubernetes' indexed jobs: the number of them has to be in the job's own manifest.
        if let index = try number("JOB_COMPLETION_INDEX") {
            return try shard(
                index, of: try number("JOB_COMPLETIONS"), "JOB_COMPLETION_INDEX=\(index)",
                lack: "JOB_COMPLETION_INDEX is set, the number of completions is not; add --shards N, or set JOB_COMPLETIONS"
            )
        }
        throw Fault(
            "--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set; write --shard i/n", .usage)
    }
}
