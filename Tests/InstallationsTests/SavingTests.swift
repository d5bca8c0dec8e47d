import Carillon
import Foundation
import Testing

@testable import Installations

/// What is saved in a house: into its own folder, under its own names, so much and no more.
@Suite struct SavingTests {
    private func time() throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, 12) }

    private static let patch = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, parts: 1-16}
          strip: {unit: channel-strip, role: strip, parts: 1}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections: [organ -> strip, strip -> mixer]
        outputs: mixer
        """

    /// A song that says much about how it is to sound.
    private func song() -> Song {
        var track = Track(name: "loud")
        track.events = [
            SongEvent(tick: 0, .message(MIDIMessage(status: 0xB0, data1: 91, data2: 127))),
            SongEvent(tick: 0, .message(MIDIMessage(status: 0xC0, data1: 48, data2: 0))),
        ]
        for beat in 0..<600 {
            let tick = Int64(beat) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
                SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))),
            ]
        }
        track.endTick = 600 * 480
        return Song(tracks: [track])
    }

    /// A house whose patch has a strip that the song turns.
    private func house(state: Bool = true) throws -> InstallationInTime {
        let folder = try InstallationInTime.folder([])
        try SongWriter.write(song(), path: folder + "/0.mid")
        let house = try InstallationInTime("playlists: {a: [0.mid]}", in: folder, at: try time(), state: state)
        // The patch of the house in the place of the plain one.
        try Self.patch.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        house.pass(5)
        return house
    }

    private func saved(_ house: InstallationInTime, _ command: ControlCommand) throws -> String {
        guard case .saved(let path) = try house.runner.perform(command) else { return "" }
        return path
    }

    private func names(_ folder: String) -> [String] {
        // Other tests may work here too: what would be saved is what counts.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { folder != "." || $0.hasPrefix("recording-") || $0.hasPrefix("patch-") }.sorted()
    }

    @Test func everythingGoesIntoTheFolderOfTheStateAndNothingElseIsTouched() throws {
        let house = try house(), state = house.folder + "/state"
        defer { try? FileManager.default.removeItem(atPath: house.folder) }
        let before = names(house.folder), here = names(".")
        let recording = try saved(house, .saveRecording(path: nil)), patch = try saved(house, .savePatch(path: nil))
        let preset = try saved(house, .savePreset(unit: "mixer", name: "soft"))
        #expect(recording.hasPrefix(state + "/recordings/recording-") && recording.hasSuffix(".mid"))
        #expect(patch.hasPrefix(state + "/patches/patch-") && preset == state + "/presets/multichannel-mixer/soft.yaml")
        for path in [recording, String(recording.dropLast(4)) + ".journal", patch, preset] {
            #expect(FileManager.default.fileExists(atPath: path), "\(path)")
        }
        #expect(names(house.folder) == before && names(".") == here)
        #expect(try String(contentsOfFile: house.folder + "/patch.yaml", encoding: .utf8) == Self.patch)
        // A name of somebody's is no name here, whoever asks.
        for command: ControlCommand in [
            .savePatch(path: house.folder + "/patch.yaml"), .saveRecording(path: house.folder + "/0.mid"),
            .saveRecording(path: "x", .notes),
            .savePreset(unit: "mixer", name: "../soft"),
        ] { #expect(throws: Fault.self) { try house.runner.perform(command) } }
        #expect(names(house.folder) == before && names(state + "/presets") == ["multichannel-mixer"])
        house.runner.finish()
    }

    @Test func aPresetThatWasSavedIsThere() throws {
        let house = try house()
        defer { try? FileManager.default.removeItem(atPath: house.folder) }
        let session = try #require(house.runner.session)
        try house.runner.perform(.set("mixer.volume=-20dB"))
        try house.runner.perform(.savePreset(unit: "mixer", name: "soft"))
        #expect(throws: Fault.self) { try house.runner.perform(.savePreset(unit: "mixer", name: "soft")) }
        try house.runner.perform(.set("mixer.volume=0dB"))
        try house.runner.perform(.preset(unit: "mixer", name: "soft"))
        #expect(try session.engine.value("mixer.volume") == -20)
        try house.runner.perform(.savePreset(unit: "mixer", name: "soft", replaces: true))
        house.runner.finish()
    }

    @Test func whatASongHasMovedIsNotThePatchs() throws {
        let house = try house()
        defer { try? FileManager.default.removeItem(atPath: house.folder) }
        let session = try #require(house.runner.session)
        // The song has turned its strip, and somebody the mixer, a moment ago.
        #expect(try session.engine.value("strip.reverb-send") == 1)
        try house.runner.perform(.set("mixer.volume=-9dB"))
        let patch = try PatchFile(path: try saved(house, .savePatch(path: nil))).patch
        #expect(patch[unit: "strip"]?.values["reverb-send"] == nil && patch.zones.isEmpty, "\(patch)")
        #expect(patch[unit: "mixer"]?.values["volume"] == [-9])
        // What somebody turns as well is his, though the song had it first.
        try house.runner.perform(.set("strip.reverb-send=0.25"))
        let other = try PatchFile(path: try saved(house, .savePatch(path: nil))).patch
        #expect(other[unit: "strip"]?.values["reverb-send"] == [0.25])
        house.runner.finish()
    }

    @Test func theOldestGoesAndThatIsTold() throws {
        let house = try house(), recordings = house.folder + "/state/recordings"
        defer { try? FileManager.default.removeItem(atPath: house.folder) }
        var last = ""
        for _ in 0..<26 { last = try saved(house, .saveRecording(path: nil)) }
        house.pass(0.2)
        let names = names(recordings)
        #expect(names.count { $0.hasSuffix(".mid") } == 20 && names.count == 40, "\(names.count)")
        #expect(FileManager.default.fileExists(atPath: last))
        #expect(house.lines.count { $0.contains(" is gone: ") } == 6, "\(house.lines)")
        house.runner.finish()
    }

    @Test func bytesAreBoundedAsWell() throws {
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (number, size) in [100, 200, 300, 400].enumerated() {
            let path = "\(folder)/a-\(number).mid"
            try Data(count: size).write(to: URL(filePath: path))
            var times = [timespec(tv_sec: 1000 + number, tv_nsec: 0), timespec(tv_sec: 1000 + number, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, &times, 0)
        }
        try Data(count: 5000).write(to: URL(filePath: folder + "/b.mid"))
        let (gone, faults) = KeptFiles(in: [folder], prefix: "a-").thin(most: 10, bytes: 750, keeping: folder + "/a-0.mid")
        #expect(gone == [folder + "/a-1", folder + "/a-2"] && faults.isEmpty)
        #expect(names(folder) == ["a-0.mid", "a-3.mid", "b.mid"])
        // One that is larger than all may be stays until the next.
        #expect(KeptFiles(in: [folder]).thin(most: 10, bytes: 1, keeping: folder + "/b.mid").gone.count == 2)
        #expect(names(folder) == ["b.mid"])
    }

    @Test func withoutAFolderNothingIsSaved() throws {
        let house = try house(state: false), here = names("."), before = names(house.folder)
        defer { try? FileManager.default.removeItem(atPath: house.folder) }
        for command: ControlCommand in [
            .savePatch(path: nil), .saveRecording(path: nil), .savePreset(unit: "mixer", name: "soft"),
        ] {
            #expect(throws: Fault.self) { try house.runner.perform(command) }
        }
        #expect(names(".") == here && names(house.folder) == before)
        house.runner.finish()
    }
}
