import Testing

@testable import SongRendering

/// Sounds by words that their SoundFont does not have.
@Suite struct SoundSearchTests {
    private static let presets = [
        SoundPreset(bank: 0, program: 4, name: "E.Piano 1"), SoundPreset(bank: 0, program: 5, name: "FM Piano"),
        SoundPreset(bank: 0, program: 16, name: "Organ 1"), SoundPreset(bank: 0, program: 27, name: "Clean Gt."),
        SoundPreset(bank: 0, program: 40, name: "Violin"), SoundPreset(bank: 8, program: 4, name: "Rhodes Suitcase"),
        SoundPreset(bank: 0, program: 127, name: "Gun"), SoundPreset(bank: 128, program: 25, name: "Analog Set"),
    ]

    @Test(arguments: [
        ("rhodes", ["Rhodes Suitcase", "E.Piano 1"]), ("strat", ["Clean Gt."]), ("808", ["Analog Set"]), ("b3", ["Organ 1"]),
        ("electric piano", ["E.Piano 1", "FM Piano"]), ("violin", ["Violin"]), ("8:4", ["Rhodes Suitcase"]),
        ("gunshot", ["Gun"]), ("kazoo", []),
    ])
    func wordsLeadToSounds(text: String, names: [String]) {
        #expect(SoundSearch.sounds(text, among: Self.presets).map(\.name) == names)
    }

    @Test func withoutWordsAllAreThere() {
        #expect(SoundSearch.sounds("", among: Self.presets).map(\.name) == Self.presets.map(\.name))
    }
}
