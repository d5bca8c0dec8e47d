import Glibc
import TestFolders
import Testing

@testable import SoundFonts

@Suite struct SoundFontLocatorTests {
    /// The file that the program's own SoundFont is made from.
    private static let file =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/soundfonts/carillon.sf2"

    /// Runs a test in a folder with these files and links, which are not SoundFonts.
    private func withFolder(
        _ files: [String], links: [String: String] = [:], _ body: (String) throws -> Void
    ) throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for name in files { folder.add(name, []) }
        for (name, target) in links { symlink(folder.file(target), folder.file(name)) }
        try body(folder.path)
    }

    @Test func aNamedFileWinsOverEverything() throws {
        try TinySoundFont().write { named in
            let choice = try SoundFontLocator(environment: "/proc/nowhere").locate(named: [named])
            #expect(choice == [.init(path: named, origin: .named)])
        }
    }

    @Test func theEnvironmentComesBeforeTheSystem() throws {
        try withFolder(["one.sf2", "TimGM6mb.sf2"]) { folder in
            var locator = SoundFontLocator(environment: folder + "/one.sf2", folders: [folder])
            let first = try locator.locate()
            #expect(first == [.init(path: folder + "/one.sf2", origin: .environment)])
            locator.environment = ""
            let second = try locator.locate()
            #expect(second == [.init(path: folder + "/TimGM6mb.sf2", origin: .installed)])
        }
    }

    @Test(arguments: ["TimGM6mb.sf2", "FluidR3_GM.sf2", nil])
    func theBestPlaysWhateverTheDefaultIs(_ target: String?) throws {
        let files = ["TimGM6mb.sf2", "MuseScore_General_Lite.sf3", "FluidR3_GM.sf2", "GeneralUser-GS.sf2"]
        try withFolder(files, links: target.map { ["default-GM.sf2": $0] } ?? [:]) { folder in
            let locator = SoundFontLocator(
                environment: nil, defaults: [folder + "/default-GM.sf2"], folders: ["/proc/nowhere", folder])
            let wanted = ["FluidR3_GM.sf2", "MuseScore_General_Lite.sf3", "GeneralUser-GS.sf2", "TimGM6mb.sf2"]
            #expect(Array(locator.installed.dropLast()) == wanted.map { .init(path: "\(folder)/\($0)", origin: .installed) })
        }
    }

    @Test func aDefaultThatTheTableDoesNotKnowIsTheUsersChoice() throws {
        try withFolder(["My.sf2", "FluidR3_GM.sf2"], links: ["default-GM.sf2": "My.sf2"]) { folder in
            let locator = SoundFontLocator(environment: nil, defaults: [folder + "/default-GM.sf2"], folders: [folder])
            let choice = try locator.locate()
            #expect(choice == [.init(path: folder + "/My.sf2", origin: .system)])
            #expect(locator.installed.map(\.origin) == [.system, .installed, .embedded])
        }
    }

    /// A file of the table that a default leads to, in another folder.
    @Test func aDefaultOutsideTheFoldersHasItsRank() throws {
        try withFolder(["FluidR3_GM.sf2"], links: ["default-GM.sf2": "FluidR3_GM.sf2"]) { folder in
            let locator = SoundFontLocator(environment: nil, defaults: [folder + "/default-GM.sf2"])
            let choice = try locator.locate()
            #expect(choice == [.init(path: folder + "/FluidR3_GM.sf2", origin: .installed)])
        }
    }

    @Test func aBetterOneIsThereForSmallOnes() {
        let best = KnownSoundFont.ranked[0]
        #expect(best.rank == 1 && best.source == "apt-get install fluid-soundfont-gm")
        for name in ["/a/TimGM6mb.sf2", "OPL-3_FM_128M.sf2", "embedded"] {
            #expect(KnownSoundFont.better(than: name) == best, "\(name)")
        }
        for name in ["/a/FluidR3_GM.sf2", "MuseScore_General_Lite.sf3", "My.sf2", "./embedded"] {
            #expect(KnownSoundFont.better(than: name) == nil, "\(name)")
        }
    }

    @Test func aNameThatIsGivenIsNeverReplaced() throws {
        try withFolder(["TimGM6mb.sf2"]) { folder in
            let locator = SoundFontLocator(environment: "/proc/nowhere/a.sf2", folders: [folder])
            let error = #expect(throws: SoundFontError.self) { try locator.locate() }
            #expect(error?.fault == .missing)
            #expect(error?.description.contains("/proc/nowhere/a.sf2") == true)
        }
    }

    @Test func whereNothingIsInstalledTheProgramHasItsOwn() throws {
        let locator = SoundFontLocator(environment: nil, defaults: ["/proc/nowhere/gm.sf2"], folders: ["/proc/nowhere"])
        let choice = try locator.locate()
        #expect(choice == [.init(path: "embedded", origin: .embedded)])
        let named = try locator.locate(named: ["embedded"])
        #expect(named == [.init(path: "embedded", origin: .named)])
    }

    @Test func theProgramsOwnIsTheFileOfTheRepository() throws {
        let file = try SoundFontFile(path: Self.file)
        let own = try SoundFontFile(path: "embedded")
        #expect(own.fileSize == file.fileSize && own.presets == file.presets && own.presets.count > 128)
        let ours = try SoundFontBytes(path: "embedded"), theirs = try SoundFontBytes(path: Self.file)
        let bytes = try ours.read("RIFF", at: 0, count: ours.size)
        let wanted = try theirs.read("RIFF", at: 0, count: theirs.size)
        #expect(bytes == wanted, "build again: the program's SoundFont is not soundfonts/carillon.sf2")
    }

    @Test func whatLiesBehindItsEndIsNotRead() throws {
        let own = try SoundFontBytes(path: "embedded")
        #expect(throws: SoundFontError.self) { try own.read("RIFF", at: own.size, count: 1) }
    }
}
