import Carillon
import Foundation
import Glibc
import Patches
import Testing
import UnitAPI
import Units

/// The stems of a song add up to its mix, with nothing left over.
@Suite struct StemRenderTests {
    /// Songs of this repository, and seconds after which each has played enough.
    private static let songs: [(name: String, seconds: Double)] = [
        ("auld-lang-syne", 2), ("bach-prelude-fugue-c-major", 2), ("blue-lantern", 8), ("crooked-mile", 3), ("drum-groove", 2),
        ("glass-bridge", 4), ("gymnopedie-1", 3), ("pachelbel-canon", 4), ("program-tour", 2), ("sea-wall", 3),
        ("three-o-clock", 3),
    ]

    private struct Sound {
        var mix: [[Float]] = [[], []]
        var stems: [[[Float]]]
        let renderer: SongRenderer
        var report: RenderReport?

        /// The stems, added up in their order.
        var sum: [[Float]] {
            var sum = mix.map { $0.map { _ in Float(0) } }
            for stem in stems { for side in 0..<2 { for i in sum[side].indices { sum[side][i] += stem[side][i] } } }
            return sum
        }

        /// The greatest difference between the mix and another.
        func difference(_ other: [[Float]]) -> Float {
            zip(mix, other).reduce(0) { zip($1.0, $1.1).reduce($0) { max($0, abs($1.0 - $1.1)) } }
        }

        var peak: Float { mix.reduce(0) { $1.reduce($0) { max($0, abs($1)) } } }
    }

    private func render(
        _ song: Song, _ choice: StemChoice?, _ options: RenderOptions, at target: LoudnessTarget? = nil
    ) throws -> Sound {
        let renderer = try SongRenderer(song, options: options, stems: choice)
        var sound = Sound(stems: renderer.stems.map { _ in [[], []] }, renderer: renderer)
        func take(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            for side in 0..<2 { sound.mix[side] += UnsafeBufferPointer(start: samples[side], count: frames) }
        }
        func takeStems(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            for (place, samples) in samples.enumerated() {
                sound.stems[place / 2][place % 2] += UnsafeBufferPointer(start: samples, count: frames)
            }
        }
        if let target {
            sound.report = try renderer.render(at: target, into: take, stems: takeStems)
        } else {
            sound.report = try renderer.render(into: take, stems: takeStems)
        }
        return sound
    }

    private func checkSum(_ sound: Sound, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let lengths = Set((sound.stems + [sound.mix]).joined().map(\.count))
        #expect(lengths.count == 1, "\(what): \(lengths)", sourceLocation: sourceLocation)
        let difference = sound.difference(sound.sum)
        #expect(difference == 0, "\(what): \(difference)", sourceLocation: sourceLocation)
        #expect(sound.peak > 0.001, "\(what): peak \(sound.peak)", sourceLocation: sourceLocation)
    }

    @Test(arguments: songs) func stemsAndReturnsAddUpToTheMix(_ song: (name: String, seconds: Double)) throws {
        let score = try RenderedSong.song(song.name)
        var options = RenderedSong.options(song.seconds)
        options.threads = 2
        let wet = try render(score, StemChoice(.channel), options)
        checkSum(wet, "\(song.name), two threads")
        #expect(wet.renderer.stems.map(\.kind).suffix(2) == [.effect, .effect])
        #expect(wet.renderer.stems.suffix(2).map(\.name) == ["reverb", "chorus"])
        (options.threads, options.hasEffects, options.blockFrames) = (1, false, 333)
        let dry = try render(score, StemChoice(.channel), options)
        checkSum(dry, "\(song.name), dry")
        #expect(dry.renderer.stems.allSatisfy { $0.kind == .dry } && dry.stems.count == wet.stems.count - 2)
        // The effects change nothing of what is dry.
        #expect(dry.stems == Array(wet.stems.dropLast(2)))
    }

