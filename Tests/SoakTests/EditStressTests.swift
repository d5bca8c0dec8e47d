import Carillon
import CarillonTestKit
import Glibc
import Testing

/// Thousands of edits while two sines and a song play.
///
/// The song's instrument has a sound of bounded slope, as the sines have, so that one bound holds for every step that is
/// heard, whatever the song does meanwhile: what the sources themselves move, and what the fades of the edits add.
@Suite(.serialized) struct EditStressTests {
    static let count = getenv("CARILLON_SOAK_EDITS").flatMap { Int(String(cString: $0)) } ?? 2000
    /// After so many edits the graph of the beginning comes back, and everything else must have gone.
    static let stretch = 100

    @Test func thousandsOfEditsAreNotHeardAsClicks() throws {
        var editor = try GraphEditor(seed: 2024)
        let rig = editor.rig
        // The recording grows to its size at once.
        editor.render(4000, block: 64)
        var edits = 0, worst: Float = 0, sounding = 0, rounds = 0, last = rig.recording[0].last ?? 0, loudest: Float = 0
        var held: [Int] = []
        held.reserveCapacity(Self.count / Self.stretch + 2)

        /// Hears what `burst` edits have made of the sound since the last time.
        func listen(_ burst: Int) {
            let sound = [last] + rig.recording[0]
            last = sound[sound.count - 1]
            rig.forget()
            let step = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
            // What leaves and what arrives, for every edit of the burst.
            let bound = GraphEditor.slope + Float(burst) * 2 * GraphEditor.peak / Float(GraphCompiler.fade) + 1e-5
            #expect(step <= bound, "edit \(edits) before frame \(rig.renderer.sampleTime): a step of \(step)")
            worst = max(worst, step / bound)
            loudest = max(loudest, sound.map { abs($0) }.max() ?? 0)
            if sound.contains(where: { abs($0) > 0.1 }) { sounding += 1 }
        }
        /// The graph of the beginning again: every unit that was made has died, and its memory is free.
        func settle() throws {
            try editor.beginAgain()
            editor.render(2000, block: 512)
            listen(1)
            try rig.clean()
            editor.render(100, block: 100)
            try rig.clean()
            listen(0)
            #expect(TalliedUnit.alive.load(ordering: .relaxed) == 0, "after \(edits) edits")
            if let bytes = HeldMemory.bytes { held.append(bytes) }
        }

        rig.forget()
        while edits < Self.count {
            // Mostly one by one; now and then faster than a fade is long.
            var burst = 0
            for _ in 0..<(Int.random(in: 0...4, using: &editor.random) == 0 ? 3 : 1) {
                if try editor.edit() { burst += 1 }
                if burst > 0 { editor.render(Int.random(in: 1...250, using: &editor.random), block: 100) }
            }
            rounds += 1
            try #require(rounds < 4 * Self.count, "most edits do not fit")
            if burst == 0 { continue }
            edits += burst
            editor.render(1500, block: Int.random(in: 30...512, using: &editor.random))
            listen(burst)
            if Bool.random(using: &editor.random) { try rig.clean() }
            if edits / Self.stretch > (edits - burst) / Self.stretch { try settle() }
        }
        try settle()

        #expect(sounding > edits / 4, "\(edits) edits, \(sounding) times sound")
        #expect(worst > 0.4, "fades as steep as they may be were seen: \(worst)")
        #expect(loudest <= GraphEditor.peak + 1e-5 && loudest > 0.8, "\(loudest)")
        #expect(editor.made > edits / 4 && editor.nested > edits / 50)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        #expect(rig.renderer.counters.faults == 0 && rig.renderer.counters.lostEvents == 0)
        #expect(rig.renderer.counters.lateEvents == 0)
        let beats = Int(rig.renderer.sampleTime.rawValue) / GraphEditor.beat
        #expect(abs(editor.notes - beats) <= 1 && editor.uneven == 0, "\(editor.notes) of \(beats), \(editor.uneven) uneven")
        try expectFlat(held)
        print(
            "\(edits) edits, \(editor.nested) of them patches, \(editor.made) units, \(editor.notes) notes; steepest step",
            "\(worst) of the bound; bytes held", held.isEmpty ? "not counted" : "\(held[1])...\(held[held.count - 1])")
    }

