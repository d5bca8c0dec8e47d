import Carillon
import Foundation
import Testing

/// What a patch makes for more than two loudspeakers gets into files, whole or folded down.
@Suite final class OutputLayoutTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-layouts-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// A steady level on each of the eight channels of a matrix: 1/64, 2/64 and so on. It clips nowhere, however it is folded.
    private func engine(channels: Int = 8) throws -> Engine {
        let engine = Engine()
        try engine.edit { (graph) throws(Fault) in
            let source = try graph.add(source: "levels", channels: channels) { io in
                for channel in 0..<io.outputChannels(0) {
                    for i in 0..<io.frames { io.output(0, channel).base[i] = Float(channel + 1) / 64 }
                }
                return .sounding
            }
            try graph.setOutput(source)
        }
        return engine
    }

    private func mean(_ plane: [Float]) -> Float { plane.reduce(0, +) / Float(plane.count) * 64 }

    @Test func aFileHasTheSpeakersOfTheGraph() throws {
        let path = path("a.flac")
        let engine = try engine()
        #expect(engine.outputLayout == .surround71)
        try engine.render(seconds: 0.1, to: path)
        let reader = try AudioFileReader(path: path)
        #expect(reader.layout == .surround71)
        #expect(try reader.readAll().map { mean($0).rounded() } == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func aStereoFileOfSurroundIsFoldedDown() throws {
        let path = path("a.wav")
        try engine().render(seconds: 0.1, to: path, format: AudioFileFormat(.wav, encoding: .float32), layout: .stereo)
        let reader = try AudioFileReader(path: path), half: Float = 0.70710678
        #expect(reader.layout == .stereo)
        let levels = try reader.readAll().map(mean)
        #expect(abs(levels[0] - (1 + half * (5 + 3 + 7))) < 1e-3)
        #expect(abs(levels[1] - (2 + half * (5 + 4 + 8))) < 1e-3)
    }

    @Test(arguments: [(1, [Float]([1, 1, 0, 0, 0, 0])), (2, [1, 2, 0, 0, 0, 0])])
    func aSurroundFileOfStereoHasItAtTheFront(_ channels: Int, _ expected: [Float]) throws {
        let path = path("a.wav")
        try engine(channels: channels).render(
            seconds: 0.1, to: path, format: AudioFileFormat(.wav, encoding: .float32), layout: .surround51)
        let reader = try AudioFileReader(path: path)
        #expect(reader.layout == .surround51)
        #expect(try reader.readAll().map(mean) == expected)
    }

    @Test func anMP3OfSurroundIsRefusedBeforeAnythingIsRendered() throws {
        let path = path("a.mp3")
        let engine = try engine()
        let error = #expect(throws: Fault.self) { try engine.render(seconds: 0.1, to: path) }
        #expect("\(error!)".contains("mp3: cannot hold the layout 7.1; choose one of mono, stereo"))
        #expect(engine.renderer.sampleTime == .zero)
    }

    @Test func aSpatialMixersLayoutIsThatOfThePatch() throws {
        let patch = try #require(PatchExample.named("around-the-room")).patch
        #expect(patch.outputLayout == .surround51)
        #expect(try Engine(patch: patch).outputLayout == .surround51)
        #expect(try #require(PatchExample.named("around-the-head")).patch.outputLayout == .stereo)
        var other = patch
        let room = try #require(other.units.firstIndex { $0.name == "room" })
        other.units[room].values["layout"] = nil
        #expect(other.outputLayout == .stereo)
        other.units[room].values["layout"] = [3]
        #expect(other.outputLayout == .surround71)
        other.units[room].values["rendering"] = [1]
        #expect(other.outputLayout == .stereo)
    }

    @Test func aSongThroughSurroundSoundsBehindToo() throws {
        var options = RenderedSong.options(2)
        options.patch = try #require(PatchExample.named("around-the-room")).patch
        let song = RenderedSong.song(RenderedSong.note(0, 900))
        let whole = try RenderedSong.render(song, options).samples
        #expect(whole.count == 6)
        let peaks = whole.map { $0.reduce(Float(0)) { max($0, abs($1)) } }
        #expect(peaks[5] == 0)
        #expect(peaks[0] > 0.01 && peaks[2] > 0.0003 && peaks[3] > 0.0003 && peaks[4] > 0.01)
        options.layout = .stereo
        let folded = try RenderedSong.render(song, options).samples
        var farthest: Float = 0
        for i in folded[0].indices {
            let left = whole[0][i] + 0.70710678 * whole[4][i] + 0.70710678 * whole[2][i]
            farthest = max(farthest, abs(left - folded[0][i]))
        }
        #expect(folded.count == 2 && farthest < 1e-6)
    }
}
