import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import SongRendering
import Units

/// The part of a session that carries out commands for its sound: mute and solo of channels, parameters, and the ends of notes
/// that hang. Control side.
struct MixControl {
    let engine: Engine
    let graph: SongGraph
    /// The ports of the engine on which notes were played; nil means unknown.
    var ports: Set<UInt8>?

    /// Channels, from 1, whose strips are muted or soloed by their parameters.
    var muted: Set<Int> { channels(engine.mutedStrips) }
    var soloed: Set<Int> { channels(engine.soloedStrips) }

    private func channels(_ strips: Set<NodeID>) -> Set<Int> {
        Set(graph.strips.filter { strips.contains($0.node) }.map { $0.part + 1 })
    }

    /// Sets a switch of a channel, which counts from 1.
    func set(_ parameter: ChannelStrip.Parameter, _ isOn: Bool, channel: Int) throws(Fault) {
        guard let strip = graph.strips.first(where: { $0.part + 1 == channel }) else {
            throw .unknownChannel(channel, known: graph.strips.map { $0.part + 1 })
        }
        try engine.set(parameter, isOn ? 1 : 0, of: strip.node)
    }

    /// The volume of the whole sound, in decibels: the mixer's, less what it has by its patch and the gain of the session, so that
    /// it is 0 until the user changes it; -120 is silence.
    var volume: Double {
        guard let place = volumePlace, let turned = engine.graph[graph.volume]?.instance.parameters.target(place, 0) else {
            return 0
        }
        let silence = Self.volumeSpec.range.lowerBound
        return turned <= silence ? Double(silence) : max(Double(turned) - graph.volumeAtStart, Double(silence))
    }

    /// The highest volume.
    var mostVolume: Double { Double(Self.volumeSpec.range.upperBound) - graph.volumeAtStart }

    /// Sets the volume, or takes `seconds` to get there.
    func setVolume(_ decibels: Double, over seconds: Double? = nil) throws(Fault) {
        let silence = Double(Self.volumeSpec.range.lowerBound), start = graph.volumeAtStart
        do { try Self.volumeSpec.check(decibels) } catch {
            throw Fault(error)
        }
        if decibels > mostVolume {
            let remedy = "choose at most \(mostVolume): patch and gain make \(start) dB already"
            throw .outOfRange(name: "volume", value: "\(decibels)", remedy: remedy)
        }
        let turned = decibels <= silence ? silence : max(decibels + start, silence)
        // An edit may have taken the unit away.
        guard let place = volumePlace else { throw .unknownUnit("mixer", known: engine.graph.knownNames) }
        let target = ParameterSetting.Target(node: graph.volume, index: Int32(place), element: 0, value: Float(turned))
        guard let seconds else { return try engine.set(target) }
        if place == Junction.Parameter.volume.rawValue {
            try engine.ramp(Junction.Parameter.volume, to: target.value, of: graph.volume, over: seconds)
        } else {
            try engine.ramp(MultichannelMixer.Parameter.volume, to: target.value, of: graph.volume, over: seconds)
        }
    }

    /// The level of the fader, in decibels; nil where there is none.
    var fader: Float? {
        graph.fader.flatMap { engine.graph[$0]?.instance.parameters.target(MultichannelMixer.Parameter.volume.rawValue, 0) }
    }

    private var volumePlace: Int? {
        engine.graph[graph.volume]?.instance.parameters.specs.firstIndex { $0.name == Self.volumeSpec.name }
    }

    private static let volumeSpec = MultichannelMixer.Parameter.volume.spec

    /// The part of a channel that is played, which counts from 1.
    func part(ofChannel channel: Int) throws(Fault) -> Int {
        guard graph.parts.contains(channel - 1) else {
            throw .unknownChannel(channel, known: graph.parts.map { $0 + 1 })
        }
        return channel - 1
    }

    /// The engine's parts of a channel that is played, which counts from 1.
    func engineParts(ofChannel channel: Int) throws(Fault) -> [Int] {
        let played = graph.parts(ofChannel: channel - 1).filter(graph.parts.contains)
        if played.isEmpty { throw .unknownChannel(channel, known: graph.parts.map { $0 + 1 }) }
        return played.map { graph.ports.engine(part: $0) ?? $0 }
    }

