import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// Follows its input so slowly that it shows for seconds when it was not rendered.
struct SlowUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "slow", manufacturer: "Test"), name: "slow",
        summary: "Follows slowly.", inputs: [.init("main")], outputs: [.init("main")], tail: 1e9)

    private var left: Float = 0, right: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let inLeft = io.input(0, 0), inRight = io.input(0, 1), outLeft = io.output(0, 0), outRight = io.output(0, 1)
        for i in 0..<io.frames {
            left += (inLeft[i] - left) * 1e-4
            right += (inRight[i] - right) * 1e-4
            outLeft[i] = left + inLeft[i]
            outRight[i] = right + inRight[i]
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        left = 0
        right = 0
    }
}

/// Plans wait in order, take over on their frame, and tell when they did.
@Suite struct PlanQueueTests {
    private func rig(_ sound: Float = 1, count: Int = 20_000) throws -> (rig: OfflineRig, source: NodeID, master: NodeID) {
        let rig = OfflineRig(channels: 1), signal = [Float](repeating: sound, count: count)
        let source = try rig.add(left: signal, right: signal, name: "source"), master = try rig.add(CountingUnit.self)
        try rig.graph.chain(source, master)
        try rig.graph.setOutput(master)
        try rig.publish()
        return (rig, source, master)
    }

    private func adoptions(_ rig: OfflineRig) -> [PlanAdoption] {
        var adoptions: [PlanAdoption] = []
        while let adoption = rig.renderer.nextAdoption() { adoptions.append(adoption) }
        return adoptions
    }

