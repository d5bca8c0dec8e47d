import Testing

/// Small nouns: how long files are, what they are called, what they must not say.
@Suite struct FileTests {
    static let written = SourceTree.sources + SourceTree.tests

    /// 400 lines, and the line breaks that the formatter adds.
    @Test func noFileIsLongerThan420Lines() {
        for file in Self.written { #expect(file.lineCount <= 420, "\(file) has \(file.lineCount) lines") }
    }

    @Test func halfOfTheSourcesAreShort() {
        let lengths = SourceTree.sources.filter(\.isSwift).map(\.lineCount).sorted()
        let median = lengths[lengths.count / 2]
        print("\(lengths.count) Swift files below Sources, median \(median) lines, longest \(lengths[lengths.count - 1])")
        #expect(median <= 120)
    }

    @Test func noFileIsAPlaceForThingsWithoutAPlace() {
        for file in Self.written {
            for word in ["Util", "Helper", "Manager", "Common", "Misc", "Internals"] {
                #expect(!file.name.contains(word), "\(file): name it after what is in it")
            }
            #expect(!file.path.contains(" "), "\(file): no space in a path")
        }
    }

    @Test func foldersAreAtMostThreeDeep() {
        for file in SourceTree.sources {
            // C programs write `#include <CoreAudioTypes/CoreAudioTypes.h>`.
            let deepest = file.path.hasPrefix("Sources/Apple/") ? 6 : 5
            #expect(file.path.split(separator: "/").count <= deepest, "\(file) lies too deep")
        }
    }

    @Test func nothingIsLeftForLater() {
        let words = ["TO" + "DO", "FIX" + "ME", "place" + "holder", "not implemented"]
        for file in Self.written where file.module != "ArchitectureTests" {
            for (number, line) in file.lines.enumerated() {
                for word in words where line.contains(word) { Issue.record("\(file):\(number + 1): \(line)") }
            }
        }
    }

    @Test func noErrorIsSwallowed() {
        for file in SourceTree.sources where file.isSwift {
            for (number, line) in file.code where line.contains(" try? ") { Issue.record("\(file):\(number): \(line)") }
        }
    }
}

/// What the library must not know of the program.
@Suite struct SurfaceTests {
    /// Modules that have a command line, or whose text is for one.
    private static let programs = ["CarillonCommand", "Fuzz", "MakeSongs", "MakeSoundFont"]

    /// An option is a word of the command alone: a library's error names the setting.
    @Test func noLibrarySpeaksOfOptions() throws {
        let option = try Regex("--[a-z]")
        for file in SourceTree.sources where file.isSwift && !Self.programs.contains(file.module) {
            // How the reference is made is told to who reads it.
            for (number, line) in file.code where !line.contains("carillon units --markdown") {
                for part in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                where part.offset % 2 == 1 && part.element.contains(option) {
                    Issue.record("\(file):\(number): \(line)")
                }
            }
        }
    }

    /// Which error ends the program with which code is the program's business.
    @Test func noLibraryKnowsExitCodes() {
        for file in SourceTree.sources where file.isSwift && !Self.programs.contains(file.module) {
            // The row of a failed job has a field of that name.
            for (number, line) in file.code where line.contains("exitCode") && !line.contains("\"exitCode\"") {
                Issue.record("\(file):\(number): \(line)")
            }
        }
    }
}
