import TestFolders
import Testing

/// Sound and reports on standard output: whole, alone, and honest when the other end is gone.
@Suite struct StandardOutputTests {
    private let folder = TemporaryFolder()
    private let options = "--instrument square-wave --tail exact"

    init() { folder.add("one.mid", SongBytes.oneNote) }

    @Test func theSoundGoesToStandardOutputAndNothingElseDoes() throws {
        let run = Program.shell("\"$CARILLON\" render one.mid \(options) -o -", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output.count == 44 + 24_000 * 4)
        #expect(run.output.starts(with: Array("RIFF".utf8)))
        #expect(run.errors.contains("0.50 s"))
        #expect(folder.names == ["one.mid"])
        let piped = Program.shell("\"$CARILLON\" render one.mid \(options) -o - --quiet | cat", in: folder)
        #expect(piped.output == run.output)
        #expect(piped.errors.isEmpty)
    }

    @Test func aListenerThatLeavesIsAnErrorOfTheWrite() {
        let run = Program.shell(
            "\"$CARILLON\" render one.mid --instrument square-wave --tail 60 -o - | head -c 100; exit ${PIPESTATUS[0]}",
            in: folder)
        #expect(run.exitCode == 74)
        #expect(run.output.count == 100)
        #expect(run.errors.contains("standard output: writing failed (Broken pipe)"))
        #expect(folder.names == ["one.mid"])
    }

    @Test(arguments: [
        "render one.mid --instrument square-wave -o -", "units", "units --json", "inspect one.mid", "--help",
    ])
    func aFullDiskBehindStandardOutputIsNoSuccess(_ arguments: String) {
        let run = Program.shell("\"$CARILLON\" \(arguments) > /dev/full", in: folder)
        #expect(run.exitCode == 74, "\(run.errors)")
        #expect(run.errors.contains("No space left"))
    }

    @Test(arguments: [
        "render one.mid --instrument square-wave -o -", "units", "render one.mid --instrument square-wave --json",
    ])
    func aClosedStandardOutputIsNoSuccess(_ arguments: String) {
        #expect(Program.shell("\"$CARILLON\" \(arguments) >&-", in: folder).exitCode == 74)
    }

    @Test func messagesNeverGoIntoTheSoundFile() {
        let run = Program.shell(
            """
            "$CARILLON" render one.mid \(options) -o open.wav
            "$CARILLON" render one.mid \(options) -o closed.wav <&- >&- 2>&-
            cmp open.wav closed.wav
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.text)")
    }

    @Test func aFormatThatCannotBeStreamedIsRefused() {
        let run = Program.shell(
            "\"$CARILLON\" render one.mid \(options) --format caf -o - | cat; exit ${PIPESTATUS[0]}", in: folder)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("caf") && run.errors.contains("flac"))
    }

    @Test func twoAtOnceIntoOneFileLeaveOneWholeFile() {
        let run = Program.shell(
            """
            "$CARILLON" render one.mid \(options) -o alone.wav --quiet || exit 1
            "$CARILLON" render one.mid \(options) -o same.wav --quiet --force & first=$!
            "$CARILLON" render one.mid \(options) -o same.wav --quiet --force & second=$!
            wait $first || exit 2
            wait $second || exit 3
            cmp alone.wav same.wav
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(folder.names == ["alone.wav", "one.mid", "same.wav"])
    }
}
