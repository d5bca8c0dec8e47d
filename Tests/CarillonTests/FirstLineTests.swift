import Carillon
import Foundation
import Testing

/// Numbers, durations and names as users have them at hand. `FirstLines` of the outside package has them all in one program.
@Suite struct FirstLineTests {
    private func engine() throws -> (Engine, NodeID) {
        let engine = Engine(maximumFrames: 512)
        return (
            engine,
            try engine.edit { graph in
                let square = try graph.add(SquareWave.self)
                try graph.setOutput(square)
                return square
            }
        )
    }

    @Test func timesAreIntegersAndDurations() throws {
        let (engine, square) = try engine(), five = 5
        #expect(SampleTime(five) - 7 == SampleTime(-2) && SampleTime(.min) - 1 == SampleTime(.min))
        #expect(SampleTime(.max) - -1 == SampleTime(.max))
        try engine.start(on: .offline)
        try engine.send(.noteOn(five * 12), to: square, after: .milliseconds(10))
        try engine.ramp(SquareWave.Parameter.gain, to: -20, of: square, over: .milliseconds(500))
        let sound = try engine.render(for: .milliseconds(20))
        #expect(sound.map(\.count) == [960, 960] && sound[0].firstIndex { $0 != 0 } == 480)
        #expect(throws: Fault.self) { try engine.render(for: .seconds(-3)) }
        #expect(throws: Fault.self) {
            try engine.ramp(SquareWave.Parameter.gain, to: -20, of: square, over: .seconds(Int64.max / 2))
        }
        #expect(MusicEvent.noteOn(200 as Int, velocity: -5) == .noteOn(127, velocity: 0))
        #expect(MusicEvent.noteOff(-1 as Int) == .noteOff(0))
        let port = SimulatedPort(), other = try self.engine().0
        try other.start(on: .simulated(port))
        port.advance(.milliseconds(500))
        #expect(port.played[0].count >= 23_000)
    }

    @Test func filesHaveWholeHertzAndURLs() throws {
        let path = "/tmp/carillon-first-line-\(getpid()).wav", format = try AudioFileFormat(.wav)
        for rate in [44_100.5, .nan, -1, .infinity] {
            #expect(throws: AudioFileError.self) {
                try AudioFileWriter(path: path, format: format, channels: 2, sampleRate: rate)
            }
        }
        try AudioFileWriter(path: path, format: format, channels: 2, sampleRate: 44_100.0).finish()
        defer { unlink(path) }
        #expect(try AudioFileReader(url: URL(filePath: path)).sampleRate == 44_100)
        let address = try #require(URL(string: "https://example.org/a.wav"))
        let error = #expect(throws: AudioFileError.self) { try AudioFileReader(url: address) }
        #expect(error?.description.hasPrefix("https://example.org/a.wav: cannot be opened") == true)
    }

    @Test func aPlayerStandsForItsUnitAndACallbackKnowsItsRate() throws {
        let engine = Engine(sampleRate: 44_100)
        let (player, rate) = try engine.edit { graph in
            let player = try graph.add(player: MemoryReader([[0, 1]])), reverb = try graph.add(Reverb.self)
            try graph.chain(player, reverb)
            let rate = try graph.add(source: "rate") { io in
                for side in 0..<2 { for i in 0..<io.frames { io.output(0, side)[i] = Float(io.sampleRate) } }
                return .sounding
            }
            try graph.setOutput(rate)
            return (player, rate)
        }
        #expect(engine.graph.connections.map(\.source) == [player.node] && engine.graph.output?.node == rate)
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 10)[1] == Array(repeating: 44_100, count: 10))
        #expect(
            ["files": ["a.sf2"], "n": 1, "x": 2.5, "on": true] as [String: PropertyValue]
                == ["files": .list([.text("a.sf2")]), "n": .integer(1), "x": .number(2.5), "on": .flag(true)])
    }

    @Test func aNameThatTheUnitHasNotEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            let engine = Engine()
            let unit = try engine.edit { graph in
                let unit = try graph.add(SquareWave.self)
                try graph.setOutput(unit)
                return unit
            }
            engine[unit].volumee = 3
        }
    }

    @Test func valuesByNameAreBroughtIntoTheirRange() throws {
        let (engine, square) = try engine()
        let mixer = try engine.edit { graph in
            let mixer = try graph.add(MultichannelMixer.self, inputs: 3)
            try graph.append(mixer)
            return mixer
        }
        engine[mixer].gain = -6
        engine[mixer[1]].gain = 1e9
        engine[mixer[2]].gain = .nan
        #expect(try (0..<3).map { try engine.value("multichannel-mixer.gain[\($0)]") } == [-6, engine[mixer[1]].gain, 0])
        #expect(engine[mixer].gain == -6 && engine[mixer[1]].gain < 1e3 && NonFiniteValues.count > 0)
        engine[square].pulseWidth = 30
        #expect(try engine.value("square-wave.pulse-width") == 30)
        let foreign = try self.engine().1
        engine[foreign].gain = -3
        #expect(engine[foreign].gain.isNaN)
    }

    @Test func aUnitStartsWithAPresetAndWithChoicesByName() throws {
        var graph = Graph(sampleRate: 48_000)
        let entry = try #require(UnitCatalog.named("reverb")), preset = try #require(try entry.factoryPresets().last)
        let reverb = try graph.add(Reverb.self, startValues: ["preset": .text(preset.name), "mix": 30])
        let block = try graph.node(reverb).instance.parameters
        for (name, values) in preset.values where name != "mix" {
            let index = try #require(block.specs.firstIndex { $0.name == name })
            #expect(block.target(index) == values[0], "\(name)")
        }
        let filter = try graph.add(Filter.self, startValues: ["type": "high-pass", "cutoff": "1.2 kHz"])
        #expect(try graph.node(filter).instance.setup.startValues["cutoff"] == 1200)
        for (settings, part) in [
            (["preset": "cave"], "preset"), (["mode": "cave"], "mode"), (["mix": "wet"], "mix"), (["cave": 1], "cave"),
        ] as [([String: FactoryPreset.Setting], String)] {
            let error = #expect(throws: Fault.self) { try graph.add(Reverb.self, startValues: settings) }
            #expect(error?.description.hasPrefix("reverb: ") == true && error?.description.contains(part) == true)
        }
    }
}
