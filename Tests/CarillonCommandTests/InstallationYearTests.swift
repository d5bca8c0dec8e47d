import Carillon
import CarillonTestKit
import Foundation
import RemoteIO
import Reports
import Testing

@testable import CarillonCommand
@testable import Control
@testable import EngineCore
@testable import Installations
@testable import Sessions
@testable import SongRendering

/// A year of a house with whatever happens to one: everything that tells how it stands says the same, every minute, and what is
/// heard agrees with that.
@Suite struct InstallationYearTests {
    private static func number(_ name: String) -> Double? { getenv(name).flatMap { Double(String(cString: $0)) } }
    /// The unoptimised program is thirty times slower.
    private static let share = _isDebugAssertConfiguration() ? 0.05 : 1

    /// A piece of the year, of which a second in each minute is rendered, and more where something changes. By hand: CARILLON_YEAR_DAYS=365.
    @Test(arguments: 0..<4) func everySurfaceSaysTheSame(_ piece: Int) throws {
        let days = (Self.number("CARILLON_YEAR_DAYS") ?? 8 * Self.share) / 4
        let house = try HouseWithFaults(day: Int(Double(piece) * days), seed: UInt64(piece))
        defer { house.end() }
        for _ in 0..<Int(days * 1440) {
            house.happen()
            house.pass(seconds: 1)
            // What fades when the house closes is not heard any more when time leaps.
            if !house.isSteady { house.pass(seconds: 9) }
            house.leap(seconds: 59)
            try house.check()
        }
        #expect(house.told.count >= 3, "\(house.told)")
        try house.checkPage()
        print("\(days) days: \(house.told.sorted { $0.key < $1.key })")
    }

    /// Days of which every sample is rendered, at 8 kHz. By hand: ten seeds of CARILLON_HEARD_DAYS=3.
    @Test(arguments: 0..<2) func whatIsToldIsHeard(_ start: Int) throws {
        let wanted = Self.number("CARILLON_HEARD_DAYS")
        for seed in wanted == nil ? [start] : Array(stride(from: start, to: 10, by: 2)) {
            let house = try HouseWithFaults(day: seed * 29, seed: UInt64(100 + seed))
            defer { house.end() }
            for _ in 0..<Int((wanted ?? 0.5 * Self.share) * 1440) {
                house.happen()
                house.pass(seconds: 60)
                try house.check()
                house.checkSound()
            }
            print("seed \(seed): \(house.told.sorted { $0.key < $1.key }), \(house.heard) minutes heard, \(house.silent) silent")
            #expect(house.heard > 0)
        }
    }
}

/// An installation in simulated time to which things happen: cards go, folders go, people stop and go on and have wishes.
private final class HouseWithFaults {
    private typealias State = InstallationStatus.Activity.State

