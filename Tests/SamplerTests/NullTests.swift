import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import Sampler

/// The difference from libfluidsynth, which should be next to nothing.
@Suite(.serialized) struct NullTests {
    @Test func singleNotes() throws {
        let font = SamplerRig.timGM
        var events: [TimedMusicEvent] = []
        var places: [(program: Int, key: UInt8, velocity: UInt8, start: Int)] = []
        var time = 640
        for program in 0..<128 {
            events.append(SamplerRig.message(time - 64, 0xC0, UInt8(program)))
            for (key, velocity) in [(36, 100), (60, 64), (84, 110)] as [(UInt8, UInt8)] {
                places.append((program, key, velocity, time))
                events.append(SamplerRig.note(time, key, velocity))
                events.append(SamplerRig.message(time + 64 * 200, 0x80, key))
                time += 64 * 500
            }
        }
        let rig = try SamplerRig(font, values: SamplerRig.rounded)
        let ours = rig.play(events, frames: time, block: 4_096)
        let theirs = BareFluidSynth(font).play(events, frames: time)
        let figures = places.map { place in
            (Difference.decibels(ours, theirs, place.start + 64..<place.start + 64 * 500), place)
        }
        let sorted = figures.sorted { $0.0 < $1.0 }
        print("median", sorted[sorted.count / 2].0)
        for figure in sorted.suffix(40) { print(figure) }
    }
}
