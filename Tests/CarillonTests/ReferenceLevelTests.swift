import Carillon
import Foundation
import Testing

@testable import Sessions

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

    private static let soundFonts =
        ["embedded"]
        + ["TimGM6mb.sf2", "FluidR3_GM.sf2"].map { "/usr/share/sounds/sf2/" + $0 }.filter(FileManager.default.isReadableFile)

    @Test(arguments: soundFonts.map { RenderOptions.Instrument.soundFont([$0]) } + [.fluidSynth(["embedded"]), .squareWave])
    func anInstrumentOfASessionIsAsLoudAsTheOthers(_ instrument: RenderOptions.Instrument) throws {
        var live = LiveOptions()
        live.instrument = instrument
        let gain = live.soundFontGain(SoundFontLevel(cache: nil)).map { Float($0) } ?? live.usualGain
        expect(try peak(chord()) { ($0.instrument, $0.gain) = (instrument, gain) }, "\(instrument)")
    }

    @Test func aSoundFontIsMeasuredOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "soundfont-level-\(UUID().uuidString)").path()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let level = SoundFontLevel(cache: LoudnessCache(folder: folder))
        let gain = try #require(level.gain(of: ["embedded"]))
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        try text.replacing("gain \(gain)", with: "gain 13.3").write(
            toFile: folder + "/" + file, atomically: true, encoding: .utf8)
        #expect(level.gain(of: ["embedded"]) == 13.3)
        #expect(level.gain(of: ["/proc/nowhere/a.sf2"]) == nil)
    }

    /// A patch has its own level, and songs that are brought to a loudness have a gain each.
    @Test func whatHasALevelOfItsOwnIsNotMeasured() {
        let level = SoundFontLevel(cache: nil)
        func gain(_ change: (inout LiveOptions) -> Void) -> Double? {
            var live = LiveOptions()
            live.instrument = .soundFont(["embedded"])
            change(&live)
            return live.soundFontGain(level)
        }
        #expect(gain { $0.patch = Patch() } == nil && gain { $0.loudness = SongLoudnessOptions() } == nil)
        #expect(
            gain { $0.instrument = .squareWave } == nil && gain { $0.instrument = .soundFont(["/proc/nowhere/a.sf2"]) } == nil)
        #expect(gain { _ in } != nil)
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
