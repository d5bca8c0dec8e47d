import Glibc
import MIDI
import Testing
import UnitAPI
import Units

/// Controllers, pedals, tuning and modes, channel by channel.
@Suite struct SquareWavePartTests {
    private func held(_ performance: Performance, at frames: Int = 12_000) throws -> Int {
        try performance.render(frames).voices
    }

    // MARK: Pedals

    @Test func sustainHoldsWhatIsReleasedWhileItIsDown() throws {
        var performance = Performance()
        performance.on(60, at: 0)
        performance.control(64, 64, at: 1_000)
        performance.off(60, at: 2_000)
        performance.on(64, at: 3_000)
        performance.off(64, at: 4_000)
        #expect(try held(performance) == 2)
        performance.control(64, 63, at: 12_000)
        #expect(try held(performance, at: 20_000) == 0)
    }

    @Test func sostenutoHoldsOnlyTheKeysDownAtItsPress() throws {
        var performance = Performance()
        performance.on(60, at: 0)
        performance.control(66, 127, at: 1_000)
        performance.on(64, at: 2_000)
        performance.off(60, at: 3_000)
        performance.off(64, at: 3_000)
        let recording = try performance.render(16_000)
        #expect(recording.voices == 1)
        #expect(recording.fundamental(60, 8_000..<16_000) > 0.1)
        #expect(recording.fundamental(64, 8_000..<16_000) < 1e-3)
        performance.control(66, 0, at: 16_000)
        #expect(try held(performance, at: 20_000) == 0)
    }

    @Test func sostenutoDoesNotCatchWhatOnlySustainHolds() throws {
        var performance = Performance()
        performance.control(64, 127, at: 0)
        performance.on(60, at: 100)
        performance.off(60, at: 500)
        performance.control(66, 127, at: 1_000)
        performance.control(64, 0, at: 2_000)
        #expect(try held(performance) == 0)
    }

    @Test func aKeyStillDownSurvivesBothPedalsGoingUp() throws {
        var performance = Performance()
        performance.on(60, at: 0)
        performance.control(64, 127, at: 100)
        performance.control(66, 127, at: 100)
        performance.control(66, 0, at: 200)
        performance.control(64, 0, at: 300)
        #expect(try held(performance) == 1)
        performance.off(60, at: 12_000)
        #expect(try held(performance, at: 16_000) == 0)
    }

    @Test func theSoftPedalSoftensNotesStruckAfterwards() throws {
        var plain = Performance(), soft = Performance()
        soft.control(67, 127, at: 0)
        plain.on(60, at: 10)
        soft.on(60, at: 10)
        let ratio = try soft.render(8_000).level(4_000..<8_000) / plain.render(8_000).level(4_000..<8_000)
        #expect(abs(ratio - 0.7) < 0.001)
    }

    // MARK: Channel mode messages

    @Test func allNotesOffObeysThePedalAndAllSoundOffDoesNot() throws {
        var performance = Performance(["release": 10])
        performance.control(64, 127, at: 0)
        performance.on(60, at: 10)
        performance.on(64, at: 10, channel: 1)
        performance.control(123, 0, at: 1_000)
        #expect(try performance.render(6_000).level(4_000..<6_000) > 0.1)
        performance.control(120, 0, at: 6_000)
        performance.control(120, 0, at: 6_000, channel: 1)
        let recording = try performance.render(8_000)
        #expect(recording.peak(6_200..<8_000) == 0)
        #expect(recording.isAsleep)
    }

    @Test(arguments: [123, 124, 125, 126, 127])
    func modeMessagesEndTheNotesOfTheirChannelOnly(controller: Int) throws {
        var performance = Performance()
        performance.on(60, at: 0)
        performance.on(64, at: 0, channel: 5)
        performance.control(controller, controller == 126 ? 1 : 0, at: 1_000)
        let recording = try performance.render(20_000)
        #expect(recording.voices == 1)
        #expect(recording.fundamental(64, 8_000..<20_000) > 0.1)
    }

    @Test func resetAllControllersKeepsVolumePanAndBendRange() throws {
        var performance = Performance(), reference = Performance()
        performance.control(7, 90, at: 0)
        performance.control(10, 20, at: 0)
        performance.registered(0, 12, at: 0)
        for (number, value) in [(1, 127), (11, 20), (67, 127), (65, 127), (5, 90)] {
            performance.control(number, value, at: 0)
        }
        performance.send(0xD0, 99, at: 0)
        performance.bend(5_000, at: 0)
        performance.control(121, 0, at: 0)
        performance.on(60, at: 100)
        performance.bend(4_096, at: 5_000)
        reference.control(7, 90, at: 0)
        reference.control(10, 20, at: 0)
        reference.registered(0, 12, at: 0)
        reference.on(60, at: 100)
        reference.bend(4_096, at: 5_000)
        #expect(try performance.render(12_000).channels == reference.render(12_000).channels)
    }

