import Carillon
import CarillonTestKit
import Foundation
import Testing

/// An engine's sound in a file, in one call.
@Suite final class EngineFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "engine-file-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }
    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// All frames of a file, channel by channel.
    private func planes(_ path: String) throws -> [[Float]] {
        try AudioFileReader(path: path).readAll()
    }

    @Test func theFileHoldsWhatTheEngineRenders() throws {
        let engine = try EngineDeviceTests.sineEngine()
        let file = path("a.wav")
        let clipped = try engine.render(seconds: 0.25, to: file, format: AudioFileFormat(.wav, encoding: .float32))
        #expect(clipped == 0 && !engine.isRunning)
        #expect(engine.renderer.sampleTime == SampleTime(12_000))
        let other = try EngineDeviceTests.sineEngine()
        try other.start(on: .offline)
        #expect(try planes(file) == other.render(frames: 12_000))
        // One that runs offline goes on where it is, and goes on running.
        let rest = path("b.wav")
        try other.render(seconds: 0.1, to: rest, format: AudioFileFormat(.wav, encoding: .float32))
        #expect(other.isRunning)
        #expect(try engine.render(seconds: 0.1, to: file, format: AudioFileFormat(.wav, encoding: .float32)) == 0)
        #expect(try planes(file) == planes(rest))
    }

    @Test func theEndingSaysTheFormat() throws {
        let engine = try EngineDeviceTests.sineEngine()
        try engine.render(seconds: 0.05, to: path("a.flac"))
        let bytes = try Data(contentsOf: folder.appending(path: "a.flac"))
        #expect(bytes.prefix(4) == Data("fLaC".utf8))
        #expect(throws: Fault.self) { try engine.render(seconds: 0.05, to: self.path("a.txt")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["a.flac"])
    }

    @Test func whatCannotBeIsRefusedBeforeAnythingIsRendered() throws {
        let engine = try EngineDeviceTests.sineEngine()
        for seconds in [0, -1, .nan, .infinity, 1e-9] {
            #expect(throws: Fault.self) { try engine.render(seconds: seconds, to: self.path("a.wav")) }
        }
        let error = #expect(throws: Fault.self) { try engine.render(seconds: 1, to: self.path("none/a.wav")) }
        guard error?.origin is AudioFileError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!engine.isRunning && engine.renderer.sampleTime == .zero)
        let port = SimulatedPort()
        try engine.start(on: .simulated(port))
        #expect(throws: Fault.notOffline(on: "simulated")) { try engine.render(seconds: 1, to: self.path("a.wav")) }
        #expect(engine.isRunning)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
    }
}
