import CarillonTestKit
import DSP
import Foundation
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// Counts what the loop asks of it. A main bus of three channels and a key bus of one go in; the main bus comes out, 100
/// frames late.
private struct Witness: EffectWithMemory, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "wtns", manufacturer: "Test"), name: "witness",
        summary: "Counts.", inputs: [.init("main", channels: 3), .init("key", channels: 1)],
        outputs: [.init("main", channels: 3)], tail: 0.1,
        readouts: ["wakes", "tunes", "uneven", "torn", "clears", "woken-at"])
    typealias Parameter = NoParameter

    private let lines: UnsafeMutablePointer<DelayLine>
    var runs = EffectRuns()
    var memory: Int { @_noLocks get { 100 &+ DelayLine.run } }
    private var wakes: Float = 0, tunes: Float = 0, uneven: Float = 0, torn: Float = 0, clears: Float = 0
    private var position = -1

    init(_ setup: UnitSetup) {
        lines = .allocate(capacity: 3)
        for channel in 0..<3 { (lines + channel).initialize(to: DelayLine(longest: 100)) }
    }

    deinit {
        lines.deinitialize(count: 3)
        lines.deallocate()
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let status = renderRuns(io)
        io.publish(0, wakes)
        io.publish(1, tunes)
        io.publish(2, uneven)
        io.publish(3, torn)
        io.publish(4, clears)
        return status
    }

    @_noLocks mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        wakes += 1
        position = -1
        io.publish(5, Float((io.sampleTime + i).rawValue))
    }

    @_noLocks mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        tunes += 1
        if (io.sampleTime + i).rawValue % 64 != 0 { uneven += 1 }
    }

    @_noLocks mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        if run.phase &+ run.count > 64 || run.position & 63 != run.phase { uneven += 1 }
        if position >= 0 && position != run.position { torn += 1 }
        position = run.position &+ run.count
        for channel in 0..<3 {
            lines[channel].write(io.input(0, channel).base + run.start, run.count, at: run.position)
            let old = lines[channel].read(100, before: run.position), output = io.output(0, channel)
            for k in 0..<run.count { output[run.start &+ k] = old[k] }
        }
    }

    @_noLocks mutating func clear() {
        clears += 1
        for channel in 0..<3 { lines[channel].clear() }
    }

    @_noLocks mutating func reset() {
        clear()
        runs = EffectRuns()
    }
}

@Suite struct EffectWithMemoryTests {
    /// Sounds for the three channels and the key, `frames` frames of them.
    private func play(_ sounds: [[Float]], frames: Int, block: Int) throws -> (OfflineRig, UnitInstance) {
        let rig = OfflineRig(maximumFrames: 1024, channels: 3)
        let node = try rig.add(Witness.self)
        try rig.graph.connect(try rig.add(channels: Array(sounds[0..<3]), name: "main"), to: node)
        try rig.graph.connect(try rig.add(channels: [sounds[3]], name: "key"), to: node, input: 1)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(frames, block: block)
        return (rig, rig.graph.nodes[0].instance)
    }

    private func sound(_ length: Int, at frame: Int = 0, of frames: Int) -> [Float] {
        [Float](repeating: 0, count: frame) + noise(frames: length)
            + [Float](repeating: 0, count: frames - frame - length)
    }

    @Test(arguments: [1, 7, 64, 100, 1024])
    func everyRunLiesBetweenTwoMultiplesOf64(block: Int) throws {
        let frames = 5000, silence = [Float](repeating: 0, count: 5000)
        let (_, unit) = try play([silence, sound(700, at: 777, of: frames), silence, silence], frames: frames, block: block)
        #expect(unit.readout("uneven") == 0 && unit.readout("torn") == 0)
        #expect(unit.readout("wakes") == 1 && unit.readout("woken-at") == 777)
        // Awake from 777 to the second multiple of 1024 behind the last sound: tuned at 832, 896, ... 3008.
        #expect(unit.readout("tunes") == 35 && unit.readout("clears") == 1)
    }

    @Test(arguments: 0..<4) func anyChannelOfAnyBusWakes(_ channel: Int) throws {
        var sounds = [[Float]](repeating: [Float](repeating: 0, count: 4000), count: 4)
        sounds[channel][1111] = 0.5
        let (rig, unit) = try play(sounds, frames: 4000, block: 333)
        #expect(unit.readout("woken-at") == 1111)
        for other in 0..<3 {
            #expect(rig.recording[other].firstIndex { $0 != 0 } == (other == channel ? 1211 : nil))
        }
        #expect(unit.memory.pointee.isAsleep)
    }

    @Test func soundsOfADifferentLengthInEveryChannelComeOutAtEveryBlockSize() throws {
        let sounds = [100, 1500, 2900, 40].map { sound($0, at: 4000 - $0, of: 9000) }
        let (reference, _) = try play(sounds, frames: 9000, block: 256)
        for channel in 0..<3 {
            #expect(Array(reference.recording[channel][100...]) == Array(sounds[channel][..<8900]))
        }
        for block in [1, 13, 64, 1000] {
            let (other, _) = try play(sounds, frames: 9000, block: block)
            #expect(firstDifference(reference.recording, other.recording) == nil, "block \(block)")
            #expect(other.violations.total == 0, "\(other.violations)")
        }
    }

    @Test func theEchoOfTheGuideRepeatsObeysTheLawsAndIsTheOneInTheGuide() throws {
        let heard = try UnitsTests.play(Echo.self, left: click(frames: 30_000), right: click(frames: 30_000))
        for (count, level) in [(0, 1), (1, 0.5), (2, 0.25), (3, 0.125)] as [(Int, Float)] {
            #expect(heard.recording[0][count * 9_600] == level)
        }
        #expect(heard.recording[1].filter { $0 != 0 }.count == 4)
        let broken = try checkUnit(UnitUnderTest(Echo.self))
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")

        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let guide = here.appending(path: "../../Sources/Carillon/Carillon.docc/Guides/AddAnEffect.md")
        let echo = try String(contentsOf: here.appending(path: "Echo.swift"), encoding: .utf8)
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("```swift\n\(echo)```\n"))
    }
}
