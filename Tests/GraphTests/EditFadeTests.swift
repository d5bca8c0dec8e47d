import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// What one edit of the sounding graph does to a steady tone and to a constant: no step beyond what `Engine.edit` promises.
@Suite struct EditFadeTests {
    /// An edit of `source -> a -> b -> outside`.
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How much of the sound, added up, leaves and arrives.
        let change: Float
        /// Whether a constant sound stays the same throughout.
        let isSeamless: Bool
        /// The level of a constant 1 afterwards.
        let level: Float
        let edit: @Sendable (OfflineRig, Places) throws -> Void
    }

    struct Places: Sendable {
        let source, a, b: NodeID
    }

    static let edits = [
        Edit(testDescription: "insert", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.insert(rig.add(CountingUnit.self, name: "new"), between: p.a, and: p.b)
        },
        Edit(testDescription: "insert a late unit", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.insert(rig.add(LateUnit.self), between: p.a, and: p.b)
        },
        Edit(testDescription: "insert two at once", change: 2, isSeamless: true, level: 1) { rig, p in
            let late = try rig.add(LateUnit.self), last = try rig.add(CountingUnit.self, name: "new")
            try rig.graph.insert(late, between: p.a, and: p.b)
            try rig.graph.insert(last, between: late, and: p.b)
        },
        Edit(testDescription: "remove", change: 1, isSeamless: false, level: 0) { rig, p in try rig.graph.remove(p.a) },
        Edit(testDescription: "remove, closing the gap", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.removeClosingGap(p.a)
        },
        Edit(testDescription: "disconnect", change: 1, isSeamless: false, level: 0) { rig, p in
            try rig.graph.disconnect(p.a, from: p.b)
        },
        Edit(testDescription: "reconnect", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.disconnect(p.a, from: p.b)
            try rig.graph.connect(p.source, to: p.b)
        },
        Edit(testDescription: "connect a second way", change: 1, isSeamless: false, level: 2) { rig, p in
            try rig.graph.connect(p.source, to: p.b)
        },
        Edit(testDescription: "connect a second way and make the first late", change: 3, isSeamless: false, level: 2) {
            rig, p in
            try rig.graph.insert(rig.add(LateUnit.self), between: p.source, and: p.a)
            try rig.graph.connect(p.source, to: p.b)
        },
        Edit(testDescription: "move the output back", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.setOutput(p.a)
        },
        Edit(testDescription: "append a late limiter", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.append(rig.add(LateUnit.self))
        },
        Edit(testDescription: "replace", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.replace(p.a, with: rig.add(LateUnit.self))
        },
        Edit(testDescription: "remove the output, closing the gap", change: 2, isSeamless: true, level: 1) { rig, p in
            try rig.graph.removeClosingGap(p.b)
        },
        Edit(testDescription: "bypass", change: 2, isSeamless: true, level: 1) { rig, p in try rig.graph.bypass(p.a) },
    ]

    private func steepest(_ sound: some Sequence<Float>) -> Float {
        zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    private func play(_ sound: [Float], _ edit: Edit, block: Int) throws -> (sound: [Float], violations: RenderViolations) {
        let rig = OfflineRig(channels: 1)
        let source = try rig.add(left: sound, right: sound, name: "source")
        let a = try rig.add(CountingUnit.self, name: "a"), b = try rig.add(CountingUnit.self, name: "b")
        try rig.graph.chain(source, a, b)
        try rig.graph.setOutput(b)
        try rig.publish()
        rig.render(1000, block: block)
        try edit.edit(rig, Places(source: source, a: a, b: b))
        try rig.publish()
        rig.render(2000, block: block)
        try rig.clean()
        rig.render(sound.count - 3000, block: block)
        return (rig.recording[0], rig.violations)
    }

    @Test(arguments: edits, [64, 1000]) func aConstantSoundMovesInStraightLines(_ edit: Edit, _ block: Int) throws {
        let (sound, violations) = try play([Float](repeating: 1, count: 4000), edit, block: block)
        #expect(sound[..<1000].allSatisfy { $0 == 1 })
        #expect(sound[2000...].allSatisfy { $0 == edit.level })
        if edit.isSeamless {
            #expect(sound.allSatisfy { abs($0 - 1) < 1e-5 }, "neither a dip nor a hump")
        } else {
            #expect(steepest(sound) < edit.change / 256 + 1e-5)
            let moving = zip(sound, sound.dropFirst()).count { $0 != $1 }
            #expect((200...1100).contains(moving), "it fades")
        }
        #expect(violations.total == 0, "\(violations)")
    }

    @Test(arguments: edits, [64, 1000]) func aSineStepsByNoMoreThanItsSlopeAndTheFade(_ edit: Edit, _ block: Int) throws {
        let sine = (0..<4000).map { Float(DeterministicMath.sine(turns: Double($0) * 997 / 48_000)) }
        let (sound, violations) = try play(sine, edit, block: block)
        let slope = steepest(sine)
        // Where two ways meet at the end, their slopes add up.
        #expect(steepest(sound) <= slope * max(edit.level, 1) + edit.change / 256 + 1e-5)
        #expect(violations.total == 0, "\(violations)")
    }

    @Test func anEditSoundsTheSameInEverySlice() throws {
        let sine = (0..<4000).map { Float(DeterministicMath.sine(turns: Double($0) * 997 / 48_000)) }
        for edit in Self.edits {
            let once = try play(sine, edit, block: 500).sound
            #expect(try play(sine, edit, block: 50).sound == once, "\(edit.testDescription)")
        }
    }

    @Test func anOutputThatStaysCostsNothing() throws {
        let sine = (0..<4000).map { Float(DeterministicMath.sine(turns: Double($0) * 997 / 48_000)) }
        let nothing = Edit(testDescription: "nothing", change: 0, isSeamless: true, level: 1) { _, _ in }
        #expect(try play(sine, nothing, block: 100).sound == sine)
        let setAgain = Edit(testDescription: "the same output", change: 0, isSeamless: true, level: 1) { rig, p in
            try rig.graph.setOutput(p.b)
        }
        #expect(try play(sine, setAgain, block: 100).sound == sine)
    }
}
