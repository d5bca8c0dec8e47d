import AudioFiles
import Carillon
import Glibc
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import TestFolders
import Testing

@testable import Sessions

/// An evening of twenty patches, eight songs and a loop: all input is MIDI at a port, and no request is sent.
@Suite struct WholeEveningTests {
    /// What a foot board sends, and what it requests.
    private enum Foot {
        static let next: UInt8 = 80, toggle: UInt8 = 81, tap: UInt8 = 82, pedal: UInt8 = 83, undo: UInt8 = 84
        static let metronome: UInt8 = 85, save: UInt8 = 86, record: UInt8 = 87
    }

    private let place = TemporaryFolder()
    private var folder: String { place.path }
    private let port = SimulatedPort()
    private let keyboards: SimulatedKeyboards
    private let session: Session
    /// The notes that were performed, by their frames; and the frames at which keys were pressed.
    private final class Heard {
        var played: [(time: Int64, key: UInt8)] = [], pressed: [(time: Int64, key: UInt8)] = []
    }
    private let heard = Heard()

    init() throws {
        let folder = place.path
        let port = port
        keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = try Self.options(folder)
        options.capturePath = "\(folder)/evening.wav"
        session = try Session(options, songs: Self.songs, on: port, midi: keyboards)
        let heard = heard
        session.onPerformance = { performance in
            for entry in performance.entries {
                guard case .music(.message(let message)) = entry.event, message.beginsNote else { continue }
                heard.played.append((entry.time.rawValue, message.data1))
            }
        }
        keyboards.plug("Keystation")
        try session.start()
        try pass(4_800)
    }

    private static let songs = (0..<8).map { SessionInTime.listed(64, key: UInt8(24 + $0), beatFrames: 24_000) }

    private static func options(_ folder: String) throws -> LiveOptions {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.patches = try (1...20).map { number in
            let text = """
                version: 1
                units:
                  lead: {unit: square-wave, role: instrument}
                  mixer: {unit: multichannel-mixer, role: master, values: {gain: -\(number) dB}}
                connections: [lead -> mixer]
                outputs: mixer
                """
            var entry = ListedPatch("patch \(number)", try PatchFile(text: text, units: UnitCatalog.entries).patch)
            entry.program = number - 1
            if number <= songs.count { entry.song = number }
            if number == 20 { entry.loops = "\(folder)/loops" }
            return entry
        }
        (options.songsHaveOwnInstruments, options.songsWait) = (true, true)
        options.device.loopSeconds = 4
        var programs = SetList.Programs()
        programs.channel = 16
        options.connections.programs = programs
        options.connections.buttons = [
            try Button("controller-\(Foot.next)", .request(.patch(.next))),
            try Button("controller-\(Foot.toggle)", .request(.togglePlay)),
            try Button("controller-\(Foot.tap)", .request(.tap)),
            try Button("controller-\(Foot.pedal)", .request(.looper(.pedal))),
            try Button("controller-\(Foot.undo)", .request(.looper(.undo))),
            try Button("controller-\(Foot.metronome),toggle", .request(.metronome(true, tempo: 120, countIn: 1))),
            try Button("controller-\(Foot.save)", .request(.saveLoops("\(folder)/loops"))),
            try Button("controller-\(Foot.record)", .request(.saveRecording(path: "\(folder)/evening.mid"))),
        ]
        return options
    }

    /// Lets time pass; a surface looks after the session every ten milliseconds.
    private func pass(_ frames: Int) throws {
        var left = frames
        while left > 0 {
            let step = min(left, 480)
            port.advance(frames: step)
            try session.maintain()
            left -= step
        }
    }

