import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// What stays on a screen that has no room for everything.
@Suite struct ScreenRoomTests {
    private let plain = ScreenTests.plain

    /// Sixteen channels on a device that is as it was wanted: what says that all is well gives way to the keys.
    @Test(arguments: [(80, 20), (80, 16), (100, 18)]) func theKeysStayAndWhatIsWellGoesFirst(_ size: (columns: Int, rows: Int)) {
        var snapshot = SnapshotSamples.karaoke
        (snapshot.device.wantedRate, snapshot.device.wantedPeriods) = (48_000, 2)
        (snapshot.xrunCauses.renderLate, snapshot.xrunCauses.driver, snapshot.lateEvents) = (0, 0, 0)
        let lines = PlayScreen.lines(snapshot, columns: size.columns, rows: size.rows, style: plain).map(\.text)
        #expect(lines.count <= size.rows && lines.contains { $0.contains("q quit") && $0.contains("panic") }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("faults") }, "\(lines)")
        snapshot.xrunCauses.driver = 1
        let faulty = PlayScreen.lines(snapshot, columns: size.columns, rows: size.rows, style: plain).map(\.text)
        #expect(faulty.contains { $0.hasPrefix("faults") && $0.contains("1 xrun") }, "\(faulty)")
    }

    /// What has no room of a table is counted where the table ends.
    @Test func linesWithoutRoomAreCounted() {
        var screen = Screen(columns: 24, style: plain)
        screen.add("device", ScreenLine("hw:0,0"), rank: 1)
        screen.add("channels", lines: (1...8).map { ScreenLine("\($0) Grand Piano  ####") }, rank: 2)
        let lines = screen.lines(rows: 6).map(\.text)
        #expect(lines.count == 6 && lines.last == "          5 Gr  +3 lines", "\(lines)")
        #expect(screen.lines(rows: 8).last?.text.hasSuffix("  +1 line") == true)
        #expect(screen.lines(rows: 9).last?.text == "          8 Grand Piano ")
    }
}
