import MIDI
import SoundFonts

/// A synth with its SoundFonts in it, and the table from request to preset. Control side.
struct LoadedSoundFonts: ~Copyable {
    let library: FluidSynthCalls
    /// One entry per request code. With a list of requests only those are loaded; the others are `none`.
    let presets: [LoadedPreset]

    init(_ setup: FluidSynthSetup) throws(SoundFontError) {
        let fonts = try SoundFontLibrary(setup.selection.sources)
        let library = try FluidSynthCalls(
            FluidSynthSettings(
                sampleRate: setup.sampleRate, polyphony: setup.polyphony, buses: setup.groupCount,
                gain: Double(setup.gain)))
        try library.setInterpolation(setup.interpolation)
        presets = try Self.load(fonts, setup.selection.requests, into: library)
        self.library = library
    }

    private static func load(
        _ fonts: SoundFontLibrary, _ requests: [PresetRequest]?, into library: borrowing FluidSynthCalls
    ) throws(SoundFontError) -> [LoadedPreset] {
        let asked = requests ?? PresetRequest.all, choices = asked.map(fonts.resolve)
        var numbers: [Int32] = []
        for (index, file) in fonts.files.enumerated() {
            let wanted = requests == nil ? nil : choices.compactMap { $0.found?.file == index ? $0.found?.preset : nil }
            numbers.append(try library.load(file, wanted: wanted))
        }
        var table = [LoadedPreset](repeating: .none, count: PresetRequest.codes)
        for (request, choice) in zip(asked, choices) {
            guard let found = choice.found else { continue }
            table[Int(request.code)] = LoadedPreset(
                font: numbers[found.file], bank: Int32(found.preset.bank), program: Int32(found.preset.program))
        }
        return table
    }
}
