import Carillon
import CarillonTestKit
import Foundation
import MIDI
import RealtimeCore
import Testing

@testable import EngineCore
@testable import Installations
@testable import Sessions
@testable import SongRendering

/// Weeks of an installation in minutes, at 8 kHz: the device goes and comes, the clock is set, files are read again, buttons
/// are hammered, lists are edited, people ask for this and that, and the house closes now and then. And half a day of a SoundFont
/// at 48 kHz to which the same happens.
///
/// `CARILLON_SOAK_DAYS` of it (tools/soak), or some minutes. Thirty days go over 2^31 and 2^32 frames.
@Suite(.serialized) struct InstallationSoakTests {
    private static let wanted = getenv("CARILLON_SOAK_DAYS").flatMap { Double(String(cString: $0)) }
    private static let seed = getenv("CARILLON_SOAK_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1

    /// A house to which it happens.
    enum House: CaseIterable {
        /// Open at all times, and closed at night.
        case always, byHours
        /// Open at all times, at 48 kHz with a SoundFont.
        case soundFont

        var rate: Int { self == .soundFont ? 48_000 : 8_000 }
        /// Of a SoundFont half a day where others have a month.
        var seconds: Int { Int((wanted ?? 0.02) * 86_400 / (self == .soundFont ? 60 : 1)) }
    }

    private final class World {
        var wall = WallTime(seconds: 1_800_000_000)
        var uptime = 0.0
        var port: SimulatedPort?
        var ports = 0
        /// Frames that have passed since the port began.
        var frames: Int64 = 0
        let rate: Int

        init(rate: Int) { self.rate = rate }

        func pass(tenths: Int) {
            uptime += Double(tenths) / 10
            if Int(uptime * 10) % 10 < tenths { wall = wall + Int64(max(tenths / 10, 1)) }
            port?.advance(frames: rate * tenths / 10)
            frames += Int64(rate * tenths / 10)
        }
    }

    private func song(_ beats: Int, key: UInt8, to path: String) throws {
        var track = Track(name: "song")
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 333_333))]
        for beat in 0..<beats {
            let tick = Int64(beat) * 480
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: key, data2: 100))))
            track.events.append(SongEvent(tick: tick + 300, .message(MIDIMessage(status: 0x80, data1: key, data2: 0))))
        }
        track.endTick = Int64(beats) * 480
        try SongWriter.write(Song(tracks: [track]), path: path)
    }

    private static let soundFont =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/soundfonts/carillon.sf2"

    private static let patch = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, parts: 1-16}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections: [organ -> mixer]
        outputs: mixer
        """

    private func text(_ turn: Int, _ house: House) -> String {
        let list = [
            "[0.mid, 1.mid, 2.mid]", "[2.mid, {song: 0.mid, loops: 3, fade: 4 s}, none.mid]", "{order: shuffle, songs: [.]}",
        ]
        return """
            version: 1
            \(house == .soundFont ? "soundfonts: [\(Self.soundFont)]" : "patch: patch.yaml")
            rate: \(house.rate)
            period: 256
            fade: \(turn % 3) s
            playlists: {a: \(list[turn % 3]), b: [1.mid]}
            calendar:
              all: {playlist: a}
              \(house == .byHours ? "night: {from: 22:00, to: 6:00, closed: yes}" : "night: {from: 22:00, to: 6:00, level: -20 dB}")
              noon: {from: 12:00, to: 13:00, playlist: b}
              tour: {from: 15:00, to: 15:20, paused: yes}
            cues:
              hymn: {song: 1.mid, key: C2, cool-down: 3 s}
              horn: {song: 2.mid, key: D2, mode: hold, priority: 1}
            buttons: any
            """
    }

    @Test(.timeLimit(.minutes(max(5, House.always.seconds / 8_000))), arguments: House.allCases)
    func weeksLeaveNothingBehind(_ house: House) throws {
        // Half a million states: in memory, where nobody waits for a disk.
        let place =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
        let folder = place.appending(path: "carillon-weeks-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (place, beats) in [17, 5, 90].enumerated() {
            try song(beats, key: UInt8(50 + place), to: "\(folder)/\(place).mid")
        }
        try Self.patch.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        let world = World(rate: house.rate)
        let runner = InstallationRunner(
            try Installation(text: text(0, house), path: folder + "/house.yaml"),
            in: InstallationRunner.World(
                clock: { world.wall }, uptime: { world.uptime },
                port: {
                    let port = SimulatedPort()
                    port.keepsPlayed = false
                    (world.port, world.frames) = (port, 0)
                    world.ports += 1
                    return port
                }, zone: WallZone(name: "nowhere", offset: 3600)),
            store: StateFile(folder: folder + "/state"))
        var random = SeededRandom(seed: Self.seed), sizes: [ProcessSize] = [], songs = 0, notes = 0, resumed = 0, refused = 0,
            passed = 0
        var lostUntil = 0, worst: Int64 = 0
        while passed < house.seconds {
            // Mostly a second at a time: nothing here depends on how often somebody looks.
            let tenths = Int.random(in: 0...9, using: &random) == 0 ? 1 : 10
            runner.step()
            for event in runner.takeEvents() {
                switch event {
                case .song: songs += 1
                case .resumed: resumed += 1
                case .note: notes += 1
                default: break
                }
            }
            if let session = runner.session { worst = max(worst, abs(world.frames - session.sampleTime.rawValue)) }
            world.pass(tenths: tenths)
            passed = Int(world.uptime)
            if passed >= lostUntil, world.port?.isLost == true { world.port?.isLost = false }
            switch Int.random(in: 0..<6_000, using: &random) {
            case 0:
                world.port?.isLost = true
                lostUntil = passed + Int.random(in: 1...120, using: &random)
            case 1: world.wall = world.wall + [3600, -3600, 1, -1, 61][Int.random(in: 0...4, using: &random)]
            case 2, 3:
                let new = try Installation(
                    text: text(Int.random(in: 0...2, using: &random), house), path: folder + "/house.yaml")
                // A file whose songs are not all there is refused, and the music goes on.
                do { _ = try runner.reload(new) } catch { refused += 1 }
            case 4...12:
                // Somebody hammers on the buttons.
                for _ in 0..<100 {
                    let key: UInt8 = Bool.random(using: &random) ? 36 : 38, isDown = Bool.random(using: &random)
                    try runner.session?.receive(.message(MIDIMessage(status: isDown ? 0x90 : 0x80, data1: key, data2: 90)))
                }
            case 13: runner.inbox.post(.playSong("\(Int.random(in: 0...2, using: &random))"))
            case 14: runner.inbox.post(.queueSong("\(Int.random(in: 0...2, using: &random))"))
            case 15: runner.inbox.post(.quieter(6, until: "+0:10"))
            case 16: runner.inbox.post(.closeInstallation(until: "+0:05"))
            case 17: runner.inbox.post(.playList("b", until: "+0:30"))
            case 18: runner.inbox.post(.asPlanned)
            default: break
            }
            if sizes.count < 11, passed >= sizes.count * house.seconds / 11 { sizes.append(ProcessSize()) }
        }
        print(
            "\(house), \(passed / 3600) h at \(house.rate / 1000) kHz: \(songs) songs, \(world.ports) sessions, \(resumed) resumed, \(refused) files refused, \(notes) notes, "
                + "memory \(sizes.map(\.memory)) KB, descriptors \(sizes.map(\.descriptors))")
        #expect(songs > house.seconds / 100)
        // Whatever happens to device, clock and file: the music is where the frames are, but for a buffer.
        #expect(worst <= 4 * 256, "\(worst) frames")
        world.port?.isLost = false
        if Self.wanted != nil {
            let settled = sizes[2], end = ProcessSize()
            #expect(end.descriptors <= settled.descriptors && end.threads <= settled.threads)
            #expect(end.memory - settled.memory < 8_192)
        }
        // All keys are up once the music stands still.
        if let session = runner.session {
            try session.perform(.stop)
            for _ in 0..<60 {
                try session.maintain()
                world.pass(tenths: 1)
            }
            let snapshot = session.snapshot
            #expect(
                snapshot.voices == 0 && snapshot.notes.isEmpty && snapshot.lostEvents == 0, "\(snapshot.voices) \(snapshot.notes)"
            )
        }
        runner.finish()
    }
}
