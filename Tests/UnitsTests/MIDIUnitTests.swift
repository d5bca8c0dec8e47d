import CarillonTestKit
import DSP
import Graphs
import MIDI
import Testing
import UnitAPI
import Units

/// What MIDI units make of what is played.
@Suite struct MIDIUnitTests {
    typealias Note = (time: Int, key: UInt8, velocity: UInt8)

    /// Plays notes (velocity 0: they end) to a unit; returns what it played.
    private func play<U: AudioUnit & ~Copyable>(
        _ unit: U.Type, _ notes: [Note], values: [String: Float] = [:], frames: Int = 48_000, channel: UInt8 = 0,
        more: [(time: Int, music: MusicEvent)] = [], block: Int = 512
    ) throws -> MusicRecording {
        let rig = OfflineRig(channels: 1)
        let node = try rig.add(unit, startValues: values)
        let (recorder, recording) = try rig.listen(to: node)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        let played = notes.map { note in
            (note.time, MusicEvent.message(MIDIMessage(status: 0x90 | channel, data1: note.key, data2: note.velocity)))
        }
        for (time, music) in (played + more).sorted(by: { $0.0 < $1.0 }) { rig.send(music, to: node, at: time) }
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return recording
    }

    private func pressed(_ keys: [UInt8], _ range: Range<Int> = 100..<40_000) -> [Note] {
        keys.map { (range.lowerBound, $0, 90) } + keys.map { (range.upperBound, $0, 0) }
    }

    // MARK: - Transposer