    private static let text = """
        version: 1
        patch: patch.yaml
        rate: 8000
        period: 256
        fade: 0.3 s
        playlists:
          day: [songs/0.mid, songs/1.mid]
          evening: {songs: [songs/2.mid, songs/0.mid], pause: 20 s}
        calendar:
          weekdays: {days: mon-fri, from: "9:00", to: "18:00", playlist: day}
          party: {days: sat, from: "20:00", to: "2:00", playlist: evening, level: -6 dB}
          sunday: {days: sun, from: "11:00", to: "17:00", playlist: evening}
          tour: {from: "15:00", to: "15:20", paused: yes}
          hush: {days: wed, from: "12:00", to: "12:30", level: -18 dB}
          holiday: {dates: [05-01], closed: yes}

        """
    private static let patch = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, parts: 1-16}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections: [organ -> mixer]
        outputs: mixer
        """
    private static let zone = WallZone(
        name: "Europe/Berlin", offset: 3600,
        changes: [(WallTime(seconds: 1_774_746_000), 7200), (WallTime(seconds: 1_792_890_000), 3600)])

    /// Minutes of each state.
    private(set) var told: [String: Int] = [:]
    /// Minutes in which something was heard all the time, and nothing.
    private(set) var heard = 0, silent = 0
    private let folder: String
    private let calendar: InstallationCalendar
    private var wall: WallTime
    private var uptime = 1000.0
    private var port: SimulatedPort?
    private var runner: InstallationRunner!
    private let exchange: ControlExchange
    private var random: SeededRandom
    /// When a card, or the folder of songs, is there again.
    private var cardIsBack: Double?, folderIsBack: Double?
    /// States of this minute, one a second, and the snapshot of the last.
    private var states: [InstallationStatus.Activity] = [], snapshot = SessionSnapshot()
    /// The state that the minute before ended with.
    private var former = State.closed
    /// The time since when the house's own trouble could be known.
    private var wrongSince: Double?
    /// Each house as its status tells it, once for each way of saying it.
    private var houses: [String: (house: InstallationStatus, json: String)] = [:]

    init(day: Int, seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        // Ten minutes before the house opens, from the new year of 2026 in Berlin on.
        wall = WallTime(seconds: 1_767_222_000) + Int64(day) * 86_400 + 31_800
        folder = FileManager.default.temporaryDirectory.appending(path: "carillon-year-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder + "/songs", withIntermediateDirectories: true)
        for (place, beats) in [280, 90, 150].enumerated() {
            try Self.write(beats, key: 50 + place, to: "\(folder)/songs/\(place).mid")
        }
        try Self.patch.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        let installation = try Installation(text: Self.text, path: folder + "/house.yaml")
        calendar = InstallationCalendar(installation.calendar, in: Self.zone)
        exchange = try ControlExchange(inbox: CommandInbox(), grammar: .installation, role: .readOnly, path: folder, clock: { 0 })
        let world = InstallationRunner.World(
            clock: { [unowned self] in wall }, uptime: { [unowned self] in uptime },
            port: { [unowned self] in
                let port = SimulatedPort(refusal: cardIsBack == nil ? nil : .noSoundCard(device: "default"))
                self.port = port
                return port
            }, zone: Self.zone)
        runner = InstallationRunner(installation, in: world, store: nil)
    }

    func end() {
        runner.finish()
        // A folder that is left behind says nothing about the house.
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder): \(error)") }
    }

    private static func write(_ beats: Int, key: Int, to path: String) throws {
        var track = Track(name: "beats")
        for beat in 0..<beats {
            let tick = Int64(beat) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: UInt8(key), data2: 100))),
                SongEvent(tick: tick + 400, .message(MIDIMessage(status: 0x80, data1: UInt8(key), data2: 0))),
            ]
        }
        track.endTick = Int64(beats) * 480
        try SongWriter.write(Song(tracks: [track]), path: path)
    }

    // MARK: - What happens

    /// What may happen in a minute.
    func happen() {
        if let back = cardIsBack, uptime >= back {
            port?.isLost = false
            cardIsBack = nil
        }
        if let back = folderIsBack, uptime >= back {
            rename(folder + "/gone", folder + "/songs")
            folderIsBack = nil
        }
        let phone = Asker(surface: "page", address: "192.168.1.\(Int.random(in: 2..<9, using: &random))", role: "full")
        let time = ["+0:20", "+1:00", "23:30"].randomElement(using: &random)
        switch Int.random(in: 0..<600, using: &random) {
        case 0:
            port?.isLost = true
            cardIsBack = uptime + Double(Int.random(in: 1...30, using: &random)) * 60
        case 1:
            if folderIsBack == nil, rename(folder + "/songs", folder + "/gone") == 0 { folderIsBack = uptime + 900 }
        case 2...4: runner.inbox.post(.pause, by: phone)
        case 5, 6: runner.inbox.post(.stop, by: phone)
        case 7...14: runner.inbox.post(.play, by: phone)
        case 15: runner.inbox.post(.closeInstallation(until: time), by: phone)
        case 16: runner.inbox.post(.openInstallation(until: time), by: phone)
        case 17: runner.inbox.post(.playList("evening", until: time), by: phone)
        case 18: runner.inbox.post(.quieter(6, until: time), by: phone)
        case 19: runner.inbox.post(.asPlanned, by: phone)
        case 20: wall = wall + [61, -61].randomElement(using: &random)!
        default: break
        }
    }

    /// True while nothing has changed since the minute before.
    var isSteady: Bool { Set(states.map(\.state)) == [former] }

    func pass(seconds: Int) {
        former = states.last?.state ?? .closed
        states = []
        for _ in 0..<seconds {
            for _ in 0..<10 {
                runner.step()
                uptime += 0.1
                port?.advance(frames: 800)
            }
            wall = wall + 1
            _ = runner.takeEvents()
            look()
        }
    }

    /// Lets time pass in which nobody looks and nothing is rendered.
    func leap(seconds: Int) {
        uptime += Double(seconds)
        wall = wall + Int64(seconds)
        runner.step()
        look()
    }

    private func look() {
        snapshot = runner.snapshot
        guard let activity = snapshot.installation?.activity else { return }
        states.append(activity)
        if isWrong(activity) { wrongSince = wrongSince ?? uptime } else { wrongSince = nil }
    }

    /// A house that is open, should sound and does not.
    private func isWrong(_ activity: InstallationStatus.Activity) -> Bool {
        switch activity.state {
        case .closed, .playing, .between: false
        case .opening: true
        case .paused, .stopped, .silent:
            !(activity.state == .paused && activity.by == "the calendar") && !runner.situation.isPaused
        }
    }

    // MARK: - What is told

    /// Everything that tells how the house stands says the same.
    func check() throws {
        let house = try #require(snapshot.installation), activity = house.activity, shown = "\(wall.seconds) \(activity)"
        told[activity.state.rawValue, default: 0] += 1
        // The calendar and the wishes alone decide whether it is closed; a clock that was set back does not open anything twice.
        if house.wishes.isEmpty, runner.situation == calendar.situation(at: wall) {
            #expect((activity.state == .closed) == (calendar.situation(at: wall).playlist == nil), "\(shown)")
        }
        #expect((activity.state == .closed) == !house.isOpen && house.isOpen == runner.isOpen, "\(shown)")
        if cardIsBack != nil, house.isOpen { #expect(activity.state == .silent, "\(shown)") }
        // Health is red when and only when it has been wrong for half a minute.
        exchange.publish(snapshot) { _ throws(Fault) in .done }
        let health = exchange.answer(ControlQuestion.health), wrong = wrongSince.map { uptime - $0 }
        #expect((health != "ok") == (house.trouble != nil), "\(shown): \(health)")
        if let wrong, wrong > 31 { #expect(health.hasPrefix("error "), "\(shown): wrong for \(wrong) s") }
        if wrong.map({ $0 < 29 }) ?? true { #expect(health == "ok", "\(shown): \(health)") }
        if let trouble = house.trouble { #expect(health.hasSuffix("since \(trouble.since)"), "\(shown): \(health)") }
        let metrics = SessionMetrics(snapshot, of: .installation, memory: 0).prometheusText
        for state in InstallationStatus.Activity.State.allCases {
            let line = "carillon_house_state{state=\"\(state.rawValue)\"} \(state == activity.state ? 1 : 0)\n"
            #expect(metrics.contains(line), "\(shown)")
        }
        #expect(metrics.contains("carillon_house_open \(house.isOpen ? 1 : 0)\n"), "\(shown)")
        let status = InstallationWatch.status(runner, snapshot)
        #expect(status.contains(activity.state == .playing ? runner.situation.words : activity.sentence), "\(status)")
        #expect(status.contains("; ") == (house.trouble != nil), "\(status)")
        let kind =
            "\(activity.state) \(activity.by != nil) \(house.trouble != nil) \(house.next?.what ?? "") \(house.playlist ?? "")"
        if houses[kind] == nil { houses[kind] = (house, house.fieldValue.json) }
    }

    /// What was heard in the last minute agrees with what was told all through it.
    func checkSound() {
        let sound = port?.takeHeard() ?? [], shown = "\(wall.seconds) \(states.last.map { "\($0)" } ?? "")"
        var loudest: [Float] = []
        for second in stride(from: 0, to: sound.first?.count ?? 0, by: 8000) {
            let powers = sound[0][second..<min(second + 8000, sound[0].count)].reduce(Float(0)) { $0 + $1 * $1 }
            loudest.append((powers / 8000).squareRoot())
        }
        switch Set(states.map(\.state)) {
        case [.playing]:
            heard += 1
            #expect(loudest.count >= 59 && loudest.dropFirst().dropLast().allSatisfy { $0 > 0.001 }, "\(shown) \(loudest)")
        case [.closed], [.paused], [.stopped], [.silent]:
            // What began to be so in the minute before still dies away.
            let end = loudest.dropFirst(3)
            silent += 1
            #expect(end.allSatisfy { $0 < 0.00003 }, "\(shown) \(end)")
        default: break
        }
    }

    /// The page's own words, where there is something that can run them without a browser.
    func checkPage() throws {
        let node = "/usr/bin/node"
        guard access(node, X_OK) == 0 else { return print("the page's words are not looked at: there is no \(node)") }
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let script = """
            import { houseWords } from 'file://\(root)/Sources/CPageData/page/house.js';
            let text = '';
            for await (const piece of process.stdin) text += piece;
            const words = JSON.parse(text).map((house) => houseWords(house, \(wall.seconds) * 1000, () => 60));
            console.log(words.map(({ state, isClosed, trouble }) => [isClosed, trouble ?? '', state].join('\\t')).join('\\n'));
            """
        let houses = houses.values.sorted { $0.json < $1.json }, process = Process(), input = Pipe(), output = Pipe()
        process.executableURL = URL(filePath: node)
        process.arguments = ["--input-type=module", "--eval", script]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("[\(houses.map(\.json).joined(separator: ","))]".utf8))
        try input.fileHandleForWriting.close()
        let words = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        process.waitUntilExit()
        try #require(words.count == houses.count && process.terminationStatus == 0)
        for (line, (house, json)) in zip(words, houses) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init),
                sentence = house.activity.sentence
            #expect(parts[0] == "\(house.activity.state == .closed)", "\(json)")
            #expect(parts[1].isEmpty == (house.trouble == nil) && parts[1].hasSuffix(house.trouble?.reason ?? ""), "\(line)")
            // The page sets numbers with their units, and a minus that is one.
            let said = parts[2].replacing("\u{a0}", with: " ").replacing("\u{2212}", with: "-")
            #expect(said.lowercased().hasPrefix(sentence.lowercased()), "\(line): \(json)")
        }
    }
}
