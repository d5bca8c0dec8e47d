import Graph
import MIDI
import RealtimeCore
import Sequencer
import SoundFontUnit
import UnitAPI
import Units

/// The graph that plays a song: one instrument per port, a strip per channel that is used, sends to reverb and chorus,
/// a mixer, a limiter, and a meter where one is wanted.
///
/// ```
/// soundfont -> strip-1 ... strip-16 -> mixer -> limiter -> out, meter
///                  \-> reverb, chorus -/
/// ```
/// Names count up over the ports: `strip-17` is channel 1 of the second port, played by `soundfont-2`
/// (`SongUnits`).
public struct SongGraph {
    /// A channel strip and the part it belongs to.
    public struct Strip: Sendable, Hashable {
        /// port * 16 + channel; 0 for the square wave, which has one strip for all.
        public let part: Int
        public let node: NodeID
    }

    /// One instrument per port that the song uses; one in all for the square wave.
    public private(set) var instruments: [NodeID] = []
    /// Strips in order of their parts.
    public private(set) var strips: [Strip] = []
    /// The parts that it was built for, in order: port * 16 + channel.
    public let parts: [Int]
    /// Adds strips and effect returns up.
    public private(set) var mixer = NodeID(rawValue: -1)
    /// Holds peaks below its ceiling; its output is the graph's.
    public private(set) var limiter = NodeID(rawValue: -1)
    /// Shows the level of what leaves, where `RenderOptions.hasMeter` asks for it.
    public private(set) var meter: NodeID?
    /// Shows the level of each strip, in their order, where `RenderOptions.hasStripMeters` asks for it.
    public private(set) var stripMeters: [NodeID] = []
    /// Frames by which the output lags behind the song.
    public let latency: Int
    /// The SoundFonts in use, in the order of search.
    public let soundFonts: [String]
    /// The same as names that find them again from anywhere.
    let lastingSoundFonts: [String]
    /// Why these SoundFonts; nil where none plays.
    public let soundFontOrigin: SoundFontLocator.Origin?
    /// What was not as the song asked for, as sentences: presets that were substituted or are missing.
    public let remarks: [String]
    private let instances: [UnitInstance]

    /// Builds the graph in `engine` for the parts that `timeline` uses; SoundFonts are read here.
    init(in engine: Engine, for timeline: Timeline, options: RenderOptions) throws(RenderError) {
        try self.init(in: engine, for: [timeline], parts: Self.parts([timeline]), options: options)
    }

    /// Builds the graph in `engine` for `parts`, numbered port * 16 + channel, in order; the SoundFonts' presets are those
    /// that `timelines` play, or all of them.
    init(
        in engine: Engine, for timelines: [Timeline]?, parts: [Int], options: RenderOptions
    ) throws(RenderError) {
        self.parts = parts
        let settings: StartSettings, sound: InstrumentBank
        do { settings = try StartSettings(options.settings) } catch { throw .parameter(error) }
        do { sound = try InstrumentBank(timelines, instrument: options.instrument) } catch { throw RenderError(error) }
        var building = Building(parts: parts, sound: sound, settings: settings, options: options)
        do {
            try engine.edit { (graph) throws(GraphError) in try building.build(&graph) }
            for target in try settings.targets(in: engine.graph, parts: parts) { try engine.set(target) }
        } catch let error as GraphError {
            throw RenderError(error)
        } catch let error as ParameterError {
            throw .parameter(error)
        } catch let error as EngineError {
            throw .engine(error)
        } catch {
            fatalError("a fourth kind of error from three typed calls: \(error)")
        }
        (instruments, strips) = (building.instruments, building.strips)
        (mixer, limiter, meter) = (building.mixer, building.limiter, building.meter)
        stripMeters = building.stripMeters
        instances = engine.graph.nodes.filter { building.instruments.contains($0.id) }.map(\.instance)
        latency = engine.graph.nodes.first { $0.id == building.limiter }?.instance.latency ?? 0
        soundFonts = sound.soundFonts
        lastingSoundFonts = sound.lastingNames
        soundFontOrigin = sound.soundFontOrigin
        remarks = sound.remarks
    }

    /// Whether every instrument is at rest: no voice sounds.
    public var isAtRest: Bool { instances.allSatisfy { $0.memory.pointee.isAsleep } }

    /// The parts with notes, or the first where there are none, so that a song without notes gives its silence.
    static func parts(_ timelines: [Timeline]) -> [Int] {
        let used = timelines.flatMap(\.summary.parts).filter { $0.noteCount > 0 }
        let parts = Set(used.map { Int($0.port) * 16 + Int($0.channel) })
        return parts.isEmpty ? [0] : parts.sorted()
    }
}

