/// A General MIDI SoundFont that can be installed, and its rank among them. `carillon soundfont` shows the table.
///
/// The gain at which a chord of one peaks at -14 dBFS is not in the table: a session measures it for any SoundFont
/// (`SoundFontLevel`). Any thread.
package struct KnownSoundFont: Sendable, Hashable {
    package let title: String
    /// The names of its files, the usual one first.
    package let files: [String]
    /// The length of the usual file.
    package let bytes: Int
    package let licence: String
    /// The package of Debian and Ubuntu that has it; nil for none.
    package let package: String?
    /// The place to get it from where no package has it.
    package let page: String?
    /// True if it was made for good sound, not for a small file or the sound of a chip.
    package let isFull: Bool

    /// All of them, the best first. Lengths are those of Debian 12.
    package static let ranked = [
        KnownSoundFont(
            "FluidR3 GM", ["FluidR3_GM.sf2", "FluidR3_GM2-2.sf2"], 148_398_306, "MIT", package: "fluid-soundfont-gm"),
        KnownSoundFont(
            "MuseScore General", ["MuseScore_General_Full.sf3", "MuseScore_General.sf3", "MuseScore_General.sf2"], 85_967_114,
            "MIT", package: "musescore-general-soundfont"),
        KnownSoundFont(
            "MuseScore General Lite", ["MuseScore_General_Lite.sf3"], 39_978_561, "MIT",
            package: "musescore-general-soundfont-small"),
        KnownSoundFont(
            "GeneralUser GS", ["GeneralUser-GS.sf2", "GeneralUser GS v1.471.sf2", "GeneralUser.sf2"], 32_300_000,
            "GeneralUser GS 2.0", page: "https://schristiancollins.com/generaluser.php"),
        KnownSoundFont(
            "FluidR3 Mono GM", ["FluidR3Mono_GM.sf3"], 23_614_353, "MIT", package: "fluidr3mono-gm-soundfont"),
        KnownSoundFont("TimGM6mb", ["TimGM6mb.sf2"], 5_969_788, "GPL-2", package: "timgm6mb-soundfont", isFull: false),
        KnownSoundFont(
            "OPL-3 FM", ["OPL-3_FM_128M.sf2"], 135_020_964, "CC-BY-SA-4.0", package: "opl3-soundfont", isFull: false),
        own,
    ]

    /// The one in the program.
    package static let own = KnownSoundFont(
        "Carillon", [SoundFontStorage.embeddedName], FileIdentity.embedded.size, "CC0", isFull: false)

    private init(
        _ title: String, _ files: [String], _ bytes: Int, _ licence: String, package: String? = nil, page: String? = nil,
        isFull: Bool = true
    ) {
        (self.title, self.files, self.bytes, self.licence) = (title, files, bytes, licence)
        (self.package, self.page, self.isFull) = (package, page, isFull)
    }

    /// The place in the table, from 1.
    package var rank: Int { (Self.ranked.firstIndex(of: self) ?? Self.ranked.count) + 1 }

    /// How to get it: a command or an address; nil for the one in the program.
    package var source: String? { package.map { "apt-get install \($0)" } ?? page }

    /// The entry that a path's last component names; nil if the table has none.
    package static func named(_ path: String) -> KnownSoundFont? {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return ranked.first { $0.files.contains(name) && ($0 != own || name == path) }
    }

    /// The best one, if it can be installed and the file at `path` is one that it would better; else nil.
    package static func better(than path: String) -> KnownSoundFont? {
        guard let known = named(path), !known.isFull else { return nil }
        return ranked.first { $0.isFull && $0.package != nil }
    }
}
