import CFluidSynth
import SoundFonts

@testable import FluidSynthUnit

/// Puts a SoundFont to the proof: check it, load it, play some of its presets.
enum SoundFontTrial {
    /// The outcome of a trial.
    struct Outcome: Sendable, Hashable {
        /// Presets played.
        var presets: Int
        /// Highest sample, linear.
        var peak: Float
    }

    /// Plays three keys of at most `limit` presets for a twelfth of a second each, releases included. Throws
    /// `SoundFontError` for a file that the program would refuse. Control side.
    static func play(_ path: String, limit: Int = 8) throws(SoundFontError) -> Outcome {
        let fonts = try SoundFontLibrary([SoundFontLibrary.Source(path: path)])
        let library = try FluidSynthCalls(
            FluidSynthSettings(sampleRate: 48_000, polyphony: 64, buses: 1, gain: 0.2))
        let number = try library.load(fonts.files[0])
        var outcome = Outcome(presets: 0, peak: 0)
        let presets = fonts.presets[0].filter { $0.bank <= 128 && $0.program <= 127 }
        let step = max(presets.count / max(limit, 1), 1)
        for index in stride(from: 0, to: presets.count, by: step).prefix(limit) {
            let preset = LoadedPreset(
                font: number, bank: Int32(presets[index].bank), program: Int32(presets[index].program))
            outcome.peak = max(outcome.peak, library.audition(preset))
            outcome.presets += 1
        }
        return outcome
    }
}

extension FluidSynthCalls {
    /// Plays three keys of a preset, releases them after 2 048 frames, and returns the highest sample of 4 096.
    func audition(_ preset: LoadedPreset) -> Float {
        let keys: [Int32] = [24, 60, 100]
        var left = [Float](repeating: 0, count: 4_096)
        var right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                fluid_render_select(synth, 0, preset.font, preset.bank, preset.program)
                for key in keys { fluid_render_note_on(synth, 0, key, 100) }
                for half in 0..<2 {
                    var out: [UnsafeMutablePointer<Float>?] = [left, right].map { $0.baseAddress! + half * 2_048 }
                    fluid_render_process(synth, 2_048, 2, &out)
                    for key in keys { fluid_render_note_off(synth, 0, key) }
                }
                fluid_render_sound_off(synth, 0)
            }
        }
        return (left + right).reduce(0) { max($0, abs($1)) }
    }
}