    private func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
        keyboards.play(.message(MIDIMessage(status: status, data1: data1, data2: data2)), on: "Keystation")
    }

    private func press(_ key: UInt8, for frames: Int = 2_401) throws {
        heard.pressed.append((port.nanoseconds * 48 / 1_000_000, key))
        send(0x90, key, 100)
        try pass(frames)
        send(0x80, key)
    }

    private func tread(_ foot: UInt8, then frames: Int) throws {
        send(0xB0, foot, 127)
        try pass(2_400)
        send(0xB0, foot, 0)
        try pass(frames - 2_400)
    }

    private var loop: SessionSnapshot.Loop? { session.snapshot.loops.first }
    private func beats(_ key: UInt8) -> [Int64] {
        let times = heard.played.filter { $0.key == key }.map(\.time)
        return zip(times, times.dropFirst()).map { $1 - $0 }
    }

    @Test func anEveningIsPlayedByFootAndSoundsTheSameAgain() throws {
        // Twenty patches, by pedal and by program, and a note on each; odd frames, so that no note falls on a period.
        for number in 1...20 {
            if number > 1 {
                if number % 3 == 0 {
                    send(0xCF, UInt8(number - 1))
                    try pass(9_600)
                } else {
                    try tread(Foot.next, then: 9_600)
                }
            }
            #expect(session.snapshot.patches?.name == "patch \(number)")
            try press(UInt8(50 + number))
            try pass(101 * number)
        }
        // Eight songs, each beside a note of the player's.
        for number in 1...8 {
            send(0xCF, UInt8(number - 1))
            try pass(14_400)
            try tread(Foot.toggle, then: 60_000)
            #expect(session.snapshot.patches?.name == "patch \(number)" && session.snapshot.transport?.isPlaying == true)
            try press(UInt8(80 + number))
            try tread(Foot.toggle, then: 9_600)
            #expect(beats(UInt8(23 + number)).allSatisfy { $0 == 24_000 } && beats(UInt8(23 + number)).count == 2)
        }
        // A tap sets the tempo of the song that plays: 100 beats a minute are 28 800 frames.
        try tread(Foot.toggle, then: 48_000)
        for _ in 0..<4 { try tread(Foot.tap, then: 28_800) }
        #expect(abs(session.snapshot.tempo - 100) < 0.001)
        try pass(120_000)
        #expect(beats(31).suffix(3) == [28_800, 28_800, 28_800])
        try tread(Foot.toggle, then: 9_600)

        // A loop of four layers with the count before it; the last layer is taken back.
        send(0xCF, 18)
        try pass(14_400)
        // The pedal follows within the tenth of a second in which a press is meant for the bar before.
        try tread(Foot.metronome, then: 2_500)
        #expect(session.snapshot.tempo == 120 && session.snapshot.metronome?.countIn == 1)
        #expect(session.snapshot.metronome?.isRunning == true)
        try tread(Foot.pedal, then: 96_000 + 9_600)
        #expect(loop?.state == "recording")
        try press(60)
        try pass(60_000)
        for layer in 2...4 {
            // It plays, and goes on with a layer at the next bar.
            try tread(Foot.pedal, then: 100_000)
            #expect(loop?.state == "playing")
            try tread(Foot.pedal, then: 100_000)
            #expect(loop?.state == "overdubbing" && loop?.layers == layer, "\(String(describing: loop))")
            try press(UInt8(60 + 2 * layer))
        }
        try tread(Foot.pedal, then: 100_000)
        #expect(loop?.state == "playing" && loop?.layers == 4)
        try tread(Foot.undo, then: 48_000)
        #expect(loop?.layers == 3 && loop?.undone == 1)
        #expect(loop?.seconds == 4)
        try tread(Foot.save, then: 48_000)
        try tread(Foot.record, then: 48_000)
        try session.finish()

        checkOnsets()
        try checkReplay()
        try startAgain()
    }

    /// Each key sounded equally long after it was pressed, to the frame.
    private func checkOnsets() {
        let lateness = heard.pressed.map { press -> Int64? in
            heard.played.first { $0.key == press.key && $0.time >= press.time }.map { $0.time - press.time }
        }
        #expect(Set(lateness).count == 1 && lateness.first.flatMap(\.self) != nil, "\(lateness)")
    }

    /// What was heard comes again from the journal, whatever is rendered at once, and by however many threads.
    private func checkReplay() throws {
        let sound = try AudioFileReader(path: "\(folder)/evening.wav").readAll()
        #expect(sound[0].contains { abs($0) > 0.05 })
        for (block, threads) in [(16, 1), (64, 2), (512, 3), (4096, 1)] {
            var again = [[Float]](repeating: [], count: 2)
            let journal = try Journal(path: "\(folder)/evening.wav.journal")
            try JournalRenderer(journal, threads: threads, blockFrames: block).render { (samples, frames) in
                for c in 0..<2 { again[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
            }
            let difference = zip(sound[0], again[0]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(
                difference == nil && sound[1] == again[1] && sound[0].count == again[0].count,
                "\(block), \(threads), from frame \(difference ?? -1)")
        }
    }

    /// Another session begins at the entry that played last; its loops are there.
    private func startAgain() throws {
        let port = SimulatedPort(), keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = try Self.options(folder)
        options.list.first = "patch 20"
        let session = try Session(options, songs: Self.songs, on: port, midi: keyboards)
        keyboards.plug("Keystation")
        try session.start()
        for _ in 0..<100 {
            port.advance(frames: 480)
            try session.maintain()
        }
        #expect(session.snapshot.patches?.name == "patch 20")
        let loop = try #require(session.snapshot.loops.first)
        #expect(loop.state == "stopped" && loop.layers == 1)
        #expect(loop.seconds == 4)
        for value in [127, 0] as [UInt8] {
            keyboards.play(.message(MIDIMessage(status: 0xB0, data1: Foot.pedal, data2: value)), on: "Keystation")
            for _ in 0..<10 {
                port.advance(frames: 480)
                try session.maintain()
            }
        }
        for _ in 0..<300 {
            port.advance(frames: 480)
            try session.maintain()
        }
        #expect(session.snapshot.loops.first?.state == "playing")
        #expect(port.played[0].suffix(96_000).contains { abs($0) > 0.001 })
        try session.finish()
        let song = try SongReader.read(path: "\(folder)/evening.mid", strict: true).song
        let markers = song.tracks.flatMap(\.events).filter {
            if case .text(let text) = $0.kind { text.kind == .marker } else { false }
        }
        #expect(!markers.isEmpty)
    }
}
