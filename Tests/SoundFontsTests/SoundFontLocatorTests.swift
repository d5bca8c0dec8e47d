import Testing

@testable import SoundFonts

@Suite struct SoundFontLocatorTests {
    /// The file that the program's own SoundFont is made from.
    private static let file =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/soundfonts/carillon.sf2"

    @Test func aNamedFileWinsOverEverything() throws {
        try TinySoundFont().write { named in
            let locator = SoundFontLocator(environment: "/nowhere", system: [])
            let choice = try locator.locate(named: [named])
            #expect(choice == [.init(path: named, origin: .named)])
        }
    }

    @Test func theEnvironmentComesBeforeTheSystem() throws {
        try TinySoundFont().write { one in
            try TinySoundFont().write { two in
                var locator = SoundFontLocator(environment: one, system: [two])
                let first = try locator.locate()
                #expect(first == [.init(path: one, origin: .environment)])
                locator.environment = ""
                let second = try locator.locate()
                #expect(second == [.init(path: two, origin: .system)])
            }
        }
    }

    @Test func aNameThatIsGivenIsNeverReplaced() throws {
        try TinySoundFont().write { system in
            let locator = SoundFontLocator(environment: "/nowhere/a.sf2", system: [system])
            let error = #expect(throws: SoundFontError.self) { try locator.locate() }
            #expect(error?.fault == .missing)
            #expect(error?.description.contains("/nowhere/a.sf2") == true)
        }
    }

    @Test func whereNothingIsInstalledTheProgramHasItsOwn() throws {
        let locator = SoundFontLocator(environment: nil, system: ["/nowhere/gm.sf2"])
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
