import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// Whole songs beside libfluidsynth: piano, orchestra, drums. Polyphony is so high that no voice is taken, for rules of
/// stealing differ.
@Suite(.serialized) struct SongNullTests {
    @Test(arguments: [SamplerRig.timGM, SamplerRig.fluidR3], ["auld-lang-syne.mid", "blue-lantern.mid", "drum-groove.mid"])
    func aSongSoundsAsInFluidSynth(_ font: String, _ name: String) throws {
        guard access(font, R_OK) == 0 else { return }
        let events = try SamplerRig.timeline(SamplerRig.songs + "/" + name).map { event in
            TimedMusicEvent(time: SampleTime((event.time.rawValue + 63) / 64 * 64), event: event.event)
        }
        let frames = 48_000 * 30 / 64 * 64
        var scan = PresetScan()
        for event in events { scan.apply(event.event) }
        let rig = try SamplerRig(
            font, values: ["rounding": 1, "polyphony": 2_048],
            properties: SoundFontSelection.properties([.init(path: font)], playing: scan))
        let ours = rig.play(events, frames: frames, block: 4_096)
        let theirs = BareFluidSynth(font, polyphony: 2_048).play(events, frames: frames)
        var onsets: Set<Int> = []
        for event in events {
            if case .message(let message) = event.event, message.status & 0xF0 == 0x90 {
                onsets.insert(Int(event.time.rawValue) / 64)
            }
        }
        let blocks = (0..<frames / 64).filter { !onsets.contains($0) }
        let difference = Difference.decibels(ours, theirs, blocks.lazy.flatMap { $0 * 64..<$0 * 64 + 64 })
        #expect(difference < -85, "\(name) differs by \(difference) dB")
        let loudest = ours[0].reduce(0) { max($0, abs($1)) }
        #expect(loudest > 0.01)
    }
}
