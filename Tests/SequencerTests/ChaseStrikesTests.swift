import MIDI
import RealtimeCore
import Testing

@testable import Sequencer

/// The strikes that instruments with turns and switches hear of when a song plays on from its middle.
@Suite struct ChaseStrikesTests {
    private func note(_ frame: Int, _ key: UInt8, _ velocity: UInt8 = 100) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(frame)), event: .message(MIDIMessage(status: 0x91, data1: key, data2: velocity)))
    }

    @Test func keysComeInTheOrderOfTheirLastStrike() {
        let chase = Chase([note(0, 60), note(1, 25), note(2, 60), note(3, 60, 0), note(4, 62)])
        #expect(chase.strikes(before: 0).isEmpty)
        #expect(
            chase.strikes(before: 4) == [
                .part(.restoring, 1, key: 0, part: 1), .part(.strikes, 1, key: 25, part: 1),
                .part(.strikes, 2, key: 60, part: 1), .part(.restoring, 0, key: 0, part: 1),
            ])
    }

    @Test func manyStrikesAreTwoNumbers() {
        let chase = Chase((0..<300).map { note($0, 60) })
        #expect(
            chase.strikes(before: 300).dropFirst().dropLast() == [
                .part(.manyStrikes, 2, key: 60, part: 1), .part(.strikes, 44, key: 60, part: 1),
            ])
    }
}
