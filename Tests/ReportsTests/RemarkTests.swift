import Reports
import Testing

@Suite struct RemarkTests {
    private static func kinds(_ count: Int, times: Int = 1, of subject: String = "a.mid") -> [Remark] {
        (0..<count).map { Remark(.notFollowed, subject, "thing \($0) is not followed", count: times) }
    }

    @Test func threeRemarksAreThreeLinesInTheOrderOfTheirKinds() {
        let remarks = [
            Remark(.level, "a.mid", "soft"), Remark(.notFollowed, "a.mid", "x is not followed"),
            Remark(.missing, "b.sfz", "no sample", remedy: "copy it"),
        ]
        let lines = RemarkLines(remarks)
        #expect(lines.lines == ["b.sfz: no sample; copy it", "a.mid: x is not followed", "a.mid: soft"])
        #expect(lines.hidden == [] && lines.text { _ in "carillon" } == lines.lines)
    }

    @Test func tenOfOneKindAreOneLineWithTheirCount() {
        let lines = RemarkLines(Self.kinds(10, times: 3))
        #expect(lines.lines == ["a.mid: 10 things are not followed, 30 times in all, the first: thing 0 is not followed"])
        #expect(lines.text { "carillon inspect \($0[0].subject)" }.last == "and 9 more: carillon inspect a.mid")
    }

    @Test func fourSubjectsAreThreeLinesAndTheRest() {
        let remarks = (0..<4).flatMap { Self.kinds(2, of: "\($0).mid") }
        let text = RemarkLines(remarks).text { _ in nil }
        #expect(text.count == 4 && text[3] == "and 5 more", "\(text)")
    }

    @Test func aLedgerTellsEachOnceInItsLife() {
        var ledger = RemarkLedger()
        ledger.note(Self.kinds(2) + Self.kinds(1))
        #expect(ledger.take().count == 2 && ledger.take() == [] && ledger.count == 2)
    }

    @Test func aWordIsQuotedAsAShellReadsIt() {
        #expect(ShellWord.quoted("songs/a-1.mid") == "songs/a-1.mid" && ShellWord.quoted("für.mid") == "für.mid")
        #expect(ShellWord.quoted("it's a song.mid") == #"'it'\''s a song.mid'"# && ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted("-x.mid") == "./-x.mid" && ShellWord.quoted("=x.mid") == "'=x.mid'")
    }
}
