import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Music as a kind of bus: what a MIDI unit plays reaches those that it leads to, on its frame, and ends where it must.
@Suite struct MusicConnectionTests {
    private static func note(_ key: UInt8, _ velocity: UInt8 = 100, part: Int = 0) -> MusicEvent {
        .message(
            MIDIMessage(
                status: (velocity > 0 ? 0x90 : 0x80) | UInt8(part & 15), data1: key, data2: velocity, port: UInt8(part / 16)))
    }

    /// A rig in which a transposer leads to a recorder.
    private func rig(threads: Int = 1, octaves: Float = 0) throws -> (OfflineRig, NodeID, NodeID, MusicRecording) {
        let rig = OfflineRig(maximumFrames: threads > 1 ? 128 : 512, channels: 1, threads: threads, pull: 2048)
        let transposer = try rig.add(Transposer.self, startValues: ["octaves": octaves])
        let (recorder, recording) = try rig.listen(to: transposer)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        return (rig, transposer, recorder, recording)
    }

    @Test(arguments: [1, 2, 3]) func whatIsPlayedIsHeardOnItsFrame(threads: Int) throws {
        let (rig, transposer, _, recording) = try rig(threads: threads, octaves: 1)
        for n in 0..<40 {
            rig.send(Self.note(UInt8(40 + n)), to: transposer, at: 37 * n + 5)
            rig.send(Self.note(UInt8(40 + n), 0), to: transposer, at: 37 * n + 100)
        }
        rig.render(2048, block: 2048)
        #expect(recording.begun.map(\.time) == (0..<40).map { 37 * $0 + 5 })
        #expect(recording.begun.map(\.key) == (0..<40).map { 52 + $0 })
        #expect(recording.ended.map(\.time) == (0..<40).map { 37 * $0 + 100 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func unitsInARowHandMusicOnWithinTheFrame() throws {
        let rig = OfflineRig(channels: 1)
        let first = try rig.add(Transposer.self, startValues: ["semitones": 3])
        let second = try rig.add(Transposer.self, startValues: ["semitones": 4])
        try rig.graph.connect(first, to: second)
        let (recorder, recording) = try rig.listen(to: second)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        rig.send(Self.note(60), to: first, at: 701)
        rig.render(1000)
        #expect(recording.begun.map(\.time) == [701])
        #expect(recording.begun.map(\.key) == [67])
    }

    @Test func onOneFrameAUnitsOwnEventsComeFirstThenItsConnectionsInTheirOrder() throws {
        let rig = OfflineRig(channels: 1)
        let first = try rig.add(Transposer.self), second = try rig.add(Transposer.self)
        let (recorder, recording) = try rig.listen(to: second)
        try rig.graph.connect(first, to: recorder)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        rig.send(Self.note(1), to: first, at: 64)
        rig.send(Self.note(2), to: second, at: 64)
        rig.send(Self.note(3), to: recorder, at: 64)
        rig.render(512)
        #expect(recording.begun.map(\.key) == [3, 2, 1])
    }

    @Test func aConnectionThatIsTakenAwayLeavesNoNoteHanging() throws {
        let (rig, transposer, recorder, recording) = try rig()
        for key in [60, 64, 67] as [UInt8] { rig.send(Self.note(key, part: 17), to: transposer, at: 10) }
        rig.render(512)
        try rig.graph.disconnect(transposer, from: recorder)
        try rig.publish()
        rig.render(512)
        #expect(recording.ended.map(\.key) == [60, 64, 67])
        #expect(recording.ended.map(\.time) == [512, 512, 512])
    }

    @Test func anEditRightBehindAnotherLeavesNoNoteHanging() throws {
        let (rig, transposer, recorder, recording) = try rig()
        rig.send(Self.note(60), to: transposer, at: 10)
        rig.render(512)
        try rig.graph.disconnect(transposer, from: recorder)
        try rig.publish()
        try rig.add(Transposer.self)
        try rig.publish()
        rig.render(512)
        #expect(recording.ended.map(\.time) == [512])
    }

    @Test func aPedalComesUpWithTheConnection() throws {
        let (rig, transposer, recorder, recording) = try rig()
        for (number, value) in [(64, 127), (66, 1), (1, 90)] as [(UInt8, UInt8)] {
            rig.send(.message(MIDIMessage(status: 0xB3, data1: number, data2: value)), to: transposer, at: 10)
        }
        rig.render(512)
        try rig.graph.disconnect(transposer, from: recorder)
        try rig.publish()
        rig.render(512)
        let lifted = recording.events.filter { $0.time == 512 }.map(\.event)
        #expect(lifted == [64, 66].map { .message(MIDIMessage(status: 0xB3, data1: $0, data2: 0)) })
    }

    @Test func aUnitThatComesBackDoesNotPlayWhatItMissed() throws {
        let rig = OfflineRig(channels: 1)
        let arpeggiator = try rig.add(Arpeggiator.self, startValues: ["tempo": 400, "division": 0])
        let (recorder, recording) = try rig.listen(to: arpeggiator)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        rig.send(Self.note(60), to: arpeggiator, at: 0)
        rig.render(4_800)
        try rig.graph.disconnect(arpeggiator, from: recorder)
        try rig.publish()
        rig.render(480_000)
        let before = recording.begun.count
        try rig.graph.connect(arpeggiator, to: recorder)
        try rig.publish()
        rig.render(4_800)
        #expect(recording.begun.count == before, "\(recording.begun.count - before) notes of before")
        #expect(recording.hanging.isEmpty)
    }

