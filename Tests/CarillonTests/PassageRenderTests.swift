import Carillon
import Testing

/// `--from`, `--to`, `--tempo`, `--transpose`, and which channels are heard.
@Suite struct PassageRenderTests {
    private static func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> (
        tick: Int64, kind: SongEvent.Kind
    ) { (tick, .message(MIDIMessage(status: status, data1: data1, data2: data2))) }

    /// Two seconds of music that sets this and that, 14 seconds of silence, then two channels from the ninth bar on.
    private static let song: Song = {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = [
            message(0, 0xC0, 48), message(0, 0xC1, 24), message(0, 0xB0, 7, 90), message(480, 0xB0, 91, 80),
            message(480, 0xB1, 93, 100), message(700, 0xE0, 0, 70), message(900, 0xB1, 10, 20), message(960, 0xC0, 73),
            message(1000, 0xB0, 7, 110),
        ]
        for beat in 0..<4 { events += RenderedSong.note(Int64(beat) * 480, 400, key: UInt8(60 + beat)) }
        events += RenderedSong.note(0, 960).map { ($0.tick, second($0.kind)) }
        for beat in 0..<4 {
            let tick = 17 * 960 + Int64(beat) * 480
            events += RenderedSong.note(tick, 400, key: UInt8(65 + beat))
            events += RenderedSong.note(tick + 100, 300, key: UInt8(50 + beat)).map { ($0.tick, second($0.kind)) }
        }
        return RenderedSong.song(events, end: 20 * 960)
    }()

    /// The same message on the second channel.
    private static func second(_ kind: SongEvent.Kind) -> SongEvent.Kind {
        guard case .message(var message) = kind else { return kind }
        message.status |= 1
        return .message(message)
    }

    private static func options(_ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderedSong.options()
        options.tail = .exact
        change(&options)
        return options
    }

    private static func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    @Test(arguments: [1, 0.8]) func behindTheLastTailAPassageIsTheSong(tempo: Double) throws {
        let whole = try RenderedSong.render(Self.song, Self.options { $0.passage.tempo = tempo }).samples
        // Nothing sounds any more, or again, where the passage begins.
        let first = Int((16 * 48_000 / tempo).rounded())
        #expect(Self.peak(whole[0][(first - 4_800)..<first]) == 0 && Self.peak(whole[0][first...]) > 0.01)
        for (block, threads) in [(64, 1), (4_001, 1), (512, 2)] {
            let part = try RenderedSong.render(
                Self.song,
                Self.options {
                    ($0.passage.tempo, $0.passage.from) = (tempo, .bar(9))
                    ($0.blockFrames, $0.threads) = (block, threads)
                })
            let isSame = part.samples == whole.map { Array($0[first...]) }
            #expect(isSame && part.seen.isEmpty && part.report.notesPlayed == 8, "blocks of \(block): \(part.seen)")
            #expect(part.report.part?.lowerBound == 16 * 48_000 && part.report.part?.upperBound == 20 * 48_000)
        }
    }

    @Test func atTheEndKeysGoUpAndWhatRingsRingsOn() throws {
        // A note of ten seconds under a pedal.
        let song = RenderedSong.song(
            RenderedSong.note(0, 9_600) + [Self.message(0, 0xB0, 64, 127), Self.message(0, 0xC0, 48)], end: 11 * 960)
        func render(_ change: (inout RenderOptions) -> Void) throws -> (samples: [[Float]], report: RenderReport, seen: String) {
            try RenderedSong.render(song, Self.options(change))
        }
        let whole = try render { _ in }.samples[0], exact = try render { $0.passage.to = .seconds(2) }
        let isWhole = exact.samples[0] == Array(whole[..<96_000])
        #expect(exact.report.frames == 96_000 && isWhole)
        let ringing = try render { ($0.passage.to, $0.tail) = (.seconds(2), .auto) }
        #expect(ringing.report.frames > 98_000 && ringing.report.frames < 6 * 48_000 && ringing.report.cut == nil)
        #expect(Self.peak(ringing.samples[0].suffix(9_600)) < 3.2e-5)
    }

    @Test func whatIsHeldSoundsAgainWhereThatIsAskedFor() throws {
        let long = RenderedSong.note(0, 9_600), drum = RenderedSong.note(0, 9_600, key: 38)
        let drums = drum.map { event -> (tick: Int64, kind: SongEvent.Kind) in
            guard case .message(var message) = event.kind else { return event }
            message.status |= 9
            return (event.tick, .message(message))
        }
        func heard(_ events: [(tick: Int64, kind: SongEvent.Kind)], chases: Bool) throws -> [Float] {
            try RenderedSong.render(
                RenderedSong.song(events, end: 11 * 960),
                Self.options { ($0.passage.from, $0.passage.chasesNotes) = (.seconds(5), chases) }
            ).samples[0]
        }
        #expect(Self.peak(try heard(long, chases: false)) == 0)
        let struck = try heard(long, chases: true)
        #expect(Self.peak(struck[..<4_800]) > 0.01 && Self.peak(struck[(5 * 48_000 + 24_000)...]) < 0.01)
        #expect(Self.peak(try heard(drums, chases: true)) == 0)
    }

