import Foundation
import Testing

/// Which channel has the drums stands in one place, `PartMode.initial`; keys of a channel are one type, `KeySet`.
@Suite struct DrumChannelTests {
    /// The modules that hold music and sounds of ours, not an instrument's state.
    private static let written = ["SongBook", "SoundFontSynthesis", "MakeSoundFont", "MakeSongs"]

    private func places(_ pattern: String) throws -> [String] {
        let regex = try Regex(pattern)
        return SourceTree.sources.filter { $0.isSwift && !Self.written.contains($0.module) }.flatMap { file in
            file.code.filter { $0.text.contains(regex) }.map { _ in file.path }
        }
    }

    @Test func whichChannelHasTheDrumsStandsOnce() throws {
        let found = try places(#"(part|place|index|[cC]hannel|& ?15)\)? ?(==|!=) ?9\b|[cC]hannels?\[9\]"#)
        #expect(found == ["Sources/MIDI/PartMode.swift"])
    }

    @Test func keysThatAreDownAreBitsInOneTypeAlone() throws {
        let found = try places(#"UInt64\([a-z]+ & 63\)"#)
        #expect(Set(found) == ["Sources/MIDI/KeySet.swift"])
    }
}
