import Carillon
import CarillonTestKit
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// An instrument with a bus for each channel that is added in code: one output, on which all channels are heard.
@Suite struct SoundFontInEngineTests {
    private static let names = ["soundfont", "sampler", "fluidsynth"]

    private static var properties: [String: PropertyValue] {
        // libfluidsynth reads files alone.
        ["soundfonts": .list([.text("/usr/share/sounds/sf2/TimGM6mb.sf2")])]
    }

    /// An engine with `change` in its graph that is pulled offline, and whose parts are played by the unit that it returns.
    private static func engine(
        frames: Int = 512, _ change: (inout Graph) throws(Fault) -> NodeID
    ) throws -> (engine: Engine, node: NodeID) {
        let engine = Engine(sampleRate: 48_000, maximumFrames: frames)
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try change(&graph)
            for part in 0..<16 { try graph.route(part: part, to: node) }
            return node
        }
        try engine.start(on: .offline)
        return (engine, node)
    }

    private static func chain(_ name: String, frames: Int = 512) throws -> Engine {
        try engine(frames: frames) { (graph) throws(Fault) in
            let font = try graph.add(named: name, properties: properties), delay = try graph.add(Delay.self)
            try graph.chain(font, delay)
            try graph.setOutput(delay)
            return font
        }.engine
    }

    /// A note a beat, the first on channel 1.
    private static let song: Song = {
        let notes = (0..<16).map { channel in
            SongEvent(
                tick: Int64(channel) * 480, .message(MIDIMessage(status: 0x90 | UInt8(channel), data1: 60, data2: 100)))
        }
        return Song(division: .ticksPerQuarter(480), tracks: [Track(name: "beats", events: notes, endTick: 7_680)])
    }()

    @Test(arguments: names) func everyChannelOfASongIsHeard(_ name: String) throws {
        let engine = try Self.chain(name)
        try engine.play(song: Self.song)
        for channel in 1...16 {
            let peak = try engine.render(frames: 24_000)[0].reduce(0) { max($0, abs($1)) }
            #expect(peak > 0.001, "channel \(channel)")
        }
    }

    @Test(arguments: names) func theOneOutputIsTheSumOfTheChannels(_ name: String) throws {
        func play(_ buses: OutputBuses) throws -> [[Float]] {
            let (engine, _) = try Self.engine { (graph) throws(Fault) in
                let font = try graph.add(named: name, buses: buses, properties: Self.properties)
                let sum = try graph.add(Junction.self)
                for bus in 0..<(buses == .main ? 1 : 16) { try graph.connect(font[bus], to: sum) }
                try graph.setOutput(sum)
                return font
            }
            for channel in 1...16 { try engine.send(.noteOn(UInt8(40 + channel), channel: channel), at: SampleTime(1_000)) }
            try engine.send(.controller(7, 20, channel: 3), at: SampleTime(9_001))
            return try engine.render(frames: 48_000)
        }
        let one = try play(.main), all = try play(.channels)
        let peak = all.joined().reduce(0) { max($0, abs($1)) }
        let difference = zip(one.joined(), all.joined()).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(peak > 0.01 && difference < 1e-5 * max(peak, 1), "\(difference) of \(peak)")
    }

    @Test(arguments: [("soundfont", 48), ("sampler", 48), ("fluidsynth", 16)])
    func theOutputsAreChosenWhereItIsAdded(_ name: String, _ count: Int) throws {
        var graph = Graph(sampleRate: 48_000)
        let one = try graph.add(named: name, properties: Self.properties)
        let all = try graph.add(named: name, buses: .channels, properties: Self.properties)
        #expect(try graph.node(one).instance.descriptor.outputs == [.init("main")])
        #expect(try graph.node(all).instance.descriptor.outputs.count == count)
        let type = try graph.add(Sampler.self, properties: Self.properties)
        let found = try graph.add(
            matching: ComponentDescription(type: .instrument, subtype: "smpl"), buses: .channels, properties: Self.properties)
        #expect(try graph.node(type).instance.descriptor.outputs.count == 1)
        #expect(try graph.node(found).instance.descriptor.outputs.count == 48)
    }

    @Test func othersHaveNoSuchChoice() throws {
        var graph = Graph(sampleRate: 48_000)
        #expect(throws: Fault.self) { try graph.add(Reverb.self, buses: .channels) }
        let wrong = #expect(throws: Fault.self) {
            try graph.add(Sampler.self, properties: ["buses": .text("mian")])
        }
        #expect(wrong?.description.contains("buses: choose main or channels") == true, "\(String(describing: wrong))")
    }

    /// The word stands in the patch of a graph that was made in code; a patch without it has its channel buses, as ever.
    @Test func aPatchSaysWhatWasChosen() throws {
        let engine = try Self.chain("soundfont")
        let unit = try #require(engine.patch.units.first { $0.component == "soundfont" })
        #expect(unit.properties["buses"] == .text("main"))
        let again = try Engine(patch: engine.patch)
        #expect(again.patch == engine.patch)
        #expect(again.graph.nodes.first?.instance.descriptor.outputs.count == 1)

        var plain = engine.patch
        plain.units[0].properties["buses"] = nil
        let channels = try Engine(patch: plain)
        #expect(channels.graph.nodes.first?.instance.descriptor.outputs.count == 48)
        // The plain name means all channels: each is led to the delay.
        #expect(channels.graph.connections.count == 16)
    }

    @Test func aPatchThatAsksForOneOutputIsReadAndChecked() throws {
        let text = """
            version: 1
            soundfonts: [embedded]
            units:
              piano: {unit: soundfont, role: instrument, properties: {buses: main}}
              hall: {unit: reverb}
            connections: [piano -> hall]
            outputs: [hall]
            """
        let file = try PatchFile(text: text, path: "one.yaml", units: UnitCatalog.entries),
            engine = try Engine(patch: file.playable())
        #expect(engine.graph.connections.count == 1 && file.advice.isEmpty, "\(file.advice)")
        #expect(throws: PatchFileError.self) {
            try PatchFile(
                text: text.replacing("piano -> hall", with: "\"piano[channel-2] -> hall\""), path: "one.yaml",
                units: UnitCatalog.entries)
        }
    }

    /// Slices of any length give the same bits: the sum is added up in one order.
    @Test(arguments: [1, 7, 64, 1_000, 4_096]) func slicesChangeNoBit(_ block: Int) throws {
        func play(_ frames: Int) throws -> [[Float]] {
            let engine = try Self.chain("sampler", frames: frames)
            for channel in 1...16 {
                try engine.send(.noteOn(UInt8(40 + channel), channel: channel), at: SampleTime(Int64(channel) * 301))
            }
            return try engine.render(frames: 12_000)
        }
        #expect(try play(block) == play(512))
    }
}
