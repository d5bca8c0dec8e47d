import Carillon
import Foundation
import Glibc
import TestFolders
import Testing

/// `carillon batch`, as its users run it.
@Suite struct BatchCommandTests {
    private let folder = TemporaryFolder()
    private static let count = 24
    private static let recipe =
        #"{"rate": 8000, "tail": "exact", "format": "flac", "labels": ["json", "mid"], "stems": "channel", "set": {"reverb.decay": {"uniform": [1, 4]}}}"#

    init() {
        var lines = ""
        for number in 0..<Self.count {
            let name = "\(number).mid", track = SongBytes.note(UInt8(48 + number), ticks: 240) + SongBytes.end
            folder.add(name, SongBytes.song([track]))
            lines += number % 2 == 0 ? "\(name)\n" : #"{"song": "\#(name)", "id": \#(number)}"# + "\n"
        }
        folder.add("jobs", Array(lines.utf8))
    }

    private func batch(_ arguments: String..., recipe: String = recipe) -> ProgramRun {
        Program.run(["batch"] + arguments + ["--recipe", recipe, "--seed", "5"], in: folder)
    }

    private func rows(_ bytes: [UInt8]) throws -> [[String: Any]] {
        try bytes.split(separator: 10).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }

    private func statuses(_ bytes: [UInt8]) throws -> [String: Int] {
        Dictionary(grouping: try rows(bytes)) { $0["status"] as? String ?? "" }.mapValues(\.count)
    }

    /// The hash of each file of a batch's folder but its rows and what it keeps for itself, by its place.
    private func sums(_ name: String) throws -> [String: String] {
        var sums: [String: String] = [:]
        let root = folder.file(name)
        for shelf in TemporaryFolder.names(in: root) where shelf.count == 2 {
            for file in TemporaryFolder.names(in: "\(root)/\(shelf)") {
                let isRow = file.hasSuffix(".json") && !file.hasSuffix(".labels.json")
                sums["\(shelf)/\(file)"] = isRow ? "row" : try ContentHash.ofFile("\(root)/\(shelf)/\(file)")
            }
        }
        return sums
    }

    private func isTidy(_ name: String) -> Bool {
        let names = TemporaryFolder.names(in: folder.file(name)).filter { $0.count != 2 }
        return names == [".index", "carillon.lock.json"]
    }

