import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import Samplers

/// Nine notes for eight voices: who has to go, how, and that the new one comes on its frame.
@Suite struct OracleStealTests {
    /// Each key is a sine of its own frequency, in a place of its own: 120 Hz a key from 60 on.
    private static let keys: [UInt8] = Array(60...68)
    private static let font: OracleSoundFont = {
        var font = OracleSoundFont(Oracle.step)
        font.samples = keys.map { key in
            let hertz = 240 * Double(key - 59)
            return .init(frames: (0..<2_000).map { 3_000 * sin(2 * .pi * hertz * Double($0) / 48_000) }, loop: 200..<2_000)
        }
        font.instruments = [
            keys.indices.map { index in
                let key = Int(keys[index])
                // Velocity to level as usual; a release of seconds.
                let range: [(Int, Int)] = [(43, key | key << 8), (54, 1), (56, 0), (38, 3_600)]
                return OracleSoundFont.Zone(target: index, generators: range)
            }
        ]
        return font
    }()

    /// Amplitude of a key's sine, 0.1 s long.
    private func level(_ sound: Oracle, _ key: UInt8, at age: Int) -> Double {
        let part = sound.part(of: 240 * Double(key - 59), age..<age + 4_000)
        return 2 * sqrt(part.real * part.real + part.imaginary * part.imaginary)
    }

    /// Eight notes 100 frames apart, some events, and a ninth at 12 000. Returns the keys that sound no more.
    private func victims(
        _ events: [(Int, MusicEvent)] = [], velocities: [UInt8] = [UInt8](repeating: 100, count: 8)
    ) throws -> [UInt8] {
        var all = events
        for index in 0..<8 { all.append((100 * index, .key(Self.keys[index], velocities[index]))) }
        all.append((12_000, .key(68, 100)))
        let timed = all.map { TimedMusicEvent(time: SampleTime(Int64(Oracle.start + $0.0)), event: $0.1) }
        let sound = try Oracle(Self.font, events: timed, frames: Oracle.start + 18_000, values: ["polyphony": 8])
        #expect(level(sound, 68, at: 13_000) > 0.01)
        for key in Self.keys.prefix(8) { #expect(level(sound, key, at: 7_900) > 0.0005, "key \(key) before") }
        // Nowhere a step that the waves themselves have not.
        func steepest(_ ages: Range<Int>) -> Double {
            ages.map { abs(sound.left[Oracle.start + $0 + 1] - sound.left[Oracle.start + $0]) }.max()!
        }
        #expect(steepest(11_900..<12_300) < 1.3 * max(steepest(9_000..<11_800), steepest(12_400..<16_000)))
        return Self.keys.prefix(8).filter { level(sound, $0, at: 13_000) < 0.00002 }
    }

    @Test func theOldestOfEqualsGoes() throws {
        #expect(try victims() == [60])
    }

    @Test func theReleasedGoesBeforeTheHeld() throws {
        #expect(try victims([(6_000, .up(65))]) == [65])
    }

    @Test func theReleasedGoesBeforeThePedalled() throws {
        #expect(try victims([(3_000, .up(65)), (4_000, .change(64, 127)), (5_000, .up(62))]) == [65])
    }

    @Test func thePedalledGoesBeforeTheHeld() throws {
        #expect(try victims([(4_000, .change(64, 127)), (5_000, .up(63))]) == [63])
    }

    @Test func theQuietGoesBeforeTheLoud() throws {
        var velocities = [UInt8](repeating: 100, count: 8)
        velocities[5] = 40
        #expect(try victims(velocities: velocities) == [65])
    }

    @Test func itIsTheReleasedAlsoIfItIsLoud() throws {
        var velocities = [UInt8](repeating: 50, count: 8)
        velocities[6] = 127
        #expect(try victims([(11_000, .up(66))], velocities: velocities) == [66])
    }

    /// The new note is heard from its first frame on, and so are all of a storm of them.
    @Test func stolenPlacesSoundOnTheirFrame() throws {
        let font = OracleSoundFont(Oracle.step, [(54, 1), (8, 13_500)])
        for offset in [0, 1, 37, 63] {
            let notes = (0..<8).map { TimedMusicEvent(time: SampleTime(Int64(64 * $0)), event: .key(UInt8(40 + $0))) }
            let ninth = TimedMusicEvent(time: SampleTime(Int64(6_400 + offset)), event: .key(70))
            let with = try Oracle(font, events: notes + [ninth], frames: 7_000, values: ["polyphony": 8])
            let without = try Oracle(font, events: notes, frames: 7_000, values: ["polyphony": 8])
            let first = (0..<7_000).first { with.left[$0] != without.left[$0] }
            #expect(first.map { $0 - 6_400 - offset } ?? 99 <= 2 && first! >= 6_400 + offset, "\(first ?? -1)")
        }
    }
}
