import Glibc
import TestFolders
import Testing

@testable import CarillonCommand

/// How much lines of the log matter, and how systemd's journal is told.
@Suite struct LogOutputTests {
    @Test(arguments: [
        ("event=xrun cause=woke-late count=2 total=5 time=960000", LogLevel.warning), ("event=song name=a.mid", .info),
        ("event=device state=lost name=hw:0", .warning), ("event=device state=running name=hw:0", .info),
        ("event=output state=not-connected name=UM-ONE", .warning), ("event=output state=connected", .info),
        ("event=asked request=stop", .info), ("event=soundfonts text=x", .info),
        ("event=keyboard state=gone name=Keys", .warning), ("event=keyboard state=connected name=Keys", .info),
        ("event=message text=\"a.mid is left out\" clock=x", .warning), ("event=layer name=lost state=on", .info),
        ("", .info), ("carillon: something", .info),
    ])
    func aLineHasALevel(_ line: String, _ level: LogLevel) { #expect(LogLevel(line: line) == level) }

    @Test func aWarningMattersMore() {
        #expect(LogLevel.warning > .info && LogLevel.allCases.map(\.name) == ["info", "warning"])
    }

    @Test func aServiceWantsTroubleAloneWhereItIsTold() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let line = "$CARILLON play one.mid --device null --instrument square-wave"
        let all = Program.shell("\(line) 2> log; cat log", in: folder)
        #expect(all.text.contains("event=song") && all.text.contains("event=end"))
        let few = Program.shell("\(line) --log-level warning 2> log; cat log", in: folder)
        #expect(!few.text.contains("event=song") && few.exitCode == 0, "\(few.text)")
        #expect(Program.run(["play", "one.mid", "--log-level", "loud"], in: folder).errors.contains("not one of info, warning"))
        // The journal's own stream, and one that is not.
        let journal = Program.shell(
            "exec 2> log; export JOURNAL_STREAM=$(stat -c %d:%i log); \(line) --log-level info; cat log", in: folder)
        #expect(journal.text.contains("<6>event=song") && !journal.text.contains("\nevent="), "\(journal.text)")
        let other = Program.shell("JOURNAL_STREAM=1:2 \(line) 2> log; cat log", in: folder)
        #expect(!other.text.contains("<6>"))
    }
}
