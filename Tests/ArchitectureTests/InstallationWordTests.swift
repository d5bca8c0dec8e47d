import Testing

/// An installation is a part that a session does not know: its verbs, fields and errors are declared in its own module.
@Suite struct InstallationWordTests {
    private static let modules = ["EngineCore", "SongRendering", "Sessions"]
    private static let words = ["house", "as-planned", "quieter", "play-list", "queue-song", "unqueue", "calendar"]

    @Test(arguments: words) func noModuleOfASessionHasTheWord(_ word: String) {
        let files = SourceTree.sources.filter { $0.isSwift && Self.modules.contains($0.module) }
        #expect(files.count > 100)
        for file in files {
            for line in file.code where line.text.lowercased().contains(word.lowercased()) {
                Issue.record("\(file):\(line.number): \(line.text)")
            }
        }
    }
}
