import Carillon
import Foundation
import Testing

@testable import Installations

/// Cues in a house that is open, in simulated time.
@Suite struct CueTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    /// Songs, and a sound of two seconds: 1 000 Hz at half of full scale.
    private func folder(_ beats: [Int]) throws -> String {
        let folder = try InstallationInTime.folder(beats)
        try Self.bell(seconds: 2, to: folder + "/bell.wav")
        return folder
    }

    /// A sound of 1 000 Hz at half of full scale.
    static func bell(seconds: Double, to path: String) throws {
        let writer = try AudioFileWriter(path: path, format: AudioFileFormat(.wav), channels: 1, sampleRate: 48_000)
        let frames = Int(seconds * 48_000)
        var samples = (0..<frames).map { Float(sin(Double($0) * 1000 / 48_000 * 2 * .pi) / 2) }
        try samples.withUnsafeMutableBufferPointer { buffer in
            let base = try #require(buffer.baseAddress)
            try writer.write([UnsafePointer(base)], frames: frames)
        }
        try writer.finish()
    }

    private func events(_ house: InstallationInTime) -> [String] { house.lines.map { String($0.dropFirst(9)) } }

    @Test func keysSwitchesAndProgramsRequestCues() throws {
        let folder = try folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func text(_ key: String) -> String {
            """
            fade: 0 s
            buttons: any
            playlists: {a: [0.mid]}
            cues:
              bell: {sound: bell.wav, key: \(key), controller: 64, channel: 3}
              hymn: {sound: bell.wav, mode: hold, key: D2}
              organ: {song: 0.mid, program: 7}
            """
        }
        let house = try InstallationInTime(text("C2"), in: folder, at: try time(12))
        house.pass(2)
        func buttons() -> [String] {
            (house.runner.session?.snapshot.buttons ?? []).map { "\($0.button)=\($0.request)" }.sorted()
        }
        let others = [
            "controller-64,channel-3=cue bell", "key-D2,release=release cue hymn", "key-D2=cue hymn", "program-7=cue organ",
        ]
        #expect(buttons() == (others + ["key-C2,channel-3=cue bell"]).sorted())
        let new = "version: 1\npatch: patch.yaml\nperiod: 480\n" + text("E2")
        _ = try house.runner.reload(Installation(text: new, path: folder + "/house.yaml"))
        #expect(buttons() == (others + ["key-E2,channel-3=cue bell"]).sorted())
        house.runner.finish()
    }

    @Test func aBellRingsOverMusicThatMakesRoomForIt() throws {
        let folder = try folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            playlists: {a: [0.mid]}
            cues: {bell: {sound: bell.wav, duck: -120 dB, level: -6 dB, at: "12:01", cool-down: 5 s}}
            """, in: folder, at: try time(12))
        house.pass(50)
        let music = house.peak
        #expect(music > 0.01)
        house.pass(11.5)
        // Nothing but the bell: half of full scale, six decibels down.
        #expect(abs(house.peak - 0.25) < 0.01, "\(house.peak)")
        #expect(house.runner.playingCues == ["bell"])
        house.pass(5)
        #expect(abs(house.peak - music) < 0.2 * music && house.runner.playingCues == [])
        #expect(events(house) == ["opens: a", "  0.mid (5:00)", "cue bell", "cue bell has ended"])
        #expect(house.lines[2].hasPrefix("12:01:00"))
        // Asked for by somebody: it rests, then it plays again.
        #expect(throws: Fault.self) { try house.runner.perform(.cue("bell")) }
        #expect(throws: Fault.self) { try house.runner.perform(.cue("gong")) }
        house.pass(0.2)
        #expect(events(house).last?.hasPrefix("cue bell is not played: it rests") == true)
        house.pass(5)
        try house.runner.perform(.cue("bell"))
        house.pass(1)
        #expect(house.runner.playingCues == ["bell"])
        house.runner.finish()
    }

    @Test func aSongTakesThePlaceOfTheMusicWhichGoesOnWhereItWas() throws {
        let folder = try folder([3000, 40])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            playlists: {a: [0.mid]}
            cues: {hymn: {song: 1.mid, key: C2}}
            buttons: any
            """, in: folder, at: try time(12), state: true)
        house.pass(20)
        let before = try #require(house.runner.session?.snapshot.transport).seconds
        // A button: its note is not heard as one.
        try house.runner.session?.receive(.message(MIDIMessage(status: 0x90, data1: 36, data2: 90)))
        house.pass(2)
        #expect(house.song == "1.mid" && house.runner.playingCues == ["hymn"])
        // A power cut now: the music is what it goes on with.
        #expect(house.runner.state?.song.hasSuffix("0.mid") == true)
        house.pass(6)
        #expect(house.song == "0.mid" && house.peak > 0.01)
        let after = try #require(house.runner.session?.snapshot.transport).seconds
        // A second of fade, four of the hymn, and it goes on at its bar.
        #expect(after > before - 0.5 && after < before + 4.5, "\(before) \(after)")
        #expect(events(house) == ["opens: a", "  0.mid (5:00)", "cue hymn", "cue hymn has ended"] + events(house).suffix(1))
        #expect(events(house).last?.hasPrefix("resumes 0.mid at bar ") == true, "\(house.lines)")
        #expect(house.clock.ports == 1)
        house.runner.finish()
    }

    @Test func aSongOnHoldEndsWithItsKeyAndTheHoursGoBeforeIt() throws {
        let folder = try folder([3000, 3000, 3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 1 s
            playlists: {a: [0.mid], b: [2.mid]}
            calendar: {day: {playlist: a}, later: {from: 12:02, to: 12:03, playlist: b}, night: {from: 12:04, to: 13:00, closed: yes}}
            cues: {hymn: {song: 1.mid, mode: hold, controller: 64}}
            buttons: any
            """, in: folder, at: try time(12))
        func pedal(_ value: UInt8) throws {
            try house.runner.session?.receive(.message(MIDIMessage(status: 0xB0, data1: 64, data2: value)))
        }
        house.pass(20)
        try pedal(127)
        house.pass(10)
        #expect(house.song == "1.mid")
        try pedal(0)
        house.pass(4)
        #expect(house.song == "0.mid" && house.peak > 0.01)
        try pedal(127)
        house.pass(60 + 40)
        // The evening has come: its playlist plays, whoever holds the pedal.
        #expect(house.song == "2.mid" && house.runner.playingCues == [], "\(house.lines)")
        house.pass(60)
        #expect(house.song == "0.mid")
        try pedal(0)
        try pedal(127)
        house.pass(3)
        #expect(house.song == "1.mid")
        house.pass(60)
        #expect(house.runner.session == nil && house.runner.playingCues == [])
        house.runner.finish()
    }

    @Test func oneCueAfterAnotherAndSongsThatTakeEachOthersPlace() throws {
        let folder = try folder([3000, 30, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            playlists: {a: [0.mid]}
            cues:
              hymn: {song: 1.mid}
              anthem: {song: 2.mid, after: hymn, priority: 1}
              bell: {sound: bell.wav, after: anthem}
            drop: inbox
            """, in: folder, at: try time(12))
        try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: true)
        house.pass(5)
        try "".write(toFile: folder + "/inbox/hymn", atomically: true, encoding: .utf8)
        house.pass(30)
        #expect(
            events(house).filter { $0.hasPrefix("cue") } == [
                "cue hymn", "cue hymn has ended", "cue anthem", "cue anthem has ended", "cue bell", "cue bell has ended",
            ], "\(house.lines)")
        #expect(house.song == "0.mid" && house.peak > 0.01 && house.runner.playingCues == [])
        // The more important one cannot be interrupted, the less important can.
        try house.runner.perform(.cue("hymn"))
        house.pass(2)
        try house.runner.perform(.cue("anthem"))
        house.pass(2)
        #expect(house.song == "2.mid")
        #expect(throws: Fault.self) { try house.runner.perform(.cue("hymn")) }
        house.pass(1)
        #expect(house.song == "2.mid" && events(house).last == "cue hymn is not played: anthem is more important")
        house.pass(20)
        #expect(house.song == "0.mid")
        house.runner.finish()
    }

    @Test func aClosedHouseHasNoCuesNorInTheMorning() throws {
        let folder = try folder([3000, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            playlists: {a: [0.mid]}
            calendar: {day: {from: 12:01, to: 13:00, playlist: a}}
            cues: {hymn: {song: 1.mid}}
            drop: inbox
            """, in: folder, at: try time(12))
        try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: true)
        house.pass(5)
        try "".write(toFile: folder + "/inbox/hymn", atomically: true, encoding: .utf8)
        #expect(throws: Fault.self) { try house.runner.perform(.cue("hymn")) }
        house.pass(80)
        #expect(
            house.song == "0.mid"
                && events(house).filter { $0.hasPrefix("cue") } == [
                    "cue hymn is not played: the installation is closed"
                ])
        try house.runner.perform(.cue("hymn"))
        house.pass(2)
        #expect(house.song == "1.mid")
        house.runner.finish()
    }

    /// A button, a time of day, the end of another cue do what a surface could ask for.
    @Test func aCueDoesWhatASurfaceCouldAskFor() throws {
        let folder = try folder([3000, 3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            playlists: {a: [0.mid, 1.mid]}
            cues:
              skip: {do: next}
              quiet: {do: [volume -20dB, tempo 90%], at: "12:00:30"}
              bell: {sound: bell.wav}
              louder: {do: volume -3dB, after: bell}
              wrong: {do: mute 99 on}
            """, in: folder, at: try time(12))
        house.pass(5)
        #expect(house.song == "0.mid")
        try house.runner.perform(.cue("skip"))
        house.pass(5)
        #expect(house.song == "1.mid" && house.runner.playingCues == [])
        let session = try #require(house.runner.session)
        #expect(session.snapshot.volume == 0)
        house.pass(30)
        #expect(session.snapshot.volume == -20 && abs((session.snapshot.transport?.rate ?? 0) - 0.9) < 1e-6)
        try house.runner.perform(.cue("bell"))
        house.pass(20)
        #expect(session.snapshot.volume == -3)
        try house.runner.perform(.cue("wrong"))
        house.pass(1)
        #expect(events(house).last?.contains("99") == true && house.song == "1.mid")
        house.runner.finish()
    }

    @Test func whatCannotBePlayedIsToldAndCostsNothingElse() throws {
        let folder = try folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            playlists: {a: [0.mid]}
            cues: {a: {sound: none.wav}, b: {song: none.mid}, c: {scene: none}, d: {sound: 0.mid}}
            """, in: folder, at: try time(12))
        house.pass(5)
        for name in ["a", "b", "c", "d"] {
            // What has no file is refused, and whoever asks is told.
            if name == "c" {
                try house.runner.perform(.cue(name))
            } else {
                #expect(throws: Fault.self) { try house.runner.perform(.cue(name)) }
            }
            house.pass(10)
        }
        #expect(
            !events(house).contains { $0 == "cue a" } && events(house).contains { $0.contains("none.wav") }
                && events(house).contains { $0.contains("scene") })
        #expect(house.song == "0.mid" && house.peak > 0.01 && house.runner.playingCues == [], "\(house.lines)")
        house.runner.finish()
    }

    @Test(arguments: [
        ("{bell: {level: 0 dB}}", "cues.bell: one of sound, song, scene, layer and do"),
        ("{bell: {sound: x, song: y}}", "cues.bell: one of sound, song, scene, layer and do"),
        ("{a b: {sound: x}}", "a name of letters, digits and hyphens"), ("{a: {sound: x, mode: togle}}", "did you mean toggle?"),
        ("{a: {sound: x, after: b}}", "cues.a.after: there is no \"b\""), ("{a: {sound: x, after: a}}", "another cue is wanted"),
        ("{a: {sound: x, at: [12:00, 25:00]}}", "cues.a.at: a time of day"), ("{a: {sound: x, key: H9}}", "a key like C2 or 36"),
        ("{a: {sound: x, controller: 120}}", "a whole number from 0 to 119"), ("{a: {sound: x, duck: 3 dB}}", "cues.a.duck: "),
        ("{a: {do: dance}}", "cues.a.do: a request like next"), ("{a: {do: [next, tempo 11]}}", "11 is out of range"),
        ("{a: {do: quit}}", "a request that a cue can make (not \"quit\")"), ("{a: {do: status}}", "cues.a.do: a request like"),
        ("{a: {sound: x, colour: red}}", "there is no \"colour\""),
    ]) func whatIsWrongHasItsPlace(_ cues: String, _ part: String) {
        #expect {
            _ = try Installation(text: "version: 1\nplaylists: {a: [x]}\ncues: \(cues)", path: "house.yaml")
        } throws: { "\($0)".hasPrefix("house.yaml:3:") && "\($0)".contains(part) }
    }
}