    @Test func theyAddUpWhateverPlaysAndHoweverItIsMixed() throws {
        let song = try RenderedSong.song("auld-lang-syne")
        let font = FileManager.default.temporaryDirectory.appending(path: "carillon-stems-\(getpid()).sf2")
        defer { try? FileManager.default.removeItem(at: font) }
        try Data(TinySoundFont().bytes).write(to: font)
        var tiny = RenderedSong.options(2, instrument: .soundFont([font.path]))
        for threads in [1, 2] {
            tiny.threads = threads
            for division in [StemChoice.Division.channel, .group] {
                checkSum(try render(song, StemChoice(division), tiny), "another SoundFont, \(division)")
            }
        }
        var square = RenderedSong.options(2, instrument: .squareWave)
        checkSum(try render(song, StemChoice(.channel), square), "a square wave")
        square.gain = -3.7
        checkSum(try render(song, StemChoice(.channel), square), "a gain")
        var mixed = RenderedSong.options(2)
        mixed.settings = [
            "mixer.volume=-1.3dB", "mixer.gain[0]=-5dB", "mixer.pan[0]=70%", "mixer.enable[2]=off", "strip-4.gain=3dB",
            "chorus.mix=80%", "reverb.level=-2dB",
        ]
        mixed.hasMeter = true
        for division in StemChoice.Division.allCases {
            let sound = try render(song, StemChoice(division), mixed)
            checkSum(sound, "mixed, \(division)")
        }
    }

    @Test func withoutAVolumeTheMixIsWhatItIsWithoutStems() throws {
        let song = try RenderedSong.song("sea-wall")
        var options = RenderedSong.options()
        options.tail = .exact
        options.track = 2
        let plain = try render(song, nil, options), stemmed = try render(song, StemChoice(.channel), options)
        #expect(plain.mix == stemmed.mix && plain.stems.isEmpty)
    }

    @Test(arguments: [1, 2]) func blocksAndThreadsChangeNoSampleOfAStem(_ threads: Int) throws {
        let song = try RenderedSong.song("crooked-mile")
        var options = RenderedSong.options(2)
        let whole = try render(song, StemChoice(.group), options)
        (options.threads, options.blockFrames) = (threads, 77)
        let pieces = try render(song, StemChoice(.group), options)
        #expect(whole.stems == pieces.stems && whole.mix == pieces.mix)
        #expect(whole.stems.contains { $0[0].contains { $0 != 0 } })
    }

