import Glibc
import MIDI
import SoundFonts
import Testing

@testable import Samplers

/// Which regions of an SFZ file play, and how modulations move them. Numbers are those of sfzformat.com.
@Suite(.serialized) struct SFZRegionTests: SFZPlaying {
    @Test func regionsTakeTurns() throws {
        let text = (1...3).map { Self.region("seq_length=3 seq_position=\($0) transpose=\(12 * $0 - 12)") }.joined()
        #expect(try octaves(text) == [0, 1, 2, 0])
    }

    @Test func chanceIsTheSameForAnyBlockAndThreads() throws {
        let text =
            Self.region("hirand=0.5 pitch_random=300") + Self.region("lorand=0.5 transpose=12 offset_random=300 pan_oncc135=100")
        let moves = Self.strokes(16, from: 0, every: 0.1, length: 0.05, key: 60, up: 1)
        let first = try sound(text, moves)
        #expect(try sound(text, moves, block: 64) == first && sound(text, moves, threads: 2) == first)
        let kinds = Set(try octaves(Self.region("hirand=0.5") + Self.region("lorand=0.5 transpose=12")))
        #expect(kinds.isSubset(of: [0, 1]))
    }

    @Test func switchesChooseRegions() throws {
        let switched = { (key: Int, octave: Int) in
            Self.region("lokey=40 sw_last=\(key) sw_default=24 transpose=\(12 * octave)")
        }
        let moves: [(Double, SFZMove)] = [(0.42, .on(25, 1)), (0.45, .off(25)), (1.22, .on(24, 1)), (1.25, .off(24))]
        #expect(try octaves(switched(24, 0) + switched(25, 1), moves) == [0, 1, 1, 0])
        let held = Self.region("lokey=40 sw_up=30") + Self.region("lokey=40 sw_down=30 transpose=12")
        #expect(try octaves(held, [(0.4, .on(30, 1)), (1.1, .off(30))]) == [0, 1, 1, 0])
        let moved = Self.region("hicc20=63") + Self.region("locc20=64 transpose=12")
        #expect(try octaves(moved, [(0.8, .control(20, 64))]) == [0, 0, 1, 1])
        let bent = Self.region("hibend=0 bend_up=0 bend_down=0") + Self.region("lobend=1 bend_up=0 transpose=12")
        #expect(try octaves(bent, [(0.4, .bend(4_000)), (0.8, .bend(0))]) == [0, 1, 0, 0])
    }

    @Test func firstNotesAndLegatoNotesHaveRegionsOfTheirOwn() throws {
        let text =
            Self.region("trigger=first key=60 pitch_keycenter=60") + Self.region("trigger=legato key=64 pitch_keycenter=64")
        let apart = try sound(text, [(0.1, .on(60, 100)), (0.5, .off(60)), (0.7, .on(64, 100)), (1, .off(64))])
        #expect(level(apart, 0.2...0.4) > -60 && level(apart, 0.75...0.95) < -100)
        let bound = try sound(text, [(0.1, .on(60, 100)), (0.5, .on(64, 100)), (0.55, .off(60)), (1, .off(64))])
        #expect(level(bound, 0.7...0.95) > -60)
    }

    @Test func releasesWaitForThePedal() throws {
        let text = "<region> sample=mono.wav pitch_keycenter=69\n" + Self.region("trigger=release rt_decay=10 loop_count=200")
        let plain = try sound("<region> sample=*silence\n" + text, [(0.1, .on(69, 127)), (0.6, .off(69))])
        #expect(level(plain, 0.3...0.58) < -100)
        let silent = try sound(
            Self.region() + Self.region("trigger=release rt_decay=10 loop_count=200"), [(0.1, .on(69, 127)), (0.6, .off(69))])
        let held = level(silent, 0.2...0.5), fallen = level(silent, 0.8...1.2)
        #expect(abs(held - fallen - 5) < 0.3, "half a second is 5 dB: \(held) \(fallen)")
        let pedalled = try sound(
            Self.region("volume=-40") + Self.region("trigger=release loop_count=200"),
            [(0.05, .control(64, 127)), (0.1, .on(69, 127)), (0.4, .off(69)), (1, .control(64, 0))])
        #expect(level(pedalled, 1.1...1.5) > level(pedalled, 0.6...0.9) + 35)
        let ofKey = try sound(
            Self.region("volume=-40") + Self.region("trigger=release_key loop_count=200"),
            [(0.05, .control(64, 127)), (0.1, .on(69, 127)), (0.4, .off(69)), (1, .control(64, 0))])
        #expect(level(ofKey, 0.6...0.9) > -50)
    }

