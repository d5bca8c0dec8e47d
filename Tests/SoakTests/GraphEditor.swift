import Carillon
import CarillonTestKit
import MIDI
import Testing

/// Somebody who edits a graph at random while two sines and a song play: three sources, a mixer, and effects wherever they
/// fit. The song goes round and round; its notes come every 12 000 frames.
struct GraphEditor {
    let rig = OfflineRig(channels: 1, recordsScore: true)
    var random: SeededRandom
    private(set) var history: [Graph] = []
    let sources: [NodeID]
    let mixer: NodeID
    /// Before the first edit.
    let beginning: Graph
    private(set) var made = 0, nested = 0
    private var transport: Transport
    private let score: Score
    /// Notes of the song that have begun, and how many of them did not on their frame.
    private(set) var notes = 0, uneven = 0

    /// Frames from the beginning of a note of the song to the next one's.
    static let beat = 12_000
    private static let songStart = 600

    /// The steepest of all three sources together.
    static var slope: Float { Float(2 * Double.pi * (20 + 32) / 48_000) * SineUnit.amplitude + SoftOrganUnit.slope }
    /// The loudest of all three sources together.
    static var peak: Float { 2 * SineUnit.amplitude + SoftOrganUnit.amplitude }

    init(seed: UInt64) throws {
        _ = UnitCatalog.register(TalliedUnit.self)
        random = SeededRandom(seed: seed)
        sources = [
            try rig.add(SineUnit.self, name: "low", startValues: ["pitch": 20]),
            try rig.add(SineUnit.self, name: "high", startValues: ["pitch": 32]),
            try rig.add(SoftOrganUnit.self, name: "organ"),
        ]
        mixer = try rig.add(MultichannelMixer.self, name: "mixer", inputs: 4)
        for (bus, source) in sources.enumerated() { try rig.graph.connect(source, to: mixer[bus]) }
        try rig.graph.route(part: 0, to: sources[2])
        try rig.graph.setOutput(mixer)
        try rig.publish()
        beginning = rig.graph
        let timeline = try Timeline(Self.song, sampleRate: 48_000)
        score = Score(timeline.events)
        transport = Transport(timeline)
        post(transport.take(.loop(.song), now: .zero, lookahead: 0))
        post(transport.take(.play, now: .zero, lookahead: Self.songStart))
    }

