import AudioFiles
import Carillon
import CarillonTestKit
import Foundation
import RemoteIO
import Testing

/// Recorders and taps of buses that are not stereo: every channel, in the file's order, with its loudspeakers.
@Suite final class WideRecorderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "wide-recorder-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { unlinkFolder() }
    private func unlinkFolder() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// Frame n of channel c.
    private static func sample(_ frame: Int, _ channel: Int) -> Float { Float(frame) / 1_048_576 + Float(channel) / 16 }

    /// An engine whose source counts on every channel, each from a height of its own on.
    private func engine(channels: Int, frames: Int = 120_000) throws -> (Engine, NodeID) {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let planes = (0..<channels).map { channel in (0..<frames).map { Self.sample($0, channel) } }
        let node = try engine.edit { (graph) throws(Fault) in
            let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
            let node = try graph.add(
                UnitInstance.boxing(
                    SignalSource(channels: planes), setup, descriptor: SignalSource.declared(channels: channels)))
            try graph.setOutput(node)
            return node
        }
        return (engine, node)
    }

    private func counting(_ channels: Int, _ frames: Range<Int>) -> [[Float]] {
        (0..<channels).map { channel in frames.map { Self.sample($0, channel) } }
    }

    @Test(arguments: [1, 3, 4, 5, 6, 8]) func everyChannelIsRecordedForItsLoudspeaker(_ channels: Int) throws {
        let (engine, node) = try engine(channels: channels), layout = try #require(SpeakerLayout(channels: channels))
        let recorder = try engine.record(node, to: path("a.wav"), at: SampleTime(321))
        #expect(recorder.channels == channels && recorder.layout == layout)
        try engine.start(on: .offline)
        for slice in [1, 100, 1_000, 899] { try engine.pull(slice) }
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: path("a.wav"))
        #expect(reader.layout == layout && reader.channels == channels)
        #expect(try reader.readAll() == counting(channels, 321..<2_000))
        #expect(engine.graph.nodes.count == 1)
    }

    /// Seven have no layout: the file says nothing, and has them as they stand.
    @Test func channelsThatNoLayoutHasAreRecordedAsTheyStand() throws {
        let (engine, node) = try engine(channels: 7)
        #expect(try engine.layout(of: node) == nil)
        let recorder = try engine.record(node, to: path("a.wav"))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 3_000)
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: path("a.wav"))
        #expect(recorder.layout == nil && reader.layout == nil && reader.channels == 7)
        #expect(try reader.readAll() == counting(7, 0..<3_000))
    }

    @Test func aCrashLeavesAllChannelsWithTheirLoudspeakers() throws {
        let (engine, node) = try engine(channels: 6)
        let recorder = try engine.record(node, to: path("a.wav"))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 100_000)
        try FileManager.default.copyItem(atPath: path("a.wav"), toPath: path("crashed.wav"))
        let reader = try AudioFileReader(path: path("crashed.wav"))
        #expect(reader.frames >= 96_000 && reader.layout == .surround51)
        let sound = try reader.readAll()
        #expect(sound == counting(6, 0..<sound[0].count))
        try engine.finish(recorder)
        #expect(try AudioFileReader(path: path("a.wav")).readAll() == counting(6, 0..<100_000))
    }

    @Test func anotherRateConvertsEveryChannel() throws {
        let (engine, node) = try engine(channels: 6)
        let recorder = try engine.record(node, to: path("a.flac"), sampleRate: 44_100)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 96_000)
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: path("a.flac")), sound = try reader.readAll()
        #expect(reader.layout == .surround51 && sound.allSatisfy { $0.count == 88_200 })
        for channel in 0..<6 {
            // A straight line stays one at any rate.
            let wanted = Float(40_000.0 * 48_000 / 44_100) / 1_048_576 + Float(channel) / 16
            #expect(abs(sound[channel][40_000] - wanted) < 5e-5)
        }
    }

    /// The bus of a spatial mixer has eight channels, and its layout fewer.
    @Test func ofASpatialMixerItsLoudspeakersAreRecorded() throws {
        let engine = try Engine(patch: try #require(PatchExample.named("around-the-room")).patch)
        let output = try #require(engine.graph.output)
        #expect(engine.graph.nodes.first { $0.id == output.node }?.instance.descriptor.outputs[output.bus].channels == 8)
        let recorder = try engine.record(output.node, bus: output.bus, to: path("a.wav"))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 4_000)
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: path("a.wav"))
        #expect(recorder.layout == .surround51 && reader.layout == .surround51 && reader.frames == 4_000)
    }

    @Test func pausesHoldForEveryChannel() throws {
        let (engine, node) = try engine(channels: 5)
        let recorder = try engine.record(node, to: path("a.wav"))
        recorder.pause(at: SampleTime(1_001))
        recorder.resume(at: SampleTime(2_222))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 5_000)
        try engine.finish(recorder)
        let first = counting(5, 0..<1_001), second = counting(5, 2_222..<5_000)
        #expect(try AudioFileReader(path: path("a.wav")).readAll() == (0..<5).map { first[$0] + second[$0] })
    }

    @Test func whatTheFormatCannotHoldIsRefusedAndNothingChanges() throws {
        let (engine, node) = try engine(channels: 6)
        let error = #expect(throws: Fault.self) { try engine.record(node, to: path("a.mp3")) }
        #expect("\(error!)".contains("mp3: cannot hold the layout 5.1"))
        #expect(throws: Fault.noSuchBus(unit: "signal", direction: "output", bus: 1, count: 1)) {
            try engine.record(node, bus: 1, to: path("a.wav"))
        }
        #expect(engine.graph.nodes.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
    }

    @Test(arguments: [1, 6, 12]) func aTapHearsTheBusAsItIs(_ channels: Int) throws {
        let (engine, node) = try engine(channels: channels)
        let tap = try engine.tap(node)
        #expect(tap.channels == channels)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 512)
        #expect(tap.read().map(\.channels) == [counting(channels, 0..<256), counting(channels, 256..<512)])
    }

    /// A tone in a surround is 1.5 dB louder than at the front, in the low frequencies it is nothing.
    @Test func loudnessKnowsTheLoudspeakersOfATap() throws {
        func loudness(_ channel: Int?, _ layout: SpeakerLayout) throws -> Double {
            var reader = try #require(LoudnessReader(sampleRate: 48_000, layout: layout))
            let tone: [Float] = (0..<24_000).map { Float(0.5 * sin(2 * Double.pi * 1_000 * Double($0) / 48_000)) }
            let silence = [Float](repeating: 0, count: tone.count), count = layout.channels
            let planes = (0..<count).map { channel == nil || channel == $0 ? tone : silence }
            return try #require(reader.take(TapBlock(time: .zero, channels: planes)).last).momentary
        }
        let front = try loudness(0, .surround51)
        #expect(abs(try loudness(2, .surround51) - front - 1.5) < 0.05)
        #expect(try loudness(5, .surround51) < -60)
        // One channel is heard on two loudspeakers.
        #expect(try loudness(nil, .mono) == loudness(nil, .stereo))
    }

    @Test func theRenderSideDoesNothingForbidden() throws {
        let rig = OfflineRig(), planes = counting(6, 0..<8_192)
        let source = try rig.add(channels: planes)
        let width: [String: PropertyValue] = [UnitDescriptor.widthProperty: .integer(6)]
        for (name, unit) in [
            ("tap", try UnitInstance.make(Tap.self, rig.setup(properties: width))),
            ("meter", try UnitInstance.make(PeakMeter.self, rig.setup(properties: width))),
        ] {
            try rig.graph.connect(source, to: try rig.graph.add(unit, name: name))
        }
        try rig.graph.setOutput(source)
        try rig.publish()
        rig.render(8_192, block: 300)
        #expect(rig.violations.total == 0)
    }
}
