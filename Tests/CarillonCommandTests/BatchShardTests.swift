import Corpus
import Reports
import Testing

@testable import CarillonCommand

/// The share of a manifest that `--shard` means.
@Suite struct BatchShardTests {
    @Test func aShardIsWhatItsArraySays() throws {
        func shard(_ text: String, _ count: Int? = nil, _ environment: [String: String] = [:]) throws -> [Int] {
            let shard = try BatchShard(text, count: count) { environment[$0] }
            return [shard.index, shard.count]
        }
        #expect(try shard("2/3") == [2, 3])
        #expect(try shard("auto", nil, ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "9"]) == [4, 9])
        #expect(
            try shard("auto", nil, ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"]) == [
                3, 4,
            ])
        #expect(try shard("auto", 6, ["JOB_COMPLETION_INDEX": "0"]) == [0, 6])
        #expect(try shard("auto", nil, ["JOB_COMPLETION_INDEX": "5", "JOB_COMPLETIONS": "6"]) == [5, 6])
        for (text, count, environment) in [
            ("3/3", nil, [:]), ("-1/3", nil, [:]), ("1", nil, [:]), ("a/b", nil, [:]), ("1/2", 2, [:]), ("auto", nil, [:]),
            ("auto", 3, [:]), ("auto", nil, ["SLURM_ARRAY_TASK_ID": "4"]), ("auto", nil, ["SLURM_ARRAY_TASK_COUNT": "4"]),
            ("auto", nil, ["JOB_COMPLETION_INDEX": "4"]), ("auto", nil, ["SLURM_ARRAY_TASK_ID": "x"]),
            ("auto", nil, ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "3"]),
        ] as [(String, Int?, [String: String])] {
            let fault = #expect(throws: Fault.self) { try shard(text, count, environment) }
            #expect(fault?.kind == .usage)
        }
    }
}
