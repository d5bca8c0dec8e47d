import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Sampler

@Suite(.serialized) struct SongNullTests {
    @Test(arguments: [SamplerRig.timGM, SamplerRig.fluidR3])
    func songs(_ font: String) throws {
        for song in ["/songs-of-test"] {
            _ = song
        }
        for name in (getenv("SONGS").map { String(cString: $0) } ?? "").split(separator: " ") {
            let events = try SamplerRig.timeline(SamplerRig.songs + "/" + name).map { event in
                TimedMusicEvent(time: SampleTime((event.time.rawValue + 63) / 64 * 64), event: event.event)
            }
            let frames = min(Int(events.last!.time.rawValue) + 96_000, 48_000 * 60) / 64 * 64
            let rig = try SamplerRig(font, values: ["rounding": 1, "polyphony": 2048])
            let ours = rig.play(events, frames: frames, block: 4_096)
            let theirs = BareFluidSynth(font, polyphony: 2_048).play(events, frames: frames)
            var skip = Set<Int>()
            for event in events { if case .message(let m) = event.event, m.status & 0xF0 == 0x90 { skip.insert(Int(event.time.rawValue) / 64) } }
            let blocks = (0..<frames / 64).filter { !skip.contains($0) }
            print("song", name, font, "all", Difference.decibels(ours, theirs, 0..<frames), "without first", Difference.decibels(ours, theirs, blocks.lazy.flatMap { $0 * 64..<$0 * 64 + 64 }))
            let worst = blocks.map { ($0, Difference.energy(ours, theirs, $0 * 64..<$0 * 64 + 64)) }.sorted { $0.1 > $1.1 }.prefix(5)
            print("worst", worst)
        }
    }
}
