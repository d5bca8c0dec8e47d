import Carillon

/// The zone that a player has selected, or without zones the channel, and the search for a sound for it.
struct SoundChoice: Equatable {
    private var presets: [SoundPreset]
    /// Counted from 1.
    private(set) var channel = 1
    /// The name of the zone; nil means the first.
    private var zone: String?
    private(set) var search: WordSearch?

    init(_ presets: [SoundPreset]) { self.presets = presets }

    /// Other sounds may be chosen from now on. A search goes on among them, so that letters typed later are no commands.
    mutating func offer(_ presets: [SoundPreset]) {
        if presets == self.presets { return }
        self.presets = presets
        search?.place = 0
    }

    /// The zone before or after, round the end; without zones the channel.
    mutating func step(_ steps: Int, in snapshot: SessionSnapshot) {
        if snapshot.zones.isEmpty {
            channel = Self.next(steps, after: channel, among: snapshot.channels.map(\.number)) ?? channel
        } else {
            zone = Self.next(steps, after: selected(in: snapshot.zones)?.name, among: snapshot.zones.map(\.name))
        }
    }

    private static func next<Item: Equatable>(_ steps: Int, after item: Item?, among items: [Item]) -> Item? {
        guard let place = item.flatMap(items.firstIndex) else { return items.first }
        return items[(place + steps + items.count * abs(steps)) % items.count]
    }

    /// The selected one of these zones.
    func selected(in zones: [SessionSnapshot.Zone]) -> SessionSnapshot.Zone? {
        zones.first { $0.name == zone } ?? zones.first
    }

    /// The channel that is selected, or that of the zone that is.
    func channel(in snapshot: SessionSnapshot) -> Int { selected(in: snapshot.zones)?.channel ?? channel }

    /// The sound `steps` places further in the list, among those of its kind: drum kits for drums.
    func commands(steps: Int, in snapshot: SessionSnapshot) -> [ControlCommand] {
        let number = channel(in: snapshot), zones = snapshot.zones
        let sound = selected(in: zones)?.sound ?? snapshot.channels.first { $0.number == number }?.sound
        let list = presets.filter { $0.isDrums == (sound?.isDrums ?? false) }
        if list.isEmpty { return [] }
        guard let sound, let place = list.firstIndex(where: { $0.bank == sound.bank && $0.program == sound.program }) else {
            return commands(list[0], zones)
        }
        let next = min(max(place + steps, 0), list.count - 1)
        return next == place ? [] : commands(list[next], zones)
    }

    mutating func beginSearch() { search = WordSearch() }

    func headline(_ count: Int, _ zones: [SessionSnapshot.Zone] = []) -> String {
        if presets.isEmpty { return "no sounds to choose in this patch" }
        return "\(count) sound\(count == 1 ? "" : "s") for \(selected(in: zones)?.name ?? "channel \(channel)")"
    }

    var matches: [SoundPreset] { search.map { SoundSearch.sounds($0.text, among: presets) } ?? [] }

    /// Takes a key while a search goes on, and returns what it asks for.
    mutating func take(_ key: Key, _ zones: [SessionSnapshot.Zone] = []) -> [ControlCommand] {
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
            return commands(matches[place], zones)
        }
    }

    private func commands(_ preset: SoundPreset, _ zones: [SessionSnapshot.Zone]) -> [ControlCommand] {
        guard let zone = selected(in: zones), zone.channel != nil || zone.plays != nil else {
            // A zone without a unit and a channel plays its keyboard's.
            return [.program(channel: channel, bank: preset.bank, program: preset.program)]
        }
        // One that only plays a MIDI port has no sound here.
        return zone.channel == nil ? [] : [.program(zone: zone.name, bank: preset.bank, program: preset.program)]
    }
}
