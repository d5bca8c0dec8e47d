import Glibc
import TestFolders
import Testing

/// Every option of `carillon render` does what its help says.
@Suite struct OptionTests {
    private func render(
        _ options: String..., song: [UInt8] = SongBytes.oneNote, output: String = "one.wav"
    ) throws -> [UInt8] {
        let folder = TemporaryFolder()
        folder.add("one.mid", song)
        let run = Program.run(["render", "one.mid", "--instrument", "square-wave"] + options, in: folder)
        try #require(run.exitCode == 0, "\(options): \(run.errors)")
        #expect(folder.names == ["one.mid", output].sorted())
        return folder.bytes(of: output)
    }

    /// Frames of a 16-bit stereo WAV.
    private func frames(_ wav: [UInt8]) -> Int { (wav.count - 44) / 4 }

    @Test func withoutOutputTheFileIsNamedAfterTheSong() throws {
        #expect(try render("--tail", "exact").starts(with: Array("RIFF".utf8)))
        #expect(try render("--format", "FLAC", output: "one.flac").starts(with: Array("fLaC".utf8)))
    }

    @Test func theOutputsEndingChoosesTheFormat() throws {
        #expect(try render("-o", "x.flac", output: "x.flac").starts(with: Array("fLaC".utf8)))
        #expect(try render("-o", "x.ogg", output: "x.ogg").starts(with: Array("OggS".utf8)))
        #expect(try render("--output", "x.caf", output: "x.caf").starts(with: Array("caff".utf8)))
        #expect(try render("-o", "x.dat", "--format", "wav", output: "x.dat").starts(with: Array("RIFF".utf8)))
    }

    @Test func qualityAndBitRateChooseTheSize() throws {
        func size(_ output: String, _ options: String...) throws -> Int {
            let folder = TemporaryFolder()
            folder.add("one.mid", SongBytes.oneNote)
            let run = Program.run(
                ["render", "one.mid", "--instrument", "square-wave", "--tail", "10", "-o", output] + options, in: folder)
            try #require(run.exitCode == 0, "\(run.errors)")
            return folder.bytes(of: output).count
        }
        #expect(try size("x.ogg", "--quality", "0.1") < size("x.ogg", "--quality", "0.9"))
        #expect(try size("x.mp3", "--quality", "0.1") < size("x.mp3", "--quality", "1"))
        #expect(try size("x.opus", "--bitrate", "32") < size("x.opus", "--bitrate", "256"))
        #expect(try size("x.mp3", "--bitrate", "64") < size("x.mp3", "--bitrate", "256"))
    }

    @Test(arguments: [("16", 2), ("24", 3), ("32f", 4)])
    func bitsChooseTheSampleSize(_ name: String, _ size: Int) throws {
        let raw = try render("-o", "x.raw", "--bits", name, "--tail", "exact", output: "x.raw")
        #expect(raw.count == 24_000 * 2 * size)
    }

    @Test func theTailIsExact() throws {
        #expect(frames(try render("--tail", "exact")) == 24_000)
        #expect(frames(try render("--tail", "1.5")) == 24_000 + 72_000)
        #expect(frames(try render("--tail", "0.25s")) == 24_000 + 12_000)
        #expect(frames(try render("--tail", "0")) == 24_000)
        #expect(frames(try render("--tail", "exact", "--rate", "44100")) == 22_050)
    }

    @Test func theAutomaticTailEndsWithTheSound() throws {
        let wav = try render("--dry")
        #expect(frames(wav) > 24_000 + 9_600 && frames(wav) < 24_000 + 96_000)
        // What was held back is 200 ms below -90 dBFS: one step of 16 bits, and its dither.
        let end = wav.suffix(9_600 * 4).chunked(2).map { Int16(truncatingIfNeeded: Int($0[0]) | Int($0[1]) << 8) }
        #expect(end.allSatisfy { abs(Int($0)) <= 3 })
    }

