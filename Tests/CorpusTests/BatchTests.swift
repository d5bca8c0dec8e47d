import Carillon
import Foundation
import Synchronization
import TestFolders
import Testing

@testable import Corpus

/// A batch from its manifest to its rows, with closures as workers.
@Suite struct BatchTests {
    private let folder: TemporaryFolder
    private static let recipe = #"{"instrument": "square-wave", "tempo": {"uniform": [0.5, 2]}}"#

    init() throws {
        folder = TemporaryFolder()
        for number in 0..<12 { folder.add("\(number).mid", [UInt8(number)]) }
    }

    private func manifest(_ lines: [String]) -> String {
        folder.add("jobs", Array(lines.joined(separator: "\n").utf8))
        return folder.file("jobs")
    }

    private func songs(_ numbers: Range<Int>) -> [String] { numbers.map { folder.file("\($0).mid") } }

    private func setup(jobs: Int = 2, shard: BatchShard = .whole, shuffle: String? = nil) -> Batch.Setup {
        var setup = Batch.Setup()
        (setup.options, setup.recipe, setup.seed) = (["instrument", "tempo", "format"], Self.recipe, "5")
        (setup.jobs, setup.shard, setup.shuffle) = (jobs, shard, shuffle)
        return setup
    }

    /// Makes a sound of a job: its song's bytes and its tempo.
    @Sendable private static func render(_ order: BatchOrder, _ folder: String) throws -> BatchResult {
        let path = "\(folder)/\(order.key).wav"
        guard let song = FileManager.default.contents(atPath: order.song) else { throw Fault("no song", .noInput) }
        try (song + Data("\(order.fields["tempo"] ?? .null)".utf8)).write(to: URL(filePath: path))
        return BatchResult(path: path, duration: 1, facts: ["text": .text("of a test")])
    }

