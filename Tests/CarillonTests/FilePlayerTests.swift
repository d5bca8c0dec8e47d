import Carillon
import CarillonTestKit
import Foundation
import RTProbe
import RemoteIO
import Synchronization
import Testing

@testable import EngineCore

/// Files in the graph: where they begin and end, what they sound like, what happens to files that are none.
@Suite final class FilePlayerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "player-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { unlinkFolder() }
    private func unlinkFolder() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    /// Writes planes as a file of floats.
    private func file(_ planes: [[Float]], rate: Int, name: String = "a.wav") throws -> String {
        let path = folder.appending(path: name).path()
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(.wav, encoding: .float32), channels: planes.count, sampleRate: rate)
        try planes.withPointers { try writer.write($0, frames: planes[0].count) }
        try writer.finish()
        return path
    }

    /// Frames of a sine at half of full scale, with a whole number of periods in `rate` frames.
    private func sine(_ frequency: Double, rate: Int, frames: Int, phase: Double = 0) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * (frequency * Double($0) / Double(rate) + phase))) }
    }

    private func engine(_ path: String, rate: Double = 48_000) throws -> (Engine, FilePlayer) {
        let engine = Engine(sampleRate: rate, maximumFrames: 1_024)
        let player = try engine.edit { (graph) throws(Fault) in
            let player = try graph.add(player: path)
            try graph.setOutput(player.node)
            return player
        }
        return (engine, player)
    }

    @Test func aFileBeginsOnTheExactFrameAndEndsAfterItsLast() throws {
        let left = (0..<10_000).map { Float($0 + 1) / 16_384 }
        let (engine, player) = try engine(try file([left, left.map { -$0 }], rate: 48_000))
        let ended = Mutex<SampleTime?>(nil)
        player.onEnd { time in ended.withLock { $0 = time } }
        try player.play(at: SampleTime(777))
        try engine.start(on: .offline)
        #expect(player.state == .stopped && player.frames == 10_000)
        var sound = try engine.render(frames: 5_000)
        #expect(player.state == .playing && player.position == 5_000 - 777)
        for (c, more) in try engine.render(frames: 10_000).enumerated() { sound[c] += more }
        let wanted = Array(repeating: Float(0), count: 777) + left + Array(repeating: 0, count: 4_223)
        #expect(sound == [wanted, wanted.map { -$0 }])
        #expect(player.state == .ended(at: SampleTime(10_777)))
        #expect(ended.withLock { $0 } == SampleTime(10_777))
        #expect(player.underrunFrames == 0 && player.lateCues == 0 && player.error == nil)
    }

    @Test func aFileOfAnotherRateKeepsItsPitchLevelAndPlace() throws {
        let (engine, player) = try engine(try file([sine(997, rate: 44_100, frames: 88_200)], rate: 44_100))
        try player.play(at: SampleTime(1_000))
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 100_000)
        #expect(sound[0] == sound[1])
        let wanted = sine(997, rate: 48_000, frames: 96_000)
        let worst = (1_000..<95_000).map { abs(sound[0][1_000 + $0] - wanted[$0]) }.max() ?? 1
        #expect(worst < 1e-4, "off by \(worst)")
        #expect(player.state == .ended(at: SampleTime(97_000)))
    }

    @Test(arguments: [13, 100, 1_024]) func theSlicesDoNotMatter(_ slice: Int) throws {
        let path = try file([sine(440, rate: 44_100, frames: 20_000)], rate: 44_100)
        func sound(_ slice: Int) throws -> [Float] {
            let (engine, player) = try engine(path)
            try player.play(at: SampleTime(50), loops: true)
            player.pause(at: SampleTime(10_001))
            player.resume(at: SampleTime(12_003))
            try player.play(at: SampleTime(14_005), from: 5_000, frames: 300, loops: true)
            player.stop(at: SampleTime(20_007))
            try engine.start(on: .offline)
            var sound: [Float] = []
            while sound.count < 21_504 { sound += try engine.pull(slice)[channel: 0][..<slice] }
            #expect(player.underrunFrames == 0 && player.lateCues == 0)
            return Array(sound[..<21_504])
        }
        #expect(try sound(slice) == sound(512))
    }

    @Test func manyPartsInARowFollowEachOtherExactly() throws {
        let counting = (0..<200_000).map { Float($0 % 8_192) / 8_192 }
        let (engine, player) = try engine(try file([counting], rate: 48_000))
        // Far apart and close together: each part begins where the file does, on its frame.
        let times: [Int64] = [0, 1_000, 1_010, 1_300, 60_000, 140_000, 140_700]
        for time in times { try player.play(at: SampleTime(time)) }
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 150_000)[0]
        #expect(player.underrunFrames == 0 && player.lateCues == 0)
        for (index, time) in times.enumerated() {
            let end = index + 1 < times.count ? Int(times[index + 1]) : 150_000
            // What is cut off dies away over the first 64 frames.
            for frame in min(Int(time) + (index > 0 ? 128 : 0), end)..<end where sound[frame] != counting[frame - Int(time)] {
                Issue.record("frame \(frame) of the part that begins at \(time) is \(sound[frame])")
                break
            }
        }
    }

    @Test func whoHearsOfTheEndMayPlayOn() throws {
        let counting = (1...1_000).map { Float($0) / 1_024 }
        let (engine, player) = try engine(try file([counting], rate: 48_000))
        try player.play(at: .zero)
        try engine.start(on: .offline)
        player.onEnd { time in
            #expect(time == SampleTime(1_000))
            do { try player.play(at: time + 2_000) } catch { Issue.record("\(error)") }
            player.onEnd(nil)
        }
        let sound = try engine.render(frames: 5_000)[0]
        #expect(Array(sound[..<1_000]) == counting && Array(sound[3_000..<4_000]) == counting)
        #expect(sound[1_000..<3_000].allSatisfy { $0 == 0 } && player.state == .ended(at: SampleTime(4_000)))
    }

    @Test(arguments: [44_100, 48_000]) func aLoopHasNoSeam(_ rate: Int) throws {
        // 0.1 s hold 44 periods of 440 Hz: the loop is a sine without an end.
        let (engine, player) = try engine(try file([sine(440, rate: rate, frames: rate / 10)], rate: rate))
        try player.play(at: .zero, loops: true)
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 96_000)[0]
        let wanted = sine(440, rate: 48_000, frames: 96_000)
        let worst = (1_000..<96_000).map { abs(sound[$0] - wanted[$0]) }.max() ?? 1
        #expect(worst < 1e-4, "off by \(worst)")
        #expect(player.state == .playing && player.position < Int64(rate / 10))
    }

    @Test func whatIsCutOffDiesAwayWithoutAClick() throws {
        let (engine, player) = try engine(try file([sine(100, rate: 48_000, frames: 96_000, phase: 0.25)], rate: 48_000))
        try player.play(at: .zero, from: 4_800)
        player.pause(at: SampleTime(10_000))
        player.resume(at: SampleTime(20_000))
        try player.seek(to: 5_000, at: SampleTime(30_000))
        player.stop(at: SampleTime(40_000))
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 50_000)[0]
        let steepest = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        // The sine itself moves by 0.0066 a frame; a cut is a fall from 0.5 within 64 frames, and a rise beside it.
        #expect(steepest < 0.03, "a step of \(steepest)")
        #expect(sound[10_064..<20_000].allSatisfy { $0 == 0 } && sound[40_064...].allSatisfy { $0 == 0 })
        // Held still: it goes on where it was.
        #expect(sound[20_064] == Float(0.5 * sin(2 * .pi * (100 * Double(4_800 + 10_064) / 48_000 + 0.25))))
        #expect(player.state == .stopped)
    }

    @Test func aSimulatedDevicePlaysWhatARenderGives() throws {
        let path = try file([sine(440, rate: 44_100, frames: 60_000)], rate: 44_100)
        let (offline, first) = try engine(path), (live, second) = try engine(path), port = SimulatedPort()
        try first.play(at: SampleTime(100))
        try second.play(at: SampleTime(100))
        try offline.start(on: .offline)
        try live.start(on: .simulated(port, period: 96, periods: 2))
        port.advance(frames: 96 * 500)
        #expect(try offline.render(frames: 96 * 498) == port.played.map { Array($0[192...]) })
        #expect(second.underrunFrames == 0)
    }

    @Test func aPlayerThatNobodyServesIsSilentAndCounts() throws {
        let (engine, player) = try engine(try file([sine(440, rate: 48_000, frames: 300_000)], rate: 48_000))
        try player.play(at: .zero)
        let output = try engine.offlineOutput()
        for _ in 0..<200 { output.pull(1_000) }
        #expect(player.underrunFrames > 90_000)
        // Served again, it goes on where it was, and loses nothing.
        let frame = player.position
        try engine.maintain()
        output.pull(1_000)
        #expect(player.position == frame + 1_000 && player.state == .playing)
    }

    @Test func aRequestThatComesTooLateTakesEffectAtOnceAndIsCounted() throws {
        let (engine, player) = try engine(try file([sine(440, rate: 48_000, frames: 3_000, phase: 0.25)], rate: 48_000))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 1_024)
        try player.play(at: SampleTime(1_000))
        #expect(try engine.render(frames: 1_024)[0][0] == 0.5)
        #expect(player.lateCues == 1)
    }

    @Test func filesThatAreNoneAreRefusedWithTheirName() throws {
        let text = folder.appending(path: "text.wav").path(),
            surround = try file(
                Array(repeating: sine(440, rate: 48_000, frames: 100), count: 9), rate: 48_000, name: "nine.wav")
        try Data("RIFF????WAVEnonsense".utf8).write(to: URL(filePath: text))
        for path in [text, surround, folder.path() + "/missing.flac", "/dev/null"] {
            let error = #expect(throws: Fault.self) { _ = try self.engine(path) }
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test func aFileThatIsCutShortPlaysWhatIsThere() throws {
        let path = try file([sine(440, rate: 48_000, frames: 10_000)], rate: 48_000)
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(bytes.count - 20_000).write(to: URL(filePath: path))
        let (engine, player) = try engine(path)
        try player.play(at: .zero)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 10_000)
        #expect(player.state == .ended(at: SampleTime(5_000)))
    }

    @Test func samplesThatAreNoNumbersAreCounted() throws {
        var sound = sine(440, rate: 48_000, frames: 1_000)
        sound[500] = .nan
        sound[501] = .infinity
        let (engine, player) = try engine(try file([sound], rate: 48_000))
        try player.play(at: .zero)
        try engine.start(on: .offline)
        let heard = try engine.render(frames: 1_000)[0]
        #expect(heard[500] == 0 && heard[501] == 0 && heard[502] == sound[502])
        #expect(player.repairedSamples == 2 && engine.renderer.counters.faults == 0)
    }

    @Test func theRenderSideOfPlayersInputsAndTapsDoesNothingForbidden() throws {
        let (engine, player) = try engine(try file([sine(440, rate: 44_100, frames: 20_000)], rate: 44_100))
        let port = SimulatedPort()
        port.captures = { frame, _ in Float(frame % 100) / 200 }
        _ = try engine.edit { (graph) throws(Fault) in
            let input = try graph.add(DeviceInput.self), mixer = try graph.add(MultichannelMixer.self, inputs: 2)
            try graph.connect(player.node, to: mixer, input: 0)
            try graph.connect(input, to: mixer, input: 1)
            try graph.setOutput(mixer)
        }
        let tap = try engine.tap(player.node)
        try player.play(at: SampleTime(500))
        player.pause(at: SampleTime(3_000))
        player.resume(at: SampleTime(4_000))
        try player.play(at: SampleTime(8_000), from: 10_000)
        try engine.start(on: .simulated(port))
        _ = rt_probe_take()
        port.advance(frames: 30_000)
        let seen = rt_probe_take()
        #expect(seen.allocations == 0 && seen.frees == 0 && seen.locks == 0 && seen.blocking == 0)
        #expect(seen.arc == 0 && seen.objects == 0 && seen.metadata == 0 && seen.once == 0 && seen.casts == 0)
        #expect(tap.read().contains { $0.peaks[0] > 0.4 } && player.underrunFrames == 0)
        #expect(port.played[0].contains { $0 != 0 } && player.state != .playing)
    }

    @Test func framesOutsideTheFileAreRefused() throws {
        let (_, player) = try engine(try file([sine(440, rate: 48_000, frames: 1_000)], rate: 48_000))
        for (start, frames) in [(1_000, nil), (-1, nil), (0, 0)] as [(Int64, Int64?)] {
            #expect(throws: Fault.outside(path: player.path, start: start, frames: 1_000)) {
                try player.play(from: start, frames: frames)
            }
        }
    }
}

extension [[Float]] {
    /// Lends the planes as pointers.
    fileprivate func withPointers(_ body: ([UnsafePointer<Float>]) throws -> Void) throws {
        let memory = map { plane in
            let copy = UnsafeMutablePointer<Float>.allocate(capacity: Swift.max(plane.count, 1))
            copy.initialize(from: plane, count: plane.count)
            return copy
        }
        defer { for plane in memory { plane.deallocate() } }
        try body(memory.map { UnsafePointer($0) })
    }
}
