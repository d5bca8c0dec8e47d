import AudioFiles
import Carillon
import CarillonTestKit
import Foundation
import RemoteIO
import Synchronization
import Testing

/// What a recorder's file holds: from which frame to which, at which rate, and what a crash or a full disk leaves.
@Suite final class AudioRecorderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "recorder-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { unlinkFolder() }
    private func unlinkFolder() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func engine(_ frames: Int = 300_000) throws -> (Engine, NodeID) { try TapTests.countingEngine(frames: frames) }

    /// Frame n of the counting source.
    private func counting(_ frames: Range<Int>) -> [Float] { frames.map { Float($0) / 1_048_576 } }

    @Test(arguments: [1, 100, 1_000]) func theFileHoldsEveryFrameFromTheFirstToTheLastRendered(_ slice: Int) throws {
        let (engine, node) = try engine()
        let recorder = try engine.record(node, to: path("a.wav"))
        #expect(recorder.state == .waiting && recorder.format.encoding == .float32)
        try engine.start(on: .offline)
        for _ in 0..<(3_000 / slice) { try engine.pull(slice) }
        try engine.finish(recorder)
        let sound = try AudioFileReader(path: path("a.wav")).readAll(), count = 3_000 / slice * slice
        #expect(sound == [counting(0..<count), counting(0..<count).map { -$0 }])
        #expect(recorder.state == .finished && recorder.framesWritten == Int64(count) && recorder.droppedFrames == 0)
        #expect(engine.graph.nodes.count == 1)
    }

    @Test func pausesAreExactToTheFrame() throws {
        let (engine, node) = try engine()
        let events = Mutex<[AudioRecorder.Event]>([])
        let recorder = try engine.record(node, to: path("a.wav"), at: SampleTime(333))
        recorder.onEvent { event in events.withLock { $0.append(event) } }
        recorder.pause(at: SampleTime(1_001))
        recorder.resume(at: SampleTime(2_222))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 5_000)
        // The frame that is rendered next.
        #expect(recorder.pause() == SampleTime(5_000))
        _ = try engine.render(frames: 777)
        #expect(recorder.state == .paused)
        recorder.resume()
        _ = try engine.render(frames: 1_000)
        recorder.stop(at: SampleTime(6_000))
        try engine.finish(recorder)
        let wanted = [333..<1_001, 2_222..<5_000, 5_777..<6_777].flatMap { counting($0) }
        let sound = try AudioFileReader(path: path("a.wav")).readAll()[0]
        // It was told too late to end at 6000: what had been rendered was written.
        #expect(sound == Array(wanted[..<sound.count]))
        #expect(sound.count == wanted.count || sound.count == wanted.count - 777)
        let times = events.withLock { $0 }.prefix(5)
        #expect(
            Array(times) == [
                .began(at: SampleTime(333)), .paused(at: SampleTime(1_001)), .began(at: SampleTime(2_222)),
                .paused(at: SampleTime(5_000)), .began(at: SampleTime(5_777)),
            ])
        #expect(events.withLock { $0.last } == .finished(frames: Int64(sound.count)))
    }

    @Test func aRecorderThatJoinsASoundingGraphBeginsWithTheWholeSound() throws {
        let (engine, node) = try engine()
        try engine.start(on: .offline)
        _ = try engine.render(frames: 4_000)
        let recorder = try engine.record(node, to: path("a.wav"))
        _ = try engine.render(frames: 8_000)
        try engine.finish(recorder)
        let sound = try AudioFileReader(path: path("a.wav")).readAll()[0]
        let first = 12_000 - sound.count
        #expect((4_000...5_100).contains(first), "began on \(first)")
        #expect(sound == counting(first..<12_000))
    }

    @Test func anotherRateKeepsPitchAndLength() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(Oscillator.self, startValues: ["frequency": 997, "level": -6])
            try graph.setOutput(node)
            return node
        }
        let recorder = try engine.record(node, to: path("a.flac"), sampleRate: 44_100)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 96_000)
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: path("a.flac")), sound = try reader.readAll()[0]
        #expect(reader.sampleRate == 44_100 && sound.count == 88_200)
        let heard = Spectrum.frequency(sound[4_000..<80_000].map(Double.init), near: 997.0 / 44_100) * 44_100
        #expect(abs(heard - 997) < 0.01, "\(heard) Hz")
    }

    @Test(arguments: ["wav", "flac", "ogg", "opus", "mp3", "aiff", "caf", "w64"])
    func theEndingChoosesTheCodec(_ ending: String) throws {
        guard AudioFileFormat.Container.available.contains(try AudioFileFormat(path: "a.\(ending)").container) else { return }
        let engine = Engine(sampleRate: 48_000)
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(Oscillator.self, startValues: ["frequency": 1_000, "level": -12])
            try graph.setOutput(node)
            return node
        }
        let recorder = try engine.record(node, to: path("a.\(ending)"))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 48_000)
        try engine.finish(recorder)
        let sound = try AudioFileReader(path: path("a.\(ending)")).readAll()[0]
        #expect((48_000...50_000).contains(sound.count))
        let level = (sound[10_000..<40_000].reduce(0) { $0 + $1 * $1 } / 30_000).squareRoot()
        #expect(abs(Decibels.level(ofAmplitude: level) - (-12 - 3.01)) < 0.3, "\(ending): \(level)")
    }

    @Test func aCrashLeavesAFileThatCanBeRead() throws {
        let (engine, node) = try engine()
        let recorder = try engine.record(node, to: path("a.wav"))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 200_000)
        _ = try engine.pull(1)
        // What another program would find now, and what a crash would leave.
        try FileManager.default.copyItem(atPath: path("a.wav"), toPath: path("crashed.wav"))
        let reader = try AudioFileReader(path: path("crashed.wav"))
        #expect(reader.frames >= 192_000, "the header says \(reader.frames) frames")
        let sound = try reader.readAll()[0]
        #expect(sound.count == Int(reader.frames) && sound == counting(0..<sound.count))
        try engine.finish(recorder)
        #expect(try AudioFileReader(path: path("a.wav")).frames == 200_001)
    }

    /// A disk of 256 KiB, in a process that may write no more than that to a file.
    @Test func aFullDiskIsToldAndWhatWasWrittenIsKept() async throws {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/carillon-full-\(getpid()).wav"
            defer { unlink(path) }
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 262_144, rlim_max: 262_144)
            setrlimit(__rlimit_resource_t(1), &limit)
            let (engine, node) = try TapTests.countingEngine(frames: 300_000)
            let recorder = try engine.record(node, to: path)
            let told = Mutex<[AudioRecorder.Event]>([])
            recorder.onEvent { event in told.withLock { $0.append(event) } }
            try engine.start(on: .offline)
            _ = try engine.render(frames: 100_000)
            guard case .failed(.cutShort(_, _, let frames?)) = recorder.state else { fatalError("\(recorder.state)") }
            precondition(
                frames > 20_000
                    && told.withLock { $0.contains(.failed(.cutShort(path: path, reason: "File too large", frames: frames))) })
            do throws(Fault) {
                try engine.finish(recorder)
                fatalError("no error")
            } catch { precondition("\(error)".contains("are kept") && engine.graph.nodes.count == 1, "\(error)") }
            let sound = try AudioFileReader(path: path).readAll()[0]
            precondition(sound.count == Int(frames) && sound == (0..<sound.count).map { Float($0) / 1_048_576 })
        }
    }

    @Test func chunksAreWhatIsRecorded() async throws {
        let (engine, node) = try engine()
        let recorder = try engine.record(node, to: path("a.wav"))
        let chunks = recorder.chunks
        recorder.pause(at: SampleTime(1_000))
        recorder.resume(at: SampleTime(1_500))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 3_000)
        try engine.finish(recorder)
        var heard: [Float] = []
        for await chunk in chunks {
            #expect(chunk.channels[0].first == Float(chunk.time.rawValue) / 1_048_576)
            heard += chunk.channels[0]
        }
        #expect(heard == counting(0..<1_000) + counting(1_500..<3_000))
    }

    @Test func whatCannotBeRecordedIsRefusedAndNothingChanges() throws {
        let (engine, node) = try engine()
        try Data().write(to: URL(filePath: path("there.wav")))
        for (name, rate) in [("there.wav", nil), ("a.xyz", nil), ("a.opus", 44_100)] as [(String, Int?)] {
            let error = #expect(throws: Fault.self) { try engine.record(node, to: self.path(name), sampleRate: rate) }
            guard error?.origin is AudioFileError else { Issue.record("\(name): \(String(describing: error))"); continue }
        }
        #expect(engine.graph.nodes.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["there.wav"])
    }

    @Test func onADeviceAThreadOfItsOwnWrites() throws {
        let (engine, node) = try engine()
        let recorder = try engine.record(node, to: path("a.wav")), port = SlicePort(longestSlice: 1_024, isLive: true)
        try engine.start(on: DeviceChoice(port, DeviceRequest(devices: ["slices"], sampleRate: 48_000, periodFrames: 256)))
        _ = port.play(100_000)
        wait { recorder.framesWritten == 100_000 }
        #expect(recorder.state == .recording)
        recorder.stop(at: SampleTime(123_456))
        _ = port.play(100_000)
        wait { recorder.state == .finished }
        #expect(try AudioFileReader(path: path("a.wav")).readAll()[0] == counting(0..<123_456))
        try engine.finish(recorder)
        try engine.stop()
    }
}
