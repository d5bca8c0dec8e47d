import MIDI
import RealtimeCore
import Testing

@testable import Sequencer

/// The strikes that instruments with turns and switches hear of when a song plays on from its middle.
@Suite struct ChaseStrikesTests {
    private func message(_ frame: Int, _ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(frame)), event: .message(MIDIMessage(status: status | 1, data1: first, data2: second)))
    }

    private func note(_ frame: Int, _ key: UInt8, _ velocity: UInt8 = 100) -> TimedMusicEvent {
        message(frame, 0x90, key, velocity)
    }

    private func part(_ parameter: PartParameter, _ value: UInt8, key: UInt8 = 0) -> MusicEvent {
        .part(parameter, value, key: key, part: 1)
    }

    @Test func keysComeInTheOrderOfTheirLastStrike() {
        let chase = Chase([note(0, 60), note(1, 25), note(2, 60, 90), note(3, 60, 0), note(4, 62)])
        #expect(chase.strikes(before: 0).isEmpty)
        #expect(
            chase.strikes(before: 4) == [
                part(.strikes, 1, key: 60), part(.legatoStrikes, 1, key: 25), part(.legatoStrikes, 1, key: 60),
                part(.lastVelocity, 90),
            ])
    }

    @Test func aManagerCountsTheStrikesOfItsMembers() {
        let parameter: [(UInt8, UInt8)] = [(101, 0), (100, 6), (6, 3)]
        let zone = parameter.map {
            TimedMusicEvent(time: .zero, event: .message(MIDIMessage(status: 0xB0, data1: $0.0, data2: $0.1)))
        }
        func note(_ frame: Int, channel: UInt8, _ key: UInt8, _ velocity: UInt8 = 100) -> TimedMusicEvent {
            TimedMusicEvent(
                time: SampleTime(Int64(frame)),
                event: .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: velocity)))
        }
        let notes = [note(1, channel: 1, 60), note(2, channel: 2, 60), note(3, channel: 1, 60, 0), note(4, channel: 9, 62)]
        #expect(
            Chase(zone + notes).strikes(before: 7) == [
                .part(.strikes, 2, key: 60, part: 0), .part(.lastVelocity, 100, key: 0, part: 0),
                .part(.strikes, 1, key: 62, part: 9), .part(.lastVelocity, 100, key: 0, part: 9),
            ])
    }

    @Test(arguments: [(300, [2, 44]), (16_384, [1, 0, 0]), (127, [127])]) func manyStrikesAreSeveralNumbers(
        _ count: Int, _ digits: [UInt8]
    ) {
        let chase = Chase((0..<count).map { note($0, 60) })
        let upper = digits.dropLast().map { part(.manyStrikes, $0, key: 60) }
        #expect(chase.strikes(before: count).dropLast() == upper[...] + [part(.strikes, digits.last ?? 0, key: 60)])
    }

    @Test func strikesBelongToTheirProgram() {
        let chase = Chase([note(0, 60), message(1, 0xC0, 5), note(2, 61), message(3, 0xC0, 5), note(4, 61), message(5, 0xC0, 7)])
        #expect(
            chase.strikes(before: 6) == [
                message(0, 0xC0, 0).event, part(.strikes, 1, key: 60), part(.lastVelocity, 100),
                message(0, 0xC0, 5).event, part(.strikes, 2, key: 61), part(.lastVelocity, 100),
            ])
    }

    @Test func whatIsTakenOverIsNoStrike() {
        let mono = [message(0, 0xB0, 126, 1), message(0, 0xB0, 68, 127)]
        let chase = Chase(mono + [note(1, 60), note(2, 62), note(3, 62, 0), note(4, 60, 0), note(5, 64)])
        #expect(
            chase.strikes(before: 7) == [part(.strikes, 1, key: 60), part(.strikes, 1, key: 64), part(.lastVelocity, 100)])
    }

    @Test func aResetForgets() {
        let reset = TimedMusicEvent(time: SampleTime(1), event: .reset(.generalMIDI, port: 0))
        #expect(Chase([note(0, 60), reset, note(2, 61)]).strikes(before: 3).first == part(.strikes, 1, key: 61))
    }

    /// A layer restores what it has struck before the place at which it enters.
    @Test func whatALayerRestoresCounts() {
        func timed(_ event: MusicEvent) -> TimedMusicEvent { TimedMusicEvent(time: .zero, event: event) }
        let restored = [
            part(.restoring, 1), part(.manyStrikes, 1, key: 60), part(.strikes, 2, key: 60), part(.legatoStrikes, 3, key: 62),
            part(.lastVelocity, 90), message(0, 0xB0, 20, 0).event, part(.unmoved, 0, key: 20), part(.restoring, 0),
        ]
        let before = [note(0, 50), note(0, 50, 0), message(0, 0xB0, 20, 100)]
        var chase = Chase(before + restored.map(timed) + [note(0, 60)])
        chase.countsStrikes = true
        let legato = part(.legatoStrikes, 3, key: 62), many = part(.manyStrikes, 1, key: 60)
        #expect(chase.strikes(before: 11) == [many, part(.strikes, 2, key: 60), legato, part(.lastVelocity, 90)])
        #expect(chase.strikes(before: 12) == [legato, many, part(.strikes, 3, key: 60), part(.lastVelocity, 100)])
        let prologue = chase.prologue(at: 11, from: 11)
        #expect(prologue.filter { $0 == legato }.count == 1)
        #expect(prologue.contains(part(.unmoved, 0, key: 20)) && !prologue.contains(message(0, 0xB0, 20, 100).event))
    }

    @Test func thePrologueMarksWhatItRestores() {
        var chase = Chase([note(0, 60), message(1, 0xB0, 20, 100), note(2, 60)])
        func hasMarks(_ events: [MusicEvent]) -> Bool {
            events.contains { if case .part(let parameter, _, _, _) = $0 { parameter.restoresStrikes } else { false } }
        }
        #expect(!hasMarks(chase.prologue(at: 2, from: 0)), "no instrument counts")
        chase.countsStrikes = true
        // At the beginning too, where a song is played again or its loop begins.
        let first = chase.prologue(at: 0, from: 3)
        #expect(first.first == part(.restoring, 1) && first.last == part(.restoring, 0))
        #expect(first.contains(part(.unmoved, 0, key: 20)))
        let second = chase.prologue(at: 2, from: 0)
        #expect(second.contains(part(.strikes, 1, key: 60)) && !second.contains(part(.unmoved, 0, key: 20)))
        // Controllers start sounds on parts without notes too.
        var silent = Chase([message(1, 0xB0, 20, 100)])
        silent.countsStrikes = true
        #expect(silent.prologue(at: 1, from: 0).first == part(.restoring, 1))
    }
}
