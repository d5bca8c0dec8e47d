import Carillon
import Glibc
import Reports
import TestFolders
import Testing

@testable import Corpus

/// Jobs of a manifest: fields, draws, options, shards, and what an index keeps of them.
@Suite struct BatchJobTests {
    private func job(_ text: String, recipe: String? = nil, seed: String = "", song: String = "s") throws -> BatchJob {
        var setup = Batch.Setup()
        (setup.recipe, setup.options) = (recipe, ["tempo", "set", "rate"])
        let recipes = try BatchRecipes(setup)
        var job = try BatchJob(BatchJob.fields(of: text, line: 1), line: 1, seed: seed, recipe: recipes.fields)
        try job.draw(songHash: song)
        return job
    }

    @Test func aDrawDependsOnSeedSongAndNameAlone() throws {
        let recipe = #"{"tempo": {"uniform": [0.8, 1.2]}, "set": {"reverb.decay": {"log-uniform": [0.5, 8]}}}"#
        let more =
            #"{"another": {"whole": [1, 9]}, "tempo": {"uniform": [0.8, 1.2]}, "set": {"a.b": {"normal": [0, 1]}, "reverb.decay": {"log-uniform": [0.5, 8]}}}"#
        let one = try job("a.mid", recipe: recipe, seed: "7"), other = try job("b.mid", recipe: more, seed: "7")
        #expect(one.fields["tempo"] == other.fields["tempo"])
        guard case .object(let few)? = one.fields["set"], case .object(let many)? = other.fields["set"] else {
            Issue.record("set is a table")
            return
        }
        #expect(few["reverb.decay"] == many["reverb.decay"] && many.count == 2)
        #expect(try job("a.mid", recipe: recipe, seed: "8").fields["tempo"] != one.fields["tempo"])
        #expect(try job("a.mid", recipe: recipe, seed: "7", song: "t").fields["tempo"] != one.fields["tempo"])
        #expect(try job(#"{"song": "a.mid", "seed": 7}"#, recipe: recipe).fields["tempo"] == one.fields["tempo"])
        // What was drawn is a job again, and stays what it is.
        let row = JSONOutput.plain(one.fields)
        #expect(try job(row, recipe: recipe, seed: "9").fields == one.fields)
        #expect(try job(row).fields == one.fields)
    }