    /// The same graph takes the same memory, however many edits lie behind it; before the second time tables of the
    /// runtime have grown to their size.
    private func expectFlat(_ held: [Int]) throws {
        guard HeldMemory.bytes != nil else { return }
        try #require(held.count >= 6, "at least \(6 * Self.stretch) edits")
        let settled = held.dropFirst()
        let least = try #require(settled.min()), most = try #require(settled.max())
        #expect(most - least <= 4096, "\(held)")
    }

    @Test func editsThatAreRefusedChangeNothing() throws {
        var editor = try GraphEditor(seed: 7)
        let rig = editor.rig
        for _ in 0..<4 {
            _ = try editor.edit()
            editor.render(1500, block: 100)
        }
        try rig.graph.add(patch: editor.nest(), name: "nest")
        if editor.effects.isEmpty { try rig.graph.append(editor.add()) }
        let mono = try rig.graph.add(source: "mono", channels: 3) { _ in .silent }
        try rig.publish()
        editor.render(2000, block: 100)
        func text(_ graph: Graph) -> String {
            graph.nodes.map { "\($0.id) \($0.name) \($0.isBypassed)" }.joined(separator: ",")
                + graph.connections.map { "\($0.source)[\($0.sourceBus)]\($0.destination)[\($0.destinationBus)]" }.joined()
                + "\(String(describing: graph.output))"
        }
        while rig.renderer.nextAdoption() != nil {}
        let before = text(rig.graph), graph = rig.graph, alive = TalliedUnit.alive.load(ordering: .relaxed)
        let ids = rig.graph.nodes.map(\.id), effect = try #require(editor.effects.first { $0 != mono })
        var wrong = editor.nest()
        wrong.units[0].component = "no-such-unit"
        for n in 0..<1000 {
            let any = ids[Int.random(in: 0..<ids.count, using: &editor.random)]
            #expect(throws: (any Error).self, "kind \(n % 12)") {
                switch n % 12 {
                case 0: try rig.graph.insert(mono, between: editor.sources[0], and: effect)
                case 1: try rig.graph.replace(effect, with: mono)
                case 2: try rig.graph.chain(effect, editor.mixer[9])
                case 3: try rig.graph.remove(NodeID(rawValue: 100_000 + Int32(n)))
                case 4: try rig.graph.bypass(editor.mixer)
                case 5: try rig.graph.connect(any, output: -1, to: effect)
                case 6: try rig.graph.add(TalliedUnit.self, name: "mixer")
                case 7: try rig.graph.setOutput(any, bus: 12)
                case 8: try rig.graph.add(patch: editor.nest(), name: "nest")
                case 9: try rig.graph.add(patch: wrong, name: "wrong")
                case 10:
                    // A circle is refused when it is published.
                    try rig.graph.connect(effect, to: effect)
                    try rig.graph.setOutput(effect)
                    try rig.publish()
                default:
                    if let output = rig.graph.output { try rig.graph.remove(output.node) }
                    try rig.publish()
                }
            }
            if n % 12 >= 10 { rig.graph = graph }
            #expect(text(rig.graph) == before)
            editor.render(50, block: 32)
        }
        #expect(rig.renderer.nextAdoption() == nil && rig.violations.total == 0, "\(rig.violations)")
        #expect(TalliedUnit.alive.load(ordering: .relaxed) == alive && editor.uneven == 0)
        let sound = rig.recording[0].dropFirst(8000)
        #expect((zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1) <= GraphEditor.slope + 1e-5)
    }
}