    @Test(arguments: [17, 64, 512, 4096]) func aPlanTakesOverOnItsFrame(_ block: Int) throws {
        let (rig, source, master) = try rig()
        rig.render(100, block: block)
        try rig.graph.disconnect(source, from: master)
        #expect(try rig.publish(at: 1234) == 2)
        rig.render(2000, block: block)
        #expect(rig.recording[0][...1234].allSatisfy { $0 == 1 })
        for k in 1...256 { #expect(abs(rig.recording[0][1234 + k] - (1 - Float(k) / 256)) < 1e-5) }
        #expect(adoptions(rig) == [PlanAdoption(plan: 1, time: .zero), PlanAdoption(plan: 2, time: SampleTime(1234))])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func plansWaitForThoseBeforeThemAndATimeThatHasPassedMeansAtOnce() throws {
        let (rig, source, master) = try rig()
        rig.render(100, block: 100)
        try rig.graph.disconnect(source, from: master)
        try rig.publish(at: 500)
        try rig.graph.connect(source, to: master)
        try rig.publish(at: 50)
        try rig.graph.disconnect(source, from: master)
        try rig.publish()
        try rig.graph.connect(source, to: master)
        try rig.publish(at: 2000)
        rig.render(4000, block: 100)
        #expect(adoptions(rig).map(\.time) == [0, 500, 500, 500, 2000].map { SampleTime($0) })
        #expect(rig.recording[0].suffix(1000).allSatisfy { $0 == 1 })
        #expect(rig.recording[0][1000..<2000].allSatisfy { $0 == 0 })
    }

    @Test func anAdoptionStandsAmongThePerformedEventsButForTheGraphThatAPerformanceStartsFrom() throws {
        let (rig, source, master) = try rig()
        try rig.publish()
        rig.render(100, block: 100)
        let second = try #require(rig.renderer.nextPerformed())
        guard case .adopted(plan: 2) = second.command.event, second.command.time == .zero else {
            Issue.record("\(second)")
            return
        }
        #expect(rig.renderer.nextPerformed() == nil)
        try rig.graph.disconnect(source, from: master)
        try rig.publish(at: 150)
        rig.render(100, block: 100)
        let event = try #require(rig.renderer.nextPerformed())
        #expect(event.command.time == SampleTime(150) && event.command.node == nil)
        guard case .adopted(plan: 3) = event.command.event else {
            Issue.record("\(event)")
            return
        }
        rig.render(1000, block: 100)
        try rig.clean()
        rig.render(100, block: 100)
        #expect(rig.renderer.nextPerformed() == nil, "what only cleans up is not told")
        // Sent as a command, it is neither done nor counted as lost.
        #expect(rig.renderer.send(event.command))
        rig.render(100, block: 100)
        #expect(rig.renderer.counters.lostEvents == 0)
    }

    @Test func sixtyFourEditsMayWait() throws {
        let (rig, source, master) = try rig()
        rig.render(100, block: 100)
        for n in 0..<GraphPublisher.limit {
            if n % 2 == 0 { try rig.graph.disconnect(source, from: master) } else { try rig.graph.connect(source, to: master) }
            try rig.publish()
        }
        #expect(throws: Fault.tooManyEdits(limit: 64)) { try rig.publish() }
        rig.render(1000, block: 100)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(adoptions(rig).count == 2 + GraphPublisher.limit)
        #expect(rig.recording[0].suffix(500).allSatisfy { $0 == 1 })
    }

    @Test func aNoteToAUnitThatAnEditAddsIsNotLostDuringTheFadeOfTheEditBefore() throws {
        let (rig, source, master) = try rig(0)
        rig.render(100, block: 100)
        try rig.graph.disconnect(source, from: master)
        try rig.publish()
        let stairs = try rig.add(StairsUnit.self)
        try rig.graph.connect(stairs, to: master)
        try rig.publish()
        rig.send(.note(velocity: 1), to: stairs, at: 100)
        rig.render(1000, block: 100)
        #expect(rig.renderer.counters.lostEvents == 0)
        #expect(rig.recording[0].suffix(500).allSatisfy { $0 == 1 })
    }

    /// Fifty edits, some on a frame of their own and some as soon as possible, some closer to each other than a fade.
    private func perform(seed: UInt64, block: Int, script: [(frame: Int, number: Int)]?) throws
        -> (sound: [Float], adoptions: [PlanAdoption], violations: RenderViolations)
    {
        var random = SeededRandom(seed: seed)
        let rig = OfflineRig(channels: 1), count = 30_000
        let sine = (0..<count).map { Float(DeterministicMath.sine(turns: Double($0) * 700 / 48_000)) }
        let source = try rig.add(left: sine, right: sine, name: "source")
        let master = try rig.add(CountingUnit.self, name: "master")
        try rig.graph.chain(source, master)
        try rig.graph.setOutput(master)
        try rig.publish()
        var graphs: [Graph] = [], inserted: [NodeID] = []
        for n in 0..<50 {
            switch Int.random(in: 0...3, using: &random) {
            case 0 where inserted.count > 1: try rig.graph.removeClosingGap(inserted.removeFirst())
            case 1 where !inserted.isEmpty: try rig.graph.bypass(inserted[0], n % 2 == 0)
            case 2 where graphs.count > 1:
                // Taken back: what was removed returns as it was left.
                var former = graphs[graphs.count - 2]
                former.continueIdentifiers(of: rig.graph)
                rig.graph = former
                inserted.removeAll { id in !former.nodes.contains { $0.id == id } }
                let known = Set(inserted + [source, master])
                inserted += former.nodes.map(\.id).filter { !known.contains($0) }
            default:
                let id = n % 2 == 0 ? try rig.add(LateUnit.self, name: "u\(n)") : try rig.add(SlowUnit.self, name: "u\(n)")
                try rig.graph.append(id)
                inserted.append(id)
            }
            graphs.append(rig.graph)
        }
        var next = 0
        if let script {
            // On the frames that were reported, posted well ahead.
            while rig.recording[0].count < count {
                let end = rig.recording[0].count + 4000
                while next < script.count, script[next].frame < end {
                    rig.graph = graphs[next]
                    try rig.publish(at: script[next].frame)
                    next += 1
                }
                rig.render(min(4000, count - rig.recording[0].count), block: block)
            }
        } else {
            while rig.recording[0].count < count {
                let now = rig.recording[0].count
                if next < graphs.count, Int.random(in: 0...2, using: &random) > 0 {
                    rig.graph = graphs[next]
                    try rig.publish(at: Bool.random(using: &random) ? now + Int.random(in: 0...500, using: &random) : nil)
                    next += 1
                }
                rig.render(min(Int.random(in: 1...700, using: &random), count - now), block: block)
                if Bool.random(using: &random) { try rig.clean() }
            }
        }
        return (rig.recording[0], adoptions(rig), rig.violations)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func editsReplayedOnTheirFramesGiveTheSameSamples(_ seed: UInt64) throws {
        let first = try perform(seed: seed, block: 512, script: nil)
        #expect(first.adoptions.count == 51)
        #expect(first.violations.total == 0, "\(first.violations)")
        let script = first.adoptions.dropFirst().map { (frame: Int($0.time.rawValue), number: $0.plan) }
        for block in [64, 512, 17] {
            let again = try perform(seed: seed, block: block, script: script)
            #expect(again.adoptions == first.adoptions)
            let isSame = again.sound == first.sound
            #expect(isSame, "in slices of \(block)")
        }
    }
}
