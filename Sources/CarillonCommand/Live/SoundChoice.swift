import Carillon

/// The channel that a player has in hand, and the search for a sound for it.
struct SoundChoice: Equatable {
    /// A search that goes on.
    struct Search: Equatable {
        /// What was typed.
        var text = ""
        /// The line of the matches that Enter takes.
        var place = 0
    }

    /// Every sound that may be chosen.
    private var presets: [SoundPreset]
    /// Counted from 1.
    private(set) var channel = 1
    private(set) var search: Search?

    init(_ presets: [SoundPreset]) { self.presets = presets }

    /// Other sounds may be chosen from now on; a search among the former ones is over.
    mutating func offer(_ presets: [SoundPreset]) {
        if presets == self.presets { return }
        self.presets = presets
        search = nil
    }

    /// The channel before or after, round the end.
    mutating func step(channel steps: Int, of count: Int) {
        if count > 0 { channel = (channel - 1 + steps + count * abs(steps)) % count + 1 }
    }

    /// The sound so many places further in the list, among those of its kind: drum kits for drums.
    func command(steps: Int, from sound: SoundPreset?) -> [ControlCommand] {
        let list = presets.filter { $0.isDrums == (sound?.isDrums ?? false) }
        if list.isEmpty { return [] }
        guard let sound, let place = list.firstIndex(where: { $0.bank == sound.bank && $0.program == sound.program }) else {
            return [command(list[0])]
        }
        let next = min(max(place + steps, 0), list.count - 1)
        return next == place ? [] : [command(list[next])]
    }

    // MARK: - Search

    mutating func beginSearch() { search = presets.isEmpty ? nil : Search() }

    /// The sounds whose name, or numbers as `8:40`, hold every word that was typed; first those in which they begin words.
    var matches: [SoundPreset] {
        guard let search else { return [] }
        let typed = search.text.lowercased().split(separator: " ")
        var first: [SoundPreset] = [], further: [SoundPreset] = []
        for preset in presets {
            let text = "\(preset.bank):\(preset.program) \(preset.name.lowercased())"
            guard typed.allSatisfy({ text.contains($0) }) else { continue }
            let words = text.split { $0 == " " || $0 == "(" || $0 == "-" }
            if typed.allSatisfy({ typed in words.contains { $0.hasPrefix(typed) } }) {
                first.append(preset)
            } else {
                further.append(preset)
            }
        }
        return first + further
    }

    /// What a key does while a search goes on: it types, moves, takes or gives up.
    mutating func take(_ key: Key) -> [ControlCommand] {
        guard var search else { return [] }
        let last = max(matches.count - 1, 0)
        switch key {
        case .character(let character):
            if search.text.count < Self.longest { search.text.append(character) }
            search.place = 0
        case .backspace, .delete:
            // With nothing left to take away the search is given up.
            if search.text.isEmpty {
                self.search = nil
                return []
            }
            search.text.removeLast()
            search.place = 0
        case .up: search.place = max(search.place - 1, 0)
        case .down: search.place = min(search.place + 1, last)
        case .pageUp: search.place = max(search.place - 10, 0)
        case .pageDown: search.place = min(search.place + 10, last)
        case .home: search.place = 0
        case .end: search.place = last
        case .enter:
            let matches = matches
            self.search = nil
            return search.place < matches.count ? [command(matches[search.place])] : []
        case .escape, .tab:
            self.search = nil
            return []
        case .left, .right, .control, .alt, .paste, .unknown: break
        }
        self.search = search
        return []
    }

    private static let longest = 40

    private func command(_ preset: SoundPreset) -> ControlCommand {
        .program(channel: channel, bank: preset.bank, program: preset.program)
    }
}
