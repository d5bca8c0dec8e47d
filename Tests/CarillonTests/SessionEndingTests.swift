import Carillon
import Foundation
import Testing

@testable import Sessions

/// How a session ends, for whoever watches that it does.
@Suite struct SessionEndingTests {
    @Test func theRecordingIsWholeBeforeTheDeviceIsClosed() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "ending-\(UUID().uuidString).wav").path
        defer { for end in ["", ".journal"] { try? FileManager.default.removeItem(atPath: path + end) } }
        var options = SessionInTime.options
        options.capturePath = path
        let time = try SessionInTime(options, [SessionInTime.listed(40)])
        // No whole second: the file is not whole by the clock.
        try time.pass(1.3)
        var stages: [Double] = [], frames: [Int64] = []
        time.session.onEnd = { seconds in
            stages.append(seconds)
            do { frames.append(try AudioFileReader(path: path).frames) } catch { frames.append(-1) }
        }
        let longest = time.session.longestFade
        try time.session.finish()
        #expect(stages == [longest, Session.filePatience, Session.devicePatience, Session.filePatience])
        let whole = try AudioFileReader(path: path).frames
        #expect(frames[0] < 62_000, "a second, by the clock")
        #expect(frames[2] > 62_400 && frames[2] <= whole, "\(frames), \(whole)")
        #expect(longest > 0.5 && longest < 0.6)
    }
}
