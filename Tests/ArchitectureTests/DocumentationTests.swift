import Foundation
import Testing

/// Every public declaration says what it is, and every link of the README and of the catalogue leads somewhere.
@Suite struct DocumentationTests {
    /// Left out: initialisers that cannot fail and only fill what is documented; and stored members in one paragraph
    /// with their type's or their neighbour's comment. A comment that could be made from the signature says nothing.
    @Test func everyPublicDeclarationHasADocComment() {
        for file in SourceTree.sources where file.isSwift {
            var previous: Substring = ""
            for (number, line) in file.lines.enumerated() {
                let text = line.trimmed
                let isInParagraph = text.isStored && (previous.isStored || previous.hasSuffix("{"))
                if text.isPublicDeclaration && !text.speaksForItself && !isInParagraph && !previous.hasPrefix("///") {
                    Issue.record("\(file):\(number + 1): \(text)")
                }
                // Attributes stand between a comment and what it is about.
                if !(text.hasPrefix("@") && !text.contains(" public ")) { previous = text }
            }
        }
    }

    /// Words over which a reader of English stumbles. Their number may only fall: the bounds are what there is.
    @Test func oddWordsGrowFewer() {
        let odd: Set = ["whoever", "whomever", "nobody", "somebody", "anybody", "told", "dear", "dearer"]
        func count(_ files: [SourceFile]) -> Int {
            files.reduce(0) { sum, file in
                let words = file.text.utf8.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
                return sum + words.count { odd.contains(String(Substring($0)).lowercased()) }
            }
        }
        let sources = count(SourceTree.sources), tests = count(SourceTree.tests)
        #expect(sources <= 9 && tests <= 512, "\(sources) in Sources and Content, \(tests) in Tests")
    }

    /// What can end the process says so: `Precondition:` stands in the comment of each function for users that has one.
    @Test func everyPreconditionIsDocumented() {
        for file in SourceTree.sources where file.isSwift {
            let lines = file.lines
            for (number, line) in lines.enumerated() where line.trimmed.hasPrefix("precondition(") {
                let isDeclaration = { (place: Int) in lines[place].contains(/\b(func|init|subscript|var|deinit)\b/) }
                guard let place = lines[..<number].indices.last(where: isDeclaration), lines[place].contains("public ") else {
                    continue
                }
                let comment = lines[..<place].reversed().prefix { $0.trimmed.hasPrefix("///") || $0.trimmed.hasPrefix("@") }
                let isSaid = comment.contains { $0.contains("Precondition:") }
                #expect(isSaid, "\(file):\(number + 1): \(lines[place].trimmed)")
            }
        }
    }

