import Carillon
import Foundation
import Installations
import Reports
import Testing

@testable import Control
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A snapshot as JSON and as metrics.
@Suite struct StatusTests {
    private static var snapshot: SessionSnapshot {
        var snapshot = SessionSnapshot()
        snapshot.sampleTime = SampleTime(96_000)
        (snapshot.xrunCauses.renderLate, snapshot.xrunCauses.wokeLate, snapshot.xrunCauses.driver) = (1, 2, 3)
        snapshot.load = 0.123_456
        snapshot.worstLoad = .nan
        snapshot.levels = [.init(peak: -3, average: -.infinity), .init(peak: .infinity, average: .nan)]
        snapshot.scenes = ["a \"b\"\\\n\r\u{1}\u{2028}\u{202E}", "鐘🔔"]
        snapshot.device.state = "running"
        snapshot.device.latencyMilliseconds = 12.5
        snapshot.transport = .init(
            song: "song.mid", number: 2, count: 3, isPlaying: true, seconds: 61.5, length: 120, bar: 12, beat: 3, tempo: 108,
            rate: 0.9, transpose: -2, repetition: .off, channels: [1, 10], muted: [10], soloed: [])
        return snapshot
    }

    private func read(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func aSnapshotIsALineOfJSON() throws {
        let text = SessionVocabulary.installation.status(Self.snapshot).json
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{2028}" && $0 != "\u{202E}" })
        let status = try read(text)
        #expect(status["statusVersion"] as? Int == 1 && status["frames"] as? Int == 96_000)
        #expect(status["load"] as? Double == 0.1235 && status["worstLoad"] is NSNull)
        #expect(status["scenes"] as? [String] == Self.snapshot.scenes)
        #expect(status["patches"] is NSNull && status["metronome"] is NSNull && status["following"] is NSNull)
        let song = try #require(status["song"] as? [String: Any])
        #expect(song["bar"] as? Int == 12 && song["isPlaying"] as? Bool == true && song["muted"] as? [Int] == [10])
        let levels = try #require(status["levels"] as? [[String: Any]])
        #expect(levels[0]["peak"] as? Double == -3 && levels[0]["average"] is NSNull && levels[1]["peak"] is NSNull)
    }

    @Test func aMasterThatIsFollowedStandsInIt() throws {
        var snapshot = Self.snapshot
        snapshot.following = .init(name: "TR", port: "TR-8S MIDI 1", state: .locked, tempo: 120.25, isPlaying: true)
        let master = try #require(try read(SessionVocabulary.installation.status(snapshot).json)["following"] as? [String: Any])
        #expect(master["name"] as? String == "TR" && master["port"] as? String == "TR-8S MIDI 1")
        #expect(master["state"] as? String == "locked" && master["tempo"] as? Double == 120.25)
        #expect(master["isPlaying"] as? Bool == true && master["isHeld"] as? Bool == false)
    }

    @Test func aSecondDeviceStandsInItAndIsMeasured() throws {
        var snapshot = Self.snapshot
        var output = DeviceOutputState(unit: "cue \"left\"", wanted: ["hw:1", "null"], name: "hw:1", state: "lost")
        (output.drift, output.xruns, output.missingFrames, output.fault) = (12.5, 3, 960, "hw:1 is gone")
        snapshot.deviceOutputs = [output]
        let outputs = try #require(
            try read(SessionVocabulary.installation.status(snapshot).json)["deviceOutputs"] as? [[String: Any]])
        #expect(outputs.count == 1 && outputs[0]["unit"] as? String == "cue \"left\"" && outputs[0]["xruns"] as? Int == 3)
        #expect(outputs[0]["wanted"] as? [String] == ["hw:1", "null"] && outputs[0]["fault"] as? String == "hw:1 is gone")
        #expect(outputs[0]["delayMilliseconds"] is NSNull && outputs[0]["drift"] as? Double == 12.5)
        let lines = SessionMetrics(snapshot).prometheusText.split(separator: "\n")
        #expect(lines.contains("carillon_device_output_running{unit=\"cue \\\"left\\\"\"} 0"))
        #expect(lines.contains("carillon_device_output_xruns_total{unit=\"cue \\\"left\\\"\"} 3"))
        #expect(lines.contains("carillon_device_output_missing_frames_total{unit=\"cue \\\"left\\\"\"} 960"))
    }

    @Test func theKeysAreAlwaysTheSame() throws {
        let empty = SessionSnapshot()
        #expect(
            try read(SessionVocabulary.installation.status(empty).json).keys.sorted()
                == read(SessionVocabulary.installation.status(Self.snapshot).json).keys.sorted())
    }

    @Test func anyNumberIsJSON() throws {
        for number in [0, -0.0, 1e300, -1e300, 1e-300, .infinity, -.infinity, .nan, 1 / 3, Double(Int64.max), 0.1] {
            let text = FieldValue.list([.number(number)]).json
            let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
            #expect(
                number.isFinite ? abs((read[0] as? Double ?? .nan) - number) <= max(1e-4, abs(number) * 1e-12) : read[0] is NSNull
            )
        }
    }

    @Test func metricsAreALineOfJSON() throws {
        let metrics = try #require(try read(SessionMetrics(Self.snapshot).json)["metrics"] as? [[String: Any]])
        #expect(metrics.count == SessionMetrics.metrics(.standard).count)
        let xruns = try #require(metrics.first { $0["name"] as? String == "xruns" }?["values"] as? [[String: Any]])
        #expect(xruns.map { $0["cause"] as? String } == ["render-late", "woke-late", "driver"])
        #expect(xruns.map { $0["value"] as? Int } == [1, 2, 3])
    }

    @Test func aPrometheusServerReadsThem() throws {
        let lines = SessionMetrics(Self.snapshot, memory: 4096).prometheusText.split(
            separator: "\n", omittingEmptySubsequences: false)
        let expected = [
            "# HELP carillon_frames_total Frames rendered so far.", "# TYPE carillon_frames_total counter",
            "carillon_frames_total 96000", "# HELP carillon_xruns_total Interruptions of the sound by cause.",
            "# TYPE carillon_xruns_total counter", "carillon_xruns_total{cause=\"render-late\"} 1",
            "carillon_xruns_total{cause=\"woke-late\"} 2", "carillon_xruns_total{cause=\"driver\"} 3",
        ]
        let first = try #require(lines.firstIndex { $0 == expected[3] })
        #expect((lines.prefix(3) + lines[first..<(first + 5)]).map(String.init) == expected)
        #expect(
            lines.contains("carillon_device_latency_seconds 0.0125") && lines.contains("carillon_peak_dbfs{channel=\"1\"} -3"))
        #expect(lines.contains("carillon_resident_memory_bytes 4096") && lines.last == "")
        #expect(!lines.contains { $0.contains("nan") || $0.contains("inf") })
        // A type for each name, a name for each value.
        for line in lines where !line.hasPrefix("#") && !line.isEmpty {
            let name = line.prefix { $0 != " " && $0 != "{" }
            #expect(lines.contains { $0.hasPrefix("# TYPE \(name) ") }, "\(line)")
        }
    }

    @Test func namesAreDifferentAndWithoutASongThereIsNone() {
        let declarations = SessionMetrics.metrics(.installation)
        #expect(Set(declarations.map(\.prometheusName)).count == declarations.count)
        #expect(declarations.allSatisfy { $0.help.hasSuffix(".") && $0.name.allSatisfy { $0.isLowercase || $0 == "_" } })
        #expect(!SessionMetrics(SessionSnapshot()).prometheusText.contains("song_bar"))
    }
}
