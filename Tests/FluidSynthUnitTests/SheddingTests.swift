import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import SoundFonts
import Testing
import UnitAPI

@testable import FluidSynthUnit

/// A SoundFont that is told to work less lets released voices go, without a click.
@Suite struct SheddingTests {
    /// Strings with long releases: eight notes, six of them released at 30 000, `orders` at their times.
    private func strings(
        _ orders: [(level: UInt8, time: Int)], block: Int = 256, frames: Int = 48_000
    ) throws -> SoundFontRig {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([.init(path: SoundFontRig.timGM)]))
        func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, _ time: Int) {
            rig.rig.send(
                .message(MIDIMessage(status: status, data1: data1, data2: data2)), to: rig.node, at: time)
        }
        send(0xC0, 89, 0, 0)    // warm pad
        send(0xB0, 72, 110, 0)    // a longer release
        for n in UInt8(0)..<8 { send(0x90, 48 + 3 * n, 30 + 10 * n, 64) }
        for n in UInt8(0)..<6 { send(0x80, 48 + 3 * n, 0, 30_000) }
        for (level, time) in orders {
            #expect(
                rig.rig.renderer.send(
                    RenderCommand(time: SampleTime(Int64(time)), node: nil, event: .shed(level: level))))
        }
        rig.rig.render(frames, block: block)
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
        return rig
    }

    private func voices(_ rig: SoundFontRig) -> Float { rig.unit.readout("active-voices") ?? -1 }

    @Test func releasedVoicesGo() throws {
        let all = voices(try strings([], frames: 33_000))
        let some = voices(try strings([(1, 31_001)], frames: 33_000))
        let fewest = voices(try strings((0..<12).map { (1, 31_001 + $0 * 100) }, frames: 33_000))
        #expect(all >= 8 && some < all && fewest < some && fewest >= all / 4, "\(all), \(some), \(fewest)")
    }

    @Test func sheddingIsTheSameInAllSlicesAndLevelZeroIsNothing() throws {
        let reference = try strings([(2, 31_001), (0, 40_000)]).rig.recording
        for block in [1, 33, 100, 4096] {
            #expect(try strings([(2, 31_001), (0, 40_000)], block: block).rig.recording == reference, "slices of \(block)")
        }
        #expect(try strings([]).rig.recording == strings([(0, 31_001)]).rig.recording)
        #expect(try strings([]).rig.recording != reference)
    }

    @Test func nothingClicks() throws {
        func step(_ rig: SoundFontRig) -> Float {
            let sound = rig.rig.recording[0]
            var worst: Float = 0
            for i in 31_000..<34_000 {
                let bend = sound[i + 1] - 2 * sound[i] + sound[i - 1]
                worst = max(worst, abs(bend))
            }
            return worst
        }
        let usual = step(try strings([])), shed = step(try strings([(1, 31_001), (1, 32_001)]))
        #expect(shed < usual * 2, "\(shed) against \(usual)")
    }
}
