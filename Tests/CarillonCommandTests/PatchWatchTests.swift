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
        #expect(
            advice.map(\.description) == [
                "\(file.path()):4: units.lost: it is connected to nothing and not heard; connect it, or remove it"
            ])
        // Gone for good: told once.
        try FileManager.default.removeItem(at: file)
        #expect((0..<30).map { _ in watch.news() }.compactMap { $0 } == [.gone])
    }

    /// What a preset in a file of its own says belongs to the patch: a change of it is one, and so is its coming.
    @Test func thePresetsOfAPatchAreFollowed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func save(_ text: String, as name: String) throws { try Data(text.utf8).write(to: folder.appending(path: name)) }
        func preset(_ gain: Int) -> String { "version: 1\nunit: square-wave\ngain: -\(gain) dB\n" }
        /// What is told in so many looks.
        func news(_ watch: inout PatchWatch, looks: Int = 4) -> [PatchWatch.News] {
            var told: [PatchWatch.News] = []
            for _ in 0..<looks { if let news = watch.news() { told.append(news) } }
            return told
        }
        func gain(_ news: [PatchWatch.News]) throws -> Float? {
            guard news.count == 1, case .patch(let patch, _) = news[0] else { throw Missing() }
            return patch[unit: "lead"]?.values["gain"]?.first
        }
        try save(Self.good.replacing("role:", with: "preset: ./one.yaml, role:"), as: "patch.yaml")
        try save(preset(10), as: "one.yaml")
        var watch = PatchWatch(folder.appending(path: "patch.yaml").path())
        #expect(news(&watch) == [])
        try save(preset(11), as: "one.yaml")
        #expect(watch.news() == nil, "it may still be written")
        #expect(try gain(news(&watch)) == -11)
        // Another one, which is not there yet.
        try save(Self.good.replacing("role:", with: "preset: ./two.yaml, role:"), as: "patch.yaml")
        guard case .fault(let text)? = news(&watch).first else { throw Missing() }
        #expect(text.contains("patch.yaml:3:") && text.contains("two.yaml: cannot be read"), "\(text)")
        #expect(news(&watch) == [])
        try save(preset(7), as: "two.yaml")
        #expect(try gain(news(&watch)) == -7)
        // The former one is nobody's any more.
        try save(preset(12), as: "one.yaml")
        #expect(news(&watch) == [])
        // Gone for a moment, as while an editor exchanges it; and for good.
        try FileManager.default.removeItem(at: folder.appending(path: "two.yaml"))
        #expect(news(&watch, looks: 5) == [])
        try save(preset(8), as: "two.yaml")
        #expect(try gain(news(&watch)) == -8)
        try FileManager.default.removeItem(at: folder.appending(path: "two.yaml"))
        #expect(news(&watch, looks: 40).count == 1)
        try save(preset(9), as: "two.yaml")
        #expect(try gain(news(&watch)) == -9)
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