    @Test func afterACommonGainTheyStillAddUp() throws {
        let song = try RenderedSong.song("auld-lang-syne")
        let sound = try render(song, StemChoice(.channel), RenderedSong.options(5), at: LoudnessTarget(loudness: -20))
        checkSum(sound, "with \(sound.report?.level?.gain ?? 0) dB")
        #expect(sound.report?.level?.gain ?? 0 > 6 && sound.report?.limiter.most == 0)
        // Where the limiter works, on the mix alone, the stems have the gain and no limiter.
        let loud = try render(song, StemChoice(.channel), RenderedSong.options(5), at: LoudnessTarget(loudness: -5))
        let gain = try #require(loud.report?.level?.gain), soft = try render(song, StemChoice(.channel), RenderedSong.options(5))
        let amplitude = Float(pow(10, gain / 20))
        for (a, b) in zip(loud.stems, soft.stems) {
            for (x, y) in zip(a[0], b[0]) { #expect(abs(x - y * amplitude) <= 1e-5 * max(abs(x), 1e-3)) }
        }
        #expect(loud.report?.limiter.most ?? 0 > 0.1 && loud.difference(loud.sum) > 0.001)
    }

    @Test func fadesActOnAll() throws {
        let song = try RenderedSong.song("drum-groove")
        var options = RenderedSong.options()
        (options.loops, options.fade) = (1, 1)
        options.blockFrames = 200
        let sound = try render(song, StemChoice(.channel), options)
        checkSum(sound, "a fade")
        #expect(sound.stems.allSatisfy { $0[0].last == 0 })
    }

    // MARK: - Wet

    /// A song that sends to both effects and sets them by System Exclusive.
    private var spacious: Song {
        typealias Placed = (tick: Int64, kind: SongEvent.Kind)
        var events: [Placed] = RenderedSong.note(0, 900) + RenderedSong.note(1_200, 700, key: 64)
        func add(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
            events.append((tick, .message(MIDIMessage(status: status, data1: data1, data2: data2))))
        }
        for channel: UInt8 in [0, 1, 2] {
            add(0, 0xB0 | channel, 91, 100 - 30 * channel)
            add(0, 0xB0 | channel, 93, 20 + 40 * channel)
            add(480, 0x90 | channel, 60 + channel, 100)
            add(1_900, 0x80 | channel, 60 + channel, 0)
        }
        // GS: reverb macro "hall 2", and half its level; chorus macro "flanger"; chorus to reverb.
        let settings: [(address: UInt8, value: UInt8)] = [(0x30, 4), (0x33, 40), (0x38, 5), (0x3F, 60)]
        for setting in settings {
            let sum: Int = 0x41 + Int(setting.address) + Int(setting.value)
            let check = UInt8((128 - sum % 128) % 128)
            let message: [UInt8] = [
                0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x01, setting.address, setting.value, check, 0xF7,
            ]
            events.append((0, .systemExclusive(message)))
        }
        return RenderedSong.song(events, end: 2_400)
    }

    @Test func wetStemsHaveTheirShareOfTheEffects() throws {
        for (name, song) in [("spacious", spacious), ("auld-lang-syne", try RenderedSong.song("auld-lang-syne"))] {
            let options = RenderedSong.options(3)
            let plain = try render(song, StemChoice(.channel), options)
            for division in [StemChoice.Division.channel, .group] {
                let wet = try render(song, StemChoice(division, isWet: true), options)
                checkSum(wet, "\(name), wet")
                #expect(wet.renderer.stems.allSatisfy { $0.kind == .wet })
                let difference = plain.difference(wet.mix)
                #expect(difference < 1e-6 * max(plain.peak, 0.1), "\(name): \(difference)")
            }
            let wet = try render(song, StemChoice(.channel, isWet: true), options)
            let reverb = plain.stems[plain.stems.count - 2][0].reduce(0) { max($0, abs($1)) }
            #expect(reverb > 0.0001)
            // A wet stem is its dry one and more.
            #expect(wet.stems.indices.contains { wet.stems[$0] != plain.stems[$0] })
        }
    }

    // MARK: - Divisions

    private func renderer(_ song: Song, _ division: StemChoice.Division, _ change: (inout RenderOptions) -> Void = { _ in })
        throws -> SongRenderer
    {
        var options = RenderedSong.options(1)
        change(&options)
        return try SongRenderer(song, options: options, stems: StemChoice(division))
    }

    /// A track that plays a program on channels, one note after the other.
    private func track(_ name: String, _ channels: [UInt8], program: UInt8) -> Track {
        var events: [SongEvent] = []
        for channel in channels {
            events.append(SongEvent(tick: 0, .message(MIDIMessage(status: 0xC0 | channel, data1: program, data2: 0))))
            events.append(SongEvent(tick: 0, .message(MIDIMessage(status: 0x90 | channel, data1: 60, data2: 100))))
        }
        for channel in channels {
            events.append(SongEvent(tick: 480, .message(MIDIMessage(status: 0x80 | channel, data1: 60, data2: 0))))
        }
        return Track(name: name, events: events)
    }

    private func song(_ tracks: [Track]) -> Song { Song(format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks) }

    @Test func familiesHaveDrumsFirst() throws {
        let tracks = [
            track("", [0, 3], program: 0), track("", [1], program: 33), track("", [2], program: 48), track("", [9], program: 0),
            track("", [4], program: 5),
        ]
        let stems = try renderer(song(tracks), .group).stems.filter { $0.kind == .dry }
        #expect(stems.map(\.name) == ["Drums", "Piano", "Bass", "Ensemble"])
        #expect(stems.map(\.channels) == [[10], [1, 4, 5], [2], [3]])
    }

    @Test func tracksOwnTheirChannelsOrAreRefused() throws {
        let owned = [track("Hands", [0, 1], program: 0), track(" \n", [2], program: 40)]
        let stems = try renderer(song(owned), .track).stems.filter { $0.kind == .dry }
        #expect(stems.map(\.name) == ["Hands", "Track 2"] && stems.map(\.channels) == [[1, 2], [3]])
        #expect {
            _ = try renderer(song(owned + [track("Third", [1], program: 0)]), .track)
        } throws: {
            guard let fault = $0 as? Fault, fault.subject == "stems" else { return false }
            let reason = fault.sentence
            return reason.contains("channel 2 ") && reason.contains("1 (Hands)") && reason.contains("3 (Third)")
        }
    }