/// The steps of building a `SongGraph`.
private struct Building {
    let parts: [Int]
    let sound: InstrumentBank
    let settings: StartSettings
    let options: RenderOptions
    var instruments: [NodeID] = []
    var strips: [SongGraph.Strip] = []
    var mixer = NodeID(rawValue: -1), limiter = NodeID(rawValue: -1)
    var meter: NodeID?
    var stripMeters: [NodeID] = []

    init(parts: [Int], sound: InstrumentBank, settings: StartSettings, options: RenderOptions) {
        self.parts = parts
        self.sound = sound
        self.settings = settings
        self.options = options
    }

    mutating func build(_ graph: inout Graph) throws(GraphError) {
        if sound.hasBusPerChannel {
            var lastPort = -1
            for part in parts where part / 16 != lastPort {
                lastPort = part / 16
                try addPort(lastPort, to: &graph)
            }
        } else {
            try addEnsemble(to: &graph)
        }
        let sources = strips.map(\.node) + (options.hasEffects ? try addEffects(to: &graph) : [])
        let volume = MultichannelMixer.Parameter.volume.spec
        mixer = try add(
            MultichannelMixer.self, name: SongUnits.mixer, inputs: sources.count,
            startValues: [volume.name: volume.clamped(options.gain)], combining: { volume.clamped($0 + $1) },
            to: &graph)
        for (input, source) in sources.enumerated() { try graph.connect(source, to: mixer, input: input) }
        limiter = try add(Limiter.self, to: &graph)
        try graph.connect(mixer, to: limiter)
        if options.hasMeter {
            let meter = try add(PeakMeter.self, name: SongUnits.meter, to: &graph)
            try graph.connect(limiter, to: meter)
            self.meter = meter
        }
        for strip in strips where options.hasStripMeters {
            let meter = try add(PeakMeter.self, name: "\(SongUnits.meter)-\(strip.part + 1)", to: &graph)
            try graph.connect(strip.node, to: meter)
            stripMeters.append(meter)
        }
        try graph.setOutput(limiter)
    }

    /// Reverb and chorus, fed by every strip. Returns what goes to the mixer.
    private func addEffects(to graph: inout Graph) throws(GraphError) -> [NodeID] {
        let reverb = try add(Reverb.self, to: &graph), chorus = try add(Chorus.self, to: &graph)
        for strip in strips {
            try graph.connect(strip.node, output: 1, to: reverb)
            try graph.connect(strip.node, output: 2, to: chorus)
        }
        return [reverb, chorus]
    }

    /// A strip. Without effects its sends are closed and no controller opens them.
    private mutating func addStrip(_ part: Int, to graph: inout Graph) throws(GraphError) -> NodeID {
        let closed = [
            ChannelStrip.Parameter.reverbSend.spec.name: Float(0), ChannelStrip.Parameter.chorusSend.spec.name: 0,
        ]
        let strip = try add(
            ChannelStrip.self, name: SongUnits.strip(part), startValues: options.hasEffects ? [:] : closed, to: &graph)
        strips.append(SongGraph.Strip(part: part, node: strip))
        return strip
    }

    /// The instrument of one port with a strip for each channel.
    private mutating func addPort(_ port: Int, to graph: inout Graph) throws(GraphError) {
        let instrument = try addInstrument(port: port, to: &graph)
        for channel in 0..<16 { try graph.route(part: port * 16 + channel, to: instrument) }
        for part in parts where part / 16 == port {
            let strip = try addStrip(part, to: &graph)
            try graph.connect(instrument, output: part % 16, to: strip)
            if options.hasEffects { try graph.route(part: part, to: strip) }
        }
    }

    /// One instrument that plays all ports through one strip.
    private mutating func addEnsemble(to graph: inout Graph) throws(GraphError) {
        let instrument = try addInstrument(port: 0, to: &graph)
        for part in 0..<256 { try graph.route(part: part, to: instrument) }
        try graph.connect(instrument, to: try addStrip(0, to: &graph))
    }

    private mutating func addInstrument(port: Int, to graph: inout Graph) throws(GraphError) -> NodeID {
        let name = SongUnits.instrument(sound.name, instruments.count)
        let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
        let instance = try sound.makeInstrument(port: port, name: name, setup: setup, settings: settings)
        instruments.append(try graph.add(instance, name: name))
        return instruments[instruments.count - 1]
    }

    /// Adds a unit with what `--set` says of it on top of `startValues`; where both say something, `combining` decides.
    private func add<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String? = nil, inputs: Int = 0, startValues: [String: Float] = [:],
        combining: (Float, Float) -> Float = { $1 }, to graph: inout Graph
    ) throws(GraphError) -> NodeID {
        let type = U.descriptor.name
        let own: [String: Float]
        do {
            own = try settings.values(name: name ?? type, type: type, specs: U.Parameter.allCases.map(\.spec))
        } catch { throw .parameter(error) }
        return try graph.add(
            U.self, name: name, inputs: inputs, startValues: startValues.merging(own, uniquingKeysWith: combining))
    }
}
