import Carillon
import CarillonTestKit
import Foundation
import RemoteIO
import Testing

/// A file that a patch names: it plays with the patch, again and again or held still, and is looked for when the patch is read.
@Suite final class PatchPlayerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "patch-player-\(UUID().uuidString)")
    private let wave = (0..<5_000).map { Float($0 + 1) / 8_192 }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func engine(_ unit: String, frames: Int = 256) throws -> Engine {
        let path = folder.appending(path: "tape.wav").path()
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(path: path, bits: .float32), channels: 1, sampleRate: 48_000, replaces: true)
        try wave.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: wave.count) }
        try writer.finish()
        let text = "version: 1\nunits:\n  tape: \(unit.replacing("FILE", with: path))\noutputs: tape\n"
        return try Engine(
            patch: PatchFile(text: text, units: UnitCatalog.entries).patch, sampleRate: 48_000, maximumFrames: frames)
    }

    private func left(_ engine: Engine, _ frames: Int) throws -> [Float] {
        try engine.start(on: .offline)
        return try engine.render(frames: frames)[0]
    }

    @Test(arguments: [1, 64, 256, 1_024]) func aFilePlaysFromTheFirstFrameOn(_ block: Int) throws {
        let heard = try left(try engine("{unit: file-player, properties: {file: FILE}}", frames: block), 6_000)
        #expect(heard == wave + [Float](repeating: 0, count: 1_000))
    }

    @Test func aLoopHasNoSeam() throws {
        let heard = try left(try engine("{unit: file-player, properties: {file: FILE, loop: true}}"), 12_000)
        #expect(heard == Array((wave + wave + wave).prefix(12_000)))
    }

    /// Held still it waits at its place; what has not begun begins as it is.
    @Test func whatIsHeldGoesOnWhereItWas() throws {
        let engine = try engine("{unit: file-player, running: off, properties: {file: FILE}}")
        let node = try #require(engine.graph.node(named: "tape")?.id)
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 1_000)[0].allSatisfy { $0 == 0 })
        try engine.set(FilePlayback.Parameter.running, 1, of: node)
        let first = try engine.render(frames: 1_024)[0]
        #expect(first == Array(wave.prefix(1_024)))
        try engine.set(FilePlayback.Parameter.running, 0, of: node)
        let held = try engine.render(frames: 1_024)[0]
        #expect(held[64...].allSatisfy { $0 == 0 } && held[0] > 0, "it dies away")
        try engine.set(FilePlayback.Parameter.running, 1, of: node)
        let rest = try engine.render(frames: 1_024)[0]
        #expect(Array(rest[64...]) == Array(wave[1_088..<2_048]))
    }

    @Test(arguments: [
        ("{unit: file-player, properties: {file: /proc/nowhere/x.wav}}", "/proc/nowhere/x.wav: cannot be opened"),
        ("{unit: file-player, properties: {file: /dev/null}}", "cannot be read as audio"),
        ("{unit: file-player, properties: {file: 3}}", "is the path of an audio file"),
        ("{unit: file-player, properties: {file: FILE, loop: 3}}", "is true or false"),
    ])
    func whatCannotPlayIsSaid(_ unit: String, _ reason: String) throws {
        let error = #expect(throws: Fault.self) { try self.engine(unit) }
        #expect("\(error!)".contains(reason), "\(error!)")
    }

    @Test func aPlayerWithoutAFileIsTold() throws {
        let silent = try engine("{unit: file-player}")
        #expect(silent.patch.playersWithoutFile(at: "x.yaml").map(\.subject) == ["x.yaml"])
        #expect(try left(silent, 500).allSatisfy { $0 == 0 })
        #expect(try engine("{unit: file-player, properties: {file: FILE}}").patch.playersWithoutFile(at: "x.yaml").isEmpty)
    }
}