    @Test func instrumentsOwnTheirChannelsOrAreRefused() throws {
        let same = [track("", [0, 2], program: 0), track("", [1], program: 33)]
        let stems = try renderer(song(same), .instrument).stems.filter { $0.kind == .dry }
        #expect(stems.map(\.channels) == [[1, 3], [2]] && Set(stems.map(\.name)).count == 2)
        var changing = track("", [0], program: 0)
        changing.events.append(SongEvent(tick: 480, .message(MIDIMessage(status: 0xC0, data1: 73, data2: 0))))
        changing.events.append(SongEvent(tick: 480, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))))
        #expect {
            _ = try renderer(song([changing]), .instrument)
        } throws: {
            guard let fault = $0 as? Fault, fault.subject == "stems" else { return false }
            let reason = fault.sentence
            return reason.contains("channel 1 plays ")
        }
        // Of a square wave nobody can tell channels apart.
        #expect(throws: Fault.self) { _ = try renderer(song(same), .instrument) { $0.instrument = .squareWave } }
    }

    @Test func silentStemsHaveTheirReason() throws {
        let tracks = [track("", [0], program: 0), track("", [1], program: 33), track("", [2], program: 40)]
        var options = RenderedSong.options(1)
        options.settings = ["strip-1.solo=on"]
        let soloed = try render(song(tracks), StemChoice(.channel), options)
        let reasons = zip(soloed.renderer.stems, soloed.stems).map { stem, samples in
            samples.joined().contains { $0 != 0 } ? "" : soloed.renderer.reasonForSilence(of: stem)
        }
        #expect(reasons == ["", "others are soloed", "others are soloed", "", "nothing is sent to it"])
        options.settings = ["strip-2.mute=on"]
        let muted = try render(song(tracks), StemChoice(.channel), options)
        #expect(muted.renderer.reasonForSilence(of: muted.renderer.stems[1]) == "it is muted")
        checkSum(muted, "muted")
    }

    /// Of a part of a song the reason is where the notes are, not what is wrong with them.
    @Test func stemsThatAPartDoesNotHaveSayWhereTheirNotesAre() throws {
        /// A note at each of these beats.
        func notes(_ channel: UInt8, _ beats: [Int64]) -> Track {
            var track = Track(name: "")
            track.events = beats.flatMap { beat in
                [
                    SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0x90 | channel, data1: 60, data2: 100))),
                    SongEvent(tick: beat * 480 + 240, .message(MIDIMessage(status: 0x80 | channel, data1: 60, data2: 0))),
                ]
            }
            track.endTick = 16 * 480
            return track
        }
        let tracks = [notes(0, [0]), notes(1, [4, 5]), notes(2, [12, 13]), notes(3, [1, 14]), notes(4, [5])]
        func reasons(_ change: (inout RenderOptions) -> Void) throws -> [String] {
            var options = RenderedSong.options(10)
            options.hasEffects = false
            change(&options)
            let made = try render(song(tracks), StemChoice(.channel), options)
            return zip(made.renderer.stems, made.stems).map { stem, samples in
                samples.joined().contains { $0 != 0 } ? "" : made.renderer.reasonForSilence(of: stem)
            }
        }
        let part = try reasons { ($0.passage.from, $0.passage.to, $0.passage.tempo) = (.bar(2), .bar(3), 0.5) }
        #expect(
            part == [
                "its note begins before the part that is rendered", "", "its notes begin after the part that is rendered",
                "none of its notes begins in the part that is rendered", "",
            ])
        let chosen = try reasons { $0.channels.only = PartList([1]) }
        #expect(chosen[1].isEmpty && chosen[0].hasPrefix("its notes are left out"), "\(chosen)")
        let cut = try reasons { $0.maximumDuration = 4 }
        #expect(cut == ["", "", "it begins after the end", "", ""])
    }

    // MARK: - Patches

    @Test(arguments: ["organ-with-pedal", "groups-and-sends", "drones", "around-the-head", "drum-kit", "general-midi"])
    func patchesAreDividedAtTheirMixer(_ name: String) throws {
        let song = try RenderedSong.song("auld-lang-syne")
        for choice in [StemChoice(.channel), StemChoice(.group), StemChoice(.channel, isWet: true)] {
            var options = RenderedSong.options(2)
            options.patch = try #require(PatchExample.named(name)).patch
            checkSum(try render(song, choice, options), "\(name), \(choice)")
        }
    }

    @Test func aPatchWithoutAMixerIsRefused() throws {
        var patch = Patch()
        patch.units = [PatchUnit("square-wave", "square-wave", role: .instrument)]
        patch.outputs = [PatchPort("square-wave")]
        var options = RenderedSong.options(1)
        options.patch = patch
        #expect(throws: Fault.self) {
            _ = try SongRenderer(RenderedSong.song("drum-groove"), options: options, stems: StemChoice(.channel))
        }
    }

    @Test func whatWorksOnTheWholeMixIsTold() throws {
        var options = RenderedSong.options(2)
        options.patch = try #require(PatchExample.named("one-finger-band")).patch
        let sound = try render(RenderedSong.song("auld-lang-syne"), StemChoice(.channel), options)
        #expect(sound.difference(sound.sum) > 0.001)
        #expect(sound.report?.remarks.contains { $0.sentence.contains("before reverb") } == true)
    }

    @Test(arguments: [[0, 1], [0, 1, 3], [1, 2, 2], [0, -1, 1]])
    func aMixerRefusesStemsThatAreNone(_ stems: [Int]) {
        let setup = UnitSetup(
            sampleRate: 48_000, inputCount: 3, properties: ["stems": .list(stems.map { .integer($0) })])
        #expect(throws: UnitError.self) { _ = try UnitInstance.make(MultichannelMixer.self, setup) }
    }

    @Test func aPatchOfEffectsAloneHasNoWetStems() throws {
        var patch = Patch()
        patch.units = [
            PatchUnit("organ", "square-wave", role: .instrument), PatchUnit("hall", "reverb", role: .send),
            PatchUnit("mixer", "multichannel-mixer", role: .master),
        ]
        patch.units[2].inputCount = 1
        patch.connections = [
            PatchConnection(PatchPort("organ"), to: PatchPort("hall")),
            PatchConnection(PatchPort("hall"), to: PatchPort("mixer")),
        ]
        patch.outputs = [PatchPort("mixer")]
        var options = RenderedSong.options(2)
        options.patch = patch
        let song = try RenderedSong.song("auld-lang-syne")
        checkSum(try render(song, StemChoice(.channel), options), "an effect alone")
        #expect(throws: Fault.self) {
            _ = try SongRenderer(song, options: options, stems: StemChoice(.channel, isWet: true))
        }
    }

    // MARK: - Render side

    @Test func theMixersStemsTakeNoMemoryAndNoLock() throws {
        let song = try RenderedSong.song("drum-groove")
        #expect(try RenderedSong.render(song, RenderedSong.options(1), stems: StemChoice(.channel)).seen == "")
    }

    // MARK: - Names

    @Test func namesAreMadeByATemplate() throws {
        let names = try StemNames(StemNames.standard)
        #expect(names.name(song: "waltz", stem: "Grand Piano", number: 3, of: 9) == "waltz-03-Grand Piano")
        #expect(names.name(song: "waltz", stem: "a/b\\c: \"d\"?\u{7}", number: 120, of: 120) == "waltz-120-a-b-c- -d---")
        #expect(names.name(song: "w", stem: " ..", number: 1, of: 1) == "w-01-stem")
        #expect(names.name(song: "w", stem: String(repeating: "ä", count: 200), number: 1, of: 1).utf8.count < 110)
        #expect(try StemNames("{name} of {song}").tellsSongs && !StemNames("{number}").tellsSongs)
        #expect(try StemNames("x{number}").name(song: "w", stem: "y", number: 7, of: 100) == "x007")
        for wrong in ["", "all", "{song}", "{nmae}", "{number", "{number}/"] {
            #expect(throws: Fault.self) { _ = try StemNames(wrong) }
        }
        #expect(throws: Fault.self) { _ = try StemNames("{song}-{number}", isOneFile: true) }
        #expect(
            try StemNames(StemNames.standardOfOneFile, isOneFile: true).name(song: "w", stem: nil, number: 1, of: 5) == "w-stems")
    }
}
