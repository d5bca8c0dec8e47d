import Carillon

/// The channel that a player has selected, and the search for a sound for it.
struct SoundChoice: Equatable {
    private var presets: [SoundPreset]
    /// Counted from 1.
    private(set) var channel = 1
    private(set) var search: WordSearch?

    init(_ presets: [SoundPreset]) { self.presets = presets }

    /// Other sounds may be chosen from now on. A search goes on among them, so that letters typed later are no commands.
    mutating func offer(_ presets: [SoundPreset]) {
        if presets == self.presets { return }
        self.presets = presets
        search?.place = 0
    }

    /// The channel before or after among those that there are, round the end.
    mutating func step(channel steps: Int, among channels: [Int]) {
        guard let first = channels.first else { return }
        guard let place = channels.firstIndex(of: channel) else { return channel = first }
        channel = channels[(place + steps + channels.count * abs(steps)) % channels.count]
    }

    /// The sound `steps` places further in the list, among those of its kind: drum kits for drums.
    func command(steps: Int, from sound: SoundPreset?) -> [ControlCommand] {
        let list = presets.filter { $0.isDrums == (sound?.isDrums ?? false) }
        if list.isEmpty { return [] }
        guard let sound, let place = list.firstIndex(where: { $0.bank == sound.bank && $0.program == sound.program }) else {
            return [command(list[0])]
        }
        let next = min(max(place + steps, 0), list.count - 1)
        return next == place ? [] : [command(list[next])]
    }

    mutating func beginSearch() { search = WordSearch() }

    func headline(_ count: Int) -> String {
        presets.isEmpty ? "no sounds to choose in this patch" : "\(count) sound\(count == 1 ? "" : "s") for channel \(channel)"
    }

    var matches: [SoundPreset] { search.map { SoundSearch.sounds($0.text, among: presets) } ?? [] }

    /// Takes a key while a search goes on, and returns what it asks for.
    mutating func take(_ key: Key) -> [ControlCommand] {
        guard var search else { return [] }
        let matches = matches
        switch search.take(key, of: matches.count) {
        case .goesOn:
            self.search = search
            return []
        case .givenUp:
            self.search = nil
            return []
        case .taken(let place):
            self.search = nil
            return [command(matches[place])]
        }
    }

    private func command(_ preset: SoundPreset) -> ControlCommand {
        .program(channel: channel, bank: preset.bank, program: preset.program)
    }
}