    /// Plays music as a keyboard would, routed like its part, at a time; nil means with the next slice.
    func play(_ events: [MusicEvent], at time: SampleTime? = nil) throws(Fault) {
        for event in events {
            try engine.send(event, at: time)
        }
    }

    func silence(unit name: String) throws(Fault) {
        guard let node = engine.graph.nodes.first(where: { $0.name == name }) else {
            throw .unknownUnit(name, known: engine.graph.knownNames)
        }
        try silence(node.id)
    }

    /// Ends everything that sounds on a channel, which counts from 1.
    func silence(channel: Int) throws(Fault) {
        var parts = try engineParts(ofChannel: channel)
        // Songs play it on the part itself.
        if graph.parts.contains(channel - 1), let part = graph.ports.engine(part: channel - 1), !parts.contains(part) {
            parts.append(part)
        }
        for part in parts {
            try play((Self.released + [(120, 0)]).map { .message(MIDIMessage(part: part, 0xB0, $0, $1)) })
            try play([.message(MIDIMessage(part: part, 0xE0, 0, 64))])
        }
    }

    /// Ends everything that any instrument sounds.
    func silenceAll() throws(Fault) { for player in graph.players { try silence(player) } }

    /// Lifts keys and pedals everywhere, so that all sound dies away.
    func releaseAll() throws(Fault) { for player in graph.players { try tell(player, Self.released) } }

    /// Ends everything that units sound which ring on, their tails too.
    func silence(_ ringing: RingingUnits.Group) throws(Fault) { for node in ringing.nodes { try send(.reset, to: node) } }

    /// Lifts keys and pedals for units that ring on.
    func release(_ ringing: RingingUnits.Group) throws(Fault) {
        for node in ringing.instruments { try tell(node, Self.released, onPorts: ringing.ports.sorted().map(Int.init)) }
    }

    /// Lifts keys of a part, and its pedals, for one unit.
    func lift(_ keys: [UInt8], part: Int, of node: NodeID) throws(Fault) {
        if keys.isEmpty { return }
        for key in keys { try send(.music(.message(MIDIMessage(part: part, 0x80, key, 64))), to: node) }
        for (number, value) in Self.released where number < 120 {
            try send(.music(.message(MIDIMessage(part: part, 0xB0, number, value))), to: node)
        }
    }

    private static let released: [(UInt8, UInt8)] = [(64, 0), (66, 0), (67, 0), (69, 0), (123, 0)]

    /// Lifts pedals, centres bends and ends notes, at once, on every channel of an instrument; a unit that is not an instrument
    /// loses its tail.
    private func silence(_ node: NodeID) throws(Fault) {
        if !graph.players.contains(node) { return try send(.reset, to: node) }
        try tell(node, Self.released + [(120, 0)], bend: true)
    }

    /// Gives every channel of an instrument these controllers.
    private func tell(_ node: NodeID, _ controllers: [(UInt8, UInt8)], bend: Bool = false) throws(Fault) {
        if !graph.players.contains(node) { return }
        let routes = engine.graph.routes
        var heard = routes.indices.filter { routes[$0].contains(node) }
        // A unit that hears only MIDI units hears them on the parts that those hear.
        if heard.isEmpty { heard = graph.parts.map { graph.ports.engine(part: $0) ?? $0 } }
        // A unit that names no parts hears sixteen ports: a port on which nothing was played is silent.
        let played = Set(heard.map { $0 / 16 }).filter { ports?.contains(UInt8($0)) ?? true }
        try tell(node, controllers, onPorts: played.sorted(), bend: bend)
    }

    /// Gives every channel of an instrument these controllers, on these ports of the engine.
    private func tell(_ node: NodeID, _ controllers: [(UInt8, UInt8)], onPorts ports: [Int], bend: Bool = false) throws(Fault) {
        for port in ports {
            for channel in 0..<16 {
                func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) throws(Fault) {
                    let message = MIDIMessage(part: port * 16 + channel, status, data1, data2)
                    try self.send(.music(.message(message)), to: node)
                }
                for (number, value) in controllers { try send(0xB0, number, value) }
                if bend { try send(0xE0, 0, 64) }
            }
        }
    }

    private func send(_ event: UnitEvent, to node: NodeID) throws(Fault) {
        let command = RenderCommand(time: .immediately, node: node, event: event)
        if !engine.renderer.send(command) { throw .queueFull }
    }
}
