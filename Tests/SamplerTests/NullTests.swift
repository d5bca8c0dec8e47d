import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// The difference from libfluidsynth, which is next to nothing: same frames, same steps of pitch and level, no effects.
///
/// What is left out is an artefact of libfluidsynth's: a voice starts with the pan of the voice that had its place before,
/// and moves to its own within 64 frames.
@Suite(.serialized) struct NullTests {
    /// A note, and where it stands in the recording.
    private struct Place {
        var name: String
        var start: Int
        var end: Int
    }

    /// Plays notes one after the other in both, a pause of 500 blocks for each. Returns each note's difference in decibels
    /// without its first 64 frames and, `forgiving`, without the two worst blocks of 64.
    private func figures(
        _ font: String, _ notes: [(name: String, program: UInt8, channel: UInt8, key: UInt8, velocity: UInt8)],
        forgiving: Set<String> = []
    ) throws -> [(decibels: Double, name: String)] {
        var events: [TimedMusicEvent] = []
        var places: [Place] = []
        var time = 640
        for note in notes {
            if note.channel != 9 { events.append(SamplerRig.message(time - 64, 0xC0 | note.channel, note.program)) }
            events.append(SamplerRig.note(time, note.key, note.velocity, channel: note.channel))
            events.append(SamplerRig.message(time + 64 * 150, 0x80 | note.channel, note.key))
            places.append(Place(name: note.name, start: time, end: time + 64 * 350))
            time += 64 * 350
        }
        let rig = try SamplerRig(font, values: SamplerRig.rounded)
        let ours = rig.play(events, frames: time, block: 4_096)
        let theirs = BareFluidSynth(font, polyphony: 512).play(events, frames: time)
        return places.map { place in
            var blocks = Array(stride(from: place.start + 64, to: place.end, by: 64))
            if forgiving.contains(place.name) {
                let energies = blocks.map { ($0, Difference.energy(ours, theirs, $0..<$0 + 64)) }.sorted { $0.1 > $1.1 }
                let worst = energies.prefix(2).map(\.0)
                blocks.removeAll { worst.contains($0) }
            }
            return (Difference.decibels(ours, theirs, blocks.lazy.flatMap { $0..<$0 + 64 }), place.name)
        }.sorted { $0.decibels < $1.decibels }
    }

    /// Sounds of which two blocks more are left out: voices that begin later than their note, where pan moves then, and
    /// samples that end within a period, where libfluidsynth cuts and ours lets the filter ring to the period's end.
    private static let forgivenPrograms: [String: Set<Int>] = [
        SamplerRig.timGM: [50, 123, 124, 127], SamplerRig.fluidR3: [55, 105, 116, 121],
    ]
    private static let forgivenDrums: [String: Set<Int>] = [
        SamplerRig.timGM: [32], SamplerRig.fluidR3: [27, 29, 30, 33, 43, 44],
    ]

    @Test(arguments: [SamplerRig.timGM, SamplerRig.fluidR3])
    func everyProgramSoundsAsInFluidSynth(_ font: String) throws {
        guard access(font, R_OK) == 0 else { return }
        let notes = (0..<128).flatMap { program in
            [(36, 100), (36, 40), (60, 64), (60, 127), (84, 110), (84, 50)].map { key, velocity in
                (name: "\(program)", program: UInt8(program), channel: UInt8(0), key: UInt8(key), velocity: UInt8(velocity))
            }
        }
        let forgiven = Set((Self.forgivenPrograms[font] ?? []).map { "\($0)" })
        expectNothing(try figures(font, notes, forgiving: forgiven))
    }

    @Test(arguments: [SamplerRig.timGM, SamplerRig.fluidR3])
    func everyDrumSoundsAsInFluidSynth(_ font: String) throws {
        guard access(font, R_OK) == 0 else { return }
        let notes = (27...87).map { key in
            (name: "\(key)", program: UInt8(0), channel: UInt8(9), key: UInt8(key), velocity: UInt8(100))
        }
        let forgiven = Set((Self.forgivenDrums[font] ?? []).map { "\($0)" })
        expectNothing(try figures(font, notes, forgiving: forgiven))
    }

    private func expectNothing(_ figures: [(decibels: Double, name: String)]) {
        let median = figures[figures.count / 2].decibels
        #expect(median < -120, "the median differs by \(median) dB")
        for figure in figures { #expect(figure.decibels < -90, "\(figure.name) differs by \(figure.decibels) dB") }
    }
}
