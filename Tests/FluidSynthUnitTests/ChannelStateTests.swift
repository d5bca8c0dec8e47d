import CarillonTestKit
import Foundation
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import FluidSynthUnit

/// The channel's state that all instruments share, beside the one that the library keeps.
@Suite struct ChannelStateTests {
    private static let timGM = SoundFontLibrary.Source(path: SoundFontRig.timGM)

    private func bytes(_ number: UInt8, _ value: UInt8) -> MIDIMessage {
        MIDIMessage(status: 0xB0, data1: number, data2: value)
    }

    @Test func controllersStandWhereTheLibraryHasThem() {
        let library = BareFluidSynth(SoundFontRig.timGM)
        var part = Part(mode: .melodic)
        // 84 names a key for the next glide; the library has a number for none.
        for number in UInt8(0)..<120 where number != 84 {
            #expect(part.value(of: number) == library.controller(number), "\(number)")
        }
        for number in UInt8(0)..<120 {
            library.send(bytes(number, 33))
            _ = part.control(Controller(rawValue: number), 33)
        }
        library.send(bytes(121, 0))
        _ = part.control(.resetAllControllers, 0)
        // The time of a glide stays with us: RP-015 does not name it among those that go back.
        for number in UInt8(0)..<120 where ![5, 37, 84].contains(number) {
            #expect(part.value(of: number) == library.controller(number), "\(number) after 121")
        }
    }

    @Test func dataIncrementAndDecrementTuneAndWiden() throws {
        func render(_ controls: [(UInt8, UInt8)]) throws -> [[Float]] {
            var events = controls.map { SoundFontRig.message(0, 0xB0, $0.0, $0.1) }
            events += [SoundFontRig.message(0, 0xE0, 0, 96), SoundFontRig.note(64, 60, 100)]
            return try SoundFontRig(properties: SoundFontSelection.properties([Self.timGM])).play(events, frames: 8_000)
        }
        for (parameter, value) in [(0, 5), (2, 70)] as [(UInt8, UInt8)] {
            let chosen: [(UInt8, UInt8)] = [(101, 0), (100, parameter)]
            let entered = try render(chosen + [(6, value)])
            let stepped = try render(chosen + [(6, value - 1), (96, 0), (96, 0), (97, 0)])
            #expect(entered == stepped, "registered parameter \(parameter)")
            #expect(try entered != render(chosen + [(6, value - 1)]))
        }
    }

    @Test func whatIsSaidOfASingleDrumIsCountedAsNotFollowed() throws {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([Self.timGM]))
        var events: [TimedMusicEvent] = []
        for (controller, value) in [(99, 0x1D), (98, 36), (6, 0), (99, 0x18), (6, 70), (99, 1), (98, 8), (6, 70)]
            as [(UInt8, UInt8)]
        {
            events.append(SoundFontRig.message(0, 0xB9, controller, value))
        }
        _ = rig.play(events + [SoundFontRig.note(64, 60, 100)], frames: 4_096)
        #expect(rig.unit.readout("clamped-values") == 2)
    }

    @Test func aTuningTableIsFollowed() throws {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([Self.timGM]))
        let events: [MusicEvent] = [.keyTuning(KeyTuning(key: 60, semitone: 61, program: 0, port: 0))]
        func cents(_ rig: SoundFontRig, _ events: [TimedMusicEvent]) -> Double {
            let sound = rig.play(events + [SoundFontRig.note(64, 60, 100)], frames: 32_768)[0].dropFirst(4_096).map(Double.init)
            let key = 261.6256 / 48_000
            return 1_200 * log2(Spectrum.frequency(Array(sound), near: key * exp2(1.0 / 12)) / key)
        }
        let tuned = cents(rig, events.map { TimedMusicEvent(time: .zero, event: $0) })
        #expect(rig.unit.readout("clamped-values") == 0)
        let bent = cents(
            try SoundFontRig(properties: SoundFontSelection.properties([Self.timGM])), [SoundFontRig.message(0, 0xE0, 0, 96)])
        // A piano's partials are no exact measure.
        #expect(abs(tuned - bent) < 3 && abs(tuned - 100) < 5, "\(tuned), \(bent)")
    }
}
