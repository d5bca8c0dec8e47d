import MIDI

extension SoundFontLibrary {
    /// Returns what the requests need; nil means everything that a request reaches as it is, and what takes the place of what
    /// is missing.
    package func recipes(for requests: [PresetRequest]?) -> RecipeList {
        var list = RecipeList()
        var readers: [Int: SoundFontRecipes] = [:]
        var known: [Int: Sound] = [:], firstPlans: [Int: Int32] = [:]
        for request in requests ?? PresetRequest.all {
            let code = Int(request.code), place = place(of: request).place
            guard place >= 0 else { continue }
            if let sound = known[place] {
                list.sounds[code] = sound
                continue
            }
            list.define(code) { list in
                let found = found(place)
                let (bank, program) = (found.preset.bank, found.preset.program)
                switch files[found.file].body {
                case .soundFont(let contents):
                    readers[found.file, default: SoundFontRecipes(contents, file: found.file)]
                        .add(bank: bank, program: program, to: &list)
                case .dls(let collection):
                    DLSRecipes(collection, file: found.file).add(bank: bank, program: program, to: &list)
                case .sfz(let instrument):
                    let first = firstPlans[found.file] ?? list.regions.add(instrument.regions)
                    firstPlans[found.file] = first
                    for voice in instrument.voices where voice.programs.contains(program) {
                        list.add(
                            keys: voice.keys, velocities: voice.velocities, generators: voice.values,
                            modulators: voice.modulators, sample: SampleSource(file: found.file, sample: voice.sample),
                            plan: first + Int32(voice.plan))
                    }
                }
            }
            known[place] = list.sounds[code]
        }
        return list
    }
}