    @Test func aReleaseOfASilentNoteSoundsOnlyWhereItSaysSo() throws {
        let moves: [(Double, SFZMove)] = [(0.1, .on(69, 127)), (0.6, .off(69))]
        let short = "<region> sample=mono.wav pitch_keycenter=69\n"
        #expect(level(try sound(short + Self.region("trigger=release"), moves), 0.7...1) < -100)
        #expect(level(try sound(short + Self.region("trigger=release rt_dead=on loop_count=200"), moves), 0.7...1) > -60)
    }

    @Test func groupsSilenceEachOther() throws {
        let open = Self.region("key=46 pitch_keycenter=46 group=1 off_by=2 loop_mode=loop_continuous")
        let moves: [(Double, SFZMove)] = [(0.1, .on(46, 127)), (0.6, .on(42, 127)), (1.4, .off(46)), (1.4, .off(42))]
        for silencer in ["end=-1", "volume=-80"] {
            let sound = try sound(open + Self.region("key=42 group=2 \(silencer)"), moves)
            #expect(level(sound, 0.2...0.5) > -50 && level(sound, 0.7...1.2) < -90, "\(silencer)")
        }
        let slow = Self.region("key=46 pitch_keycenter=46 group=1 off_by=2 off_time=1") + Self.region("key=42 group=2 end=-1")
        let fallen = try sound(slow, moves)
        #expect(abs(level(fallen, 0.65...0.7) - level(fallen, 0.75...0.8) - 7.8) < 0.5, "78 dB in a second")
    }

    @Test func limitsEndNotes() throws {
        let moves: [(Double, SFZMove)] = [(0.1, .on(60, 127)), (0.4, .on(72, 127)), (0.7, .on(84, 127))]
        let two = try sound("<group> group=1 polyphony=1\n" + Self.region(), moves)
        #expect(abs(hertz(two, 0.5...0.65) - 440 * exp2(3.0 / 12)) < 8 && abs(level(two, 0.2...0.35) - level(two, 0.8...1)) < 1)
        let again = Self.strokes(6, from: 0.1, every: 0.1, length: 0.05)
        let many = try sound(Self.region("ampeg_release=60 group=1"), again)
        let one = try sound(Self.region("ampeg_release=60 group=1 note_polyphony=1"), again)
        #expect(level(one, 0.9...1.2) < level(many, 0.9...1.2) - 6)
    }

