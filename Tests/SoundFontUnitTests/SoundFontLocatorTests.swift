import Testing

@testable import SoundFontUnit

@Suite struct SoundFontLocatorTests {
    @Test func aNamedFileWinsOverEverything() throws {
        try TinySoundFont().write { named in
            let locator = SoundFontLocator(environment: "/nowhere", home: nil, executable: nil, system: [])
            let choice = try locator.locate(named: [named])
            #expect(choice == [.init(path: named, origin: .named)])
        }
    }

    @Test func theEnvironmentComesBeforeTheSystem() throws {
        try TinySoundFont().write { one in
            try TinySoundFont().write { two in
                var locator = SoundFontLocator(environment: one, home: nil, executable: nil, system: [two])
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
            let locator = SoundFontLocator(environment: "/nowhere/a.sf2", home: nil, executable: nil, system: [system])
            let error = #expect(throws: SoundFontError.self) { try locator.locate() }
            #expect(error?.exitCode == 66)
            #expect(error?.description.contains("/nowhere/a.sf2") == true)
        }
    }

    @Test func nothingFoundListsEveryPlace() {
        let locator = SoundFontLocator(
            environment: nil, home: "/nowhere/home", executable: "/nowhere/bin/carillon", system: ["/nowhere/gm.sf2"])
        let found = locator.embeddedPaths.contains { (try? SoundFontFile(path: $0)) != nil }
        guard !found else { return }
        let error = #expect(throws: SoundFontError.self) { try locator.locate() }
        #expect(error?.exitCode == 66)
        for place in ["$CARILLON_SOUNDFONT", "/nowhere/gm.sf2", "/nowhere/home/soundfonts/carillon.sf2"] {
            #expect(error?.description.contains(place) == true)
        }
    }

    @Test func ourOwnSoundFontIsLookedForBesideTheProgramAndAboveABuildFolder() {
        let locator = SoundFontLocator(
            environment: nil, home: nil, executable: "/opt/c/.build/x86_64/release/carillon", system: [])
        #expect(locator.embeddedPaths.contains("/opt/c/soundfonts/carillon.sf2"))
        let installed = SoundFontLocator(environment: nil, home: nil, executable: "/opt/bin/carillon", system: [])
        #expect(installed.embeddedPaths.first == "/opt/share/carillon/soundfonts/carillon.sf2")
    }
}
