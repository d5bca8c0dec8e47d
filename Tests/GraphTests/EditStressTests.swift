import CarillonTestKit
import DSP
import Glibc
import Graph
import RealtimeCore
import Synchronization
import Testing
import UnitAPI

/// Passes its input on, late by as many frames as it is told, and is counted while it lives.
struct TalliedUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "tali", manufacturer: "Test"), name: "tallied",
        summary: "Is there, or not.", inputs: [.init("main")], outputs: [.init("main")])
    static let alive = Atomic(0)

    let latency: Int
    private let ring: UnsafeMutablePointer<Float>
    private var position = 0

    init(_ setup: UnitSetup) { self.init(latency: 0) }

    init(latency: Int) {
        self.latency = latency
        ring = .allocate(capacity: 2 * latency + 2)
        ring.initialize(repeating: 0, count: 2 * latency + 2)
        Self.alive.add(1, ordering: .relaxed)
    }

    deinit {
        ring.deallocate()
        Self.alive.subtract(1, ordering: .relaxed)
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = position
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            position = start
            for i in 0..<io.frames {
                if latency == 0 {
                    output[i] = input[i]
                    continue
                }
                output[i] = ring[channel &* latency &+ position]
                ring[channel &* latency &+ position] = input[i]
                position &+= 1
                if position == latency { position = 0 }
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        for i in 0..<(2 * latency) { ring[i] = 0 }
        position = 0
    }
}

/// Thousands of edits while two sines play.
@Suite(.serialized) struct EditStressTests {
    static let count = getenv("CARILLON_SOAK_EDITS").flatMap { Int(String(cString: $0)) } ?? 2000

    /// Somebody who edits a graph at random: two sources, a mixer, and effects wherever they fit.
    private struct Editor {
        let rig: OfflineRig
        var random: SeededRandom
        var history: [Graph] = []
        let sources: [NodeID]
        let mixer: NodeID
        var made = 0

        init(seed: UInt64, frames: Int) throws {
            rig = OfflineRig(channels: 1)
            random = SeededRandom(seed: seed)
            func sine(_ frequency: Double) -> [Float] {
                (0..<frames).map { 0.5 * Float(DeterministicMath.sine(turns: Double($0) * frequency / 48_000)) }
            }
            let low = sine(20), high = sine(31)
            sources = [
                try rig.add(left: low, right: low, name: "low"), try rig.add(left: high, right: high, name: "high"),
            ]
            mixer = try rig.add(ManyInputsUnit.self, name: "mixer", inputs: 4)
            for (bus, source) in sources.enumerated() { try rig.graph.connect(source, to: mixer[bus]) }
            try rig.graph.setOutput(mixer)
            try rig.publish()
        }

        var effects: [NodeID] { rig.graph.nodes.map(\.id).filter { $0 != mixer && !sources.contains($0) } }

        mutating func add() throws -> NodeID {
            made += 1
            let latency = Bool.random(using: &random) ? 0 : Int.random(in: 1...60, using: &random)
            return try rig.graph.add(
                UnitInstance.boxing(TalliedUnit(latency: latency), rig.setup()), name: "unit-\(made)")
        }

        /// One edit, published now or on a frame of its own. False when it did not fit.
        mutating func edit() throws -> Bool {
            let before = rig.graph
            var isUndo = false
            do {
                let idle = sources.first { id in !rig.graph.connections.contains { $0.source == id } }
                switch Int.random(in: 0...9, using: &random) {
                case 0...4 where idle != nil:
                    if let idle { try rig.graph.connect(idle, to: mixer[Int.random(in: 0...3, using: &random)]) }
                case 0...1 where effects.count < 8:
                    guard let edge = rig.graph.connections.randomElement(using: &random) else { return false }
                    let unit = try add()
                    try rig.graph.insert(
                        unit, between: Bus(edge.source, edge.sourceBus), and: Bus(edge.destination, edge.destinationBus))
                case 2 where effects.count < 8: try rig.graph.append(add())
                case 0...3:
                    guard let unit = effects.randomElement(using: &random) else { return false }
                    try rig.graph.removeClosingGap(unit)
                case 4:
                    guard let unit = effects.randomElement(using: &random) else { return false }
                    try rig.graph.remove(unit)
                case 5:
                    guard let edge = rig.graph.connections.filter({ $0.destination == mixer }).randomElement(using: &random)
                    else { return false }
                    try rig.graph.disconnect(edge.source, output: 0, from: mixer, input: edge.destinationBus)
                    try rig.graph.connect(edge.source, to: mixer[Int.random(in: 0...3, using: &random)])
                case 6:
                    guard let unit = effects.randomElement(using: &random) else { return false }
                    try rig.graph.bypass(unit, !rig.graph.node(unit).isBypassed)
                case 7:
                    guard let unit = effects.randomElement(using: &random) else { return false }
                    let other = try add()
                    try rig.graph.replace(unit, with: other)
                case 8:
                    let places = rig.graph.nodes.map(\.id) + [mixer, mixer, mixer]
                    try rig.graph.setOutput(try #require(places.randomElement(using: &random)))
                default:
                    guard var former = history.popLast() else { return false }
                    former.continueIdentifiers(of: rig.graph)
                    rig.graph = former
                    isUndo = true
                }
                let now = rig.recording[0].count
                let frame = Int.random(in: 0...2, using: &random) == 0 ? now + Int.random(in: 0...200, using: &random) : nil
                try rig.publish(at: frame)
            } catch is GraphError {
                if isUndo { history.append(rig.graph) }
                rig.graph = before
                return false
            }
            if !isUndo { history.append(before) }
            if history.count > 64 { history.removeFirst() }
            return true
        }
    }

