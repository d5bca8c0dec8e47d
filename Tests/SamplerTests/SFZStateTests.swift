import Testing

@testable import Samplers

/// What SFZ instruments remember: keys, pedals, controllers and strikes, of a channel and of an MPE zone.
@Suite(.serialized) struct SFZStateTests: SFZPlaying {
    /// Channel 1 speaks for channels 2 to 4.
    private static let zone: [(Double, SFZMove)] = [(0, .control(101, 0)), (0, .control(100, 6)), (0, .control(6, 3))]

    @Test func theManagersPedalHoldsMembers() throws {
        let moves: [(Double, SFZMove)] = [
            (0.05, .control(64, 127)), (0.1, .message(0x91, 69, 100)), (0.4, .message(0x81, 69, 64)), (1, .control(64, 0)),
        ]
        let held = try sound(Self.region(), Self.zone + moves)
        #expect(level(held, 0.6...0.9) > -50 && level(held, 1.2...1.5) < -100)
        let text = Self.region("volume=-40") + Self.region("trigger=release loop_count=200")
        let released = try sound(text, Self.zone + moves)
        #expect(level(released, 1.1...1.5) > level(released, 0.6...0.9) + 35)
    }

    @Test func theManagersControllersMoveMembers() throws {
        let text = Self.region("volume_oncc20=-12 locc21=0 hicc21=63") + Self.region("locc21=64 transpose=12")
        let moves: [(Double, SFZMove)] = [
            (0.1, .message(0x92, 69, 127)), (0.5, .control(20, 127)), (0.9, .message(0x82, 69, 64)), (1, .control(21, 100)),
            (1.1, .message(0x93, 69, 127)),
        ]
        let heard = try sound(text, Self.zone + moves)
        #expect(abs(level(heard, 0.2...0.45) - level(heard, 0.6...0.85) - 12) < 0.1)
        #expect(abs(hertz(heard, 1.2...1.6) - 880) < 5)
        // One instrument takes turns whatever the members.
        let turns = (1...2).map { Self.region("seq_length=2 seq_position=\($0) transpose=\(12 * $0 - 12)") }.joined()
        let two = try sound(
            turns,
            Self.zone + [(0.1, .message(0x91, 69, 127)), (0.4, .message(0x81, 69, 64)), (0.6, .message(0x92, 69, 127))])
        #expect(abs(hertz(two, 0.15...0.35) - 440) < 6 && abs(hertz(two, 0.7...1) - 880) < 6)
    }

    @Test func aKeyOfAFormerProgramIsNotDown() throws {
        let text =
            Self.region("hiprog=0") + Self.region("hiprog=0 trigger=release transpose=12 rt_dead=on loop_count=100")
            + Self.region("loprog=1 hiprog=1 trigger=first transpose=-12")
        let moves: [(Double, SFZMove)] = [
            (0.1, .on(69, 127)), (0.3, .message(0xC0, 1, 0)), (0.5, .on(60, 127)), (0.9, .off(60)), (1, .off(69)),
        ]
        let heard = try sound(text, moves)
        #expect(abs(hertz(heard, 0.12...0.28) - 440) < 8, "the first program's own")
        let alone = try sound(text, Array(moves.dropFirst()))
        #expect(level(alone, 0.6...0.85) > -50 && level(heard, 0.6...0.85) > level(alone, 0.6...0.85) - 3, "first of its own")
        let released = try sound(text, [(0.1, .on(69, 127)), (0.3, .message(0xC0, 1, 0)), (0.5, .off(69))])
        #expect(abs(hertz(released, 0.52...0.65) - 880) < 12, "its release sounds on")
    }

    @Test func groupsAreThoseOfOneInstrument() throws {
        let moves: [(Double, SFZMove)] = [
            (0.1, .on(69, 127)), (0.4, .control(0, 1)), (0.4, .message(0xC0, 0, 0)), (0.5, .on(60, 1)),
        ]
        let text = Self.region("group=1 off_by=1 polyphony=1")
        #expect(level(try sound(text, moves, beside: text), 0.7...1) > -50)
        #expect(level(try sound(text, moves), 0.7...1) < -60)
    }

