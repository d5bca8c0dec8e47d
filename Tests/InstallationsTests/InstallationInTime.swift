import Carillon
import Foundation

@testable import Installations

/// An installation in simulated time: everything passes when the test says so.
final class InstallationInTime {
    let folder: String
    let runner: InstallationRunner
    let clock: SimulatedClock
    /// What happened, with the time on the wall.
    private(set) var lines: [String] = []
    /// Keys that began to sound, by the session's sample time.
    private(set) var onsets: [(time: Int64, key: Int)] = []

    /// A clock on the wall, a clock that nobody sets, and the device that plays.
    final class SimulatedClock {
        var wall: WallTime
        var uptime = 0.0
        var port: SimulatedPort?
        var ports = 0
        /// Seconds of the wall that are not a whole one yet.
        private var rest = 0.0

        init(_ wall: WallTime) { self.wall = wall }

        func pass(_ seconds: Double) {
            uptime += seconds
            rest += seconds
            wall = wall + Int64(rest)
            rest -= rest.rounded(.towardZero)
            port?.advance(seconds: seconds)
        }
    }

    /// Songs of so many beats of `beat` seconds each, on a key of their own from 60 on, called `N.mid`.
    static func folder(_ beats: [Int], beat: Double = 0.1) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-house-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (place, count) in beats.enumerated() {
            try song(count, key: 60 + place, beat: beat).write(to: "\(folder)/\(place).mid")
        }
        return folder
    }

    struct Beats {
        let song: Song
        func write(to path: String) throws { try SongWriter.write(song, path: path) }
    }

    static func song(_ beats: Int, key: Int, beat: Double = 0.1) -> Beats {
        var track = Track(name: "beats")
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: UInt32(beat * 1e6)))]
        for number in 0..<beats {
            let tick = Int64(number) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: UInt8(key), data2: 100))),
                SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: UInt8(key), data2: 0))),
            ]
        }
        track.endTick = Int64(beats) * 480
        return Beats(song: Song(tracks: [track]))
    }

    /// A patch of one square wave: light, and it needs no SoundFont.
    static let patch = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, parts: 1-16}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections: [organ -> mixer]
        outputs: mixer
        """

    /// - Parameters:
    ///   - text: the installation, without its version and its patch.
    ///   - state: whether it is written down, in the folder.
    init(
        _ text: String, in folder: String, at moment: CivilTime, state: Bool = false, clock: SimulatedClock? = nil
    ) throws {
        self.folder = folder
        try Self.patch.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        let clock = clock ?? SimulatedClock(WallZoneTests.berlin.moment(of: moment))
        self.clock = clock
        let installation = try Installation(
            text: "version: 1\npatch: patch.yaml\nperiod: 480\n" + text, path: folder + "/house.yaml")
        var world = InstallationRunner.World(
            clock: { clock.wall }, uptime: { clock.uptime },
            port: {
                let port = SimulatedPort()
                clock.port = port
                clock.ports += 1
                return port
            }, zone: WallZoneTests.berlin)
        world.isThere = { name, _ in !name.hasPrefix("hw:Gone") }
        runner = InstallationRunner(
            installation, in: world, store: state ? StateFile(folder: folder + "/state") : nil)
    }

    private var isObserved: Session?

    /// Lets so many seconds pass, a tenth at a time.
    func pass(_ seconds: Double) {
        for _ in 0..<Int((seconds * 10).rounded()) {
            runner.step()
            let shown = WallZoneTests.berlin.civil(at: clock.wall).timeOfDay
            lines += runner.takeEvents().map { "\(shown) \($0.sentence)" }
            clock.pass(0.1)
        }
    }

    /// What is heard now: the loudest sample of the last tenth of a second.
    var peak: Float {
        guard let left = clock.port?.played.first else { return 0 }
        return left.suffix(4_800).reduce(0) { max($0, abs($1)) }
    }

    var song: String? { runner.session?.snapshot.transport?.song }
}