    @Test func aKeyEndsTheNoteItPlayedWhateverHasBeenSetSince() throws {
        let rig = OfflineRig(channels: 1)
        let node = try rig.add(Transposer.self, startValues: ["semitones": 5])
        let (recorder, recording) = try rig.listen(to: node)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 80)), to: node, at: 10)
        rig.set(Transposer.Parameter.semitones, -2, of: node, at: 20)
        rig.send(.message(MIDIMessage(status: 0x90, data1: 62, data2: 80)), to: node, at: 20)
        rig.send(.message(MIDIMessage(status: 0x80, data1: 60, data2: 0)), to: node, at: 30)
        rig.send(.message(MIDIMessage(status: 0x80, data1: 62, data2: 0)), to: node, at: 40)
        rig.render(100)
        #expect(recording.begun.map(\.key) == [65, 60])
        #expect(recording.ended.map(\.key) == [65, 60])
    }

    @Test func drumsStayUnlessTheyAreToMoveAndKeysBeyondTheRangeAreLeftOut() throws {
        #expect(try play(Transposer.self, pressed([38]), values: ["octaves": 1], channel: 9).begun.map(\.key) == [38])
        let moved = try play(Transposer.self, pressed([38]), values: ["octaves": 1, "drums": 1], channel: 9)
        #expect(moved.begun.map(\.key) == [50])
        let high = try play(Transposer.self, pressed([100, 120]), values: ["octaves": 1])
        #expect(high.begun.map(\.key) == [112])
        #expect(high.ended.map(\.key) == [112])
    }

    @Test func twoKeysThatPlayOneNoteEndItTogether() throws {
        // C sharp and D both play D in C major's upward mapping.
        let notes: [Note] = [(100, 61, 90), (200, 62, 80), (300, 61, 0), (400, 62, 0)]
        let recording = try play(ScaleMapper.self, notes, values: ["others": 2])
        #expect(recording.begun.map(\.key) == [62, 62])
        #expect(recording.ended.map(\.time) == [200, 400], "the second ends the first and begins it again")
    }

    // MARK: - Velocity

    @Test(arguments: [(0, 64, 64), (50, 33, 64), (-50, 64, 33), (100, 9, 64), (0, 1, 1), (0, 127, 127)] as [(Float, UInt8, Int)])
    func theCurveBendsTouches(curve: Float, touch: UInt8, heard: Int) throws {
        let recording = try play(VelocityCurve.self, [(5, 60, touch)], values: ["curve": curve])
        #expect(abs(recording.begun[0].velocity - heard) <= 1, "\(recording.begun[0].velocity)")
    }

    @Test func velocitiesStayWithinTheirBounds() throws {
        let notes = (1...127).map { (Int($0), UInt8(60), UInt8($0)) }
        let heard = try play(VelocityCurve.self, notes, values: ["low": 40, "high": 90, "curve": 30]).begun.map(\.velocity)
        #expect(heard.first == 40 && heard.last == 90)
        #expect(heard == heard.sorted())
        let fixed = try play(VelocityCurve.self, notes, values: ["high": 77, "fixed": 1]).begun.map(\.velocity)
        #expect(Set(fixed) == [77])
    }

    @Test func theUnitBendsTouchesAsZonesDo() throws {
        let notes = (1...127).map { (Int($0), UInt8(60), UInt8($0)) }, zone = TouchCurve(exponent: 2, low: 20, high: 110)
        let heard = try play(VelocityCurve.self, notes, values: ["low": 20, "high": 110, "curve": -50]).begun.map(\.velocity)
        #expect(heard == notes.map { Int(zone.value(of: $0.2)) })
    }

    // MARK: - Scale and chord

    @Test(
        arguments: [
            (0, [60, 60, 62, 62, 64, 65, 65, 67, 67, 69, 69, 71]), (1, [60, 60, 62, 62, 64, 65, 65, 67, 67, 69, 69, 71]),
            (2, [60, 62, 62, 64, 64, 65, 67, 67, 69, 69, 71, 71]), (3, [60, 62, 64, 65, 67, 69, 71]),
        ] as [(Float, [Int])])
    func everyKeyOfAnOctaveGoesToTheScale(others: Float, heard: [Int]) throws {
        let notes = (0..<12).map { (step: Int) -> (Int, UInt8, UInt8) in (100 + 10 * step, UInt8(60 + step), 90) }
        #expect(try play(ScaleMapper.self, notes, values: ["others": others]).begun.map(\.key) == heard)
    }

    @Test func theScaleStandsOnItsRoot() throws {
        // A minor pentatonic: A C D E G.
        let notes = (0..<12).map { (step: Int) -> (Int, UInt8, UInt8) in (100 + 10 * step, UInt8(57 + step), 90) }
        let heard = try play(ScaleMapper.self, notes, values: ["root": 9, "scale": 11, "others": 3]).begun.map(\.key)
        #expect(heard == [57, 60, 62, 64, 67])
    }

    @Test(
        arguments: [
            (60, [60, 64, 67]), (62, [62, 65, 69]), (64, [64, 67, 71]), (65, [65, 69, 72]), (67, [67, 71, 74]),
            (69, [69, 72, 76]), (71, [71, 74, 77]), (61, [61]),
        ] as [(UInt8, [Int])])
    func chordsOfTheScaleStandOnTheirSteps(key: UInt8, chord: [Int]) throws {
        #expect(try play(ChordMapper.self, pressed([key])).begun.map(\.key) == chord)
    }

    @Test func aChordIsStruckInTurnAndEndsTogether() throws {
        let recording = try play(
            ChordMapper.self, pressed([60], 100..<20_000), values: ["chord": 12, "strum": 0.02, "direction": 1, "level": 50])
        #expect(recording.begun.map(\.key) == [70, 67, 64, 60])
        #expect(recording.begun.map(\.time) == [100, 1060, 2020, 2980])
        #expect(recording.begun.map(\.velocity) == [45, 45, 45, 90])
        #expect(recording.ended.map(\.time) == [20_000, 20_000, 20_000, 20_000])
    }

    @Test func aKeyThatIsLetGoEarlyStrikesNoMore() throws {
        let recording = try play(ChordMapper.self, pressed([60], 100..<1500), values: ["strum": 0.02])
        #expect(recording.begun.map(\.time) == [100, 1060])
        #expect(recording.hanging.isEmpty)
    }

    @Test func anInversionPutsTheLowestOnTop() throws {
        #expect(try play(ChordMapper.self, pressed([60]), values: ["inversion": 1]).begun.map(\.key) == [64, 67, 72])
        #expect(try play(ChordMapper.self, pressed([60]), values: ["inversion": 2]).begun.map(\.key) == [67, 72, 76])
    }

    // MARK: - Echo

    @Test func repeatsComeInTimeSofterAndAsLong() throws {
        let recording = try play(
            NoteEcho.self, pressed([60], 100..<3100),
            values: ["repeats": 3, "time": 0.1, "decay": 50, "transpose": 12])
        #expect(recording.begun.map(\.time) == [100, 4900, 9700, 14_500])
        #expect(recording.begun.map(\.key) == [60, 72, 84, 96])
        #expect(recording.begun.map(\.velocity) == [90, 45, 23, 11])
        #expect(recording.ended.map(\.time) == [3100, 7900, 12_700, 17_500])
        #expect(recording.hanging.isEmpty)
    }

    @Test func aRepeatFollowsTheTempo() throws {
        let recording = try play(
            NoteEcho.self, pressed([60], 0..<10), values: ["repeats": 1, "sync": 1, "tempo": 90, "division": 5])
        #expect(recording.begun.map(\.time) == [0, 16_000])
    }

    @Test func whatSilencesAPartSilencesItsRepeats() throws {
        let off = MusicEvent.message(MIDIMessage(status: 0xB0, data1: 120, data2: 0))
        let recording = try play(NoteEcho.self, [(100, 60, 90)], values: ["time": 0.1], more: [(5_000, off)])
        #expect(recording.begun.count == 2)
        #expect(recording.events.contains { $0.event == off })
    }

    // MARK: - Arpeggiator

    /// Keys C E G held; sixteenths at 125 a minute take 5760 frames.
    private func arpeggio(_ values: [String: Float], frames: Int = 40_000, block: Int = 512) throws -> MusicRecording {
        try play(
            Arpeggiator.self, pressed([60, 64, 67], 100..<60_000), values: ["tempo": 125].merging(values) { $1 },
            frames: frames, block: block)
    }

    @Test(
        arguments: [
            (0, [60, 64, 67, 60, 64, 67, 60]), (1, [67, 64, 60, 67, 64, 60, 67]), (2, [60, 64, 67, 64, 60, 64, 67]),
            (3, [67, 64, 60, 64, 67, 64, 60]), (4, [60, 64, 67, 60, 64, 67, 60]),
        ] as [(Float, [Int])])
    func theOrderIsThatOfTheMode(mode: Float, keys: [Int]) throws {
        let recording = try arpeggio(["mode": mode])
        #expect(recording.begun.map(\.key) == keys)
        #expect(recording.begun.map(\.time) == (0..<7).map { 100 + 5760 * $0 })
        #expect(recording.ended.map(\.time) == (0..<7).map { 100 + 5760 * $0 + 4032 }.filter { $0 < 40_000 })
    }

    @Test func itClimbsThroughOctavesAndPlaysChords() throws {
        #expect(try arpeggio(["octaves": 2]).begun.map(\.key) == [60, 64, 67, 72, 76, 79, 60])
        let chords = try arpeggio(["mode": 6], frames: 6_000).begun
        #expect(chords.map(\.key) == [60, 64, 67, 60, 64, 67])
        #expect(chords.map(\.time) == [100, 100, 100, 5860, 5860, 5860])
    }

    @Test func aRandomOrderIsTheSameEveryTimeAndUsesEveryKey() throws {
        let first = try arpeggio(["mode": 5, "division": 0], frames: 50_000).begun.map(\.key)
        #expect(first == (try arpeggio(["mode": 5, "division": 0], frames: 50_000, block: 77).begun.map(\.key)))
        #expect(Set(first) == [60, 64, 67])
        #expect(first != first.sorted())
    }

    @Test func keysAreAsPlayedInTheirOrder() throws {
        let notes: [Note] = [(0, 67, 90), (1, 60, 80), (2, 64, 70)]
        let recording = try play(Arpeggiator.self, notes, values: ["mode": 4, "tempo": 125], frames: 20_000)
        #expect(recording.begun.map(\.key) == [67, 60, 64, 67])
        #expect(recording.begun.map(\.velocity) == [90, 80, 70, 90])
    }

    @Test func swingMovesEverySecondStep() throws {
        let recording = try arpeggio(["swing": 75], frames: 24_000)
        #expect(recording.begun.map(\.time) == [100, 100 + 8640, 100 + 11_520, 100 + 20_160, 100 + 23_040])
    }

    @Test func aSwungStepSoundsForItsOwnLength() throws {
        let recording = try arpeggio(["swing": 75, "gate": 50], frames: 24_000)
        #expect(recording.ended.map(\.time) == [100 + 4320, 100 + 8640 + 1440, 100 + 11_520 + 4320, 100 + 20_160 + 1440])
    }

    @Test func onTheStepItWaitsForTheBeat() throws {
        let recording = try play(
            Arpeggiator.self, pressed([60], 7_000..<30_000), values: ["tempo": 125, "start": 1], frames: 24_000)
        #expect(recording.begun.map(\.time) == [11_520, 17_280, 23_040])
    }

    @Test func stepsDoNotDriftFromTheirTempo() throws {
        let recording = try play(
            Arpeggiator.self, [(0, 60, 90)], values: ["tempo": 131, "division": 0], frames: 480_000)
        let period = 48_000 * 60 / 131 * 0.125
        for (step, note) in recording.begun.enumerated() {
            #expect(abs(Double(note.time) - Double(step) * period) <= 0.5001, "step \(step)")
        }
        #expect(recording.begun.count > 170)
    }

    @Test func lettingGoEndsItAndHoldDoesNot() throws {
        let keys = pressed([60, 64], 100..<10_000)
        let ended = try play(Arpeggiator.self, keys, values: ["tempo": 125])
        #expect(ended.begun.map(\.time) == [100, 5860])
        #expect(ended.hanging.isEmpty)
        let held = try play(Arpeggiator.self, keys + [(30_000, 72, 90)], values: ["tempo": 125, "hold": 1])
        #expect(held.begun.map(\.key) == [60, 64, 60, 64, 60, 64, 72, 72, 72])
    }

    @Test func theSustainPedalKeepsKeysUntilItIsUp() throws {
        func pedal(_ value: UInt8) -> MusicEvent { .message(MIDIMessage(status: 0xB0, data1: 64, data2: value)) }
        let recording = try play(
            Arpeggiator.self, pressed([60], 100..<6_000), values: ["tempo": 125],
            more: [(5_000, pedal(127)), (20_000, pedal(0))])
        #expect(recording.begun.map(\.time) == [100, 5860, 11_620, 17_380])
        #expect(recording.events.allSatisfy { $0.event != pedal(127) })
    }

    @Test func bendsAndControllersPassEveryUnit() throws {
        let events: [MusicEvent] = [
            .message(MIDIMessage(status: 0xE0, data1: 1, data2: 70)), .message(MIDIMessage(status: 0xB0, data1: 1, data2: 70)),
            .message(MIDIMessage(status: 0xC0, data1: 5)), .masterVolume(0.5, port: 0), .reset(.gs, port: 0),
            .partMode(.drums, port: 0, channel: 2),
        ]
        let more = events.enumerated().map { (10 * $0, $1) }
        func heard<U: AudioUnit & ~Copyable>(_ unit: U.Type) throws -> [MusicEvent] {
            try play(unit, [], frames: 600, more: more).events.map(\.event)
        }
        #expect(try heard(Transposer.self) == events)
        #expect(try heard(VelocityCurve.self) == events)
        #expect(try heard(ScaleMapper.self) == events)
        #expect(try heard(ChordMapper.self) == events)
        #expect(try heard(NoteEcho.self) == events)
        #expect(try heard(Arpeggiator.self) == events)
    }
}
