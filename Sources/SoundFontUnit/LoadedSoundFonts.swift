/// A synth with its SoundFonts in it, and the table from request to preset. Control side.
struct LoadedSoundFonts: ~Copyable {
    let library: FluidSynthCalls
    /// One entry per request code. With a list of requests only those are loaded; the others are `none`.
    let presets: [LoadedPreset]

    /// Checks and loads what `setup` names. Throws `SoundFontError`.
    init(_ setup: SoundFontSetup) throws(SoundFontError) {
        let fonts = try SoundFontLibrary(setup.sources)
        let library = try FluidSynthCalls(
            FluidSynthSettings(
                sampleRate: setup.sampleRate, polyphony: setup.polyphony, buses: setup.groupCount,
                loadsPinnedOnly: setup.requests != nil, gain: Double(setup.gain)))
        try library.setInterpolation(setup.interpolation)
        presets = try Self.load(fonts, setup.requests, into: library)
        self.library = library
    }

    private static func load(
        _ fonts: SoundFontLibrary, _ requests: [PresetRequest]?, into library: borrowing FluidSynthCalls
    ) throws(SoundFontError) -> [LoadedPreset] {
        var numbers: [Int32] = []
        for file in fonts.files { numbers.append(try library.load(file)) }
        var table = [LoadedPreset](repeating: .none, count: PresetRequest.codes)
        for request in requests ?? (0..<PresetRequest.codes).compactMap({ PresetRequest(code: $0) }) {
            guard let found = fonts.resolve(request).found else { continue }
            let preset = LoadedPreset(
                font: numbers[found.file], bank: Int32(found.preset.bank), program: Int32(found.preset.program))
            if requests != nil { try library.pin(preset, path: found.path) }
            table[Int(request.code)] = preset
        }
        return table
    }
}