    @Test func aTempoKeepsOnsetsAndAKeyIsAnotherOne() throws {
        let notes = (0..<6).flatMap { RenderedSong.note(1 + Int64($0) * 481, 100) }
        var options = Self.options { $0.instrument = .squareWave }
        (options.hasEffects, options.settings) = (false, ["square-wave.release=1ms"])
        func onsets(_ tempo: Double, from: TransportTarget? = nil) throws -> [Int] {
            (options.passage.tempo, options.passage.from) = (tempo, from)
            let sound = try RenderedSong.render(RenderedSong.song(notes), options).samples[0]
            return sound.indices.filter { $0 > 0 && sound[$0] != 0 && sound[max($0 - 800, 0)..<$0].allSatisfy { $0 == 0 } }
        }
        let written = (0..<6).map { 50 + $0 * 24_050 }
        #expect(try onsets(1) == written)
        #expect(try onsets(2) == written.map { $0 / 2 })
        #expect(try onsets(0.5) == written.map { $0 * 2 })
        #expect(try onsets(2, from: .seconds(1)) == written.dropFirst(2).map { $0 / 2 - 24_000 })
        // An octave higher is the song written an octave higher.
        func song(_ key: UInt8) -> Song { RenderedSong.song(RenderedSong.note(0, 400, key: key)) }
        let higher = try RenderedSong.render(song(60), Self.options { $0.passage.transpose = 12 }).samples
        let isSame = higher == (try RenderedSong.render(song(72), Self.options()).samples)
        #expect(isSame)
        for change in [{ $0.passage.tempo = 0.05 }, { $0.passage.transpose = 49 }, { $0.passage.fadeIn = 0 }]
            as [(inout RenderOptions) -> Void]
        {
            #expect(throws: Fault.self) { try SongRenderer(Self.song, options: Self.options(change)) }
        }
    }

    @Test func channelsAreMutedAndSoloed() throws {
        func render(_ change: (inout ChannelChoice) -> Void, instrument: RenderOptions.Instrument? = nil) throws -> [[Float]] {
            try RenderedSong.render(
                Self.song,
                Self.options {
                    if let instrument { $0.instrument = instrument }
                    change(&$0.channels)
                }
            ).samples
        }
        let all = try render { _ in }
        let first = try render { $0.soloed = PartList([0]) }, second = try render { $0.muted = PartList([0]) }
        let only = try render { $0.only = PartList([0]) }
        let differ = first != all && second != all && first != second
        #expect(differ && Self.peak(first[0]) > 0.01 && Self.peak(second[0]) > 0.01)
        #expect(Self.peak(zip(only[0], first[0]).map { $0 - $1 }) < 1e-6)
        let apart = zip(all[0], zip(first[0], second[0])).map { abs($0 - $1.0 - $1.1) }
        #expect(Self.peak(apart) < 1e-4)
        // A channel that is not there: muted it changes nothing, soloed it silences all others.
        let isSame = try render { $0.muted = PartList([4, 40]) } == all
        #expect(isSame)
        #expect(Self.peak(try render { $0.soloed = PartList([40]) }[0]) == 0)
        // What has one strip for all plays one channel alone by its notes.
        #expect(throws: Fault.self) { try render({ $0.muted = PartList([0]) }, instrument: .squareWave) }
        #expect(Self.peak(try render({ $0.only = PartList([3]) }, instrument: .squareWave)[0]) == 0)
    }

    @Test func aPatchsStripsAreFoundByTheirChannels() throws {
        var patch = Patch()
        var wave = PatchUnit("wave", "square-wave", role: .instrument), strip = PatchUnit("lead", "channel-strip", role: .strip)
        wave.parts = PartList([0])
        strip.parts = PartList([0])
        patch.units = [wave, strip]
        patch.connections = [PatchConnection(PatchPort("wave"), to: PatchPort("lead"))]
        patch.outputs = [PatchPort("lead")]
        let song = RenderedSong.song(RenderedSong.note(0, 480))
        func peak(_ change: (inout ChannelChoice) -> Void) throws -> Float {
            Self.peak(
                try RenderedSong.render(
                    song,
                    Self.options {
                        ($0.patch, $0.instrument) = (patch, .squareWave)
                        change(&$0.channels)
                    }
                ).samples[0])
        }
        #expect(try peak { _ in } > 0.01)
        #expect(try peak { $0.muted = PartList([0]) } == 0)
        #expect(throws: Fault.self) { try peak { $0.muted = PartList([0, 1]) } }
    }

