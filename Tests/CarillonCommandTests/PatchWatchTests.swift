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
        guard case .patch(let patch, advice: [])? = watch.news() else { throw Missing() }
        #expect(patch.units.map(\.name) == ["lead"])
        #expect(watch.news() == nil)
        try save(Self.good.replacing("square-wave", with: "square-wafe"), isWhole: false)
        _ = watch.news()
        guard case .fault(let text)? = watch.news() else { throw Missing() }
        #expect(text.contains(":3:") && text.contains("did you mean square-wave?"), "\(text)")
        #expect(watch.news() == nil, "told once")
        // Gone, as while an editor exchanges it, and there again, with something that is hardly meant.
        try FileManager.default.removeItem(at: file)
        #expect(watch.news() == nil && watch.news() == nil)
        try save(Self.good.replacing("outputs", with: "  lost: {unit: reverb}\noutputs"))
        _ = watch.news()
        guard case .patch(_, let advice)? = watch.news() else { throw Missing() }
        #expect(advice == ["\(file.path()):4: units.lost: it leads nowhere and is not heard; connect it, or take it out"])
        // Gone for good: told once.
        try FileManager.default.removeItem(at: file)
        #expect((0..<30).map { _ in watch.news() }.compactMap { $0 } == [.gone])
    }

    private struct Missing: Error {}
}

extension PatchWatch.News: Equatable {
    public static func == (a: PatchWatch.News, b: PatchWatch.News) -> Bool {
        switch (a, b) {
        case (.patch(let a, let advice), .patch(let b, let other)): a == b && advice == other
        case (.gone, .gone): true
        case (.fault(let a), .fault(let b)): a == b
        default: false
        }
    }
}
