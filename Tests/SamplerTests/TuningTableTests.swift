import MIDI
import RealtimeCore
import Testing

@testable import Samplers

/// What System Exclusive says of tuning and balance, heard in the sampler.
@Suite struct TuningTableTests {
    /// A4 on the first channel, from frame 640 on.
    private func heard(_ time: Int, _ events: [MusicEvent]) throws -> [[Float]] {
        try TinySoundFont().write { path in
            let before = events.map { TimedMusicEvent(time: SampleTime(Int64(time)), event: $0) }
            let all = (before + [SamplerRig.note(640, 69, 100)]).sorted { $0.time < $1.time }
            return try SamplerRig(path).play(all, frames: 24_000)
        }
    }

    /// The channel as a whole so many semitones higher, by registered parameter 2.
    private func coarse(_ semitones: UInt8) -> [MusicEvent] {
        [.controller(101, 0), .controller(100, 2), .controller(6, 64 + semitones)]
    }

    @Test(arguments: [0, 9_600])
    func tablesMoveTheirKeyAsTuningMovesTheChannel(time: Int) throws {
        let plain = try heard(time, []), up = try heard(time, coarse(1))
        #expect(plain != up)
        #expect(try heard(time, [.scaleTuning(channels: 1, step: 9, hundredths: 10_000, port: 0)]) == up)
        #expect(try heard(time, [.keyTuning(KeyTuning(key: 69, semitone: 70, program: 0, port: 0))]) == up)
        // Other steps, channels, keys and programs are others' business.
        #expect(try heard(time, [.scaleTuning(channels: 1, step: 8, hundredths: 10_000, port: 0)]) == plain)
        #expect(try heard(time, [.scaleTuning(channels: 2, step: 9, hundredths: 10_000, port: 0)]) == plain)
        #expect(try heard(time, [.keyTuning(KeyTuning(key: 70, semitone: 71, program: 0, port: 0))]) == plain)
        let other = MusicEvent.keyTuning(KeyTuning(key: 69, semitone: 70, program: 3, port: 0))
        #expect(try heard(time, [other]) == plain)
        #expect(try heard(time, [other, .controller(101, 0), .controller(100, 3), .controller(6, 3)]) == up)
    }

    @Test func masterBalanceTakesFromOneSide() throws {
        let plain = try heard(0, []), right = try heard(0, [.masterBalance(1, port: 0)])
        let half = try heard(0, [.masterBalance(-0.5, port: 0)])
        #expect(plain[0].contains { abs($0) > 0.01 })
        #expect(right[0].allSatisfy { $0 == 0 } && right[1] == plain[1])
        #expect(half[0] == plain[0] && zip(half[1], plain[1]).allSatisfy { abs($0 - $1 / 2) < 1e-6 })
    }
}
