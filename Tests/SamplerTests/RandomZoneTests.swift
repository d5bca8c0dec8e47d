import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// Whatever numbers stand in a zone, it plays without harm, and what comes out are numbers.
@Suite struct RandomZoneTests {
    @Test(arguments: 0..<8) func anyNumbersMakeSoundOrSilence(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) * 1_000 + 7)
        for _ in 0..<40 {
            var font = TinySoundFont()
            font.generators = [(54, Int(random.next() % 4))]
            for _ in 0..<Int(random.next() % 14) {
                let number = Int(random.next() % 59)
                if number == 41 || number == 43 || number == 44 || number == 53 { continue }
                let isWild = random.next() % 3 == 0
                font.generators.append((number, isWild ? Int(random.next() & 0xFFFF) : Int(random.next() % 300)))
            }
            for _ in 0..<Int(random.next() % 6) {
                font.modulators.append([
                    Int(random.next() & 0x0FFF), Int(random.next() % 59), Int(random.next() & 0xFFFF),
                    Int(random.next() & 0x0FFF), 0,
                ])
            }
            font.sample[2] = Int(random.next() % 1_000)
            font.sample[3] = Int(random.next() % 1_000)
            font.sample[4] = [8, 44_100, 768_000][Int(random.next() % 3)]
            try font.write { path in
                let rig = try SamplerRig(path, values: ["rounding": Float(seed % 2), "interpolation": Float(seed % 6)])
                var events: [TimedMusicEvent] = []
                for (index, key) in [0, 60, 127, 69].enumerated() {
                    events.append(SamplerRig.note(index * 150, UInt8(key), 100))
                    events.append(
                        SamplerRig.message(index * 150 + 700, 0xE0, UInt8(random.next() & 127), UInt8(random.next() & 127)))
                    events.append(SamplerRig.message(1_500, 0x80, UInt8(key)))
                }
                events.sort { $0.time < $1.time }
                let sound = rig.play(events, frames: 3_000, block: 500)
                let isFinite = sound[0].allSatisfy(\.isFinite) && sound[1].allSatisfy(\.isFinite)
                #expect(isFinite, "\(font.generators) \(font.modulators) \(font.sample)")
                #expect(rig.rig.renderer.counters.faults == 0)
            }
        }
    }
}
