import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// A song of ten minutes whose tempo changes with every note: each is heard on the frame where arithmetic puts it.
@Suite(.serialized) struct TempoOnsetTests {
    private static let division = 480

    /// A note: its tick, and its moment in frames times 10^6 times the division, which is a whole number.
    private struct Moment {
        var tick: Int
        var scaled: Int
    }

    /// A song of one track, and where its notes are.
    private func song() -> (bytes: [UInt8], moments: [Moment]) {
        var random = SeededRandom(seed: 1_200)
        var track: [UInt8] = [0, 0xC0, 0]
        var moments: [Moment] = []
        var tick = 0, scaled = 0, tempo = 500_000, waiting = 97
        for _ in 0..<1_200 {
            tick += waiting
            scaled += waiting * tempo * 48_000
            tempo = 350_000 + Int(random.next() % 300_001)
            track += quantity(waiting) + [0xFF, 0x51, 3, UInt8(tempo >> 16), UInt8(tempo >> 8 & 255), UInt8(tempo & 255)]
            track += [0, 0x90, 69, 100]
            moments.append(Moment(tick: tick, scaled: scaled))
            track += quantity(20) + [0x80, 69, 0]
            tick += 20
            scaled += 20 * tempo * 48_000
            waiting = 300 + Int(random.next() % 341)
        }
        track += [0, 0xFF, 0x2F, 0]
        let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, UInt8(Self.division >> 8), UInt8(Self.division & 255)]
        let size = (0..<4).reversed().map { UInt8(track.count >> (8 * $0) & 255) }
        return (head + Array("MTrk".utf8) + size + track, moments)
    }

    private func quantity(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(0x80 | value >> 7), UInt8(value & 127)]
    }

    @Test func twelveHundredNotesBeginOnTheirFrames() throws {
        let (bytes, moments) = song()
        let events = try TinySoundFont.write(bytes) { try SamplerRig.timeline($0) }
        let starts = events.compactMap { event -> Int? in
            guard case .message(let message) = event.event, message.status == 0x90, message.data2 > 0 else { return nil }
            return Int(event.time.rawValue)
        }
        #expect(starts.count == 1_200 && starts[1_199] > 48_000 * 600)
        let scale = 1_000_000 * Self.division
        for (start, moment) in zip(starts, moments) {
            // The nearest frame, or either where the moment lies in the middle.
            #expect(abs(start * scale - moment.scaled) * 2 <= scale, "tick \(moment.tick)")
        }
        var font = TinySoundFont()
        font.generators = [(54, 1), (0, 25)]
        let sound = try font.write { path in
            try SamplerRig(path).play(events, frames: (starts.last ?? 0) + 9_600, block: 4_096)[0]
        }
        var wrong: [Int] = []
        for start in starts where sound[start] == 0 || sound[start - 1] != 0 || sound[start - 64] != 0 { wrong.append(start) }
        #expect(wrong.isEmpty, "\(wrong.count) notes are not heard on their frame: \(wrong.prefix(5))")
    }
}