    private func files(_ name: String) -> [String: [UInt8]] {
        let names = folder.all(in: name).filter { $0.hasSuffix(".wav") || $0.contains("/") && $0.hasSuffix(".json") }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, folder.bytes(of: "\(name)/\($0)")) })
    }

    private func run(_ lines: [String], into name: String, _ setup: Batch.Setup) throws -> BatchTally {
        let batch = try Batch(manifest: manifest(lines), folder: folder.file(name), setup)
        try batch.run(Self.render)
        return batch.tally
    }

    @Test func orderWorkersAndShardsChangeNothing() throws {
        let lines = songs(0..<12)
        #expect(try run(lines, into: "one", setup(jobs: 1)).done == 12)
        let all = files("one")
        #expect(all.count == 24)
        #expect(try run(lines, into: "two", setup(jobs: 5, shuffle: "3")).done == 12)
        let shards = try (0..<3).map { try run(lines, into: "three", setup(shard: BatchShard(index: $0, count: 3))).done }
        #expect(shards == [4, 4, 4] && files("two") == all && files("three") == all)
        // Again, with the index and without: nothing is rendered.
        #expect(try run(lines, into: "one", setup()).skipped == 12)
        try FileManager.default.removeItem(atPath: folder.file("one/.index"))
        let tally = try run(lines, into: "one", setup())
        #expect(tally.skipped == 12 && tally.done == 0 && files("one") == all)
        #expect(folder.all(in: "one").allSatisfy { !$0.contains(".work") })
        // Rows are jobs.
        let rows = all.filter { $0.key.hasSuffix(".json") }.map { String(decoding: $0.value, as: UTF8.self) }
        var fed = setup()
        fed.recipe = nil
        #expect(try run(rows, into: "one", fed).skipped == 12)
    }

    /// Users have data sets with these keys.
    @Test func keysStayWhatTheyAre() throws {
        _ = try run([#"{"song": "\#(folder.file("1.mid"))", "tempo": 1.5, "mine": 3}"#], into: "out", setup())
        let key = "carillon batch 1\nsound \(SoundVersion.number)\nsong \(ContentHash.of([1]))\n"
        let text = "format\u{1F}wav\ninstrument\u{1F}square-wave\nloudness\u{1F}off\ntempo\u{1F}1.5\n"
        let name = ContentHash.of(key + text)
        #expect(files("out").keys.sorted() == ["\(name.prefix(2))/\(name).json", "\(name.prefix(2))/\(name).wav"])
    }

    @Test func theSameSoundIsMadeOnce() throws {
        let lines = (0..<6).map { #"{"song": "\#(folder.file("\($0 % 2).mid"))", "tempo": 1, "mine": \#($0)}"# }
        let tally = try run(lines, into: "out", setup(jobs: 4))
        #expect(tally.done == 2 && tally.skipped == 4 && tally.passed == ["mine"])
    }

    @Test func whatFailsCostsItsJob() throws {
        let batch = try Batch(
            manifest: manifest(songs(0..<3) + ["{", folder.file("none.mid")]), folder: folder.file("out"), setup())
        let last = folder.file("2.mid")
        try batch.run { order, folder in
            if order.song == last { throw Fault("\(folder)/x: cannot be played", .data) }
            return try Self.render(order, folder)
        }
        #expect(batch.tally.done == 2 && batch.tally.failed == 3)
        #expect(files("out").count == 4)
    }

    @Test func aFolderThatTakesNothingMoreEndsTheBatch() throws {
        let batch = try Batch(manifest: manifest(songs(0..<12)), folder: folder.file("out"), setup())
        let fault = #expect(throws: Fault.self) { try batch.run { _, _ in throw Fault("full", .io) } }
        #expect(fault?.sentence == "full" && batch.tally.failed == 12 && batch.tally.done == 0)
    }

    /// A worker that dies over its first job; the next one answers.
    private final class Mortal: PoolWorker {
        private let worker: ThreadWorker<BatchOrder, BatchAnswer>
        private let dies: Bool

        init(_ folder: BatchFolder, dies: Bool) throws(Fault) {
            let stage = try BatchStage(in: folder, number: dies ? 1 : 2)
            worker = try ThreadWorker { BatchWorker(stage, BatchTests.render).answer($0) }
            self.dies = dies
        }

        var reports: [Int32] { worker.reports }
        func begin(_ order: BatchOrder) { worker.begin(order) }
        func take() -> (answer: BatchAnswer?, isOver: Bool) { dies ? (nil, worker.take().answer != nil) : worker.take() }
        func finish() { worker.finish() }
        func kill() -> String? { nil }
        func death() -> WorkerDeath {
            worker.finish()
            _ = worker.death()
            return ("signal", "crashed")
        }
    }

    @Test(arguments: [1, 2, 100]) func aJobIsBegunAgainOnce(_ deaths: Int) throws {
        let batch = try Batch(manifest: manifest(songs(0..<1)), folder: folder.file("out"), setup(jobs: 1))
        var hired = 0
        try batch.run { (folder) throws(Fault) in
            hired += 1
            return try Mortal(folder, dies: hired <= deaths)
        }
        #expect(batch.tally.redone == 1 && batch.tally.done == (deaths == 1 ? 1 : 0))
        #expect(batch.tally.firstFault == (deaths == 1 ? nil : "\(folder.file("0.mid")): crashed"))
    }

    @Test func aCheckEstimatesFromASample() throws {
        _ = try run(songs(0..<2), into: "out", setup())
        let check = try BatchCheck(manifest: manifest(songs(0..<12) + ["{"]), folder: folder.file("out"), setup(jobs: 1)) {
            (folder) throws(Fault) in try Mortal(folder, dies: false)
        }
        #expect(check.jobs == 13 && check.done == 2 && check.faulty == 1 && check.sampled == 10)
        #expect(check.audioHours == 10.0 / 3_600 && files("out").count == 4)
    }
}

extension TemporaryFolder {
    /// The names below a folder, in order; none if it does not exist.
    fileprivate func all(in folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: file(folder))?.compactMap { $0 as? String } ?? []).sorted()
    }
}
