import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing
import UnitAPI

@testable import Samplers

/// A sampler whose notes are dealt out sounds like one that plays all of them itself, but for the order in which its voices
/// are added up.
@Suite struct ShareTests {
    private static let font = String(SamplerRig.songs.dropLast("songs".count)) + "soundfonts/carillon.sf2"
    private static let frames = 48_000 * 3

    /// Somebody plays everything that channels know: pedals, bends, mono and legato, drums that cut each other off.
    private func improvisation(_ seed: UInt64) -> [TimedMusicEvent] {
        var random = SeededRandom(seed: seed)
        func pick(_ list: [UInt8]) -> UInt8 { list[Int(random.next() % UInt64(list.count))] }
        func value() -> UInt8 { UInt8(random.next() % 128) }
        var events: [TimedMusicEvent] = []
        var time = 0
        while time < Self.frames * 3 / 4 {
            time += Int(random.next() % 900)
            let channel = pick([0, 0, 1, 2, 9])
            switch random.next() % 12 {
            case 0...5:
                let key = channel == 9 ? pick([36, 38, 42, 44, 46]) : 40 + value() % 40
                events.append(SamplerRig.note(time, key, 1 + value() % 127, channel: channel))
            case 6, 7: events.append(SamplerRig.message(time, 0x80 | channel, 40 + value() % 40))
            case 8: events.append(SamplerRig.message(time, 0xB0 | channel, pick([1, 7, 10, 64, 66, 67, 91, 93]), value()))
            case 9:
                let mode = pick([5, 65, 68, 84, 126, 127, 120, 121, 123])
                events.append(SamplerRig.message(time, 0xB0 | channel, mode, pick([0, 0, 64, 127])))
            case 10: events.append(SamplerRig.message(time, 0xE0 | channel, value(), value()))
            default: events.append(SamplerRig.message(time, 0xC0 | channel, value()))
            }
        }
        return events
    }

    private func play(_ seed: UInt64, _ values: [String: Float], block: Int = 512) throws -> (sound: [[Float]], rig: SamplerRig) {
        let rig = try SamplerRig(Self.font, values: values)
        let sound = rig.play(improvisation(seed), frames: Self.frames, block: block)
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
        return (sound, rig)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func sharesSoundLikeTheWhole(_ seed: UInt64) throws {
        let whole = try play(seed, ["shares": 0, "polyphony": 2_048])
        #expect(whole.rig.unit.readout("unplayable-notes") == 0)
        for (choice, count) in [(1, 2), (2, 4), (3, 8)] {
            let dealt = try play(seed, ["shares": Float(choice), "polyphony": 2_048])
            #expect(dealt.rig.unit.shares.count == count - 1)
            let difference = Difference.decibels(dealt.sound, whole.sound, 0..<Self.frames)
            #expect(difference < -110, "\(count) shares differ by \(difference) dB")
        }
    }

    @Test func sharesOfAnyNumberDoNotDependOnTheBlock() throws {
        let values: [String: Float] = ["shares": 2]
        let sound = try play(9, values).sound
        for block in [64, 1_000] { #expect(firstDifference(sound, try play(9, values, block: block).sound) == nil) }
    }

    @Test func notMoreVoicesSoundInAllThanMay() throws {
        let rig = try SamplerRig(Self.font, values: ["shares": 2, "polyphony": 66])
        #expect(rig.unit.shares.count == 3)
        var events: [TimedMusicEvent] = []
        for channel in UInt8(0)..<4 {
            for key in UInt8(30)..<80 { events.append(SamplerRig.note(0, key, 100, channel: channel)) }
        }
        _ = rig.play(events, frames: 4_096)
        let sounding = rig.unit.readout("active-voices") ?? 0, stolen = rig.unit.readout("stolen-voices") ?? 0
        #expect(sounding > 60 && sounding <= 66, "\(sounding)")
        #expect(stolen > 100)
    }

    @Test func whoeverWantsFewVoicesGetsTheLoudestOfAll() throws {
        let rig = try SamplerRig(Self.font, values: ["shares": 3, "polyphony": 63])
        #expect(rig.unit.shares.isEmpty)
    }

    @Test func theSharesHaveTheSamplesInCommon() throws {
        let values: [String: Float] = ["shares": 0]
        let rig = OfflineRig()
        let properties = SoundFontSelection.properties([.init(path: Self.font)])
        func bytes(_ shares: Float) throws -> Int? {
            let before = HeldMemory.bytes ?? 0
            var unit: UnitInstance? = try UnitInstance.make(
                Sampler.self, rig.setup(startValues: values.merging(["shares": shares]) { $1 }, properties: properties))
            defer { withExtendedLifetime(unit) { unit = nil } }
            return HeldMemory.bytes.map { $0 - before }
        }
        _ = try bytes(0)
        guard let one = try bytes(0), let eight = try bytes(3) else { return }
        #expect(eight < one + 8 * 2_000_000, "\(one) and \(eight)")
    }
}