    @Test func aControllerCountsTheTurnsThatItStarts() throws {
        let starts = "hikey=-1 start_locc20=1 start_hicc20=127 loop_count=60 seq_length=2"
        let text = Self.region("\(starts) seq_position=1") + Self.region("\(starts) seq_position=2 transpose=12")
        let heard = try sound(
            text, [(0.1, .control(20, 50)), (0.3, .control(21, 5)), (0.35, .control(22, 5)), (0.5, .control(20, 60))])
        #expect(abs(hertz(heard, 0.51...0.6) - 880) < 15)
    }

    @Test func aControllerStartsOneWaveOfAGenerator() throws {
        let struck = try sound("<region> sample=*saw", [(0.1, .on(60, 127))])
        let started = try sound(
            "<region> sample=*saw hikey=-1 start_locc20=64 start_hicc20=127", [(0.1, .control(20, 100))])
        #expect(abs(level(struck, 0.2...0.9) - level(started, 0.2...0.9)) < 0.1)
        #expect(abs(hertz(started, 0.2...0.9) - 261.6) < 3)
    }

    @Test func silenceBeforeAReleaseCountsAsTime() throws {
        let text = "<region> sample=*silence end=-1\n" + Self.region("trigger=release rt_dead=on rt_decay=10 loop_count=300")
        let heard = try [0.5, 1.5].map { time in
            let heard = try sound(text, [(0.1, .on(69, 127)), (0.1 + time, .off(69))], seconds: 3)
            return level(heard, 0.15 + time...0.4 + time)
        }
        #expect(abs(heard[0] - heard[1] - 10) < 0.2, "\(heard)")
    }

    @Test func layersOfNoiseDiffer() throws {
        let one = try sound("<region> sample=*noise", [(0.1, .on(69, 127))])
        let two = try sound("<region> sample=*noise\n<region> sample=*noise", [(0.1, .on(69, 127))])
        #expect(abs(level(two, 0.2...1.8) - level(one, 0.2...1.8) - 3) < 0.3)
    }

    @Test func aLoopThatAReleaseStartsEnds() throws {
        let text = Self.region("volume=-60") + Self.region("trigger=release ampeg_hold=0.3 ampeg_release=0.1")
        let heard = try sound(text, [(0.1, .on(69, 127)), (0.4, .off(69))])
        #expect(level(heard, 0.45...0.65) > -50 && level(heard, 1...1.5) < -100)
    }

    @Test func aSilencedFlexEnvelopeHasItsOwnRelease() throws {
        let flex = "eg1_ampeg=1 eg1_time0=0 eg1_level0=1 eg1_sustain=0 eg1_time1=1 eg1_level1=0"
        let text =
            Self.region("key=46 pitch_keycenter=46 group=1 off_by=2 off_mode=normal \(flex)")
            + Self.region("key=42 group=2 end=-1")
        let heard = try sound(text, [(0.1, .on(46, 127)), (0.5, .on(42, 127))])
        #expect(abs(level(heard, 0.3...0.45) - level(heard, 0.99...1.01) - 6) < 0.5, "half of the way down")
    }

    /// Turns, chance and alternation begin where the seed says.
    @Test func theSeedSaysWhereChanceBegins() throws {
        let turns = (1...3).map { Self.region("seq_length=3 seq_position=\($0) transpose=\(12 * $0 - 12)") }.joined()
        let moves = Self.strokes(4, from: 0.1, every: 0.4, length: 0.25)
        let heard = try sound(turns, moves, values: ["seed": 1])
        #expect(abs(hertz(heard, 0.15...0.3) - 880) < 20 && abs(hertz(heard, 0.95...1.1) - 440) < 20)
        let chance = Self.region("pitch_random=1200 pan_oncc137=100 amp_random=6")
        let sounds = try [0, 7, 7, 16_777_215].map { try sound(chance, moves, values: ["seed": $0]) }
        #expect(sounds[1] == sounds[2] && Set(sounds).count == 3)
    }
}