    @Test func resetAllControllersLiftsThePedals() throws {
        var performance = Performance()
        performance.control(64, 127, at: 0)
        performance.on(60, at: 10)
        performance.control(66, 127, at: 20)
        performance.off(60, at: 1_000)
        performance.control(121, 0, at: 2_000)
        #expect(try held(performance) == 0)
    }

    @Test func inMonoModeTheNewestKeySoundsAndTheOneBeforeComesBack() throws {
        var performance = Performance()
        performance.control(126, 1, at: 0)
        performance.on(60, at: 100)
        performance.on(67, at: 12_000)
        performance.off(67, at: 24_000)
        let recording = try performance.render(36_000)
        #expect(recording.voices == 1)
        #expect(abs(recording.pitch(1_000..<12_000, near: 6_000) - 6_000) < 0.1)
        #expect(abs(recording.pitch(13_000..<24_000, near: 6_700) - 6_700) < 0.1)
        #expect(abs(recording.pitch(25_000..<36_000, near: 6_000) - 6_000) < 0.1)
        performance.off(60, at: 36_000)
        #expect(try held(performance, at: 40_000) == 0)
    }

    // MARK: Pitch

    @Test func theWheelBendsByTheRangeThatWasRegistered() throws {
        for (semitones, cents, wheel) in [(2, 0, -8_192), (12, 0, 4_096), (0, 50, -8_192), (7, 25, 8_191)] {
            var performance = Performance()
            performance.registered(0, semitones, cents, at: 0)
            performance.on(69, at: 10)
            performance.bend(wheel, at: 20)
            let wanted = 6_900 + Double(wheel) / 8_192 * Double(semitones * 100 + cents)
            let heard = try performance.render(30_000).pitch(2_000..<30_000, near: wanted)
            #expect(abs(heard - wanted) < 0.01, "\(semitones) semitones \(cents) cents, wheel \(wheel): \(heard)")
        }
    }

    @Test func fineAndCoarseTuningAddUpWithMasterTuning() throws {
        var performance = Performance(["tune": 7])
        performance.registered(1, 96, 0, at: 0)    // +50 cents
        performance.registered(2, 61, at: 0)    // -3 semitones
        performance.play(.masterTuning(cents: -20, port: 0), at: 0)
        performance.on(69, at: 10)
        let wanted = 6_900.0 + 7 + 50 - 300 - 20
        let heard = try performance.render(30_000).pitch(2_000..<30_000, near: wanted)
        #expect(abs(heard - wanted) < 0.01)
    }

    @Test func dataIncrementAndDecrementStepTheRange() throws {
        var performance = Performance()
        performance.registered(0, 2, at: 0)
        for _ in 0..<4 { performance.control(96, 0, at: 0) }
        performance.control(97, 0, at: 0)
        performance.on(69, at: 10)
        performance.bend(-8_192, at: 20)
        #expect(abs(try performance.render(30_000).pitch(2_000..<30_000, near: 6_400) - 6_400) < 0.01)
    }

    @Test func dataEntryAfterNullOrANonRegisteredNumberChangesNothing() throws {
        for isNull in [true, false] {
            var performance = Performance()
            performance.registered(0, 2, at: 0)
            performance.control(isNull ? 101 : 99, isNull ? 127 : 0, at: 0)
            performance.control(isNull ? 100 : 98, isNull ? 127 : 0, at: 0)
            performance.control(6, 24, at: 0)
            performance.on(69, at: 10)
            performance.bend(-8_192, at: 20)
            #expect(abs(try performance.render(30_000).pitch(2_000..<30_000, near: 6_700) - 6_700) < 0.01)
        }
    }

    @Test func portamentoGlidesInItsTimeAndReachesTheKey() throws {
        var performance = Performance(["portamento-time": 0.5])
        performance.control(65, 127, at: 0)
        performance.control(5, 127, at: 0)
        performance.on(48, at: 0)
        performance.off(48, at: 1_000)
        performance.on(72, at: 10_000)
        let recording = try performance.render(60_000)
        let middle = recording.pitch(21_500..<22_500, near: 6_000)
        #expect(abs(middle - 6_000) < 25, "half-way at \(middle)")
        #expect(abs(recording.pitch(34_200..<60_000, near: 7_200) - 7_200) < 0.01)
    }

    @Test func controller84NamesTheKeyToGlideFromOnce() throws {
        var performance = Performance(["portamento-time": 0.5])
        performance.control(5, 127, at: 0)
        performance.control(84, 48, at: 0)
        performance.on(72, at: 0)
        performance.off(72, at: 30_000)
        performance.on(72, at: 36_000)
        let recording = try performance.render(60_000)
        #expect(recording.fundamental(50, 0..<4_000) > recording.fundamental(72, 0..<4_000))
        #expect(abs(recording.pitch(25_000..<30_000, near: 7_200) - 7_200) < 0.05)
        #expect(abs(recording.pitch(37_000..<60_000, near: 7_200) - 7_200) < 0.01)
    }

