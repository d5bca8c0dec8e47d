import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Units that can do with less work do so when told, without a click, and take everything up again.
@Suite struct SheddingTests {
    private func shed(_ rig: OfflineRig, _ level: UInt8, to node: NodeID?, at time: Int) {
        #expect(
            rig.renderer.send(
                RenderCommand(time: SampleTime(Int64(time)), node: node, event: .shed(level: level))))
    }

    private func note(_ status: UInt8, _ key: UInt8, _ velocity: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: status, data1: key, data2: velocity))
    }

    /// Eight notes, of which the six softest are released with a long tail; `level` at frame 6000.
    private func squares(_ level: UInt8?, times: Int = 1, block: Int = 256) throws -> (OfflineRig, UnitInstance) {
        let rig = OfflineRig()
        let node = try rig.add(SquareWave.self)
        try rig.graph.route(part: 0, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.set(SquareWave.Parameter.release, 8, of: node, at: 0)
        for n in UInt8(0)..<8 { rig.send(note(0x90, 50 + 3 * n, 20 + 10 * n), to: node, at: 10) }
        for n in UInt8(0)..<6 { rig.send(note(0x80, 50 + 3 * n, 0), to: node, at: 4000) }
        if let level { for _ in 0..<times { shed(rig, level, to: nil, at: 6001) } }
        rig.render(20_000, block: block)
        return (rig, try rig.graph.node(node).instance)
    }

    @Test func theQuietestReleasedVoicesOfTheSquareWaveGo() throws {
        #expect(try squares(nil).1.readout("voices") == 8)
        #expect(try squares(0).1.readout("voices") == 8)
        #expect(try squares(1).1.readout("voices") == 5)
        #expect(try squares(1, times: 2).1.readout("voices") == 3)
        #expect(try squares(3, times: 20).1.readout("voices") == 2, "keys that are down sound on")
    }

    @Test func theRenderThreadShedsAtOnceAndTheJournalSaysSo() throws {
        let rig = OfflineRig()
        let node = try rig.add(SquareWave.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.set(SquareWave.Parameter.release, 8, of: node, at: 0)
        rig.send(note(0x90, 60, 99), to: node, at: 0)
        rig.send(note(0x80, 60, 0), to: node, at: 500)
        rig.render(1000)
        rig.renderer.shed(7)
        rig.render(1000)
        #expect(try rig.graph.node(node).instance.readout("voices") == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        var last: PerformedEvent?
        while let event = rig.renderer.nextPerformed() { last = event }
        #expect(last?.command.time == SampleTime(1000) && last?.command.node == nil)
        guard case .shed(level: 3) = last?.command.event else { Issue.record("no shedding in the journal"); return }
    }

    @Test func levelZeroChangesNoSample() throws {
        #expect(try squares(0).0.recording == squares(nil).0.recording)
    }

    @Test func sheddingIsTheSameInAllSlices() throws {
        let reference = try squares(1).0
        for block in [1, 33, 4096] { #expect(try squares(1, block: block).0.recording == reference.recording) }
        #expect(reference.violations.total == 0, "\(reference.violations)")
        #expect(reference.recording != (try squares(nil).0.recording))
    }

    private func reverb(_ levels: [(UInt8, Int)], block: Int = 256, level: Float = 0) throws -> OfflineRig {
        let rig = OfflineRig()
        var random = SeededRandom(seed: 3)
        let noise = (0..<24_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
        let source = try rig.add(left: noise, right: noise.reversed())
        let node = try rig.add(Reverb.self)
        try rig.graph.connect(source, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for (level, time) in levels { shed(rig, level, to: node, at: time) }
        rig.render(48_000, block: block)
        return rig
    }

    @Test func theReverbStandsStillAtLevelThreeAndMovesAgain() throws {
        let usual = try reverb([]), still = try reverb([(3, 9_999)])
        #expect(usual.recording == (try reverb([(1, 100), (2, 200), (0, 300)])).recording)
        #expect(usual.recording[0][..<10_000] == still.recording[0][..<10_000] && usual.recording != still.recording)
        for block in [1, 100, 4096] { #expect(try reverb([(3, 9_999)], block: block).recording == still.recording) }
        #expect(still.violations.total == 0, "\(still.violations)")
        // As loud as before but for the treble that moving lines lose, and no step when it changes in the middle of the tail.
        func power(_ rig: OfflineRig) -> Float {
            var sum: Float = 0
            for i in 12_000..<40_000 { sum += rig.recording[0][i] * rig.recording[0][i] }
            return sum
        }
        #expect(abs(power(still) / power(usual) - 1) < 0.15)
        let changing = try reverb((0..<20).map { (step: Int) -> (UInt8, Int) in (UInt8(step % 2 * 3), 25_000 + step * 700) })
        func steps(_ rig: OfflineRig) -> Float {
            var worst: Float = 0
            for i in 25_000..<47_000 { worst = max(worst, abs(rig.recording[0][i + 1] - rig.recording[0][i])) }
            return worst
        }
        #expect(steps(changing) < 1.5 * steps(usual))
    }
}