    @Test func aUnitThatIsRemovedLeavesNoNoteHanging() throws {
        let (rig, transposer, _, recording) = try rig(octaves: -1)
        rig.send(Self.note(60), to: transposer, at: 10)
        rig.render(512)
        try rig.graph.remove(transposer)
        try rig.publish()
        rig.render(512)
        #expect(recording.hanging.isEmpty)
        #expect(recording.ended.map(\.key) == [48])
    }

    @Test func aBypassedUnitLetsMusicPassAndEndsWhatItHadBegun() throws {
        let (rig, transposer, _, recording) = try rig(octaves: 1)
        rig.send(Self.note(60), to: transposer, at: 10)
        rig.render(512)
        try rig.graph.bypass(transposer)
        try rig.publish()
        rig.send(Self.note(62), to: transposer, at: 600)
        rig.render(512)
        #expect(recording.begun.map(\.key) == [72, 62])
        #expect(recording.ended.map(\.key) == [72])
        try rig.graph.bypass(transposer, false)
        try rig.publish()
        rig.send(Self.note(64), to: transposer, at: 1100)
        rig.render(512)
        #expect(recording.begun.map(\.key) == [72, 62, 76])
        #expect(recording.ended.map(\.key) == [72, 62])
        #expect(recording.ended.map(\.time) == [512, 1024])
    }

    @Test func aUnitThatIsResetEndsItsNotes() throws {
        let (rig, transposer, _, recording) = try rig(octaves: 1)
        rig.send(Self.note(60), to: transposer, at: 10)
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(100), node: transposer, event: .reset)))
        rig.render(512)
        #expect(recording.ended.map(\.key) == [72])
        #expect(recording.ended.map(\.time) == [100])
    }

    @Test func aNewPlanKeepsNotesThatSound() throws {
        let (rig, transposer, recorder, recording) = try rig()
        rig.send(Self.note(60), to: transposer, at: 10)
        rig.render(512)
        let another = try rig.add(SquareWave.self)
        try rig.graph.connect(transposer, to: another)
        try rig.publish()
        rig.render(4096)
        try rig.clean()
        rig.send(Self.note(60, 0), to: transposer, at: 4700)
        rig.render(512)
        #expect(recording.ended.map(\.time) == [4700])
        _ = recorder
    }

    @Test func aNoteThatPlaysAnInstrumentSoundsAsIfItWereToldItself() throws {
        func sound(_ isLed: Bool) throws -> [[Float]] {
            let rig = OfflineRig()
            let square = try rig.add(SquareWave.self)
            let transposer = try rig.add(Transposer.self)
            try rig.graph.connect(transposer, to: square)
            try rig.graph.setOutput(square)
            try rig.publish()
            for (time, music) in [(100, Self.note(57)), (9_000, Self.note(57, 0))] {
                rig.send(music, to: isLed ? transposer : square, at: time)
            }
            rig.render(20_000, block: 333)
            return rig.recording
        }
        let led = try sound(true)
        #expect(firstDifference(led, try sound(false)) == nil)
        #expect(led[0].contains { abs($0) > 0.01 })
    }

    @Test func musicBeyondTheRoomOfASliceIsCountedAndNoEndIsLost() throws {
        let rig = OfflineRig(channels: 1)
        let curve = try rig.add(VelocityCurve.self)
        let (recorder, recording) = try rig.listen(to: curve)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        for n in 0..<1900 { rig.send(Self.note(UInt8(n % 128), part: n / 128), to: curve, at: 5) }
        rig.send(Self.note(3, 0), to: curve, at: 6)
        rig.render(512)
        #expect(recording.ended.map(\.key) == [3])
        #expect(recording.begun.count == 1792)
        #expect(rig.renderer.counters.lostEvents == 108)
    }

    @Test func whatCannotBeIsRefused() throws {
        let rig = OfflineRig()
        let transposer = try rig.add(Transposer.self), reverb = try rig.add(Noise.self), square = try rig.add(SquareWave.self)
        #expect(throws: Fault.hearsNoMusic(source: "transposer", destination: "noise")) {
            try rig.graph.connect(transposer, to: reverb)
        }
        #expect(throws: Fault.soundless(unit: "transposer")) { try rig.graph.setOutput(transposer) }
        #expect(throws: Fault.noSuchBus(unit: "square-wave", direction: "music input", bus: 1, count: 1)) {
            try rig.graph.connect(transposer, to: square[1])
        }
        #expect(throws: Fault.hearsNoSound(source: "square-wave", destination: "transposer")) {
            try rig.graph.connect(square, to: transposer)
        }
        try rig.graph.connect(transposer, to: square)
        #expect(throws: Fault.duplicateConnection(source: "transposer", destination: "square-wave")) {
            try rig.graph.connect(transposer, to: square)
        }
        let other = try rig.add(Transposer.self)
        try rig.graph.connect(transposer, to: other)
        try rig.graph.connect(other, to: transposer)
        try rig.graph.setOutput(square)
        #expect(throws: Fault.cycle(["transposer", "transposer-2", "transposer"])) { try rig.publish() }
    }

    @Test func closingTheGapOfAMIDIUnitLeadsItsPartsOn() throws {
        let rig = OfflineRig()
        let transposer = try rig.add(Transposer.self), square = try rig.add(SquareWave.self)
        try rig.graph.connect(transposer, to: square)
        try rig.graph.route(part: 3, to: transposer)
        try rig.graph.removeClosingGap(transposer)
        #expect(rig.graph.routes[3] == [square])
    }
}
