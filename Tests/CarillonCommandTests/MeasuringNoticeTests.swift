import Testing

@testable import CarillonCommand

@Suite struct MeasuringNoticeTests {
    @Test func whoWaitsForTheFirstSongIsToldOnceAndLate() {
        let notice = MeasuringNotice(), start = ContinuousClock().now
        #expect(notice.line("a.mid", at: start) == nil)
        #expect(notice.line("a.mid", at: start + .milliseconds(900)) == nil)
        #expect(notice.line("a\n.mid", at: start + .milliseconds(1_100))?.hasPrefix("a?.mid: ") == true)
        #expect(notice.line("a.mid", at: start + .seconds(9)) == nil)
    }
}
