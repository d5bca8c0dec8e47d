import Foundation
import Glibc
import TestFolders
import Testing

/// A process that dies over a song says what of, and where it was.
@Suite struct RenderDeathTests {
    private let folder = TemporaryFolder()

    /// The only row of a batch.
    private func row() throws -> [String: Any] {
        let lines = folder.bytes(of: "rows").split(separator: 10)
        try #require(lines.count == 1, "\(lines.count) rows")
        return try #require(try JSONSerialization.jsonObject(with: Data(lines[0])) as? [String: Any])
    }

    private func check(_ row: [String: Any], _ status: String, _ ended: String, _ sentence: String) throws {
        #expect(row["status"] as? String == status && row["ended"] as? String == ended, "\(row)")
        #expect(row["exitCode"] as? Int == 70, "\(row)")
        let error = try #require(row["error"] as? String)
        #expect(error.wholeMatch(of: try Regex(sentence)) != nil, "\(error)")
    }

    /// Both processes that try the job die while they render; a signal that nobody handles leaves no word of their own.
    @Test(arguments: [
        ("SEGV", "signal", "crashed", "please report this with the song"),
        ("ABRT", "signal", "crashed", "please report this with the song"),
        ("XCPU", "signal", "crashed", "please report this with the song"),
        ("ILL", "trap", "a check of the program failed", "please report this with the song"),
        ("TRAP", "trap", "a check of the program failed", "please report this with the song"),
    ])
    func aSignalIsNamedInTheRow(_ signal: String, _ ended: String, _ words: String, _ remedy: String) throws {
        try kill(with: signal)
        try check(
            row(), "crashed", ended, #"one\.mid: \#(words) while rendering, at \d+\.\d{3} s \(SIG\#(signal)\); \#(remedy)"#)
    }

    @Test func aKillFromOutsideIsToldFromOurOwn() throws {
        try kill(with: "KILL")
        try check(
            row(), "crashed", "killed",
            #"one\.mid: was killed while rendering, at \d+\.\d{3} s \(SIGKILL\), not by this batch: the memory of .*"#)
    }

    /// Sends a signal to each process of a batch of one endless job as soon as it writes a file.
    private func kill(with signal: String) throws {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("jobs", Array(#"{"song": "one.mid", "instrument": "square-wave", "tail": 86400, "rate": 8000}"#.utf8))
        let run = Program.shell(
            """
            ulimit -c 0
            "$CARILLON" batch jobs --out out --quiet --jobs 1 > rows & batch=$!
            while grep -sq "^State:.[^ZX]" /proc/$batch/status; do
                child=
                read -r child _ 2> /dev/null < /proc/$batch/task/$batch/children
                [ -n "$child" ] && ls -l /proc/$child/fd 2> /dev/null | grep -q '/out/.work/[^/]*/' && kill -\(signal) $child
            done
            wait $batch
            """, in: folder)
        #expect(run.exitCode == 65, "\(run.errors)")
    }

    @Test func aBoundOfMemoryIsNamedInTheRow() throws {
        let notes = (0..<400_000).flatMap { _ in SongBytes.note(60, ticks: 1) }
        folder.add("many.mid", SongBytes.song([notes + SongBytes.end]))
        folder.add("jobs", Array(#"{"song": "many.mid", "instrument": "square-wave"}"#.utf8))
        let run = Program.shell(#""$CARILLON" batch jobs --out out --quiet --memory-limit 64 > rows"#, in: folder)
        #expect(run.exitCode == 65, "\(run.errors)")
        try check(
            row(), "crashed", "memory-limit",
            #"many\.mid: memory ran out while [a-z ]+ \(SIG[A-Z]+\); raise --memory-limit, which is 64"#)
    }

    @Test func aJobThatIsEndedSaysWhereItWas() throws {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add(
            "jobs", Array(#"{"song": "one.mid", "instrument": "square-wave", "tail": 86400, "time-limit": 0.5}"#.utf8))
        let run = Program.shell(#""$CARILLON" batch jobs --out out --quiet > rows"#, in: folder)
        #expect(run.exitCode == 65, "\(run.errors)")
        // On a busy machine it may not have begun.
        try check(
            row(), "timeout", "time-limit",
            #"one\.mid: took longer than [^,]+?( while [a-z ]+(, at \d+\.\d{3} s)?)?"#)
    }
}
