import Carillon
import Foundation
import Testing

/// Instruments, presets and examples are as loud as each other: three keys at once, velocity 100, peak at -14 dBFS.
@Suite struct ReferenceLevelTests {
    static let reference = -14.0, tolerance = 3.0

    /// Three keys for two seconds; of drums those of bass drum, snare and hi-hat.
    private func chord(isDrums: Bool = false) -> Song {
        let keys: [UInt8] = isDrums ? [36, 38, 42] : [60, 64, 67], channel: UInt8 = isDrums ? 9 : 0
        var track = Track(name: "chord")
        track.events = keys.map { SongEvent(tick: 0, .message(MIDIMessage(status: 0x90 | channel, data1: $0, data2: 100))) }
        track.events += keys.map { SongEvent(tick: 1_920, .message(MIDIMessage(status: 0x80 | channel, data1: $0, data2: 64))) }
        track.endTick = 1_920
        return Song(tracks: [track])
    }

    private func peak(_ song: Song, _ change: (inout RenderOptions) -> Void) throws -> Double {
        var options = RenderOptions()
        options.instrument = .soundFont([SoundFontLocator.embeddedName])
        (options.tail, options.layout) = (.seconds(1), .stereo)
        change(&options)
        var peak: Float = 0
        _ = try SongRenderer(song, options: options).render { (channels, frames) throws(AudioFileError) in
            for channel in channels { for i in 0..<frames { peak = max(peak, abs(channel[i])) } }
        }
        return Double(Decibels.level(ofAmplitude: peak))
    }

    private func expect(_ level: Double, _ name: String, at reference: Double = reference) {
        #expect(abs(level - reference) <= Self.tolerance, "\(name): \(level) dBFS")
    }

    @Test(arguments: PatchExample.all.map(\.name)) func anExampleIsAsLoudAsTheOthers(_ name: String) throws {
        let patch = try #require(PatchExample.all.first { $0.name == name }).patch
        let isDrums =
            patch.units.contains { $0.component == "drum-synth" } && !patch.units.contains { $0.component == "polysynth" }
        expect(try peak(chord(isDrums: isDrums)) { $0.patch = patch }, name)
    }

    @Test(arguments: [RenderOptions.Instrument.soundFont(["embedded"]), .squareWave])
    func anInstrumentOfASessionIsAsLoudAsTheOthers(_ instrument: RenderOptions.Instrument) throws {
        var live = LiveOptions()
        live.instrument = instrument
        expect(try peak(chord()) { ($0.instrument, $0.gain) = (instrument, live.usualGain) }, "\(instrument)")
    }

    @Test(arguments: ["polysynth", "square-wave", "drum-synth"]) func presetsAreAsLoudAsEachOther(_ name: String) throws {
        let entry = try #require(UnitCatalog.named(name))
        for preset in try [nil] + entry.factoryPresets().map({ Optional($0) }) {
            var unit = PatchUnit("it", name, role: .instrument), patch = Patch()
            if let preset { unit.set(by: preset) }
            patch.units = [unit]
            patch.outputs = [PatchPort("it")]
            expect(
                try peak(chord(isDrums: name == "drum-synth")) { $0.patch = patch }, "\(name), \(preset?.name ?? "by default")")
        }
    }

    /// A beat stays behind what it counts for.
    @Test func theMetronomeIsHalfAsLoud() throws {
        var patch = Patch()
        patch.units = [PatchUnit("beat", "metronome")]
        patch.outputs = [PatchPort("beat")]
        let engine = try Engine(patch: patch)
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 96_000)[0]
        expect(Double(Decibels.level(ofAmplitude: sound.reduce(0) { max($0, abs($1)) })), "metronome", at: Self.reference - 6)
    }
}
