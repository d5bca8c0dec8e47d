/// A search among sounds by words: those of their names and numbers, then those by which General MIDI and players know them.
package enum SoundSearch {
    /// Returns the places of those labels, in lower case, that hold every word of a text; first those in which they begin words.
    package static func places(of text: String, in labels: [String]) -> [Int] {
        let typed = text.lowercased().split(separator: " ")
        var first: [Int] = [], further: [Int] = []
        for (place, label) in labels.enumerated() where typed.allSatisfy({ label.contains($0) }) {
            let words = label.split { " (-.".contains($0) }
            if typed.allSatisfy({ typed in words.contains { $0.hasPrefix(typed) } }) {
                first.append(place)
            } else {
                further.append(place)
            }
        }
        return first + further
    }

    /// Returns the sounds whose name, numbers as `8:40` or words of `GeneralMIDIWords` hold every word of a text: first those that
    /// do by their names.
    package static func sounds(_ text: String, among presets: [SoundPreset]) -> [SoundPreset] {
        let labels = presets.map { "\($0.bank):\($0.program) \($0.name.lowercased())" }
        let byName = places(of: text, in: labels)
        let known = zip(labels, presets).map { "\($0) \(GeneralMIDIWords.words(for: $1))" }
        let byWords = places(of: text, in: known)
        return (byName + byWords.filter(Set(byWords).subtracting(byName).contains)).map { presets[$0] }
    }
}