    @Test func aNoteThatNeverEndsGoesWithTheSong() throws {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.unendedNote)
        let run = Program.run(
            ["render", "one.mid", "--instrument", "square-wave", "--rate", "8000"], in: folder)
        #expect(run.exitCode == 0)
        #expect(frames(folder.bytes(of: "one.wav")) < 3 * 8000)
        #expect(!run.errors.contains("still sounding"), "\(run.errors)")
    }

    @Test func theLongestDurationCuts() throws {
        #expect(frames(try render("--max-duration", "0.25")) == 12_000)
        #expect(frames(try render("--max-duration", "3", song: SongBytes.tenDays)) == 144_000)
        #expect(frames(try render("--max-duration", "100", "--tail", "exact")) == 24_000)
        // Faded out to nothing, but for the dither.
        let end = try render("--max-duration", "0.25").suffix(4).chunked(2).map {
            Int16(truncatingIfNeeded: Int($0[0]) | Int($0[1]) << 8)
        }
        #expect(end.allSatisfy { abs(Int($0)) <= 1 })
    }

    @Test func gainIsInDecibelsAndMayBeNegative() throws {
        let loud = try render("--bits", "32f", "--tail", "exact"),
            soft = try render(
                "--bits", "32f", "--tail", "exact", "--gain", "-20")
        func peak(_ wav: [UInt8]) -> Float {
            wav.dropFirst(wav.count - 24_000 * 8).chunked(4).map { four in
                abs(Float(bitPattern: four.reversed().reduce(0) { $0 << 8 | UInt32($1) }))
            }.max() ?? 0
        }
        #expect(abs(20 * log10(peak(loud) / peak(soft)) - 20) < 0.1)
    }

    @Test func blockSizesGiveTheSameBytes() throws {
        let one = try render("--block", "16384")
        #expect(try render("--block", "1") == one)
        #expect(try render("--block", "333") == one)
    }

    @Test func aParameterIsSet() throws {
        #expect(try render("--set", "strip-1.mute=on", "--tail", "exact") != render("--tail", "exact"))
        #expect(try render("--set", "square-wave.pulse-width=10%") != render())
    }

    @Test func oneTrackPlaysAlone() throws {
        let both = try render("--tail", "exact", song: SongBytes.twoTracks)
        let second = try render("--tail", "exact", "--track", "2", song: SongBytes.twoTracks)
        #expect(both != second)
        let alone = SongBytes.song([SongBytes.note(72, ticks: 480) + SongBytes.end])
        #expect(second == (try render("--tail", "exact", song: alone)))
    }

    @Test func damagedSongsAreRepairedAndStrictIsOnlyStrict() throws {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.damaged)
        let run = Program.run(["render", "one.mid", "--instrument", "square-wave"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.errors.contains("one.mid: byte ") && run.errors.contains("End of Track"))
        _ = try render("--strict", "--tail", "exact")
    }

    @Test func severalSoundFontsLieOnTopOfEachOther() throws {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let font = Program.package + "/soundfonts/carillon.sf2"
        let run = Program.run(
            ["render", "one.mid", "--soundfont", font, "--soundfont", font + ":8", "--tail", "exact"], in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("SoundFonts: \(font), \(font)\n"))
    }

    @Test func awkwardNamesAreTakenAsTheyAre() throws {
        let folder = TemporaryFolder()
        let stems = ["a song", "it's \"one\"", "two\nlines", "-x", "caf\u{E9}", "a.b", "\u{301}"]
        for name in stems.map({ $0 + ".mid" }) + [".mid", "none"] {
            folder.add(name, SongBytes.oneNote)
            let run = Program.run(
                ["render", "--instrument", "square-wave", "--tail", "exact", "--", name], in: folder)
            #expect(run.exitCode == 0, "\(name): \(run.errors)")
            #expect(run.errorLines.count == 1)
        }
        let sounds = (stems + [".mid", "none"]).map { $0 + ".wav" }
        #expect(Set(folder.names) == Set(stems.map { $0 + ".mid" } + [".mid", "none"] + sounds))
    }

    @Test func aSongComesThroughAPipe() throws {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let options = "--instrument square-wave --tail exact"
        let run = Program.shell(
            """
            set -e
            "$CARILLON" render one.mid \(options) -o file.wav
            "$CARILLON" render <(cat one.mid) \(options) -o pipe.wav
            "$CARILLON" render /dev/stdin \(options) -o stdin.wav < one.mid
            cmp file.wav pipe.wav && cmp file.wav stdin.wav
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}

extension Collection {
    /// Its elements, so many at a time.
    func chunked(_ count: Int) -> [[Element]] {
        var chunks: [[Element]] = []
        var rest = self[...]
        while !rest.isEmpty {
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }
}
