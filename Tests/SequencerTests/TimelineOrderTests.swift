import MIDI
import Sequencer
import Testing

/// What a message means may depend on what came before it: before in time, not in the file.
@Suite struct TimelineOrderTests {
    @Test func systemExclusiveIsInterpretedInOrderOfTime() throws {
        // Universal master coarse tuning, 12 semitones up, late in the first track; fine tuning at the start of the second.
        let coarse: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x04, 0x00, 0x4C, 0xF7]
        let fine: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x03, 0x00, 0x60, 0xF7]
        let song = Song(
            format: .simultaneous, division: .ticksPerQuarter(480),
            tracks: [
                Track(events: [SongEvent(tick: 4800, .systemExclusive(coarse))]),
                Track(events: [SongEvent(tick: 0, .systemExclusive(fine))]),
            ])
        let tunings = try Timeline(song, sampleRate: 48_000).events.compactMap { timed -> Float? in
            if case .masterTuning(let cents, _) = timed.event { cents } else { nil }
        }
        #expect(tunings == [50, 1250])
    }
}
