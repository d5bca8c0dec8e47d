import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// What the render side must not do, it does not do in storms either: the rig of `Oracle` counts allocations, locks and
/// calls of the runtime in every frame, and every oracle expects none.
@Suite struct OracleProbeTests {
    private static let font: OracleSoundFont = {
        var font = OracleSoundFont(Oracle.sine(100), [(54, 1), (16, 300), (15, 200), (57, 2), (13, 50), (38, 0)])
        font.has24Bits = true
        font.instruments[0].append(.init(generators: [(54, 3), (6, 40), (7, 200), (51, 40), (8, 6_000)]))
        font.presets.append([.init(), .init(generators: [(52, 10)])])
        return font
    }()

    private static func timed(_ time: Int, _ event: MusicEvent) -> TimedMusicEvent {
        TimedMusicEvent(time: SampleTime(Int64(time)), event: event)
    }

    /// Two hundred notes at one frame for 32 voices, all their endings, and every kind of message in between.
    private static let storm: [TimedMusicEvent] = {
        var events: [TimedMusicEvent] = []
        for number in 0..<200 { events.append(timed(70, .key(UInt8(number % 120 + 4), 90, on: UInt8(number % 8)))) }
        for number in 0..<64 {
            let time = 200 + 7 * number
            events.append(timed(time, .change(UInt8(number), UInt8(number * 2), on: UInt8(number % 8))))
            events.append(timed(time, .raw(0xC0 | UInt8(number % 16), UInt8(number % 3))))
            events.append(timed(time, .bend(number * 100, on: UInt8(number % 8))))
            events.append(timed(time + 1, .keyPressure(60, UInt8(number), on: UInt8(number % 8))))
            events.append(timed(time + 1, .channelPressure(UInt8(number), on: UInt8(number % 8))))
            events.append(timed(time + 2, .key(UInt8(30 + number), 100, on: UInt8(number % 10))))
            events.append(timed(time + 40, .up(UInt8(30 + number), on: UInt8(number % 10))))
        }
        for number in 120..<128 { events.append(timed(900 + number, .change(UInt8(number), 0, on: UInt8(number % 8)))) }
        for number in 0..<100 { events.append(timed(1_100, .key(UInt8(20 + number), 80, on: UInt8(number % 4)))) }
        events.append(timed(1_150, .masterVolume(0.5, port: 0)))
        events.append(timed(1_200, .scaleTuning(channels: .max, step: 3, hundredths: 700, port: 0)))
        events.append(timed(1_300, .reset(.gs, port: 0)))
        for number in 0..<40 { events.append(timed(1_350, .key(UInt8(20 + number), 80))) }
        events.append(timed(1_400, .standard(.generalMIDI2, port: 0)))
        return events.sorted { $0.time < $1.time }
    }()

    @Test func stormsBreakNoRuleAndSoundTheSameInEverySlice() throws {
        let sounds = try [1, 64, 1_024].map { block in
            try Oracle(Self.font, events: Self.storm, frames: 2_048, block: block, values: ["polyphony": 32])
        }
        #expect(sounds[0].left.contains { abs($0) > 0.01 })
        #expect(sounds[1].left == sounds[0].left && sounds[2].left == sounds[0].left)
        #expect(sounds[1].right == sounds[0].right && sounds[2].right == sounds[0].right)
    }

    /// The probe itself counts: a list of events that grows in the callback would be seen. See RTProbeTests.
    @Test(arguments: [0, 1, 2, 3, 4, 5]) func everyInterpolationBreaksNoRule(interpolation: Int) throws {
        let sound = try Oracle(
            Self.font, events: Self.storm, frames: 1_024, values: ["interpolation": Float(interpolation), "polyphony": 64])
        #expect(sound.left.allSatisfy(\.isFinite) && sound.left.contains { abs($0) > 0.01 })
        let again = try Oracle(
            Self.font, events: Self.storm, frames: 1_024, block: 7,
            values: ["interpolation": Float(interpolation), "polyphony": 64])
        #expect(again.left == sound.left && again.right == sound.right)
    }
}