    @Test(arguments: ["wheel", "channel", "key"])
    func modulationAndPressureMakeAVibrato(source: String) throws {
        var performance = Performance(["vibrato-depth": 100, "vibrato-rate": 2])
        performance.on(69, at: 0)
        switch source {
        case "wheel": performance.control(1, 127, at: 1)
        case "channel": performance.send(0xD0, 127, at: 1)
        default: performance.send(0xA0, 69, 127, at: 1)
        }
        let recording = try performance.render(24_000)
        // One swing lasts 24 000 frames: up in the first half, down in the second.
        #expect(abs(recording.pitch(5_400..<6_600, near: 7_000) - 7_000) < 6)
        #expect(abs(recording.pitch(17_400..<18_600, near: 6_800) - 6_800) < 6)
    }

    // MARK: Level and place

    @Test func volumeAndExpressionAreSquares() throws {
        var full = Performance(), half = Performance()
        full.control(7, 127, at: 0)
        half.control(7, 127, at: 0)
        full.on(60, at: 10)
        half.on(60, at: 10)
        half.control(11, 64, at: 1_000)
        let ratio = try half.render(16_000).level(8_000..<16_000) / full.render(16_000).level(8_000..<16_000)
        #expect(abs(ratio - pow(64.0 / 127, 2)) < 1e-4)
        half.play(.masterVolume(0.5, port: 0), at: 1_000)
        let master = try half.render(16_000).level(8_000..<16_000) / full.render(16_000).level(8_000..<16_000)
        #expect(abs(master - pow(64.0 / 127, 2) / 2) < 1e-4)
    }

    @Test func panKeepsThePower() throws {
        var powers: [Double] = []
        for pan in [0, 1, 30, 64, 100, 127] {
            var performance = Performance()
            performance.control(10, pan, at: 0)
            performance.on(60, at: 10)
            let recording = try performance.render(8_000)
            let right = recording.channels[1][4_000...].reduce(0.0) { $0 + Double($1 * $1) }
            let left = recording.channels[0][4_000...].reduce(0.0) { $0 + Double($1 * $1) }
            powers.append(left + right)
            if pan <= 1 { #expect(right == 0) }
            if pan == 127 { #expect(left == 0) }
            if pan == 64 { #expect(abs(left / right - 1) < 1e-6) }
        }
        for power in powers { #expect(abs(power / powers[0] - 1) < 1e-4) }
    }

    @Test func channelsAndPortsAreApart() throws {
        var performance = Performance(), reference = Performance()
        for channel in 1..<16 { performance.control(7, 0, at: 0, channel: channel) }
        performance.send(0xE0, 0, 127, at: 0, port: 1)
        performance.play(.masterVolume(0, port: 2), at: 0)
        performance.on(60, at: 100)
        reference.on(60, at: 100)
        #expect(try performance.render(5_000).left == reference.render(5_000).left)
    }

    // MARK: Drums and resets

    @Test func drumPartsAreSilentUnlessAskedFor() throws {
        var performance = Performance()
        performance.on(38, at: 0, channel: 9)
        #expect(try performance.render(2_000).peak(0..<2_000) == 0)
        performance.settings["drums"] = 1
        #expect(try performance.render(2_000).peak(0..<2_000) > 0)
        var melodic = Performance()
        melodic.play(.partMode(.melodic, port: 0, channel: 9), at: 0)
        melodic.play(.partMode(.drums, port: 0, channel: 3), at: 0)
        melodic.on(60, at: 0, channel: 3)
        #expect(try melodic.render(2_000).peak(0..<2_000) == 0)
        melodic.on(60, at: 0, channel: 9)
        #expect(try melodic.render(2_000).peak(0..<2_000) > 0)
    }

    @Test(arguments: SystemReset.allCases)
    func aSystemResetMakesThePortNew(standard: SystemReset) throws {
        var performance = Performance(), reference = Performance()
        performance.on(50, at: 0)
        performance.control(64, 127, at: 0)
        performance.control(7, 20, at: 0)
        performance.control(126, 1, at: 0)
        performance.registered(1, 100, at: 0)
        performance.play(.masterVolume(0.2, port: 0), at: 0)
        performance.play(.masterTuning(cents: 70, port: 0), at: 0)
        performance.play(.partMode(.drums, port: 0, channel: 0), at: 0)
        performance.play(.reset(standard, port: 0), at: 1_000)
        performance.on(60, at: 2_000)
        reference.on(60, at: 2_000)
        let heard = try performance.render(8_000).left
        #expect(try Array(heard[1_200...]) == Array(reference.render(8_000).left[1_200...]))
    }
}