    /// Hashes and numbers of rows keep their digits, as whole numbers do in JSON.
    @Test func wholeNumbersStayWhole() throws {
        let numbers = [
            "0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "18446744073709551615", "-12345678901234567890123", String(repeating: "9", count: 38),
        ]
        let line = #"{"song":"a","x":[\#(numbers.joined(separator: ","))]}"#
        #expect(JSONOutput.plain(try job(line).fields) == line)
        #expect(try job(#"{"song": "a", "x": 1.5, "y": 1e3, "z": 1e300}"#).fields["z"] == .number(1e300))
        let long = String(repeating: "7", count: 39)
        for text in [long, "-" + long, "[1, \(long)]"] {
            do {
                _ = try job(#"{"song": "a", "x": \#(text)}"#)
                Issue.record("\(text)")
            } catch let fault as Fault { #expect(fault.kind == .data && fault.sentence.contains("write it as a text")) }
        }
        for text in [#""\#(long)""#, #""\\\"\#(long)""#, "0." + long, "1e5"] {
            #expect(throws: Never.self) { try job(#"{"song": "a", "x": \#(text)}"#) }
        }
    }

    @Test func drawsStayInTheirRangesAndReachThem() throws {
        let recipe =
            #"{"a": {"uniform": [-1, 3]}, "b": {"whole": [2, 4]}, "c": {"choose": ["x", null, 5], "weights": [1, 0, 3]}, "d": {"log-uniform": [0.25, 4]}, "e": {"normal": [10, 2]}}"#
        var sums = [Double](repeating: 0, count: 3), wholes: Set<JSONValue> = [], fives = 0
        for song in 0..<2_000 {
            let fields = try job("a.mid", recipe: recipe, song: "\(song)").fields
            let uniform = try #require(fields["a"]?.number), logarithmic = try #require(fields["d"]?.number)
            let normal = try #require(fields["e"]?.number)
            #expect((-1...3).contains(uniform) && (0.25...4).contains(logarithmic) && (-2...22).contains(normal))
            wholes.insert(try #require(fields["b"]))
            #expect(fields["c"] == .text("x") || fields["c"] == .whole(5))
            if fields["c"] == .whole(5) { fives += 1 }
            sums[0] += uniform
            sums[1] += log2(logarithmic)
            sums[2] += normal
        }
        #expect(wholes == [.whole(2), .whole(3), .whole(4)])
        // Five deviations of a mean of two thousand.
        #expect(abs(sums[0] / 2_000 - 1) < 0.13 && abs(sums[1] / 2_000) < 0.13 && abs(sums[2] / 2_000 - 10) < 0.23)
        #expect((1_400...1_600).contains(fives))
    }

    @Test(arguments: [
        #"{"song": 3}"#, #"{"title": "x"}"#, "{", "{}", #"["a.mid"]"# + "\u{0}", #"{"song": ""}"#, #"{"bytes": "?"}"#,
        #"{"song": "a", "seed": [1]}"#, #"{"song": "a", "time-limit": "soon"}"#, #"{"song": "a", "tempo": {"uniform": [2, 1]}}"#,
        #"{"song": "a", "tempo": {"uniform": [1]}}"#, #"{"song": "a", "x": {"choose": []}}"#,
        #"{"song": "a", "x": {"choose": [1, 2], "weights": [1]}}"#, #"{"song": "a", "x": {"choose": [1], "weights": [0]}}"#,
        #"{"song": "a", "x": {"whole": [0.5, 2]}}"#, #"{"song": "a", "x": {"log-uniform": [0, 2]}}"#,
        #"{"song": "a", "x": {"normal": [0, -1]}}"#, #"{"song": "a", "x": {"normal": [0, 1], "min": 0}}"#,
        #"{"song": "a", "recipe": 4}"#, #"{"song": "a", "recipe": "/no/such/recipe.json"}"#,
        #"{"song": "a", "recipe": {"song": "b"}}"#, #"{"song": "a", "songHash": "another"}"#,
    ])
    func whatIsNoJobSaysItsLine(_ text: String) {
        // A path with any characters is a path.
        if text.first != "{" {
            #expect(throws: Never.self) { try job(text) }
        } else {
            let fault = #expect(throws: Fault.self) { try job(text) }
            #expect(fault?.sentence.hasPrefix("line 1: ") == true, "\(fault?.sentence ?? "")")
        }
    }

    @Test func fieldsBecomeOptionsOfRender() throws {
        let known: Set<String> = [
            "format", "rate", "set", "soundfont", "labels", "dry", "layout", "loudness", "gain", "peak", "out",
        ]
        func options(_ text: String) throws -> [String] {
            let options = try BatchOptions(job(text), known: known, refused: ["output"])
            return options.given.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value }
        }
        #expect(
            try options(
                #"{"song": "a", "rate": 16000, "dry": true, "set": {"b.c": 1.5, "a.b": "3s"}, "soundfont": ["x", "y"], "labels": ["json", "tsv"], "mine": 4, "gain": null}"#
            ) == [
                "dry", "format", "wav", "labels", "json,tsv", "loudness", "off", "rate", "16000", "set", "a.b=3s", "b.c=1.5",
                "soundfont", "x", "y",
            ])
        #expect(try options(#"{"song": "a", "gain": -3, "format": "flac"}"#) == ["format", "flac", "gain", "-3"])
        #expect(try options(#"{"song": "a", "channels": 1, "loudness": -23, "dry": false}"#).contains("mono"))
        for text in [
            #"{"song": "a", "channels": 3}"#, #"{"song": "a", "output": "x"}"#, #"{"song": "a", "rate": [[1]]}"#,
            #"{"song": "a", "set": {"a": [1]}}"#, #"{"song": "a", "Rate": 8000}"#, #"{"song": "a", "time_limit": 3}"#,
            #"{"song": "a", "soundfonts": ["x"]}"#, #"{"song": "a", "channels": 1, "layout": "5.1"}"#,
        ] {
            #expect(throws: Fault.self) { try options(text) }
        }
        // Names of one's own pass, and are told; a recipe's that is nearly an option's does not.
        #expect(
            try BatchOptions(job(#"{"song": "a", "label": 4, "split": "test"}"#), known: known).passed
                == ["label", "split"])
        #expect(NearName.of("label", among: known.sorted()) == "labels")
        var setup = Batch.Setup()
        (setup.recipe, setup.options) = (#"{"formt": "flac"}"#, known)
        #expect(throws: Fault.self) { try BatchRecipes(setup) }
        // A recipe's tables are filled up member by member.
        let mixed = try job(#"{"song": "a", "set": {"a.b": 1}}"#, recipe: #"{"set": {"a.b": 2, "c.d": 3}}"#)
        #expect(mixed.fields["set"] == .object(["a.b": .whole(1), "c.d": .whole(3)]))
    }

    @Test func eachLineBelongsToOneShard() {
        let shards = (0..<3).map { BatchShard(index: $0, count: 3) }
        for line in 1...9 { #expect(shards.count { $0.has(line: line) } == 1) }
    }

    @Test func anIndexKnowsLinesAsLongAsTheirFilesStay() throws {
        let folder = TemporaryFolder(), key = String(repeating: "ab", count: 32)
        folder.add("song.mid", [1, 2, 3])
        folder.add("font.sf2", [4])
        let files = [folder.file("song.mid"), folder.file("font.sf2")]
        let index = BatchIndex(folder: folder.path, context: "c")
        index.add(index.name("line"), key, files)
        index.add(index.name("strange"), key, ["a\nb"])
        index.flush()
        func found(_ line: String, context: String = "c") -> String? {
            let index = BatchIndex(folder: folder.path, context: context)
            return index.key(of: index.name(line))
        }
        #expect(found("line") == key && found("other") == nil && found("strange") == nil && found("line", context: "d") == nil)
        // A torn record, and a damaged one, are none.
        let whole = folder.bytes(of: ".index")
        for damage in 0..<whole.count {
            folder.add(".index", Array(whole[..<damage]))
            #expect(found("line") == nil)
            var bytes = whole
            bytes[damage] ^= 1
            folder.add(".index", bytes)
            #expect(found("line") == nil)
        }
        folder.add(".index", whole)
        #expect(found("line") == key)
        folder.add("font.sf2", [4, 5])
        #expect(found("line") == nil)
    }
}