    @Test func linksLeadSomewhere() throws {
        let names = Set(Self.pages.map { $0.deletingPathExtension().lastPathComponent })
        #expect(names.isSuperset(of: ["README", "Carillon", "PlayLive", "Changelog"]))
        for page in Self.pages {
            let text = try String(contentsOf: page, encoding: .utf8), name = page.lastPathComponent
            for link in text.matches(of: /\]\(([^)#\s]+)[^)]*\)/).map({ String($0.output.1) }) where !link.contains(":") {
                let path = page.deletingLastPathComponent().appending(path: link).path()
                #expect(FileManager.default.fileExists(atPath: path), "\(name) links to \(link)")
            }
            for link in text.matches(of: /<doc:([^>]+)>/).map({ String($0.output.1) }) {
                #expect(names.contains(link), "\(name) links to \(link)")
            }
        }
    }

    /// Each page stands in an order of reading.
    @Test func theCataloguesFirstPageLeadsToEveryOther() throws {
        let first = try SourceTree.text("Sources/Carillon/Carillon.docc/Carillon.md")
        for name in Set(Self.pages.map { $0.deletingPathExtension().lastPathComponent }).subtracting(["README", "Carillon"]) {
            #expect(first.contains("- <doc:\(name)>\n"), "\(name)")
        }
    }

    @Test func theFirstPageIsShort() throws {
        let words = try SourceTree.text("README.md").split(whereSeparator: \.isWhitespace).count
        #expect(words <= 600, "README.md has \(words) words")
    }

    /// What a build needs stands in the guide as in the tools.
    @Test func theGuideNamesThePackagesOfABuild() throws {
        let tool = try SourceTree.text("tools/packages.sh"), guide = try SourceTree.text(Self.guides + "UseTheLibrary.md")
        let list = try #require(tool.firstMatch(of: /build_packages=\(([^)]*)\)/)).output.1.split(whereSeparator: \.isWhitespace)
        let shown = try #require(guide.firstMatch(of: /apt-get install ([^`]*)```/)).output.1
        #expect(shown.split { $0.isWhitespace || $0 == "\\" } == list)
    }

    /// The README and the catalogue.
    private static let pages: [URL] = {
        let catalogue = SourceTree.root.appending(path: "Sources/Carillon/Carillon.docc")
        let paths = (FileManager.default.enumerator(atPath: catalogue.path())?.compactMap { $0 as? String } ?? []).sorted()
        return [SourceTree.root.appending(path: "README.md")]
            + paths.filter { $0.hasSuffix(".md") }.map { catalogue.appending(path: $0) }
    }()

    /// The units themselves are shown by `systemctl cat`.
    @Test(arguments: ["carillon@.service", "carillon-gateway@.service"]) func theGuideNamesAUnit(_ name: String) throws {
        #expect(try SourceTree.text("tools/" + name).contains("@PREFIX@"))
        #expect(try SourceTree.text(Self.guides + "RunAnInstallation.md").contains("\(name)`"))
    }

    private static let guides = "Sources/Carillon/Carillon.docc/Guides/"

    @Test(arguments: [
        ("Outside", guides + "UseTheLibrary.md"), ("Player", guides + "PlayFromSwift.md"), ("Slide", guides + "TenLines.md"),
        ("PlayerWithTap", guides + "TenLines.md"), ("Onsets", guides + "TenLines.md"),
        ("SongInCode", guides + "TenLines.md"), ("ChangingTracks", guides + "TenLines.md"),
        ("SongWithSoundFont", guides + "TenLines.md"), ("FilteredKeyboard", guides + "TenLines.md"),
        ("AudioUnitGraph", guides + "ForCoreAudioDevelopers.md"), ("RunningGraph", guides + "ForCoreAudioDevelopers.md"),
        ("OwnSwell", guides + "YourOwnUnit.md"), ("OwnSwell/Swell.swift", guides + "YourOwnUnit.md"),
        ("OwnInstrument/Whistle.swift", guides + "YourOwnUnit.md"),
        ("HostingPatterns", guides + "HostingPatterns.md"), ("Karaoke", guides + "FourPrograms.md"),
        ("GameScene", guides + "FourPrograms.md"), ("MixPlayer", guides + "FourPrograms.md"),
        ("InputRecorder", guides + "FourPrograms.md"), ("SurroundTape", guides + "Loudspeakers.md"),
        ("DataSet", guides + "MakeADataSet.md"),
        ("OwnMIDIUnit/Mirror.swift", guides + "YourOwnUnit.md"), ("MacSong", "README.md"),
    ])
    func theOutsidePackageIsShownAsItIs(_ target: String, _ page: String) throws {
        let path = target.hasSuffix(".swift") ? target : "\(target)/main.swift"
        let program = try SourceTree.text("Tests/OutsidePackage/Sources/\(path)"), blocks = try Self.swiftBlocks(of: page)
        // All of it, or a part as it stands.
        #expect(blocks.contains { block in block.count > 200 && program.contains(block) })
    }

    @Test func theFirstPagesProductIsTheOutsidePackages() throws {
        let line = try #require(Self.swiftBlocks(of: "README.md").last)
        let manifest = try SourceTree.text("Tests/OutsidePackage/Package.swift")
        #expect(line.hasPrefix(".product(") && manifest.contains(line))
    }

    /// Every line of code on these pages stands in a program that is run.
    @Test(arguments: ["TenLines", "FourPrograms", "HostingPatterns"])
    func aPageOfProgramsShowsNothingElse(_ page: String) throws {
        let folder = "Tests/OutsidePackage/Sources/"
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: folder).path())
        let programs = names.compactMap { name in try? SourceTree.text("\(folder)\(name)/main.swift") }
        for block in try Self.swiftBlocks(of: Self.guides + page + ".md") {
            #expect(programs.contains { program in program.contains(block) }, "\(block)")
        }
    }

    private static func swiftBlocks(of page: String) throws -> [String] {
        try SourceTree.text(page).components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// Lines of code: neither empty ones nor comments count.
    @Test(arguments: [
        ("Slide", 15), ("PlayerWithTap", 30), ("AudioUnitGraph", 30), ("OwnSwell", 30), ("Onsets", 30),
        ("FilteredKeyboard", 30), ("SongInCode", 30), ("ChangingTracks", 35), ("SongWithSoundFont", 30), ("RunningGraph", 30),
        ("OwnInstrument", 30), ("OwnMIDIUnit", 30), ("DataSet", 35),
        ("HostingPatterns", 70), ("Karaoke", 35), ("GameScene", 35), ("MixPlayer", 30), ("InputRecorder", 30),
        ("SurroundTape", 35), ("MacSong", 25), ("MacTone", 35), ("MacSquare", 40), ("MacKeyboard", 60),
    ])
    func anOutsideProgramIsShortAndIsRun(_ target: String, _ limit: Int) throws {
        let lines = try SourceTree.text("Tests/OutsidePackage/Sources/\(target)/main.swift").split(separator: "\n")
            .map(\.trimmed).filter { !$0.isEmpty && !$0.hasPrefix("//") }
        #expect(lines.count <= limit, "\(target) has \(lines.count) lines")
        #expect(lines.contains { $0.hasPrefix("expect(") }, "\(target) checks nothing")
        #expect(try SourceTree.text("tools/outside-package").contains(" \(target)"))
    }

    @Test func everyWordOfAudioUnitsHasATestOfItsName() throws {
        let tests =
            try SourceTree.text("Tests/CarillonTests/AudioUnitWordsTests.swift")
            + SourceTree.text("Tests/CarillonTests/AudioUnitCatalogueWordsTests.swift")
            + SourceTree.text("Tests/CarillonTests/AudioUnitMusicWordsTests.swift")
        let names = try SourceTree.text(Self.guides + "ForCoreAudioDevelopers.md")
            .matches(of: /\| `([a-zA-Z]+)` \|\n/).map { String($0.output.1) }
        #expect(names.count >= 12)
        for name in names { #expect(tests.contains("@Test func \(name)() throws {"), "\(name)") }
        // And no test without its row.
        #expect(tests.matches(of: /@Test func/).count == names.count)
    }
}

extension Substring {
    fileprivate var isPublicDeclaration: Bool {
        guard hasPrefix("public ") || contains(" public ") else { return false }
        let code = firstRange(of: "//").map { self[..<$0.lowerBound] } ?? self
        return ["func ", "var ", "let ", "struct ", "class ", "enum ", "actor ", "protocol ", "init(", "init<", "subscript("]
            .contains { code.contains($0) } && (code.hasPrefix("public ") || code.hasPrefix("@"))
    }

    fileprivate var isStored: Bool {
        hasPrefix("public ") && (contains(" let ") || contains(" var ")) && !hasSuffix("{")
    }

    /// What a protocol asks for is explained there: conformances, operators and text.
    fileprivate var speaksForItself: Bool {
        if contains("init(") && !contains("throws") { return true }
        if contains("static var ") && contains(": Controller {") { return true }    // names of the standard
        return [
            "var description:", "static func ==", "static func <", "func hash(", "init(rawValue:", "var rawValue:",
            "init(stringLiteral", "init(from decoder:", "func encode(to encoder:", "static var allCases", "func next()",
            "static let descriptor", "var latency:", "func handle(", "(_ io: borrowing RenderIO", "func reset(",
            "init(_ setup: UnitSetup)", "var spec:", "enum Parameter:",
            "static let configuration", "func run(",
        ].contains { contains($0) }
    }
}
