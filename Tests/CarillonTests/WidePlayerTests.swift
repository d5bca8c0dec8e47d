import Carillon
import CarillonTestKit
import Foundation
import RTProbe
import RemoteIO
import Testing

/// Files for more than two loudspeakers in the graph: whole in their order, or folded down, on the exact frame.
@Suite final class WidePlayerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "wide-player-\(UUID().uuidString)")
    private let half: Float = 0.70710678118654752

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { unlinkFolder() }
    private func unlinkFolder() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    /// Writes planes, which stand in the order of `layout`, as a file.
    private func file(
        _ planes: [[Float]], _ layout: SpeakerLayout?, rate: Int = 48_000, _ name: String = "a.wav",
        _ format: AudioFileFormat? = nil
    ) throws -> String {
        let path = folder.appending(path: name).path()
        let writer = try AudioFileWriter(
            path: path, format: try format ?? AudioFileFormat(path: path, bits: .float32), channels: planes.count,
            layout: layout, sampleRate: rate)
        for start in stride(from: 0, to: planes[0].count, by: 1_000) {
            let count = min(1_000, planes[0].count - start), buffer = AudioBuffer(channels: planes.count, capacity: 1_000)
            for (channel, plane) in planes.enumerated() {
                for i in 0..<count { buffer.channels[channel][i] = plane[start + i] }
            }
            try writer.write((0..<planes.count).map { UnsafePointer(buffer.channels[$0]) }, frames: count)
        }
        try writer.finish()
        return path
    }

    /// Each channel counts, from a height of its own on.
    private func counting(_ channels: Int, _ frames: Int) -> [[Float]] {
        (0..<channels).map { channel in (0..<frames).map { Float($0) / 65_536 + Float(channel + 1) / 16 } }
    }

    private func engine(_ path: String, channels: Int, rate: Double = 48_000) throws -> (Engine, FilePlayer) {
        let engine = Engine(sampleRate: rate, maximumFrames: 1_024)
        let player = try engine.edit { (graph) throws(Fault) in
            let player = try graph.add(player: path, channels: channels)
            try graph.setOutput(player.node)
            return player
        }
        return (engine, player)
    }

    @Test(arguments: [("a.wav", SpeakerLayout.surround51), ("a.caf", .surround51), ("a.wav", .surround71), ("a.aiff", .quad)])
    func everyLoudspeakerPlaysItsOwnChannelOnTheExactFrame(_ name: String, _ layout: SpeakerLayout) throws {
        let planes = counting(layout.channels, 5_000)
        let (engine, player) = try engine(try file(planes, layout, name), channels: layout.channels)
        #expect(player.layout == layout && player.remark == nil && engine.outputLayout == layout)
        try player.play(at: SampleTime(777))
        try engine.start(on: .offline(layout: layout))
        let silence = [Float](repeating: 0, count: 777), rest = [Float](repeating: 0, count: 8_000 - 5_777)
        #expect(try engine.render(frames: 8_000) == planes.map { silence + $0 + rest })
        #expect(player.state == .ended(at: SampleTime(5_777)))
    }

    @Test func aStereoPlayerFoldsSurroundDownAndSaysSo() throws {
        let planes = counting(6, 3_000), path = try file(planes, .surround51)
        let (engine, player) = try engine(path, channels: 2)
        #expect(player.channels == 6 && player.layout == .surround51)
        #expect(player.remark == "\(path): is made for 5.1, and is folded down to stereo")
        #expect(engine.graph.nodes[0].instance.companion?.complaint == player.remark)
        // A stereo player of today is made as it was.
        #expect(engine.graph.nodes[0].instance.setup.properties == ["file": .text(path)])
        try player.play(at: .zero)
        try engine.start(on: .offline)
        let heard = try engine.render(frames: 3_000)
        for i in 0..<3_000 {
            let (left, right) = (
                planes[0][i] + half * planes[2][i] + half * planes[4][i],
                planes[1][i] + half * planes[3][i] + half * planes[4][i]
            )
            guard abs(heard[0][i] - left) < 1e-6, abs(heard[1][i] - right) < 1e-6 else {
                Issue.record("frame \(i): \(heard[0][i]), not \(left)")
                break
            }
        }
    }

    @Test(arguments: [(1, [Float]([1, 1, 0, 0, 0, 0])), (2, [1, 2, 0, 0, 0, 0]), (4, [1, 2, 3, 4, 0, 0])])
    func aSurroundPlayerPlaysLessAtItsPlace(_ channels: Int, _ heard: [Float]) throws {
        let planes = (0..<channels).map { [Float](repeating: Float($0 + 1) / 16, count: 500) }
        let (engine, player) = try engine(try file(planes, SpeakerLayout(channels: channels)), channels: 6)
        try player.play(at: .zero)
        try engine.start(on: .offline(layout: .surround51))
        #expect(try engine.render(frames: 400).map { $0[300] * 16 } == heard && player.remark == nil)
    }

    @Test func aFileThatDoesNotTellIsTakenInTheOrderOfWAVE() throws {
        let planes = counting(6, 1_000)
        let (engine, player) = try engine(try file(planes, .surround51, "a.w64"), channels: 6)
        #expect(player.layout == .surround51)
        #expect(
            player.remark?.hasSuffix(
                "a.w64: does not say which loudspeaker each channel is for, and is taken for 5.1") == true)
        try player.play(at: .zero)
        try engine.start(on: .offline(layout: .surround51))
        #expect(try engine.render(frames: 1_000) == planes)
        // One that says nothing at all, and has no usual meaning, plays channel by channel, and is not folded.
        let seven = try file(counting(7, 100), nil, "seven.wav")
        #expect(try self.engine(seven, channels: 8).1.layout == nil)
        let error = #expect(throws: Fault.self) { try self.engine(seven, channels: 2) }
        #expect(error?.description.contains("seven.wav: has 7 channels for loudspeakers that no layout has") == true)
        let twelve = try file(counting(12, 100), nil, "twelve.wav")
        #expect(throws: Fault.self) { try self.engine(twelve, channels: 8) }
        #expect(
            throws: Fault.unit(
                .invalidProperty(
                    unit: "file-player", property: "channels", reason: "choose a whole number from 1 to 8"))
        ) {
            try self.engine(seven, channels: 9)
        }
    }

    @Test func segmentsLoopsAndSpeedsHoldForEveryChannel() throws {
        let path = try file(counting(6, 4_000), .surround51, rate: 44_100)
        // Six channels are as six players of one channel each.
        func sound(_ slice: Int, _ path: String, channels: Int) throws -> [[Float]] {
            let (engine, player) = try engine(path, channels: channels)
            try player.play(at: SampleTime(50), passes: .times(2))
            try player.queue(from: 1_000, frames: 500)
            player.pause(at: SampleTime(3_001))
            player.resume(at: SampleTime(4_003))
            try engine.setRate(1.25, of: player, over: .milliseconds(10), at: SampleTime(5_000))
            try engine.fade(player, to: -20, over: .milliseconds(30), at: SampleTime(6_000))
            try player.play(at: SampleTime(8_000), from: 300, frames: 700, loops: true)
            player.stop(at: SampleTime(14_007))
            try engine.start(on: .offline(channels: channels))
            var sound = [[Float]](repeating: [], count: channels)
            while sound[0].count < 16_000 {
                let buffer = try engine.pull(slice)
                for c in 0..<channels { sound[c] += buffer[channel: c][..<slice] }
            }
            #expect(player.underrunFrames == 0 && player.lateCues == 0)
            return sound.map { Array($0[..<16_000]) }
        }
        let whole = try sound(512, path, channels: 6)
        #expect(try sound(100, path, channels: 6) == whole)
        for (channel, plane) in counting(6, 4_000).enumerated() {
            let alone = try file([plane], .mono, rate: 44_100, "mono-\(channel).wav")
            let one = try sound(512, alone, channels: 1)[0]
            let worst = zip(one, whole[channel]).map { abs($0 - $1) }.max() ?? 1
            #expect(worst < 1e-6, "channel \(channel): \(worst)")
        }
    }

    @Test func aLoopHasNoSeamOnAnyChannel() throws {
        /// A sine of a pitch of its own, 44 periods and more in a tenth of a second.
        func tone(_ channel: Int, _ frame: Int, _ rate: Double) -> Float {
            let pitch = Double(440 + 100 * channel)
            return Float(0.5 * sin(2 * Double.pi * pitch * Double(frame) / rate))
        }
        let planes: [[Float]] = (0..<6).map { channel in (0..<4_410).map { tone(channel, $0, 44_100) } }
        let (engine, player) = try engine(try file(planes, .surround51, rate: 44_100), channels: 6)
        try player.play(at: .zero, loops: true)
        try engine.start(on: .offline(layout: .surround51))
        let sound = try engine.render(frames: 24_000)
        for channel in 0..<6 {
            var worst: Float = 0
            for i in 1_000..<24_000 { worst = max(worst, abs(sound[channel][i] - tone(channel, i, 48_000))) }
            #expect(worst < 1e-4, "channel \(channel): \(worst)")
        }
    }

    @Test func aSessionPlaysASurroundBellInStereoAndSaysSo() throws {
        let path = try file((0..<6).map { [Float](repeating: $0 == 4 ? 0.25 : 0, count: 48_000) }, .surround51)
        let timed = try SessionInTime()
        try timed.session.prepare(SessionSound(name: "bell", path: path))
        try timed.pass(0.2)
        #expect(
            timed.session.takeNotices().contains(
                "sound-bell: \(path): is made for 5.1, and is folded down to stereo"))
        try timed.session.play(sound: "bell")
        try timed.pass(0.5)
        // The centre is heard on both sides.
        let heard = timed.port.played.map { $0.last ?? 0 }
        #expect(heard[0] > 0.1 && heard[0] == heard[1], "\(heard)")
    }

    /// In a patch the width is a property, and what leads on is as wide.
    @Test func aPatchSaysHowManyChannels() throws {
        let text = """
            version: 1
            units:
              tape: {unit: file-player, properties: {channels: 6}}
              guard: {unit: limiter, properties: {channels: 6}}
              meter: {unit: peak-meter, properties: {channels: 6}}
            connections:
              - tape -> guard
              - guard -> meter
            outputs: guard
            """
        let patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        #expect(patch.outputLayout == .surround51)
        let engine = try Engine(patch: patch)
        #expect(engine.outputLayout == .surround51 && engine.graph.structure.units == patch.units)
        let meter = try engine.graph.node(try #require(engine.graph.node(named: "meter")?.id)).instance
        #expect(meter.readout("peak-left") == -120 && meter.readout("average[5]") == -120 && meter.readout("peak[6]") == nil)
        for (wrong, told) in [("9", "choose a whole number from 1 to 8"), ("many", "choose a whole number from 1 to 8")] {
            let other = text.replacing(
                "tape: {unit: file-player, properties: {channels: 6}}",
                with:
                    "tape: {unit: file-player, properties: {channels: \(wrong)}}")
            let error = #expect(throws: Fault.self) {
                try Engine(patch: PatchFile(text: other, units: UnitCatalog.entries).patch)
            }
            #expect("\(error!)".contains(told), "\(error!)")
        }
        let narrow = text.replacing("guard: {unit: limiter, properties: {channels: 6}}", with: "guard: {unit: limiter}")
        let error = #expect(throws: Fault.self) {
            try Engine(patch: PatchFile(text: narrow, units: UnitCatalog.entries).patch)
        }
        #expect("\(error!)".contains("6 channels do not fit a bus of 2") && "\(error!)".contains("property channels"))
    }

    /// A limiter behind a spatial mixer's eight channels does not make 7.1 of its 5.1.
    @Test func aLimiterPassesTheLayoutOn() throws {
        var patch = try #require(PatchExample.named("around-the-room")).patch
        let output = try #require(patch.outputs.first)
        var guardian = PatchUnit("guard", "limiter")
        guardian.properties["channels"] = .integer(8)
        patch.units.append(guardian)
        patch.connections.append(PatchConnection(output, to: PatchPort("guard")))
        patch.outputs[0] = PatchPort("guard")
        #expect(patch.outputLayout == .surround51)
        let engine = try Engine(patch: patch)
        #expect(engine.outputLayout == .surround51)
        let node = try #require(engine.graph.output?.node)
        #expect(try engine.layout(of: node) == .surround51)
    }

    @Test func theRenderSideOfSixChannelsDoesNothingForbidden() throws {
        let (engine, player) = try engine(try file(counting(6, 20_000), .surround51, rate: 44_100), channels: 6)
        let port = SimulatedPort()
        try player.play(at: SampleTime(500))
        player.pause(at: SampleTime(3_000))
        player.resume(at: SampleTime(4_000))
        try player.play(at: SampleTime(8_000), from: 10_000)
        try engine.setRate(1.5, of: player, at: SampleTime(10_000))
        try engine.start(on: .simulated(port, channels: 6, layout: .surround51))
        _ = rt_probe_take()
        port.advance(frames: 20_000)
        let seen = rt_probe_take()
        #expect(seen.allocations == 0 && seen.frees == 0 && seen.locks == 0 && seen.blocking == 0)
        #expect(seen.arc == 0 && seen.objects == 0 && seen.metadata == 0 && seen.once == 0 && seen.casts == 0)
        #expect(port.played.count == 6 && port.played.allSatisfy { $0.contains { $0 != 0 } })
    }
}
