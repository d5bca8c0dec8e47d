import CarillonTestKit
import Foundation
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// The delay and the equalizer that songs set by System Exclusive, as they are heard.
@Suite struct SongDelayTests {
    private func gs(_ middle: UInt8, _ low: UInt8, _ values: UInt8...) -> [UInt8] {
        [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, middle, low] + values + [0, 0xF7]
    }

    private func play<U: AudioUnit & ~Copyable>(
        _ unit: U.Type, _ sound: [Float], frames: Int, block: Int = 512, values: [String: Float] = [:],
        properties: [String: PropertyValue] = [:], _ messages: [(frame: Int, bytes: [UInt8])]
    ) throws -> [[Float]] {
        let rig = OfflineRig(sampleRate: 48_000)
        let node = try rig.graph.add(
            try UnitInstance.make(unit, rig.setup(startValues: values, properties: properties)))
        try rig.graph.connect(try rig.add(left: sound, right: sound), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        var interpreter = SystemExclusive()
        for message in messages {
            for event in interpreter.events(from: message.bytes, port: 0) {
                #expect(
                    rig.renderer.send(
                        RenderCommand(time: SampleTime(Int64(message.frame)), node: nil, event: .music(event))))
            }
        }
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0)
        return rig.recording
    }

    @Test func repeatsComeWhereAndAsLoudAsTheMessagesSay() throws {
        let start = 9_600, sound = [Float](repeating: 0, count: start) + [1]
        // 200 ms in the middle at half level, 100 ms on the left, 300 ms on the right at a quarter, a tenth goes round again.
        let heard = try play(
            MultiDelay.self, sound, frames: start + 30_000,
            [(10, gs(1, 0x52, 0x5A, 12, 36, 64, 127, 32, 64, 71, 0))])
        let level = 0.836 * 2.0.squareRoot(), again = 7 * 0.01526
        func expect(_ side: Int, _ milliseconds: Int, _ share: Double) {
            #expect(abs(Double(heard[side][start + milliseconds * 48]) - level * share) < 2e-3)
        }
        for side in 0..<2 { expect(side, 200, 64.0 / 127) }
        expect(0, 100, 1)
        expect(1, 300, 32.0 / 127)
        expect(0, 300, again)
        expect(0, 400, again * 64.0 / 127)
        expect(1, 500, again * 32.0 / 127)
        #expect(abs(heard[1][start + 4_800]) < 1e-6)
    }

    @Test func theReverbsPlaceHasADelayOfItsOwn() throws {
        let start = 9_600, sound = [Float](repeating: 0, count: start) + [1]
        let heard = try play(
            MultiDelay.self, sound, frames: start + 24_000, values: ["level": 0], properties: ["place": .text("reverb")],
            [(10, gs(1, 0x30, 7)), (20, gs(1, 0x34, 127)), (30, gs(1, 0x50, 3))])
        let left = Int(446.8 * 48 / 2 + 0.5), peak = 0.836 * 0.904 * 2.0.squareRoot()
        #expect(abs(Double(heard[0][start + left]) - peak) < 2e-3)
        #expect(abs(Double(heard[1][start + Int(446.8 * 48 + 0.5)]) - peak) < 2e-3)
        #expect(throws: UnitError.self) {
            try UnitInstance.make(MultiDelay.self, OfflineRig().setup(properties: ["place": .text("hall")]))
        }
    }

    @Test func filtersAreFirstOrderAndOpenOnesPassEveryBit() throws {
        for (byte, hertz) in [(1, 5_040.0), (3, 2_000.4), (7, 315.2)] as [(UInt8, Double)] {
            let sound = sine(hertz, amplitude: 0.5, frames: 24_000)
            let heard = try play(SendFilter.self, sound, frames: 24_000, [(10, gs(1, 0x32, byte))])
            #expect(abs(level(heard[0][12_000...]) / level(sound[12_000...]) - 0.7071) < 0.01)
            let other = try play(
                SendFilter.self, sound, frames: 24_000, properties: ["place": .text("chorus")], [(10, gs(1, 0x32, byte))])
            #expect(other[0] == sound)
        }
    }

    @Test func shelvesRaiseAndLowerWhatLiesBeyondThem() throws {
        for (message, hertz, decibels) in [
            (gs(2, 0, 0, 76), 20.0, 12.0), (gs(2, 0, 1, 52), 30, -12), (gs(2, 2, 0, 70), 18_000, 6),
            (gs(2, 2, 1, 60), 18_000, -4),
            (gs(2, 0, 0, 76), 5_000, 0), ([0xF0, 0x43, 0x10, 0x4C, 2, 0x40, 9, 70, 34, 7, 0xF7], 1_000, 6),
        ] as [([UInt8], Double, Double)] {
            let sound = sine(hertz, amplitude: 0.1, frames: 48_000)
            let heard = try play(SongEqualizer.self, sound, frames: 48_000, [(10, message)])
            let found = 20 * log10(Double(level(heard[0][24_000...]) / level(sound[24_000...])))
            #expect(abs(found - decibels) < 0.5, "\(found) dB instead of \(decibels) dB at \(hertz) Hz")
        }
        let sound = sine(440, amplitude: 0.1, frames: 4_800)
        #expect(try play(SongEqualizer.self, sound, frames: 4_800, [])[0] == sound)
    }

    @Test(arguments: [1, 64, 333]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 6_000) + [Float](repeating: 0, count: 30_000)
        let messages = [(500, gs(1, 0x50, 9)), (3_001, gs(1, 0x52, 0x50)), (9_000, gs(0, 0x7F, 0))]
        let reference = try play(MultiDelay.self, sound, frames: sound.count, block: 1000, messages)
        #expect(try play(MultiDelay.self, sound, frames: sound.count, block: block, messages) == reference)
    }
}
