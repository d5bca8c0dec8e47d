import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import Samplers

/// What a single drum sends to the effects: Roland's non-registered parameters 1D and 1E, XG's as well.
@Suite struct OracleDrumSendTests {
    private enum Bus { static let drums = 9, reverb = 16 + 9, chorus = 32 + 9 }
    /// What a feed counts in a strip, on either side (`ChannelStrip`).
    private static let feed = 5 * 0.5.squareRoot()

    /// One drum on channel 10, on one of its buses.
    private func drum(
        _ generators: [(Int, Int)], key: UInt8 = 60, _ events: [(Int, MusicEvent)], bus: Int
    ) throws -> Oracle {
        var all = events.map { TimedMusicEvent(time: SampleTime(Int64(Oracle.start + $0.0)), event: MusicEvent.onDrums($0.1)) }
        all.append(TimedMusicEvent(time: SampleTime(Int64(Oracle.start)), event: .key(key, on: 9)))
        var font = OracleSoundFont(Oracle.step, [(54, 1), (56, 0)] + generators)
        font.presets.append([.init()])
        font.hasKit = true
        return try Oracle(font, events: all, frames: Oracle.start + 4_000, bus: bus)
    }

    private func send(_ upper: UInt8, _ key: UInt8, _ value: UInt8, at time: Int = -20) -> [(Int, MusicEvent)] {
        [(time, .change(99, upper)), (time, .change(98, key)), (time, .change(6, value))]
    }

    /// What reaches the effect on both sides: the strip's share of the channel, and the feed.
    private func heard(
        _ generators: [(Int, Int)], key: UInt8 = 60, _ events: [(Int, MusicEvent)], bus: Int, share: Double,
        at age: Int = 3_900
    ) throws -> (left: Double, right: Double, alone: Double) {
        let main = try drum(generators, key: key, events, bus: Bus.drums)
        let feed = try drum(generators, key: key, events, bus: bus)
        let frame = Oracle.start + age, added = feed.left[frame] * Self.feed
        return (main.left[frame] * share + added, main.right[frame] * share + added, main.left[frame] * share)
    }

    @Test(arguments: [(0x1D, 91, Bus.reverb), (0x1E, 93, Bus.chorus)] as [(UInt8, UInt8, Int)])
    func aDrumsOwnSendIsAFactorOnTheChannels(_ upper: UInt8, _ controller: UInt8, _ bus: Int) throws {
        for (value, level) in [(0, 127), (64, 127), (64, 40), (100, 64)] as [(UInt8, UInt8)] {
            let events = [(-50, MusicEvent.change(controller, level))] + send(upper, 60, value)
            let share = Double(level) / 127, factor = Double(value) / 127
            let (left, right, alone) = try heard([], events, bus: bus, share: share)
            #expect(abs(left - alone * factor) < 0.002 * alone && abs(right - alone * factor) < 0.002 * alone)
            // Another drum of the kit sends as the channel does.
            #expect(try drum([], key: 61, events, bus: bus).left.allSatisfy { $0 == 0 })
        }
        // All of it is all of it: not a bit of a feed.
        #expect(try drum([], send(upper, 60, 127), bus: bus).left.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [nil, SystemReset.generalMIDI, .generalMIDI2, .generalMIDIOff, .gs, .xg])
    func aRhythmPartWithoutAProgramPlaysTheFirstKit(_ reset: SystemReset?) throws {
        // The kit reads the ramp an octave higher than the melodic preset.
        var font = OracleSoundFont(Oracle.ramp)
        font.instruments.append([.init(generators: [(51, 12)], modulators: OracleSoundFont.flat)])
        font.presets.append([.init(target: 1)])
        font.hasKit = true
        func cents(_ channel: UInt8, _ program: Bool) throws -> Double {
            var events = [TimedMusicEvent(time: SampleTime(Int64(Oracle.start)), event: .key(60, on: channel))]
            if program { events.append(TimedMusicEvent(time: SampleTime(20), event: .raw(0xC0 | channel, 0))) }
            if let reset { events.append(TimedMusicEvent(time: .zero, event: .reset(reset, port: 0))) }
            return try Oracle(font, events: events, frames: Oracle.start + 2_000, bus: Int(channel)).cents(500, 1_900)
        }
        for program in [false, true] {
            #expect(abs(try cents(9, program) - 1_200) < 0.1)
            #expect(abs(try cents(0, program)) < 0.1)
        }
    }

    @Test func itFollowsTheChannelsSendWhileTheDrumRings() throws {
        let events = send(0x1D, 60, 0) + [(-50, .change(91, 127)), (1_000, .change(91, 32))]
        let early = try heard([], events, bus: Bus.reverb, share: 1, at: 900)
        let late = try heard([], events, bus: Bus.reverb, share: 32.0 / 127)
        #expect(abs(early.left) < 0.001 && abs(late.left) < 0.001 && early.alone > 0.3 && late.alone > 0.08)
        // A channel that sends nothing has nothing to keep back.
        let none = try drum([], send(0x1D, 60, 0) + [(-50, .change(91, 0))], bus: Bus.reverb)
        #expect(none.left.allSatisfy { $0 == 0 })
    }

    @Test func whatAZoneSendsItselfIsWeighedAsWell() throws {
        let share = 40.0 / 127
        let (left, _, alone) = try heard([(16, 100)], send(0x1D, 60, 64), bus: Bus.reverb, share: share)
        let all = try heard([(16, 100)], [], bus: Bus.reverb, share: share)
        #expect(all.left > 1.5 * alone && abs(left - all.left * 64 / 127) < 0.003 * all.left)
    }

    /// A feed is mono: of a drum at a side, the sum of both sides is kept back.
    @Test func ofADrumAsideTheSumOfTheSidesIsKeptBack() throws {
        for pan in [-500, -200, 350] {
            let events = send(0x1D, 60, 0) + [(-50, MusicEvent.change(91, 127))]
            let (left, right, _) = try heard([(17, pan)], events, bus: Bus.reverb, share: 1)
            #expect(abs(left + right) < 0.002 && abs(left) < 0.3)
        }
    }

    @Test func anotherKitForgetsIt() throws {
        let events = send(0x1D, 60, 0) + [(-10, MusicEvent.raw(0xC0, 0))]
        #expect(try drum([], events, bus: Bus.reverb).left.allSatisfy { $0 == 0 })
    }
}