    @Test func velocitiesFadeAndBend() throws {
        let note = { (velocity: UInt8) -> [(Double, SFZMove)] in [(0.1, .on(69, velocity)), (1, .off(69))] }
        let flat = Self.region("amp_velcurve_1=1 amp_velcurve_127=1")
        let loud = level(try sound(flat, note(127)), 0.2...0.9)
        #expect(abs(level(try sound(flat, note(10)), 0.2...0.9) - loud) < 0.1)
        // Squares by default: half is 12 dB; half of the way is a factor of 0.625.
        #expect(abs(level(try sound(Self.region(), note(64)), 0.2...0.9) - loud + 11.9) < 0.2)
        #expect(abs(level(try sound(Self.region("amp_veltrack=50"), note(64)), 0.2...0.9) - loud + 4.05) < 0.2)
        #expect(
            abs(level(try sound(Self.region("xfin_lovel=1 xfin_hivel=128 amp_veltrack=0"), note(64)), 0.2...0.9) - loud + 3) < 0.2
        )
        #expect(level(try sound(Self.region("xfout_lovel=20 xfout_hivel=60"), note(80)), 0.2...0.9) < -100)
        #expect(abs(hertz(try sound(Self.region("pitch_veltrack=1200"), note(127)), 0.2...0.9) - 880) < 3)
    }

    @Test func controllersMoveWhatTheySay() throws {
        let notes: [(Double, SFZMove)] = [(0.1, .on(69, 127)), (0.6, .control(20, 127)), (1.5, .off(69))]
        let sound = try sound(
            Self.region("volume_oncc20=-12 tune_oncc20=1200 volume_curvecc20=4") + "<curve> curve_index=8 v000=1 v127=0", notes)
        #expect(abs(level(sound, 0.2...0.5) - level(sound, 0.8...1.2) - 12) < 0.1)
        #expect(abs(hertz(sound, 0.2...0.5) - 440) < 4 && abs(hertz(sound, 0.8...1.2) - 880) < 4)
        let own = try self.sound(
            "<curve> curve_index=8 v000=1 v127=0\n" + Self.region("amplitude_oncc20=100 amplitude_curvecc20=8"), notes)
        #expect(level(own, 0.2...0.5) > -50 && level(own, 0.8...1.2) < -100)
        let slow = try self.sound(Self.region("volume_oncc20=-40 volume_smoothcc20=500"), notes)
        #expect(abs(level(slow, 0.2...0.5) - level(slow, 0.845...0.855) - 20) < 0.5)
        let set = try self.sound("<control> set_hdcc20=0.5\n" + Self.region("volume_oncc20=-12"), [(0.1, .on(69, 127))])
        #expect(abs(level(slow, 0.2...0.5) - level(set, 0.2...0.5) - 6) < 0.1)
        let keyed = try self.sound(Self.region("volume_oncc133=-12.7 pitch_keytrack=0"), [(0.1, .on(100, 127))])
        #expect(abs(level(slow, 0.2...0.5) - level(keyed, 0.2...0.5) - 10) < 0.1)
    }

    @Test func brightnessAndVibratoMoveNothingByThemselves() throws {
        let plain = try sound(Self.region("cutoff=900"), [(0.1, .on(69, 127)), (0.5, .control(20, 1))])
        let moved = try sound(
            Self.region("cutoff=900"),
            [(0.05, .control(74, 127)), (0.05, .control(1, 127)), (0.1, .on(69, 127)), (0.5, .control(20, 1))])
        #expect(plain == moved)
    }

    @Test func volumePanAndExpressionAreDefaults() throws {
        let notes: [(Double, SFZMove)] = [(0.1, .on(69, 127)), (0.6, .control(7, 50)), (1.5, .off(69))]
        let sound = try sound(Self.region(), notes)
        #expect(abs(level(sound, 0.2...0.5) - level(sound, 0.8...1.2) - 12.04) < 0.1)
        let own = try self.sound(Self.region("tune_oncc7=1"), notes)
        #expect(abs(level(own, 0.2...0.5) - level(own, 0.8...1.2)) < 0.1)
    }

    @Test func filtersHaveTheirKinds() throws {
        let note: [(Double, SFZMove)] = [(0.1, .on(69, 127)), (1.5, .off(69))]
        let plain = level(try sound(Self.region(), note), 0.3...1)
        // A sine of the triangle's 440 Hz leads it: the slopes are 12 dB an octave for two poles.
        for (kind, cutoff, wanted) in [
            ("lpf_2p", 55, -36.0), ("lpf_4p", 110, -48), ("lpf_1p", 55, -18), ("hpf_2p", 20, 0),
            ("lsh", 6_000, 0), ("lsh fil_gain=6", 6_000, 6), ("peq fil_gain=-9", 440, -9),
        ] {
            let filtered = level(try sound(Self.region("fil_type=\(kind) cutoff=\(cutoff)"), note), 0.3...1)
            #expect(abs(filtered - plain - wanted) < (abs(wanted) > 20 ? 3 : 1), "\(kind): \(filtered - plain)")
        }
        // A resonance far above lowers nothing.
        let resonant = level(try sound(Self.region("cutoff=8000 resonance=24"), note), 0.3...1)
        #expect(abs(resonant - plain) < 0.5)
        let band = level(try sound(Self.region("eq1_freq=440 eq1_bw=1 eq1_gain=9"), note), 0.3...1)
        #expect(abs(band - plain - 9) < 0.3)
    }

    @Test func oscillatorsSwingToBothSides() throws {
        let sound = try sound(Self.region("amplfo_depth=6 amplfo_freq=2"), [(0.1, .on(69, 127)), (1.9, .off(69))])
        let levels = (40..<140).map { (part: Int) -> Double in level(sound, Double(part) / 100...Double(part + 1) / 100) }
        #expect(abs((levels.max() ?? 0) - (levels.min() ?? 0) - 12) < 0.5)
        let stepped = try self.sound(
            Self.region("lfo1_freq=1 lfo1_steps=2 lfo1_step1=100 lfo1_step2=0 lfo1_pitch=1200"),
            [(0.1, .on(69, 127)), (1.9, .off(69))])
        #expect(abs(hertz(stepped, 0.2...0.5) - 880) < 4 && abs(hertz(stepped, 0.7...1) - 440) < 4)
    }

    @Test func envelopesMovePitchAndFilterBesideEachOther() throws {
        let sound = try sound(
            Self.region("pitcheg_depth=1200 pitcheg_attack=1 pitcheg_sustain=100"), [(0.1, .on(69, 127)), (1.9, .off(69))])
        // Straight: half of the way after half of the time.
        #expect(abs(hertz(sound, 0.55...0.65) - 440 * exp2(0.5)) < 10 && abs(hertz(sound, 1.3...1.6) - 880) < 4)
        let flex = try self.sound(
            Self.region("eg1_time1=0.5 eg1_level1=1 eg1_time2=0.5 eg1_level2=0 eg1_sustain=2 eg1_pitch=1200"),
            [(0.1, .on(69, 127)), (1.9, .off(69))])
        #expect(abs(hertz(flex, 0.55...0.65) - 880) < 40 && abs(hertz(flex, 1.3...1.6) - 440) < 4)
    }

    @Test func notesWaitAndSamplesComeAround() throws {
        let late = try sound(Self.region("delay=0.2"), [(0.1, .on(69, 127)), (1, .off(69))])
        #expect(level(late, 0.1...0.295) < -100 && level(late, 0.31...0.5) > -50)
        // A thousand frames at 44 kHz are 23 ms; ten of them 227.
        let often = try sound("<region> sample=mono.wav pitch_keycenter=69 count=10", [(0.1, .on(69, 127)), (0.11, .off(69))])
        #expect(level(often, 0.11...0.32) > -50 && level(often, 0.34...0.6) < -100)
        let rounds = try sound(
            Self.region("loop_start=0 loop_end=499 loop_count=4"), [(0.1, .on(69, 127)), (1, .off(69))])
        #expect(level(rounds, 0.11...0.16) > -50 && level(rounds, 0.18...0.5) < -100)
    }

    @Test func pedalsHoldWhatTheyAreSaidTo() throws {
        let moves: [(Double, SFZMove)] = [
            (0.02, .control(64, 127)), (0.03, .control(20, 127)), (0.1, .on(69, 127)), (0.5, .off(69)), (0.8, .control(64, 0)),
            (1.2, .control(20, 0)),
        ]
        #expect(level(try sound(Self.region(), moves), 0.6...0.75) > -50)
        #expect(level(try sound(Self.region("sustain_sw=off"), moves), 0.6...0.75) < -90)
        let other = try sound(Self.region("sustain_cc=20"), moves)
        #expect(level(other, 0.9...1.1) > -50 && level(other, 1.3...1.5) < -90)
    }

    @Test func controllersStartRegions() throws {
        let text = Self.region("hikey=-1 start_locc20=64 start_hicc20=127 loop_count=20") + Self.region("key=30")
        let sound = try sound(text, [(0.1, .control(20, 50)), (0.5, .control(20, 100)), (1.5, .on(30, 1))])
        #expect(level(sound, 0.1...0.45) < -100 && level(sound, 0.52...0.7) > -50)
    }

    @Test func generatorsAreAsLoudAsASine() throws {
        let note: [(Double, SFZMove)] = [(0.1, .on(69, 127)), (1, .off(69))]
        let sine = try sound("<region> sample=*sine", note)
        #expect(abs(hertz(sine, 0.2...0.9) - 440) < 2)
        for name in ["saw", "square", "triangle", "noise"] {
            #expect(abs(level(try sound("<region> sample=*\(name)", note), 0.2...0.9) - level(sine, 0.2...0.9)) < 4, "\(name)")
        }
    }

    @Test func everythingAtOnceIsTheSameForAnyBlockAndThreads() throws {
        let text =
            "<control> set_cc1=30\n<global> ampeg_attack=0.01 ampeg_decay=1 ampeg_sustain=40 ampeg_release=0.3 cutoff=900 "
            + "cutoff_oncc1=2400 cutoff_smoothcc1=30 fil2_type=hpf_4p cutoff2=90 eq1_gain=6 eq1_freq=700 lfo1_freq=5 lfo1_pitch=20 "
            + "lfo2_wave=12 lfo2_freq=9 lfo2_pan=40 eg1_time1=0.2 eg1_level1=1 eg1_time2=1 eg1_level2=0 eg1_cutoff=900 delay_random=0.01\n"
            + Self.region("seq_length=2 seq_position=1 pan=-40") + Self.region("seq_length=2 seq_position=2 amp_random=6")
            + "<region> sample=a b/stereo.wav trigger=release loop_mode=no_loop width=40 group=3 note_polyphony=2\n"
            + "<region> sample=*saw volume=-20 off_by=4 group=4\n<region> sample=*noise volume=-40 lokey=70\n"
        var moves: [(Double, SFZMove)] = []
        for number in 0..<40 {
            let time = 0.04 * Double(number), key = UInt8(50 + number * 7 % 40), velocity = UInt8(20 + number * 11 % 100)
            moves.append((time, .on(key, velocity)))
            moves.append((time + 0.09, .off(key)))
            moves.append((time + 0.013, .control(1, UInt8(number * 3))))
            moves.append((time + 0.021, .control(64, number % 5 < 2 ? 127 : 0)))
            moves.append((time + 0.03, .bend(number * 200 - 4_000)))
        }
        moves.sort { $0.0 < $1.0 }
        let first = try sound(text, moves)
        #expect(level(first, 0.2...1.5) > -60)
        for (block, threads) in [(64, 1), (1_000, 1), (4_096, 2)] {
            #expect(try sound(text, moves, block: block, threads: threads) == first, "\(block) frames, \(threads) threads")
        }
    }

    /// A value belongs to the range that begins with it, and to none below.
    @Test(arguments: [1, 9, 13, 18, 26, 36, 52, 72, 104, 127] as [UInt8]) func rangesOfControllersMeet(_ value: UInt8) throws {
        let text = Self.region("hicc1=\(value - 1)") + Self.region("locc1=\(value) transpose=12")
        #expect(try octaves(text, [(0.01, .control(1, value))]) == [1, 1, 1, 1])
        #expect(try octaves(text, [(0.01, .control(1, value - 1))]) == [0, 0, 0, 0])
    }

    /// What a file may write of any size makes no sound without end, and no trap.
    @Test(arguments: [
        "lfo1_freq=1 lfo1_steps=4 lfo1_step1=50 lfo1_pitch=1 lfo1_phase_oncc1=-1000000000",
        "lfo1_freq=100000000000000000000 lfo1_wave=1 lfo1_pitch=100000000000000000000000000000000",
        "cutoff=0 fil_keytrack=1200 fil_keycenter=-100", "cutoff=500 cutoff_oncc1=100000000000000000000000000000000000000",
        "tune=100000000000000000000 tune_oncc1=-100000000000000000000000000000000000000",
        "eq1_gain_oncc1=1000000000000 eq1_freq=0",
        "eg1_time1=0 eg1_level1=100000000000000000000 eg1_pitch=100000000000000000000 eg1_cutoff=100000000000000000000",
    ])
    func numbersOfAnySizeMakeSound(_ opcodes: String) throws {
        let moves: [(Double, SFZMove)] = [
            (0.05, .control(1, 127)), (0.1, .on(69, 100)), (0.3, .on(127, 100)), (0.5, .on(0, 100)), (0.8, .off(69)),
        ]
        #expect(try sound(Self.region(opcodes), moves).allSatisfy(\.isFinite))
    }

    /// A release that waits for its note, beside another instrument: what one share does not hear, another one counts too.
    @Test func instrumentsSideBySideAreTheSameForAnyThreads() throws {
        let text =
            Self.region("hiprog=0") + "<region> sample=a b/stereo.wav hiprog=0 trigger=release loop_mode=no_loop\n"
            + "<region> sample=a b/stereo.wav loprog=1 hiprog=1 loop_mode=no_loop pitch_keycenter=60\n"
        var events = [SamplerRig.message(0, 0xC1, 1, 0)]
        for number in 0..<24 {
            let frame = 1_000 + number * 2_000, key = UInt8(60 + number % 7)
            events.append(SamplerRig.note(frame, key, 100))
            events.append(SamplerRig.message(frame + 100, 0x91, key, 90))
            events.append(SamplerRig.message(frame + 700, 0xB0, 66, number % 3 == 0 ? 127 : 0))
            events.append(SamplerRig.message(frame + 900, 0x80, key, 64))
            events.append(SamplerRig.message(frame + 1_500, 0x81, key, 64))
        }
        try TinySFZ(text: text).write { path in
            let first = try SamplerRig(path).play(events, frames: 60_000)
            for threads in [2, 3] {
                let other = try SamplerRig(path, threads: threads).play(events, frames: 60_000)
                #expect(other[0] == first[0] && other[1] == first[1], "\(threads) threads")
            }
        }
    }
}