    @Test func thousandsOfEditsAreNotHeardAsClicks() throws {
        let rounds = Self.count
        var editor = try Editor(seed: 2024, frames: rounds * 1800 + 10_000)
        let rig = editor.rig
        rig.render(1000, block: 64)
        var edits = 0, worst: Float = 0, sounding = 0
        // The steepest of both sines.
        let slope = Float(2 * Double.pi * (20 + 31) * 0.5 / 48_000)
        while edits < rounds {
            let begin = rig.recording[0].count - 1
            // Mostly one by one; now and then faster than a fade is long.
            var burst = 0
            for _ in 0..<(Int.random(in: 0...4, using: &editor.random) == 0 ? 3 : 1) {
                if try editor.edit() { burst += 1 }
                if burst > 0 { rig.render(Int.random(in: 1...250, using: &editor.random), block: 100) }
            }
            if burst == 0 { continue }
            edits += burst
            rig.render(1500, block: Int.random(in: 30...512, using: &editor.random))
            if Bool.random(using: &editor.random) { try rig.clean() }
            let sound = rig.recording[0][begin...]
            let step = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
            // What leaves and what arrives, at most 1 each, for every edit of the burst.
            let bound = slope + Float(burst) * 2 / 256 + 1e-5
            #expect(step <= bound, "edit \(edits) at frame \(begin): a step of \(step)")
            worst = max(worst, step / bound)
            if sound.contains(where: { abs($0) > 0.1 }) { sounding += 1 }
            if rig.recording[0].count > rounds * 1800 { break }
        }
        #expect(edits >= rounds * 3 / 4 && sounding > edits / 8, "\(edits) edits, \(sounding) times sound")
        #expect(worst > 0.4, "fades as steep as they may be were seen: \(worst)")
        #expect(rig.violations.total == 0, "\(rig.violations)")
        #expect(rig.renderer.counters.faults == 0 && rig.renderer.counters.lostEvents == 0)
        // Whatever is in neither the graph nor the history has died.
        editor.history = []
        rig.render(2000, block: 512)
        try rig.clean()
        rig.render(100, block: 100)
        try rig.clean()
        #expect(editor.made > rounds / 8)
        #expect(TalliedUnit.alive.load(ordering: .relaxed) == editor.effects.count)
    }

    @Test func editsThatAreRefusedChangeNothing() throws {
        var editor = try Editor(seed: 7, frames: 200_000)
        let rig = editor.rig
        for _ in 0..<4 {
            _ = try editor.edit()
            rig.render(1500, block: 100)
        }
        if editor.effects.isEmpty { try rig.graph.append(editor.add()) }
        let mono = try rig.add(MonoUnit.self)
        try rig.publish()
        rig.render(2000, block: 100)
        func text(_ graph: Graph) -> String {
            graph.nodes.map { "\($0.id) \($0.name) \($0.isBypassed)" }.joined(separator: ",")
                + graph.connections.map { "\($0.source)[\($0.sourceBus)]\($0.destination)[\($0.destinationBus)]" }.joined()
                + "\(String(describing: graph.output))"
        }
        while rig.renderer.nextAdoption() != nil {}
        let before = text(rig.graph), graph = rig.graph
        let ids = rig.graph.nodes.map(\.id), effect = try #require(editor.effects.first { $0 != mono })
        for n in 0..<500 {
            let any = ids[Int.random(in: 0..<ids.count, using: &editor.random)]
            let error = #expect(throws: GraphError.self) {
                switch n % 10 {
                case 0: try rig.graph.insert(mono, between: editor.sources[0], and: effect)
                case 1: try rig.graph.replace(effect, with: mono)
                case 2: try rig.graph.chain(effect, editor.mixer[9])
                case 3: try rig.graph.remove(NodeID(rawValue: 100_000 + Int32(n)))
                case 4: try rig.graph.bypass(editor.mixer)
                case 5: try rig.graph.connect(any, output: -1, to: effect)
                case 6: try rig.graph.add(TalliedUnit.self, name: "mixer")
                case 7: try rig.graph.setOutput(any, bus: 12)
                case 8:
                    // A circle is refused when it is published.
                    try rig.graph.connect(effect, to: effect)
                    try rig.graph.setOutput(effect)
                    try rig.publish()
                default:
                    if let output = rig.graph.output { try rig.graph.remove(output.node) }
                    try rig.publish()
                }
            }
            #expect(error != nil)
            if n % 10 >= 8 { rig.graph = graph }
            #expect(text(rig.graph) == before)
        }
        rig.render(1000, block: 100)
        #expect(rig.renderer.nextAdoption() == nil)
    }
}
