import Carillon
import MIDI
import Reports
import Sequencer
import Testing

@testable import Sessions

/// Rows of loops, and what is done with a MIDI loop beside its notes.
@Suite struct LoopRowTests {
    private let rig: MIDILoopTests
    private var session: Session { rig.session }

    init() throws {
        rig = try MIDILoopTests()
        try session.perform(.metronome(true, tempo: 120))
        try rig.pass(0.5)
    }

    /// Records a bar with a key half a second after its beginning.
    private func record(_ track: Int, _ kind: Session.LoopKind, _ key: UInt8) throws {
        try session.perform(.looper(kind: kind, track: track))
        let bar = try session.core.boundary(.bar)
        try rig.ask("record", track)
        while session.sampleTime < bar { try rig.pass(0.01) }
        try rig.pass(0.5)
        try rig.note(key)
        try rig.pass(1.3)
        try rig.ask("play", track)
        try rig.pass(0.5)
    }

    private var states: [String] { session.snapshot.loops.prefix(4).map(\.state) }

    @Test func rowsStartTogetherOnTheBar() throws {
        for (track, kind) in [Session.LoopKind.midi, .audio, .midi, .audio].enumerated() {
            try record(track + 1, kind, UInt8(60 + track))
        }
        try session.perform(.looper(row: [1, 2]))
        try rig.pass(2.2)
        #expect(states == ["playing", "playing", "stopped", "stopped"])
        // Half a bar before the next one nothing has changed; from its first frame on the others play.
        let bar = try session.core.boundary(.bar)
        while session.sampleTime + 24_000 < bar { try rig.pass(0.01) }
        rig.heard = []
        try session.perform(.looper(row: [3, 4]))
        try rig.pass(0.3)
        #expect(session.snapshot.loops[1].state == "playing" && session.snapshot.loops[3].state == "stopped")
        try rig.pass(4)
        #expect(states == ["stopped", "stopped", "playing", "playing"])
        #expect(rig.onsets(60).isEmpty)
        let first = try #require(rig.onsets(62).first)
        #expect(abs(first - Int(bar.rawValue) - 24_000) <= 600)
        #expect(abs(session.snapshot.loops[2].position - session.snapshot.loops[3].position) < 0.03)
        try session.finish()
    }

    @Test func aMIDILoopHasALevelAndADirection() throws {
        try record(1, .midi, 72)
        try rig.pass(2)
        // Six decibels are a factor of the square root of two for velocities.
        try session.perform(.looper(level: -6.0206, track: 1))
        try rig.pass(2.5)
        #expect(rig.heard.last { $0.message.beginsNote }?.message.data2 == 71)
        // It goes back from where it is: what it has played comes in the other order, and a key from where it ended.
        func heard() throws -> (from: Double, onsets: [Double]) {
            let bar = Double(try session.core.boundary(.bar).rawValue)
            let from = (Double(session.core.soon.rawValue) - bar) / 96_000
            try rig.ask("reverse", 1)
            rig.heard = []
            try rig.pass(4)
            let lengths = zip(rig.onsets(72), rig.ends(72).suffix(2)).map { $1 - $0 }
            #expect(lengths.allSatisfy { (4_000..<5_700).contains($0) }, "\(lengths)")
            return (from, rig.onsets(72).map { (Double($0) - bar) / 96_000 })
        }
        try rig.pass(1)
        let back = try heard()
        #expect(back.onsets.count == 2)
        for onset in back.onsets {
            // A quarter to three tenths of a bar after its beginning the key was down.
            let error = (onset - back.from - (back.from - 0.3)).remainder(dividingBy: 1)
            #expect(abs(error) < 0.02, "\(error)")
        }
        #expect(throws: Fault.self) { try rig.ask("overdub", 1) }
        let place = 2 * back.from - 0.3, again = try heard()
        for onset in again.onsets {
            // It was struck at `place`, and is now as far away on the other side.
            let error = (onset - again.from - (again.from - place - 0.05)).remainder(dividingBy: 1)
            #expect(abs(error) < 0.02, "\(error)")
        }
        try session.finish()
    }

    /// Notes of a loop are changed as those of a song; each change is a layer that undo takes back.
    @Test func notesOfALoopAreChanged() throws {
        try record(1, .midi, 60)
        func notes() throws -> [(place: Double, key: UInt8)] {
            try rig.pass(2.1)
            rig.heard = []
            let bar = Double(try session.core.boundary(.bar).rawValue)
            try rig.pass(4)
            return rig.heard.filter(\.message.beginsNote).map { event in
                let place = (Double(event.time) - bar) / 96_000
                return ((place - place.rounded(.down)) * 4, event.message.data1)
            }
        }
        let played = try notes()
        #expect(played.count == 2 && played.allSatisfy { abs($0.place - 1) < 0.05 && $0.key == 60 })
        try session.perform(LoopNoteVerbs.transpose(7, 1))
        try session.perform(LoopNoteVerbs.humanise(80, nil as Int?, 20))
        let chance = try notes()
        #expect(chance.count == 2 && chance.allSatisfy { abs($0.place - 1) < 0.25 && $0.key == 67 })
        try session.perform(LoopNoteVerbs.quantise("1/4", 1, nil as Int?))
        let exact = try notes()
        #expect(exact.count == 2 && exact.allSatisfy { abs($0.place - 1) < 1e-3 && $0.key == 67 }, "\(exact)")
        #expect(session.snapshot.loops[0].layers == 4)
        for _ in 0..<3 { try rig.ask("undo", 1) }
        let again = try notes()
        #expect(zip(again, played).allSatisfy { abs($0.place - $1.place) < 1e-3 && $0.key == $1.key })
        try rig.ask("redo", 1)
        #expect(try notes().allSatisfy { $0.key == 67 })
        // Moved past the end, a note is at the beginning.
        let late = Song.Arrangement.Event(3.9, .note(.init(60, length: 0.1, velocity: 90, releaseVelocity: 64, part: 0)))
        let layer = try AskedLoop.Layer(beats: 4, events: [late]).edited(tempo: 120, sampleRate: 48_000) {
            (edits) throws(Fault) in
            try edits.quantise(to: 4, strength: 1, SongEdits.Passage())
        }
        #expect(layer.events.map(\.beat) == [0])
        try session.perform(.looper(kind: .audio, track: 2))
        #expect(throws: Fault.self) { try session.perform(LoopNoteVerbs.transpose(7, 2)) }
        try session.finish()
    }

    @Test func whatIsReversedTwiceIsTheSame() {
        func note(_ beat: Double, _ length: Double) -> Song.Arrangement.Event {
            .init(beat, .note(.init(60, length: length, velocity: 90, releaseVelocity: 64, part: 0)))
        }
        func move(_ beat: Double, _ value: UInt8) -> Song.Arrangement.Event {
            .init(beat, .message(MIDIMessage(status: 0xB0, data1: 11, data2: value)))
        }
        let events = [move(0, 10), note(0, 1), move(1.5, 90), note(2, 0.5)]
        let turned = LoopPlace.reversed(events, 4)
        #expect(turned == [move(0, 90), note(1.5, 0.5), move(2.5, 10), note(3, 1)])
        #expect(LoopPlace.reversed(turned, 4) == events)
        // What comes first in the middle was there before as it was at the end.
        #expect(LoopPlace.reversed([move(1, 5), move(3, 6)], 4) == [move(0, 6), move(1, 5), move(3, 6)])
    }
}