    @Test func aLayerLiesOverTheSong() throws {
        let plain = RenderedSong.song(RenderedSong.note(0, 480, key: 60), end: 4 * 1920)
        let layer = RenderLayer("beat", RenderedSong.song(RenderedSong.note(480, 240, key: 72), end: 1920))
        func render(_ layers: [RenderLayer], _ change: (inout RenderOptions) -> Void = { _ in }) throws -> [Float] {
            let options = Self.options(change)
            let renderer = try SongRenderer(plain, layers: layers, options: options)
            var sound: [Float] = []
            _ = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
                sound.append(contentsOf: UnsafeBufferPointer(start: channels[0], count: frames))
            })
            return sound
        }
        let alone = try render([]), both = try render([layer])
        #expect(alone.count == both.count && Self.peak(alone[(5 * 48_000)...]) < 1e-3)
        for bar in 0..<4 {
            let beat = bar * 96_000 + 24_000
            #expect(Self.peak(both[(beat + 2_400)..<(beat + 9_600)]) > 0.01)
        }
        // It is played on the second port, where it is muted apart.
        let muted = try render([layer]) { $0.channels.muted = PartList([16]) }
        let isAlone = muted == alone
        #expect(isAlone)
        let film = Song(division: .smpte(.pal, ticksPerFrame: 40), tracks: [Track(endTick: 100)])
        #expect(throws: Fault.self) { try render([RenderLayer("film", film)]) }
    }

    @Test func markersAndStemsAreThoseOfThePassage() throws {
        let marks = [(0, "A"), (1_920, "B"), (3_840, "C"), (5_760, "D")].map { tick, name in
            (tick: Int64(tick), kind: SongEvent.Kind.text(SongText(.marker, name)))
        }
        let notes = (0..<8).flatMap { beat in
            RenderedSong.note(Int64(beat) * 960, 700, key: UInt8(60 + beat))
                + RenderedSong.note(Int64(beat) * 960 + 300, 500, key: 40).map { ($0.tick, Self.second($0.kind)) }
        }
        let options = Self.options {
            ($0.passage.from, $0.passage.to, $0.passage.tempo) = (.marker("B"), .marker("D"), 2)
            ($0.passage.transpose, $0.passage.fadeIn) = (-2, 0.5)
        }
        let renderer = try SongRenderer(
            RenderedSong.song(notes + marks, end: 7_680), options: options, stems: StemChoice(.channel))
        // Bars of two seconds, twice as fast.
        #expect(renderer.cues == [AudioTags.Cue(frame: 0, name: "B"), AudioTags.Cue(frame: 48_000, name: "C")])
        var mix: [[Float]] = [[], []], sum: [[Float]] = [[], []]
        let report = try renderer.render(
            into: { (channels, frames) throws(AudioFileError) in
                for c in 0..<2 { mix[c].append(contentsOf: UnsafeBufferPointer(start: channels[c], count: frames)) }
            },
            stems: { (stems, frames) throws(AudioFileError) in
                for c in 0..<2 {
                    for frame in 0..<frames {
                        sum[c].append(stride(from: c, to: stems.count, by: 2).reduce(0) { $0 + stems[$1][frame] })
                    }
                }
            })
        let isSame = sum == mix
        #expect(isSame && report.frames == 96_000 && renderer.stems.count == 4 && Self.peak(mix[0]) > 0.01)
        var loop = options
        loop.passage.isLoop = true
        #expect(throws: Fault.self) {
            try SongRenderer(RenderedSong.song(notes, end: 7_680), options: loop, stems: StemChoice(.channel))
        }
    }

    @Test func aFadeInComesUpFromSilence() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 3_840), end: 3_840)
        func render(_ block: Int, _ fade: Double?) throws -> [Float] {
            try RenderedSong.render(
                song,
                Self.options {
                    ($0.instrument, $0.passage.fadeIn, $0.blockFrames) = (.squareWave, fade, block)
                }
            ).samples[0]
        }
        let plain = try render(512, nil), faded = try render(512, 2)
        #expect(faded[0] == 0 && Self.peak(faded[..<4_800]) < 0.1 * Self.peak(plain[..<4_800]))
        let isSame = faded[96_000...] == plain[96_000...]
        #expect(isSame)
        var loudest: Float = 0
        for frame in stride(from: 1_000, to: 96_000, by: 1_000) where abs(plain[frame]) > 0.001 {
            let gain = faded[frame] / plain[frame]
            #expect(gain >= loudest - 1e-4 && gain <= 1)
            loudest = gain
        }
        let other = try render(777, 2)
        let isOther = other == faded
        #expect(isOther)
    }
}
