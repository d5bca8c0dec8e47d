import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// A note begins on its frame, wherever that lies, and sounds the same there.
@Suite(.serialized) struct OnsetTests {
    @Test func aNoteAtSixtyFourPlacesIsSixtyFourTimesTheSame() throws {
        let rig = try SamplerRig("embedded")
        let length = 24_000 + 64 - 24_000 % 64
        let starts = (0..<64).map { 1_000 + $0 * (length * 4) + $0 }
        let events = starts.flatMap { start in
            [SamplerRig.note(start, 60, 100), SamplerRig.message(start + 9_600, 0x80, 60)]
        }
        let sound = rig.play(events, frames: starts[63] + length, block: 4_096)
        let first = Array(sound[0][starts[0]..<starts[0] + length])
        #expect(first.contains { abs($0) > 0.001 })
        for start in starts {
            #expect(Array(sound[0][start..<start + length]) == first, "at \(start % 64)")
        }
    }

    /// A sample that begins with a step tells where its note begins.
    @Test func everyOnsetIsWhereTheEventStands() throws {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Step")]
        try font.write { path in
            let rig = try SamplerRig(path)
            var random = SeededRandom(seed: 13)
            var time = 100
            var times: [Int] = []
            for _ in 0..<400 {
                times.append(time)
                time += 2_400 + Int(random.next() % 2_000)
            }
            let events = times.flatMap { time in
                [
                    SamplerRig.note(time, 69, 127), SamplerRig.message(time + 700, 0xB0, 120, 0),
                ]
            }
            let sound = rig.play(events, frames: time, block: 480)[0]
            for time in times {
                #expect(sound[time - 1] == 0 && sound[time - 100] == 0, "something sounds before \(time)")
                let first = (time..<time + 64).first { sound[$0] != 0 }
                // The gain grows from nothing at the note's first frame.
                #expect(first.map { $0 - time } ?? 99 <= 2, "a note of \(time) begins at \(first ?? -1)")
            }
        }
    }
}