    /// Eight notes, four beats of half a second.
    private static var song: Song {
        var track = Track(name: "round")
        for note in 0..<8 {
            let tick = Int64(note) * 240, key = UInt8(60 + note)
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: key, data2: 100))))
            track.events.append(SongEvent(tick: tick + 200, .message(MIDIMessage(status: 0x80, data1: key))))
        }
        track.endTick = 8 * 240
        return Song(tracks: [track])
    }

    private func post(_ stretches: [ScoreStretch]) {
        for stretch in stretches { #expect(rig.renderer.play(ScoreSegment(score, stretch))) }
    }

    /// Renders, with the song going on.
    mutating func render(_ frames: Int, block: Int) {
        post(transport.advance(now: rig.renderer.sampleTime, horizon: 16 * Self.beat))
        rig.render(frames, block: block)
        while let event = rig.renderer.nextPerformed() {
            guard case .music(.message(let message)) = event.command.event, message.kind == .noteOn else { continue }
            if event.command.time != SampleTime(Int64(Self.songStart + notes * Self.beat)) { uneven += 1 }
            notes += 1
        }
    }

    var effects: [NodeID] { rig.graph.nodes.map(\.id).filter { $0 != mixer && !sources.contains($0) } }

    mutating func add() throws -> NodeID {
        made += 1
        return try rig.add(TalliedUnit.self, name: "unit-\(made)", startValues: ["lag": lag()])
    }

    private mutating func lag() -> Float {
        Bool.random(using: &random) ? 0 : Float(Int.random(in: 1...60, using: &random))
    }

    /// Two effects one after the other, the second one in a patch of its own.
    mutating func nest() -> Patch {
        var inside = Patch(), patch = Patch()
        inside.units = [PatchUnit("second", "tallied")]
        inside.units[0].values = ["lag": [lag()]]
        inside.inputs = [PatchPort("second")]
        inside.outputs = [PatchPort("second")]
        patch.units = [PatchUnit("first", "tallied")]
        patch.patches = [SubPatch("inside", inside)]
        patch.connections = [PatchConnection(PatchPort("first"), to: PatchPort("inside"))]
        patch.inputs = [PatchPort("first")]
        patch.outputs = [PatchPort("inside")]
        return patch
    }

    private enum Change { case edit, undo }

    /// One edit, published now or on a frame of its own. False when it did not fit.
    mutating func edit() throws -> Bool {
        let before = rig.graph
        do {
            guard let change = try change() else { return false }
            let now = Int(rig.renderer.sampleTime.rawValue)
            let frame = Int.random(in: 0...2, using: &random) == 0 ? now + Int.random(in: 0...200, using: &random) : nil
            try rig.publish(at: frame)
            if change == .edit { history.append(before) }
        } catch is Fault {
            rig.graph = before
            return false
        }
        if history.count > 64 { history.removeFirst() }
        return true
    }

    /// Changes the graph; nil, and nothing has changed, where there is nothing to do it to.
    private mutating func change() throws -> Change? {
        let idle = sources.first { id in !rig.graph.connections.contains { $0.source == id } }
        let room = 8 - effects.count, effect = effects.randomElement(using: &random)
        let edge = rig.graph.connections.randomElement(using: &random)
        switch Int.random(in: 0...10, using: &random) {
        case 0...4 where idle != nil:
            guard let idle else { return nil }
            try rig.graph.connect(idle, to: mixer[Int.random(in: 0...3, using: &random)])
        case 0...1 where room > 0:
            guard let edge else { return nil }
            let unit = try add()
            try rig.graph.insert(
                unit, between: Bus(edge.source, edge.sourceBus), and: Bus(edge.destination, edge.destinationBus))
        case 2 where room > 0: try rig.graph.append(add())
        case 0...3:
            guard let effect else { return nil }
            try rig.graph.removeClosingGap(effect)
        case 4:
            guard let effect else { return nil }
            try rig.graph.remove(effect)
        case 5:
            let edges = rig.graph.connections.filter { $0.destination == mixer }
            guard let edge = edges.randomElement(using: &random) else { return nil }
            try rig.graph.disconnect(edge.source, output: 0, from: mixer, input: edge.destinationBus)
            try rig.graph.connect(edge.source, to: mixer[Int.random(in: 0...3, using: &random)])
        case 6:
            guard let effect else { return nil }
            try rig.graph.bypass(effect, !rig.graph.node(effect).isBypassed)
        case 7:
            guard let effect else { return nil }
            let other = try add()
            try rig.graph.replace(effect, with: other)
        case 8:
            let places = rig.graph.nodes.map(\.id) + [mixer, mixer, mixer]
            try rig.graph.setOutput(places[Int.random(in: 0..<places.count, using: &random)])
        case 9 where room > 1:
            // A patch goes where a connection was.
            guard let edge else { return nil }
            made += 2
            nested += 1
            let part = try rig.graph.add(patch: nest(), name: "nest-\(nested)")
            try rig.graph.disconnect(
                edge.source, output: edge.sourceBus, from: edge.destination, input: edge.destinationBus)
            try rig.graph.connect(Bus(edge.source, edge.sourceBus), to: part.inputs[0])
            try rig.graph.connect(part.outputs[0], to: Bus(edge.destination, edge.destinationBus))
        default:
            guard var former = history.popLast() else { return nil }
            former.continueIdentifiers(of: rig.graph)
            rig.graph = former
            return .undo
        }
        return .edit
    }

    /// The graph of the beginning again, and nothing to undo: one edit more.
    mutating func beginAgain() throws {
        history = []
        var former = beginning
        former.continueIdentifiers(of: rig.graph)
        rig.graph = former
        try rig.publish()
    }
}
