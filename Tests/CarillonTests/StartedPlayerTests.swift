import Carillon
import CarillonTestKit
import Foundation
import Testing

/// A file in a patch that begins with a song, a key or a cue, each time anew and on the exact frame.
@Suite final class StartedPlayerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "started-player-\(UUID().uuidString)")
    /// Longer than what is kept in memory of it; no two frames are alike.
    private let wave = (0..<150_000).map { Float($0 + 1) / 262_144 }
    private static let blocks = [64, 512, 4_001]

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func patch(
        _ properties: String, values: String = "parts: 1", _ wave: [Float]? = nil, rate: Int = 48_000
    ) throws -> PatchFile {
        let path = folder.appending(path: "tape.wav").path(), wave = wave ?? self.wave
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(path: path, bits: .float32), channels: 1, sampleRate: rate, replaces: true)
        try wave.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: wave.count) }
        try writer.finish()
        let text = """
            version: 1
            units:
              tape: {unit: file-player, \(values), properties: {file: \(path), \(properties)}}
            outputs: tape
            """
        return try PatchFile(text: text, units: UnitCatalog.entries)
    }

    private func engine(
        _ properties: String, values: String = "parts: 1", _ wave: [Float]? = nil, rate: Int = 48_000, frames: Int = 512
    ) throws -> Engine {
        let engine = try Engine(
            patch: try patch(properties, values: values, wave, rate: rate).patch, sampleRate: 48_000, maximumFrames: frames)
        try engine.start(on: .offline)
        return engine
    }

    private func left(_ engine: Engine, _ frames: Int) throws -> [Float] { try engine.render(frames: frames)[0] }

    private func run(_ engine: Engine, _ value: Float, at frame: SampleTime) throws {
        let node = try #require(engine.graph.node(named: "tape")?.id)
        try engine.set(FilePlayback.Parameter.running, value, of: node, at: frame)
    }

    private func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

    private static func key(_ key: UInt8, _ velocity: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0x90, data1: key, data2: velocity))
    }

    /// Four seconds at 120.
    private static let song = RenderedSong.song(RenderedSong.note(0, 3_800), end: 3_840)

    // MARK: - With a song

    @Test(arguments: blocks) func aSongBeginsItOnItsFrame(_ block: Int) throws {
        let engine = try engine("start: song", frames: block)
        #expect(try left(engine, 1_000) == silence(1_000))
        try engine.play(song: Self.song, at: SampleTime(1_777))
        #expect(try left(engine, 100_000) == silence(777) + wave.prefix(99_223))
        // The next song begins it anew, on its frame.
        try engine.play(song: Self.song, at: SampleTime(111_111))
        let more = try left(engine, 80_000)
        #expect(Array(more[..<10_111]) == Array(wave[99_223..<109_334]))
        #expect(Array(more[(10_111 + 64)...]) == Array(wave[64..<69_889]))
    }

    @Test func itStandsStillWithTheSongAndGoesOnWithIt() throws {
        let engine = try engine("start: song")
        let playback = try engine.play(song: Self.song, at: .zero)
        _ = try left(engine, 512)
        try playback.pause(at: SampleTime(60_001))
        let first = try left(engine, 69_488)
        #expect(Array(first[..<59_489]) == Array(wave[512..<60_001]))
        #expect(first[59_489] > 0 && first[59_553...].allSatisfy { $0 == 0 }, "it dies away")
        // At another speed too: the file keeps its own.
        try playback.setTempo(2, at: SampleTime(75_000))
        try playback.play(at: SampleTime(80_000))
        let second = try left(engine, 20_000)
        #expect(second[..<10_000].allSatisfy { $0 == 0 })
        #expect(Array(second[10_064...]) == Array(wave[60_065..<70_001]))
        try playback.setTempo(1, at: SampleTime(95_000))
        try playback.stop(at: SampleTime(100_000))
        let third = try left(engine, 20_000)
        #expect(Array(third[..<10_000]) == Array(wave[70_001..<80_001]))
        try playback.play(at: SampleTime(115_000))
        #expect(try left(engine, 10_000) == silence(5_000) + wave.prefix(5_000))
    }

    /// It comes in a quarter of a second after a jump, where it would be had it begun with the song.
    @Test(arguments: blocks) func itGoesWhereTheSongGoes(_ block: Int) throws {
        let engine = try engine("start: song", frames: block)
        let playback = try engine.play(song: Self.song, at: .zero)
        _ = try left(engine, 4_001)
        try playback.seek(to: .seconds(2), at: SampleTime(20_000))
        let sound = try left(engine, 60_000), jump = 20_000 - 4_001
        #expect(Array(sound[..<jump]) == Array(wave[4_001..<20_000]))
        let place = try #require(sound[(jump + 64)...].firstIndex { $0 != 0 })
        #expect(place - jump <= 12_256 && place - jump >= 12_000)
        #expect(
            Array(sound[(place + 64)...])
                == Array(wave[(96_000 + place - jump + 64)..<(96_000 + 60_000 - jump)].prefix(60_000 - place - 64)))
        try playback.seek(to: .seconds(0), at: SampleTime(70_000))
        let again = try left(engine, 20_000)
        #expect(Array(again[(70_000 - 64_001 + 64)...]) == Array(wave[64..<(20_000 - 5_999)]))
    }

    @Test func whatIsTurnedOnWithinASongBeginsAnew() throws {
        let short = Array(wave.prefix(40_000))
        let engine = try engine("start: song, loop: true", values: "running: off", short)
        try engine.play(song: Self.song, at: .zero)
        #expect(try left(engine, 30_000) == silence(30_000), "held, it does not begin")
        try run(engine, 1, at: SampleTime(35_000))
        #expect(try left(engine, 60_000) == silence(5_000) + short + short.prefix(15_000))
    }

    // MARK: - By a key

    @Test(arguments: blocks) func aKeyBeginsItAnewAtItsVelocity(_ block: Int) throws {
        let engine = try engine("start: key", frames: block)
        #expect(try left(engine, 2_000) == silence(2_000), "no song and no key")
        try engine.send(Self.key(60, 127), at: SampleTime(3_333))
        try engine.send(Self.key(60, 0), at: SampleTime(3_400))
        try engine.send(Self.key(40, 64), at: SampleTime(63_333))
        let sound = try left(engine, 198_000), force = Float(64) / 127
        #expect(Array(sound[..<61_333]) == silence(1_333) + wave.prefix(60_000), "once, to its end")
        #expect(Array(sound[61_397..<130_000]) == wave[64..<68_667].map { $0 * (force * force) })
        // What was cut off dies away without a step.
        let steps = (61_300..<61_400).map { abs(sound[$0] - sound[$0 - 1]) }
        #expect(steps.max() ?? 1 < 0.01)
        try engine.send(.message(MIDIMessage(status: 0xB0, data1: 120, data2: 0)), at: SampleTime(200_100))
        let end = try left(engine, 1_000)
        #expect(end[164...].allSatisfy { $0 == 0 } && end[99] > 0)
    }

    @Test func aLoopSoundsForAsLongAsItsKeyIsHeld() throws {
        let short = Array(wave.prefix(5_000))
        let engine = try engine("start: key, loop: true", short)
        try engine.send(Self.key(60, 127), at: SampleTime(100))
        try engine.send(Self.key(62, 127), at: SampleTime(70_100))
        try engine.send(Self.key(60, 0), at: SampleTime(75_000))
        try engine.send(Self.key(62, 0), at: SampleTime(90_000))
        let sound = try left(engine, 100_000), looped = (0..<20).flatMap { _ in short }
        #expect(Array(sound[..<70_100]) == silence(100) + looped.prefix(70_000))
        #expect(Array(sound[70_164..<90_000]) == Array(looped[64..<19_900]), "the newest key counts")
        #expect(sound[90_000] > 0 && sound[90_064...].allSatisfy { $0 == 0 })
    }

    /// The rest of the file joins the beginning that is kept in memory, through the converter and at any speed.
    @Test(arguments: [44_100, 48_000], [1, 2.5]) func theBeginningHasNoSeam(_ rate: Int, _ speed: Double) throws {
        let sine = (0..<3 * rate).map { Float(sin(Double($0) * 2 * .pi * 441 / Double(rate))) }
        let values = "parts: 1, rate: \(speed)"
        let wanted = try left(engine("start: patch", values: values, sine, rate: rate), 70_000)
        for block in [64, 4_001] {
            let engine = try engine("start: key", values: values, sine, rate: rate, frames: block)
            try engine.send(Self.key(60, 127), at: SampleTime(777))
            #expect(try left(engine, 70_777) == silence(777) + wanted, "slices of \(block)")
        }
    }

    // MARK: - By a cue

    @Test(arguments: ["key", "song"]) func whatIsTurnedOnBeginsAnew(_ start: String) throws {
        let engine = try engine("start: \(start)", values: "running: off")
        try run(engine, 1, at: SampleTime(1_001))
        #expect(try left(engine, 80_000) == silence(1_001) + wave.prefix(78_999))
        try run(engine, 0, at: SampleTime(81_000))
        try run(engine, 1, at: SampleTime(90_500))
        let sound = try left(engine, 20_000)
        #expect(Array(sound[..<1_000]) == Array(wave[78_999..<79_999]))
        #expect(sound[1_064..<10_500].allSatisfy { $0 == 0 })
        #expect(Array(sound[10_500...]) == Array(wave.prefix(9_500)))
    }

    // MARK: - Rendered

    @Test(arguments: ["start: song", "start: key", "start: key, loop: true"])
    func aRenderIsTheSameInAnySlices(_ properties: String) throws {
        let notes = (0..<7).flatMap { RenderedSong.note(200 + Int64($0) * 509, 300, velocity: UInt8(60 + $0)) }
        let song = RenderedSong.song(notes, end: 3_840)
        for from in properties == "start: song" ? [nil, TransportTarget.seconds(1)] : [nil] {
            var reference: [[Float]] = []
            for (block, threads) in [(64, 1), (512, 1), (4_001, 1), (64, 2), (4_001, 2)] {
                var options = RenderedSong.options()
                options.patch = try patch(properties).playable()
                options.tail = .exact
                (options.blockFrames, options.threads, options.passage.from) = (block, threads, from)
                let (samples, report, seen) = try RenderedSong.render(song, options)
                #expect(seen == "" && report.counters.faults == 0, "\(seen)")
                if reference.isEmpty { reference = samples }
                #expect(samples == reference, "slices of \(block), \(threads) threads")
            }
            #expect((reference[0].map { abs($0) }.max() ?? 0) > 0.01)
        }
    }

    /// A sample that a key has struck rings out behind the song, as an instrument does.
    @Test(arguments: ["parts: 1", "parts: 1, role: instrument"]) func whatAKeyStruckRingsOut(_ values: String) throws {
        let song = RenderedSong.song(RenderedSong.note(480, 240, velocity: 127), end: 960)
        for block in Self.blocks {
            var options = RenderedSong.options()
            options.patch = try patch("start: key", values: values).playable()
            options.blockFrames = block
            let sound = try RenderedSong.render(song, options).samples[0]
            let isWhole = Array(sound.prefix(174_000)) == silence(24_000) + wave
            #expect(isWhole, "slices of \(block)")
            #expect(sound[174_000...].allSatisfy { $0 == 0 } && sound.count < 174_000 + 12_000, "\(sound.count)")
        }
    }

    // MARK: - What cannot be

    @Test(arguments: ["3", "later", "true"]) func anotherStartIsRefused(_ start: String) throws {
        #expect(throws: Fault.self) { try self.engine("start: \(start)") }
    }

    @Test func aKeyThatNobodySendsIsTold() throws {
        #expect(try patch("start: key", values: "running: on").advice.count == 1)
        #expect(try patch("start: key").advice.isEmpty)
        #expect(try patch("start: song", values: "running: on").advice.isEmpty)
    }
}