    @Test func everyJobHasARowAndTheOrderChangesNothing() throws {
        let run = batch("jobs", "--out", "one", "--jobs", "1")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try statuses(run.output) == ["done": Self.count])
        let all = try sums("one")
        // Sound, row, two files of labels, a stem and two effects each, as far as they sound.
        #expect(all.count >= 5 * Self.count && isTidy("one"))
        #expect(try rows(run.output).compactMap { $0["id"] as? Int }.sorted() == (0..<Self.count).filter { $0 % 2 == 1 })
        #expect(batch("jobs", "--out", "two", "--jobs", "2", "--shuffle", "3").exitCode == 0)
        for shard in 0..<3 { #expect(batch("jobs", "--out", "three", "--shard", "\(shard)/3").exitCode == 0) }
        let piped = Program.shell(
            "$CARILLON batch - --out four --recipe '\(Self.recipe)' --seed 5 < jobs > rows && $CARILLON batch - --out five < rows",
            in: folder)
        #expect(piped.exitCode == 0, "\(piped.errors)")
        for name in ["two", "three", "four", "five"] { #expect(try sums(name) == all && isTidy(name), "\(name)") }
        // Again: nothing is rendered, and each job has the row that it had.
        let again = batch("jobs", "--out", "one")
        #expect(try statuses(again.output) == ["skipped": Self.count])
        let reports = { (rows: [[String: Any]]) in
            Set(rows.map { row in "\(row["key"] ?? "") \((row["report"] as? [String: Any])?["seconds"] as? Double ?? -1)" })
        }
        #expect(reports(try rows(again.output)) == reports(try rows(run.output)))
        // Rows are jobs, of the songs that they were made of.
        folder.add("rows", run.output)
        let fed = Program.run(["batch", "rows", "--out", "one"], in: folder)
        #expect(try statuses(fed.output) == ["skipped": Self.count])
    }

    @Test func aSoundIsThatOfRender() throws {
        let run = batch("jobs", "--out", "one", recipe: #"{"rate": 22050, "format": "wav", "soundfont": "embedded"}"#)
        for row in try rows(run.output).prefix(6) {
            let song = try #require(row["song"] as? String), report = try #require(row["report"] as? [String: Any])
            let output = try #require(report["output"] as? String)
            let render = Program.run(
                [
                    "render", song, "-o", "alone.wav", "--force", "--rate", "22050", "--loudness", "off", "--soundfont",
                    "embedded",
                ],
                in: folder)
            #expect(render.exitCode == 0 && folder.bytes(of: "one/\(output)") == folder.bytes(of: "alone.wav"))
        }
    }

    @Test func aFieldThatIsNearlyAnOptionIsWarnedOf() throws {
        folder.add(
            "slips",
            Array(#"{"song": "1.mid", "tranpose": 2, "mine": 3}"#.utf8) + [10] + Array(#"{"song": "2.mid", "tranpose": 1}"#.utf8))
        let run = batch("slips", "--out", "one", "--quiet")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors == "warning: tranpose is no option, and passes through; did you mean transpose?\n")
        #expect(try rows(run.output).compactMap { $0["tranpose"] as? Int }.sorted() == [1, 2])
    }

    @Test func whatFailsCostsItsJobOnly() throws {
        folder.add("no.mid", [1, 2, 3])
        folder.add("long.mid", SongBytes.tenDays)
        folder.add(
            "mixed",
            Array(
                """
                0.mid
                {"song": "1.mid", "rate": "fast"}
                no.mid
                missing.mid
                {"song": "2.mid", "soundfont": "nowhere.sf2"}
                {"song": "long.mid", "max-duration": 864000, "time-limit": 0.1, "format": "raw"}
                {"song": "3.mid", "patch": "nowhere.yaml"}
                {"song": "4.mid", "output": "x.wav"}
                {
                {"song": "5.mid", "set": {"reverb.nothing": 1}}
                {"bytes": "\(Data(SongBytes.oneNote).base64EncodedString())", "id": "own"}
                6.mid
                """.utf8))
        let run = batch("mixed", "--out", "out", "--jobs", "2")
        #expect(run.exitCode == 65)
        #expect(try statuses(run.output) == ["done": 3, "failed": 8, "timeout": 1], "\(run.errors)")
        let all = try rows(run.output)
        for row in all where row["status"] as? String != "done" {
            #expect((row["error"] as? String)?.isEmpty == false && (row["exitCode"] as? Int ?? 0) > 0)
        }
        let own = try #require(all.first { $0["id"] as? String == "own" })
        let kept = try #require(own["song"] as? String), hash = try #require(own["songHash"] as? String)
        #expect(folder.bytes(of: kept) == SongBytes.oneNote && kept.hasSuffix("\(hash).mid"))
        #expect(batch("mixed", "--out", "out", "--accept-failures").exitCode == 0)
        #expect(batch("nothing", "--out", "out").exitCode == 66)
        #expect(batch("jobs", "--out", "0.mid").exitCode == 73)
        #expect(batch("jobs", "--out", "out", recipe: "{").exitCode == 65)
        #expect(batch("jobs", "--out", "out", recipe: "none.json").exitCode == 66)
    }

    @Test func manifestsOfOtherEditorsAreRead() throws {
        folder.add("dos", Array("\u{FEFF}0.mid\r\n\r\n1.mid".utf8))
        #expect(try statuses(batch("dos", "--out", "out").output) == ["done": 2])
        folder.add("latin", Array("0.mid\n".utf8) + [0xE9] + Array(".mid\n".utf8))
        let run = batch("latin", "--out", "out")
        #expect(try statuses(run.output) == ["skipped": 1, "failed": 1])
        #expect(try rows(run.output).contains { ($0["error"] as? String)?.contains("UTF-8") == true })
        // A fault of a job leaves it its fields, and the seed that it would have had.
        folder.add("bad", Array(#"{"song": "0.mid", "id": 9223372036854775807, "time-limit": 0}"#.utf8))
        let row = try #require(try rows(batch("bad", "--out", "out").output).first)
        #expect(row["id"] as? Int == .max && row["song"] as? String == "0.mid")
    }

    @Test func theSameSoundIsMadeOnceForAllWhoWantIt() throws {
        folder.add("twice", Array((0..<6).map { #"{"song": "\#($0 % 2).mid", "id": \#($0)}"# + "\n" }.joined().utf8))
        let run = batch("twice", "--out", "out", "--jobs", "3")
        #expect(try statuses(run.output) == ["done": 2, "skipped": 4])
        let all = try rows(run.output)
        #expect(Set(all.compactMap { $0["id"] as? Int }) == Set(0..<6) && Set(all.compactMap { $0["key"] as? String }).count == 2)
        // With the index too.
        for _ in 0..<2 {
            let again = try rows(batch("twice", "--out", "out").output)
            #expect(Set(again.compactMap { $0["id"] as? Int }) == Set(0..<6))
        }
        // A sound that is gone, or cut, is made again.
        let first = try #require(try rows(run.output).first),
            output = try #require((first["report"] as? [String: Any])?["output"])
        let whole = folder.bytes(of: "out/\(output)")
        for damage in [Array(whole.dropLast()), nil] {
            if let damage { folder.add("out/\(output)", damage) } else { unlink(folder.file("out/\(output)")) }
            #expect(try statuses(batch("twice", "--out", "out").output) == ["done": 1, "skipped": 5])
            #expect(folder.bytes(of: "out/\(output)") == whole)
        }
        // Another song under the same name is another job.
        folder.add("0.mid", SongBytes.twoTracks)
        #expect(try statuses(batch("twice", "--out", "out").output) == ["done": 1, "skipped": 5])
    }

    /// Kills at moments that a seed decides: of the batch, of one of its processes, and Ctrl-C, in turn. By hand with more:
    /// CARILLON_BATCH_JOBS=300.
    @Test func aBatchThatIsKilledGoesOnWhereItWas() throws {
        let count = max(ProcessInfo.processInfo.environment["CARILLON_BATCH_JOBS"].flatMap { Int($0) } ?? 0, Self.count)
        let kills = max(count / 30, 4)
        let jobs = (0..<count).map { #"{"song": "\#($0 % Self.count).mid", "transpose": \#($0 / Self.count - 6)}"# + "\n" }
        folder.add("many", Array(jobs.joined().utf8))
        #expect(batch("many", "--out", "whole").exitCode == 0)
        let script = """
            $CARILLON batch many --out out --recipe '\(Self.recipe)' --seed 5 --jobs 2 > rows &
            batch=$!
            while kill -0 $batch && [ "$(grep -c '"status":"done"' rows)" -lt $ROWS ]; do :; done
            $KILL
            wait $batch
            """
        let ways = [
            "kill -KILL $batch", "set -- $(cat /proc/$batch/task/*/children); kill -KILL $1", "kill -INT $batch",
        ]
        var random: UInt64 = 29, redone = 0, processes = 0
        for number in 0..<kills {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let rows = 1 + Int(random >> 33) % max(count / kills / 2, 1), way = number % 3
            let run = Program.shell(
                script.replacingOccurrences(of: "$KILL", with: ways[way]), in: folder, environment: ["ROWS": "\(rows)"])
            if way != 1 { continue }
            // This one ends by itself; what the dead process had in hand is done again.
            #expect(run.exitCode == 0, "\(run.errors)")
            processes += 1
            if run.errors.contains("begun again") { redone += 1 }
            #expect(!run.errors.contains("failed"), "\(run.errors)")
            for shelf in TemporaryFolder.names(in: folder.file("out")).prefix(number < kills - 3 ? 120 : 0) where shelf.count == 2
            {
                let path = folder.file("out/\(shelf)")
                for file in TemporaryFolder.names(in: path) { unlink("\(path)/\(file)") }
            }
        }
        let last = batch("many", "--out", "out")
        #expect(last.exitCode == 0 && isTidy("out") && redone <= processes)
        #expect(try rows(last.output).count == count)
        #expect(try sums("out") == sums("whole"))
    }

    @Test func aFolderThatTakesNothingMoreEndsTheBatch() throws {
        let run = Program.shell(
            "ulimit -f 8; $CARILLON batch jobs --out out --seed 5 --jobs 2 --recipe '{\"rate\": 44100, \"format\": \"wav\"}'",
            in: folder)
        #expect(run.exitCode == 74, "\(run.errors)")
        let found = try statuses(run.output)
        #expect(found.values.reduce(0, +) == Self.count && found["stopped"] ?? 0 >= Self.count - 4)
        let after = batch("jobs", "--out", "out", recipe: #"{"rate": 44100, "format": "wav"}"#)
        #expect(after.exitCode == 0 && isTidy("out"))
        #expect(try sums("out").count == 2 * Self.count)
    }

    @Test func aLockFileHoldsWhatMakesTheSound() throws {
        #expect(batch("jobs", "--out", "one").exitCode == 0)
        let lock = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.bytes(of: "one/carillon.lock.json"))) as? [String: Any])
        #expect((lock["files"] as? [String: Any])?.count == 1 && lock["soundVersion"] as? Int == SoundVersion.number)
        #expect(batch("jobs", "--out", "two", "--lock", "one/carillon.lock.json").exitCode == 0)
        let other = batch(
            "jobs", "--out", "three", "--lock", "one/carillon.lock.json", recipe: #"{"rate": 8000, "layer": ["0.mid"]}"#)
        #expect(other.exitCode == 65)
        #expect(try statuses(other.output) == ["failed": Self.count])
        folder.add("bad", Array("{}".utf8))
        #expect(batch("jobs", "--out", "two", "--lock", "bad").exitCode == 65)
        // A patch is named too, and what it plays no other way than by name.
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        let patched = #"{"rate": 8000, "patch": "organ.yaml"}"#
        #expect(batch("jobs", "--out", "four", recipe: patched).exitCode == 0)
        #expect(batch("jobs", "--out", "five", "--lock", "four/carillon.lock.json", recipe: patched).exitCode == 0)
        folder.add("organ.yaml", Array((PatchSamples.organ + "\n# changed\n").utf8))
        #expect(batch("jobs", "--out", "six", "--lock", "four/carillon.lock.json", recipe: patched).exitCode == 65)
    }

    @Test func aCheckTellsTheCostAndLeavesNothing() throws {
        folder.add("some", Array("0.mid\nmissing.mid\n1.mid\n{\n".utf8))
        let run = batch("some", "--out", "out", "--check")
        #expect(run.exitCode == 65, "\(run.errors)")
        #expect(batch("jobs", "--out", "out", "--check").exitCode == 0)
        let told = try #require(try rows(run.output).first)
        #expect(told["jobs"] as? Int == 4 && told["faulty"] as? Int == 2 && told["sampled"] as? Int == 2)
        #expect((told["bytes"] as? Int ?? 0) > 1_000 && (told["audioHours"] as? Double ?? 0) > 0)
        #expect(!folder.names.contains("out") && told["passed"] as? [String] == [])
        #expect(batch("some", "--out", "out").exitCode == 65)
        let after = try #require(try rows(batch("some", "--out", "out", "--check").output).first)
        #expect(after["done"] as? Int == 2 && after["sampled"] as? Int == 0)
    }
}
