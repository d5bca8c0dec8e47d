import MIDI

extension SoundFontLibrary {
    /// What the requests need; nil: everything that a request reaches as it is, and what takes the place of what is missing.
    package func recipes(for requests: [PresetRequest]?) -> RecipeList {
        var list = RecipeList()
        var readers: [Int: SoundFontRecipes] = [:]
        var known: [PresetChoice.Found: Sound] = [:]
        for request in requests ?? (0..<PresetRequest.codes).compactMap({ PresetRequest(code: $0) }) {
            guard let found = resolve(request).found else { continue }
            if let sound = known[found] {
                list.sounds[Int(request.code)] = sound
                continue
            }
            list.define(request) { list in
                let (bank, program) = (found.preset.bank, found.preset.program)
                switch files[found.file].body {
                case .soundFont(let contents):
                    readers[found.file, default: SoundFontRecipes(contents, file: found.file)]
                        .add(bank: bank, program: program, to: &list)
                case .dls(let collection):
                    DLSRecipes(collection, file: found.file).add(bank: bank, program: program, to: &list)
                }
            }
            known[found] = list.sounds[Int(request.code)]
        }
        return list
    }
}
