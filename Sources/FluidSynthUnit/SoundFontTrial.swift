import SoundFonts

/// Puts a SoundFont to the proof: check it, load it, play some of its presets. For tools that feed broken files.
package enum SoundFontTrial {
    /// The outcome of a trial.
    package struct Outcome: Sendable, Hashable {
        /// Presets played.
        package var presets: Int
        /// Highest sample, linear.
        package var peak: Float
    }

    /// Plays three keys of at most `limit` presets for a twelfth of a second each, releases included. Throws
    /// `SoundFontError` for a file that the program would refuse. Control side.
    package static func play(_ path: String, limit: Int = 8) throws(SoundFontError) -> Outcome {
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
