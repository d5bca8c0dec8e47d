import Foundation
import Glibc
import TestFolders
import Testing

/// `carillon render --stems`: which files there are, and that they come all or none.
@Suite struct StemCommandTests {
    private let folder = TemporaryFolder()
    private let options = ["--tail", "exact", "--bits", "32f", "--loudness", "off"]

    init() { folder.add("duo.mid", Self.duo) }

    /// A piano and a bass, each on a channel and a track of its own.
    private static let duo = SongBytes.song([
        SongBytes.note(60, ticks: 480) + SongBytes.end,
        [0x00, 0xC1, 33] + SongBytes.note(40, ticks: 480, channel: 1) + SongBytes.end,
    ])

    private func render(_ more: [String]) -> ProgramRun { Program.run(["render"] + more + options, in: folder) }

    private func object(_ run: ProgramRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any], "\(run.errors)")
    }

    /// The interleaved samples of a WAV file of floats.
    private func samples(_ name: String) -> [Float] {
        let all = folder.bytes(of: name)
        var position = 12
        while position + 8 <= all.count {
            let size = (0..<4).reduce(0) { $0 | Int(all[position + 4 + $1]) << (8 * $1) }
            if all[position..<position + 4].elementsEqual("data".utf8) {
                return stride(from: position + 8, to: position + 8 + size, by: 4).map { place in
                    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(all[place + $1]) << (8 * UInt32($1)) })
                }
            }
            position += 8 + size + size % 2
        }
        return []
    }

    private func sum(_ all: [[Float]]) -> [Float] {
        var sum = [Float](repeating: 0, count: all.first?.count ?? 0)
        for samples in all { for i in sum.indices { sum[i] += samples[i] } }
        return sum
    }

    @Test func eachStemGetsAFileBesideTheMixAndSilentOnesAreTold() throws {
        let run = render(["duo.mid", "--stems", "channel", "--json"])
        #expect(run.exitCode == 0, "\(run.errors)")
        let report = try object(run), stems = try #require(report["stems"] as? [[String: Any]])
        #expect(stems.map { $0["kind"] as? String } == ["dry", "dry", "effect", "effect"])
        #expect(stems.map { $0["channels"] as? [Int] } == [[1], [2], [], []])
        #expect(stems.map { $0["number"] as? Int } == [1, 2, 3, 4])
        let files = stems.compactMap { $0["output"] as? String }
        #expect(files.count == 3 && files == folder.names.filter { $0.hasPrefix("duo-0") })
        #expect(folder.names.sorted() == (files + ["duo.mid", "duo.wav"]).sorted())
        #expect(files.last == "duo-03-reverb.wav" && files.first?.hasPrefix("duo-01-") == true)
        #expect(stems[3]["silence"] as? String == "nothing is sent to it" && stems[3]["output"] == nil && stems[3]["peak"] == nil)
        #expect(ReportTests.remarks(in: report).contains { $0.hasPrefix("stem 4 (chorus): it is silent") })
        let mix = samples("duo.wav")
        #expect(mix.contains { abs($0) > 0.001 } && sum(files.map(samples)) == mix)
        // The same with everything in one file.
        #expect(render(["duo.mid", "--stems", "channel", "--stem-file", "--force"]).exitCode == 0)
        let whole = samples("duo-stems.wav")
        try #require(whole.count == mix.count * 4)
        for (place, name) in files.enumerated() {
            let own = samples(name)
            #expect(own.indices.allSatisfy { whole[$0 / 2 * 8 + place * 2 + $0 % 2] == own[$0] }, "\(name)")
        }
    }

    /// A mix that is cut is faded there, and its stems with it.
    @Test(arguments: [[], ["--max-duration", "0.3s"]]) func monoStemsAddUpToTheMonoMix(_ end: [String]) throws {
        let run = render(["duo.mid", "--stems", "channel", "--layout", "mono", "--json"] + end)
        #expect(run.exitCode == 0, "\(run.errors)")
        let stems = try #require(try object(run)["stems"] as? [[String: Any]]).filter { $0["output"] != nil }
        #expect(stems.allSatisfy { $0["fileChannels"] as? [Int] == [1] })
        let mix = samples("duo.wav"), all = sum(stems.compactMap { $0["output"] as? String }.map(samples))
        #expect(mix.contains { abs($0) > 0.001 } && zip(mix, all).allSatisfy { abs($0 - $1) <= 1e-7 } && mix.count == all.count)
        #expect(render(["duo.mid", "--stems", "channel", "--layout", "mono", "--stem-file", "--force"] + end).exitCode == 0)
        #expect(samples("duo-stems.wav").count == 4 * mix.count)
    }

    @Test func eachStemTellsItsLoudness() throws {
        folder.add("solo.mid", SongBytes.song([SongBytes.note(60, ticks: 960) + SongBytes.end]))
        let run = render(["solo.mid", "--stems", "channel", "--stem-loudness", "--dry", "--json", "--labels", "json"])
        #expect(run.exitCode == 0, "\(run.errors)")
        let report = try object(run), stems = try #require(report["stems"] as? [[String: Any]])
        // One stem is all of the mix, folded too.
        let loudness = try #require(report["loudness"] as? Double)
        let own = try #require(stems.first?["loudness"] as? Double)
        #expect(stems.count == 1 && abs(own - loudness) < 0.001 && own < 0)
        func labelled() throws -> [[String: Any]] {
            let labels = try JSONSerialization.jsonObject(with: Data(folder.bytes(of: "solo.labels.json"))) as? [String: Any]
            return try #require(labels?["stems"] as? [[String: Any]])
        }
        #expect(abs((try labelled().first?["loudness"] as? Double ?? 0) - own) < 0.001)
        let measured = ["solo.mid", "--stems", "channel", "--stem-loudness", "--json", "--force"]
        let mono = try object(render(measured + ["--dry", "--layout", "mono"]))
        let folded = try #require((mono["stems"] as? [[String: Any]])?.first?["loudness"] as? Double)
        #expect(abs(folded - (mono["loudness"] as? Double ?? 0)) < 0.001)
        // A silent one has none.
        let wet = try object(render(measured + ["--labels", "json", "--set", "strip-1.reverb-send=0"]))
        let silent = try #require((wet["stems"] as? [[String: Any]])?.first { $0["silence"] != nil })
        #expect(silent["loudness"] == nil)
        #expect(try labelled().contains { $0["loudness"] is NSNull })
        // Only where it is asked for.
        let plain = try object(render(["solo.mid", "--stems", "channel", "--json", "--labels", "json", "--force"]))
        #expect((plain["stems"] as? [[String: Any]])?.first?["peak"] is Double)
        #expect((plain["stems"] as? [[String: Any]])?.first?["loudness"] == nil)
        #expect(try labelled().allSatisfy { $0["loudness"] == nil })
        let alone = render(["solo.mid", "--stem-loudness"])
        #expect(alone.exitCode == 64 && alone.errors.contains("--stem-loudness belongs to --stems"))
    }

    @Test func namesAreChosen() {
        #expect(render(["duo.mid", "--stems", "track", "--stem-names", "{song} parts/{number} {name}", "--quiet"]).exitCode == 0)
        #expect(TemporaryFolder.names(in: folder.file("duo parts")) == ["01 Track 1.wav", "02 Track 2.wav", "03 reverb.wav"])
        for wrong in ["all", "{song}", "{nme}"] {
            let run = render(["duo.mid", "--stems", "track", "--stem-names", wrong, "--force"])
            #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.hasPrefix("carillon: --stem-names: "))
        }
        for option in [
            ["--stems-wet"], ["--stem-file"], ["--stem-names", "{name}"], ["--stems", "channel", "--layout", "5.1"],
            ["--stems", "channel", "--stems-wet", "--dry"],
        ] {
            #expect(render(["duo.mid"] + option).exitCode == 64)
        }
        #expect(folder.names == ["duo parts", "duo.mid", "duo.wav"])
        // A folder for each stem; that of a silent one goes again.
        let each = render(["duo.mid", "--stems", "channel", "--stem-names", "{number}/sound", "--force", "--quiet"])
        #expect(each.exitCode == 0, "\(each.errors)")
        #expect(folder.names == ["01", "02", "03", "duo parts", "duo.mid", "duo.wav"])
        #expect(render(["duo.mid", "--stems", "track", "--keep-partial"]).exitCode == 64)
    }

    @Test func twoStemsOfOneNameAreRefused() {
        folder.add(
            "twins.mid",
            SongBytes.song([
                SongBytes.note(60, ticks: 480) + SongBytes.end, SongBytes.note(64, ticks: 480, channel: 1) + SongBytes.end,
            ]))
        let run = render(["twins.mid", "--stems", "channel", "--stem-names", "{name}"])
        #expect(run.exitCode == 64 && run.errors.contains("{number}"), "\(run.errors)")
        #expect(folder.names == ["duo.mid", "twins.mid"])
        // Nor may one be the mix.
        let mix = render(["duo.mid", "--stems", "track", "--stem-names", "{name}", "-o", "reverb.wav"])
        #expect(mix.exitCode == 64 && mix.errors.contains("the mix of duo.mid"), "\(mix.errors)")
        #expect(folder.names == ["duo.mid", "twins.mid"])
    }

    @Test func aSongThatCannotBeDividedSaysWhy() {
        folder.add(
            "shared.mid",
            SongBytes.song([SongBytes.note(60, ticks: 480) + SongBytes.end, SongBytes.note(72, ticks: 480) + SongBytes.end]))
        let run = render(["shared.mid", "--stems", "track"])
        #expect(run.exitCode == 64 && run.errors.contains("channel 1 is played by tracks 1 and 2"), "\(run.errors)")
        #expect(folder.names == ["duo.mid", "shared.mid"])
        // Of several it costs itself only.
        let both = render(["duo.mid", "shared.mid", "--stems", "track", "--output-dir", "out"])
        #expect(both.exitCode == 64 && TemporaryFolder.names(in: folder.file("out")).count == 4)
    }

    @Test func allComeOrNone() {
        // A folder stands where the second one is to go.
        mkdir(folder.file("duo-02-Track 2.wav"), 0o700)
        let run = render(["duo.mid", "--stems", "track"])
        #expect(run.exitCode != 0 && run.errorLines.count == 1, "\(run.errors)")
        #expect(folder.names == ["duo-02-Track 2.wav", "duo.mid"])
        rmdir(folder.file("duo-02-Track 2.wav"))
        folder.add("duo-02-Track 2.wav", [1, 2, 3])
        let kept = render(["duo.mid", "--stems", "track", "--no-clobber"])
        #expect(kept.exitCode == 73 && folder.bytes(of: "duo-02-Track 2.wav") == [1, 2, 3], "\(kept.errors)")
        #expect(folder.names == ["duo-02-Track 2.wav", "duo.mid"])
        let replaced = render(["duo.mid", "--stems", "track", "--force"])
        #expect(replaced.exitCode == 0 && replaced.errors.contains("duo-02-Track 2.wav (replaced)"), "\(replaced.errors)")
    }

    @Test(arguments: [SIGINT, SIGKILL]) func anInterruptionLeavesNothing(_ signal: Int32) {
        let running = Program.start(
            [Program.path, "render", "duo.mid", "--stems", "channel", "--tail", "86400", "--loudness", "off"], in: folder)
        while !running.hasEnded, !running.opens({ $0.hasPrefix(folder.file("")) && !$0.hasSuffix(".mid") }) { sched_yield() }
        kill(running.id, signal)
        _ = running.end()
        #expect(folder.names == ["duo.mid"])
    }

    @Test func severalSongsHaveStemsOfTheirOwn() throws {
        mkdir(folder.file("songs"), 0o700)
        folder.add("songs/a.mid", Self.duo)
        folder.add("songs/b.mid", Self.duo)
        let run = render(["songs", "--stems", "group", "--output-dir", "out", "--jobs", "2", "--json"])
        #expect(run.exitCode == 0, "\(run.errors)")
        let songs = try #require(try object(run)["songs"] as? [[String: Any]])
        for song in songs {
            let stems = try #require(song["stems"] as? [[String: Any]])
            #expect(stems.map { $0["name"] as? String } == ["Piano", "Bass", "reverb", "chorus"])
            #expect(sum(stems.compactMap { $0["output"] as? String }.map(samples)) == samples(song["output"] as? String ?? ""))
        }
        #expect(TemporaryFolder.names(in: folder.file("out")).count == 8)
        let unnamed = render(["songs", "--stems", "group", "--stem-names", "{name}", "--output-dir", "more"])
        #expect(unnamed.exitCode == 64 && unnamed.errors.contains("{song}") && access(folder.file("more"), F_OK) != 0)
    }

    @Test func whatIsBeyondFullScaleIsTold() throws {
        let loud = ["duo.mid", "--stems", "channel", "--gain", "40", "--tail", "exact"]
        let run = Program.run(["render"] + loud + ["--json"], in: folder)
        let report = try object(run), stems = try #require(report["stems"] as? [[String: Any]])
        #expect(report["clippedSamples"] as? Int == 0 && stems.contains { $0["clippedSamples"] as? Int ?? 0 > 0 })
        #expect(ReportTests.remarks(in: report).contains { $0.contains("--bits 32f keeps them") })
    }
}
