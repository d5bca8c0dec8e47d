import Carillon
import TestUnits
import Testing

/// The engine as a program that uses the library meets it.
@Suite struct EngineTests {
    @Test func anEditThatFailsChangesNothing() throws {
        let engine = Engine()
        let square = try engine.edit { (graph) throws(Fault) in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            return square
        }
        #expect(throws: Fault.noSuchBus(unit: "square-wave", direction: "output", bus: 7, count: 1)) {
            try engine.edit { (graph) throws(Fault) in
                try graph.add(Limiter.self)
                try graph.setOutput(square, bus: 7)
            }
        }
        #expect(engine.graph.nodes.map(\.name) == ["square-wave"])
    }

    @Test func aParameterTakesItsTime() throws {
        let engine = Engine(sampleRate: 48_000)
        let (reverb, strip) = try engine.edit { (graph) throws(Fault) in
            let reverb = try graph.add(Reverb.self), strip = try graph.add(ChannelStrip.self)
            try graph.connect(strip, to: reverb)
            try graph.setOutput(reverb)
            return (reverb, strip)
        }
        let output = try OfflineOutput(renderer: engine.renderer, channels: 2, maximumFrames: 4096)
        func target<P: UnitParameter>(_ parameter: P, _ node: NodeID) throws -> Float {
            try engine.graph.node(node).instance.parameters.target(parameter.rawValue)
        }
        try engine.ramp(Reverb.Parameter.lowCut, to: 900, of: reverb, at: SampleTime(10), over: 0.5, curve: .exponential)
        try engine.ramp(ChannelStrip.Parameter.gain, to: -20, of: strip, overFrames: 300)
        try engine.ramp(ChannelStrip.Parameter.mute, to: 1, of: strip, over: 2)
        output.pull(64)
        #expect(try target(Reverb.Parameter.lowCut, reverb) == 900)
        #expect(try target(ChannelStrip.Parameter.gain, strip) == -20)
        var events: [UnitEvent] = []
        while let event = engine.renderer.nextPerformed() { events.append(event.command.event) }
        let durations = events.compactMap { if case .ramp(_, _, _, let frames, _) = $0 { frames } else { nil } }
        #expect(durations == [300, 96_000, 24_000])
        for seconds in [-1, .nan, .infinity, 1e9] {
            #expect(throws: Fault.self) {
                try engine.ramp(Reverb.Parameter.lowCut, to: 50, of: reverb, over: seconds)
            }
        }
        let square = try engine.edit { (graph) throws(Fault) in try graph.add(SquareWave.self) }
        #expect(throws: Fault(ParameterError.onlyAtStart(parameter: "polyphony"))) {
            try engine.ramp(SquareWave.Parameter.polyphony, to: 3, of: square, over: 1)
        }
    }

    /// Nothing is replaced in silence: a typed value keeps to the rules of one that is written.
    @Test func aValueOutOfRangeOrNoNumberIsRefused() throws {
        let engine = Engine(sampleRate: 48_000)
        let reverb = try engine.edit { graph in
            let reverb = try graph.add(Reverb.self)
            try graph.setOutput(reverb)
            return reverb
        }
        let before = try engine.value(Reverb.Parameter.lowCut, of: reverb)
        for value in [1e9, -1, .infinity] as [Float] {
            for give in [
                { try engine.set(Reverb.Parameter.lowCut, value, of: reverb) },
                { try engine.ramp(Reverb.Parameter.lowCut, to: value, of: reverb, over: 1) },
            ] {
                let error = #expect(throws: Fault.self) { try give() }
                #expect(error?.description.contains("is out of range; choose from") == true, "\(value)")
            }
        }
        let error = #expect(throws: Fault.self) { try engine.set(Reverb.Parameter.lowCut, .nan, of: reverb) }
        #expect(error?.description.contains("\"nan\" is not a number; choose from") == true)
        #expect(try engine.value(Reverb.Parameter.lowCut, of: reverb) == before)
    }

    /// What comes after its time takes effect at once, and is counted; an edit's frame is told.
    @Test func whatIsLateIsCountedAndTold() throws {
        let engine = Engine(sampleRate: 48_000)
        let strip = try engine.edit { graph in
            let strip = try graph.add(ChannelStrip.self)
            try graph.setOutput(strip)
            return strip
        }
        try engine.start(on: .offline)
        _ = try engine.render(frames: 1000)
        _ = engine.takeReports()
        try engine.set(ChannelStrip.Parameter.gain, -6, of: strip, at: SampleTime(10))
        try engine.ramp(ChannelStrip.Parameter.pan, to: 50, of: strip, at: SampleTime(20), overFrames: 100)
        try engine.edit(at: SampleTime(30)) { graph in
            let limiter = try graph.add(Limiter.self)
            try graph.append(limiter)
        }
        _ = try engine.render(frames: 100)
        #expect(engine.renderer.counters.lateEvents == 2)
        #expect(engine.takeReports() == [PlanAdoption(plan: engine.newestEdit, time: SampleTime(1000))])
    }

    @Test func aUnitWhoseDefaultLiesOutsideItsRangeIsRefused() throws {
        var graph = Graph(sampleRate: 48_000)
        let error = #expect(throws: Fault.self) { try graph.add(MisdeclaredUnit.self) }
        let sentence = "misdeclared: declares that depth starts at 2.0, outside its own range; choose from 0 to 1"
        #expect(error?.description == sentence)
        #expect(graph.nodes.isEmpty)
    }

    /// A command far away, in whatever order: what is at once is heard at once.
    @Test func whatIsAtOnceDoesNotWaitForWhatIsNot() throws {
        let engine = Engine(sampleRate: 48_000)
        let strip = try engine.edit { (graph) throws(Fault) in
            let strip = try graph.add(ChannelStrip.self)
            try graph.setOutput(strip)
            return strip
        }
        let output = try OfflineOutput(renderer: engine.renderer, channels: 2, maximumFrames: 4096)
        try engine.set(ChannelStrip.Parameter.gain, -6, of: strip, at: SampleTime(480_000))
        try engine.set(ChannelStrip.Parameter.gain, -3, of: strip)
        output.pull(64)
        let parameters = try engine.graph.node(strip).instance.parameters
        #expect(parameters.target(ChannelStrip.Parameter.gain.rawValue) == -3)
        #expect(engine.renderer.counters.lateEvents == 0)
    }

    @Test func soloSilencesTheOtherStrips() throws {
        let song = RenderedSong.song(
            RenderedSong.note(0, 480) + [
                (0, .message(MIDIMessage(status: 0x91, data1: 40, data2: 100))),
                (480, .message(MIDIMessage(status: 0x81, data1: 40, data2: 0))),
            ])
        func level(_ settings: [String]) throws -> Float {
            var options = RenderedSong.options()
            options.tail = .exact
            options.hasEffects = false
            options.settings = settings
            return try RenderedSong.render(song, options).samples[0].map { abs($0) }.max() ?? 0
        }
        let first = try level(["strip-1.solo=on"])
        #expect(try level(["strip-2.mute=on"]) == first)
        #expect(try level(["strip-1.mute=on", "strip-2.mute=on"]) == 0)
        #expect(try level([]) != first)
    }

    @Test func soloedChannelsOfASongAddUpToTheSongWithItsEffects() throws {
        let song = RenderedSong.song(
            (0..<3).flatMap { channel -> [(tick: Int64, kind: SongEvent.Kind)] in
                let status = UInt8(channel), key = UInt8(48 + 7 * channel)
                return [
                    (0, .message(MIDIMessage(status: 0xB0 | status, data1: 93, data2: 80))),
                    (0, .message(MIDIMessage(status: 0x90 | status, data1: key, data2: 100))),
                    (480, .message(MIDIMessage(status: 0x80 | status, data1: key, data2: 0))),
                ]
            })
        func render(_ settings: [String]) throws -> [Float] {
            var options = RenderedSong.options()
            options.tail = .seconds(1)
            options.settings = settings
            return try RenderedSong.render(song, options).samples[0]
        }
        let whole = try render([]), alone = try (1...3).map { try render(["strip-\($0).solo=on"]) }
        let rest = whole.indices.map { frame in whole[frame] - alone.reduce(0) { $0 + $1[frame] } }
        #expect(rest.reduce(0) { max($0, abs($1)) } < 1e-5 && whole.reduce(0) { max($0, abs($1)) } > 0.05)
        #expect(try render(["mixer.solo[1]=on"]) == alone[1])
        #expect(try render(["strip-9.solo=on"]).allSatisfy { $0 == 0 }, "a channel that the song does not use")
    }

    @Test func gainComesOnTopOfTheMixersVolume() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 480))
        func samples(_ gain: Float, _ settings: [String]) throws -> [Float] {
            var options = RenderedSong.options(instrument: .squareWave)
            options.tail = .exact
            options.gain = gain
            options.settings = settings
            return try RenderedSong.render(song, options).samples[0]
        }
        let plain = try samples(0, [])
        #expect(try samples(6, ["mixer.volume=-6dB"]) == plain)
        #expect(try samples(-6, []) != plain)
    }

    @Test func settingsThatMeanNothingAreRefusedWithWhatThereIs() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 480))
        for text in [
            "reverb.decay", "reverb.dcay=1s", "revrb.decay=1s", "reverb.decay=1000s", "reverb.decay=fast", "mixer.gain[99]=0",
        ] {
            var options = RenderedSong.options(instrument: .squareWave)
            options.settings = [text]
            #expect { try SongRenderer(song, options: options) } throws: { error in
                (error as? Fault)?.origin is ParameterError
            }
        }
    }

    @Test func twoPortsPlayOnTwoInstruments() throws {
        var song = RenderedSong.song(RenderedSong.note(0, 480))
        song.tracks.append(
            Track(
                port: 1,
                events: [
                    SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 50, data2: 100, port: 1))),
                    SongEvent(tick: 480, .message(MIDIMessage(status: 0x80, data1: 50, data2: 0, port: 1))),
                ]))
        let renderer = try SongRenderer(song, options: RenderedSong.options())
        #expect(renderer.graph.instruments.count == 2)
        #expect(renderer.graph.strips.map(\.part) == [0, 16])
    }
}
