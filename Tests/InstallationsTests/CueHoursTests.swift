import Carillon
import Foundation
import Testing

@testable import Installations

/// Cues whose time is that of a change of the calendar: each is done or refused with its reason, and a dry run says the same.
@Suite struct CueHoursTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    /// Two songs of an hour, one of four seconds, and a bell of 2.5 seconds.
    private func folder() throws -> String {
        let folder = try InstallationInTime.folder([36_000, 36_000, 40])
        try CueTests.bell(seconds: 2.5, to: folder + "/bell.wav")
        return folder
    }

    private static let text = """
        rate: 8000
        fade: 2 s
        playlists: {day: [0.mid], night: [1.mid]}
        calendar:
          day: {from: "9:00", to: "9:01", playlist: day}
          night: {from: "9:01", to: "9:03", playlist: night}
          hush: {from: "9:00:15", to: "9:00:20", level: -12 dB}
          tour: {from: "9:00:30", to: "9:00:45", paused: yes}

        """

    /// What a house says from one time of day on, and what a dry run says of it.
    private func lines(_ text: String, in folder: String, seconds: Int) throws -> (house: [String], dry: [String]) {
        let start = try time(8, 59), house = try InstallationInTime(text, in: folder, at: start)
        house.pass(Double(seconds))
        let peak = house.peak
        #expect(peak < 1)
        var dry = DryRun(
            house.runner.installation, playlists: house.runner.installation.playlists().lists, zone: WallZoneTests.berlin)
        var said: [String] = []
        let from = WallZoneTests.berlin.moment(of: start)
        _ = dry.run(from: from, to: from + Int64(seconds)) { said.append("\($0.local.civil.timeOfDay) \($0.event.sentence)") }
        house.runner.finish()
        // The first thing that a house which begins closed says, and when it opens again.
        let told = house.lines.filter { !$0.contains("has ended") }
        return (told.filter { $0 != told.first || !$0.contains("closes") }.map { Self.short($0) }, said.map { Self.short($0) })
    }

    private static func short(_ line: String) -> String {
        line.range(of: " closes").map { String(line[..<$0.upperBound]) } ?? line
    }

    @Test func aBellRingsAtEveryChangeAndADryRunSaysSo() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (house, dry) = try lines(
            Self.text + """
                cues:
                  bell: {sound: bell.wav, at: ["8:59:58", "9:00", "9:00:15", "9:00:30", "9:00:45", "9:01", "9:01:04", "9:03", "9:03:20"]}
                  slow: {do: tempo 100%, at: ["9:00", "9:01", "9:03"]}
                """, in: folder, seconds: 270)
        #expect(house == dry)
        let cues = house.filter { $0.contains("bell") || $0.contains("slow") || $0.contains("opens") || $0.contains("closes") }
        #expect(
            cues == [
                "08:59:58 cue bell is not played: the installation is closed", "09:00:00 opens: day", "09:00:00 cue bell",
                "09:00:00 cue slow", "09:00:15 cue bell", "09:00:30 cue bell", "09:00:45 cue bell", "09:01:00 cue bell",
                "09:01:00 cue slow", "09:01:04 cue bell", "09:03:00 cue bell", "09:03:00 cue slow", "09:03:00 closes",
                "09:03:20 cue bell is not played: the installation is closed",
            ])
    }

    @Test func aSongWaitsForTheMusicAndIsRefusedAfterAMinute() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (house, dry) = try lines(
            Self.text + """
                  long: {from: "9:01:20", to: "9:02:50", playlist: day, fade: 80 s}
                layers: {beat: {song: 2.mid, loops: 1, port: 1}}
                cues:
                  hymn: {song: 2.mid, at: ["9:00:30", "9:01:01", "9:01:20", "9:03", "9:03:20"]}
                  drums: {layer: beat, at: "9:01"}
                """, in: folder, seconds: 270)
        let cues = house.filter { $0.contains("hymn") || $0.contains("drums") }
        #expect(cues == dry.filter { $0.contains("hymn") || $0.contains("drums") })
        #expect(
            cues == [
                "09:00:32 cue hymn", "09:01:05 cue drums", "09:01:05 cue hymn",
                "09:02:20 cue hymn is not played: the music has been changing for 60 s",
                "09:03:00 cue hymn is not played: the installation is closed",
                "09:03:20 cue hymn is not played: the installation is closed",
            ], "\(house)")
    }

    @Test func aClosingWaitsForItsBellHalfAMinuteAtMost() throws {
        for (seconds, end) in [(2.5, 4.0), (45, 31)] {
            let folder = try folder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try CueTests.bell(seconds: seconds, to: folder + "/bell.wav")
            let house = try InstallationInTime(
                Self.text + "cues: {bell: {sound: bell.wav, duck: -120 dB, at: \"9:03\"}}\n", in: folder, at: try time(9, 2))
            house.pass(61.5)
            // The bell alone: half of full scale. The house is closed, and what is heard is told.
            #expect(abs(house.peak - 0.5) < 0.02 && house.runner.playingCues == ["bell"], "\(house.peak)")
            #expect(
                house.runner.snapshot.installation?.activity.state == .playing
                    && house.runner.snapshot.installation?.isOpen == false)
            house.pass(end - 1.5)
            #expect(house.runner.session != nil)
            house.pass(3)
            #expect(house.runner.session == nil && house.runner.snapshot.installation?.activity.state == .closed)
            #expect(!house.lines.contains { $0.contains("something is wrong") }, "\(house.lines)")
        }
    }

    @Test func whatIsAskedForByHandFollowsTheSameRule() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            Self.text
                + "cues: {bell: {sound: bell.wav}, hymn: {song: 2.mid}, held: {song: 2.mid, mode: hold, key: C2}}\nbuttons: any\n",
            in: folder, at: try time(9))
        house.pass(60.5)
        // The music goes.
        try house.runner.perform(.cue("bell"))
        house.pass(0.5)
        #expect(house.runner.playingCues == ["bell"])
        try house.runner.perform(.cue("hymn"))
        #expect(throws: Fault.self) { try house.runner.perform(.cue("hymn")) }
        for status: UInt8 in [0x90, 0x80] {
            try house.runner.session?.receive(.message(MIDIMessage(status: status, data1: 36, data2: 90)))
            house.pass(0.3)
        }
        #expect(house.song == "0.mid")
        house.pass(8)
        // The key is up again: nothing of it is left.
        #expect(house.song == "2.mid" && house.runner.playingCues == ["hymn"], "\(house.lines)")
        house.pass(6)
        #expect(house.song == "1.mid" && house.peak > 0.01)
        house.pass(105)
        #expect(house.runner.session != nil && !house.runner.isOpen)
        #expect { try house.runner.perform(.cue("bell")) } throws: { "\($0)".hasSuffix("the installation is closed") }
        house.runner.finish()
    }

    @Test func whatTheClockLeapsOverIsToldAndNothingRingsTwice() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            Self.text + "cues: {bell: {sound: bell.wav, at: [\"9:00:10\", \"9:01:30\", \"9:01:40\"]}}\n", in: folder,
            at: try time(9))
        house.pass(13)
        house.clock.wall = house.clock.wall + -5
        house.pass(6)
        house.clock.wall = house.clock.wall + 100
        house.pass(1)
        let said = house.lines.map { String($0.dropFirst(9)) }.filter { $0.hasPrefix("cue bell") && !$0.hasSuffix("has ended") }
        #expect(said == ["cue bell", "cue bell is not played: \(CueTimes.missed)"], "\(house.lines)")
        house.runner.finish()
    }

    @Test func aSoundThatAnotherFileHasNotHoldsNoClosing() throws {
        func file(_ cues: String) throws -> Installation {
            try Installation(text: "version: 1\nplaylists: {a: [0.mid]}\n" + cues, path: "house.yaml")
        }
        var cues = InstallationCues(try file("cues: {bell: {sound: bell.wav}}\n"))
        cues.sounds["bell"] = SampleTime.zero
        #expect(cues.hasSound)
        cues.replace(try file(""))
        #expect(!cues.hasSound)
    }
}
