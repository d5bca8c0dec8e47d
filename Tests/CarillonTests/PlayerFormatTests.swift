import Carillon
import Foundation
import Testing

/// Files of every kind that libsndfile reads, from the middle, over a loop and to the end.
@Suite final class PlayerFormatTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "formats-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { unlinkFolder() }
    private func unlinkFolder() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    @Test(arguments: AudioFileFormat.Container.available.filter { $0 != .raw })
    func aPartOfTheFileIsThatPart(_ container: AudioFileFormat.Container) throws {
        let path = folder.appending(path: "a.\(container.rawValue)").path()
        let tone = (0..<96_000).map(Double.init).map { (time: Double) -> Float in Float(0.4 * sin(time * (0.01 + time * 1e-6))) }
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(container, encoding: container.encodings.last), channels: 1, sampleRate: 48_000)
        try tone.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: tone.count) }
        try writer.finish()
        let whole = try AudioFileReader(path: path).readAll()[0]
        let engine = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let player = try engine.edit { (graph) throws(Fault) in
            let player = try graph.add(player: path)
            try graph.setOutput(player.node)
            return player
        }
        try player.play(at: SampleTime(100), frames: 5_000)
        try player.queue(from: 40_123, frames: 3_001, passes: .times(2))
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 12_000)[0]
        #expect(player.error == nil && player.underrunFrames == 0)
        let loop = whole[40_123..<43_124], wanted = Array(whole[..<5_000]) + loop + loop
        let worst = zip(sound[100..<11_102], wanted).map { abs($0 - $1) }.max() ?? 1
        // A decoder of MP3 that began elsewhere rounds otherwise.
        #expect(container.isLossy ? worst < 1e-6 : worst == 0, "\(container.rawValue): off by \(worst)")
        #expect(player.state == .ended(at: SampleTime(11_102)))
    }
}
