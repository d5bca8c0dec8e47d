import Carillon
import Testing

/// The engine as a program that uses the library meets it.
@Suite struct EngineTests {
    @Test func anEditThatFailsChangesNothing() throws {
        let engine = Engine()
        let square = try engine.edit { (graph) throws(GraphError) in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            return square
        }
        #expect(throws: GraphError.noSuchBus(unit: "square-wave", direction: "output", bus: 7, count: 1)) {
            try engine.edit { (graph) throws(GraphError) in
                try graph.add(Limiter.self)
                try graph.setOutput(square, bus: 7)
            }
        }
        #expect(engine.graph.nodes.map(\.name) == ["square-wave"])
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
        for text in ["reverb.decay", "reverb.dcay=1s", "revrb.decay=1s", "reverb.decay=1000s", "reverb.decay=fast", "mixer.gain[99]=0"] {
            var options = RenderedSong.options(instrument: .squareWave)
            options.settings = [text]
            #expect { try SongRenderer(song, options: options) } throws: { error in
                if case RenderError.parameter = error { true } else { false }
            }
        }
    }

    @Test func twoPortsPlayOnTwoInstruments() throws {
        var song = RenderedSong.song(RenderedSong.note(0, 480))
        song.tracks.append(Track(port: 1, events: [
            SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 50, data2: 100, port: 1))),
            SongEvent(tick: 480, .message(MIDIMessage(status: 0x80, data1: 50, data2: 0, port: 1))),
        ]))
        let renderer = try SongRenderer(song, options: RenderedSong.options())
        #expect(renderer.graph.instruments.count == 2)
        #expect(renderer.graph.strips.map(\.part) == [0, 16])
    }
}
