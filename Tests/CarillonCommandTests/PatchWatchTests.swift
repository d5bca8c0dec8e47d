import Foundation
import Testing

@testable import CarillonCommand

/// A patch file that is saved while somebody looks.
@Suite struct PatchWatchTests {
    private static let good = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1-16}
        outputs: lead
        """

    @Test func aSavedFileIsReadOnceItStandsStill() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "carillon-watch-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        func save(_ text: String, isWhole: Bool = true) throws {
            try Data(text.utf8).write(to: file, options: isWhole ? .atomic : [])
        }
        try save(Self.good)
        var watch = PatchWatch(file.path())
        for _ in 0..<3 { #expect(watch.news() == nil) }
        try save(Self.good + "\n# more\n")
        #expect(watch.news() == nil, "it may still be written")
        guard case .patch(let patch)? = watch.news() else { throw Missing() }
        #expect(patch.units.map(\.name) == ["lead"])
        #expect(watch.news() == nil)
        try save(Self.good.replacing("square-wave", with: "square-wafe"), isWhole: false)
        _ = watch.news()
        guard case .fault(let text)? = watch.news() else { throw Missing() }
        #expect(text.contains(":3:") && text.contains("did you mean square-wave?"), "\(text)")
        #expect(watch.news() == nil, "told once")
        // Gone, as while an editor exchanges it, and there again.
        try FileManager.default.removeItem(at: file)
        #expect(watch.news() == nil && watch.news() == nil)
        try save(Self.good + "\n# again, and longer than before\n")
        _ = watch.news()
        guard case .patch? = watch.news() else { throw Missing() }
    }

    private struct Missing: Error {}
}

extension PatchWatch.News: Equatable {
    public static func == (a: PatchWatch.News, b: PatchWatch.News) -> Bool {
        switch (a, b) {
        case (.patch(let a), .patch(let b)): a == b
        case (.fault(let a), .fault(let b)): a == b
        default: false
        }
    }
}
