import Foundation

/// One file of the tree, as the architecture tests read it.
struct SourceFile: CustomStringConvertible {
    /// From the package's folder on: `Sources/Graphs/Renderer.swift`.
    let path: String
    let text: String

    init(path: String, text: String) {
        (self.path, self.text) = (path, text)
        imports = text.split(separator: "\n").compactMap(Self.imported)
    }

    /// The module that a line imports.
    private static func imported(_ line: Substring) -> String? {
        guard line.contains("import ") else { return nil }
        let words = line.split(separator: " ")
        guard let at = words.firstIndex(of: "import"), at < 2, at + 1 < words.count, !line.contains("//") else { return nil }
        if at == 1, !["@preconcurrency", "@testable", "public", "internal", "private", "@_exported"].contains(words[0]) {
            return nil
        }
        // `import struct DSP.DelayLine`
        return words[(at + 1)...].last.map { String($0.prefix { $0 != "." }) }
    }

    /// `Renderer.swift`
    var name: String { String(path.split(separator: "/").last ?? "") }
    /// The folder below `Sources`, `Sources/Apple` or `Tests`: `Graph`.
    var module: String { String(path.split(separator: "/").dropFirst(path.hasPrefix("Sources/Apple/") ? 2 : 1).first ?? "") }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var lineCount: Int { lines.count - (text.hasSuffix("\n") ? 1 : 0) }
    var isSwift: Bool { path.hasSuffix(".swift") }
    /// The modules it imports.
    let imports: [String]
    var description: String { path }

    /// The lines that carry code: comments cut off.
    var code: [(number: Int, text: Substring)] {
        lines.enumerated().map { number, line in
            (number + 1, line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
        }
    }
}

/// The package's own tree, as it lies on disk.
enum SourceTree {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Every file below `Sources` and `Content` with one of the endings of Swift and C.
    static let sources = (files(below: "Content") + files(below: "Sources")).sorted { $0.path < $1.path }
    /// The same below `Tests`.
    static let tests = files(below: "Tests")

    /// The text of one file.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func files(below folder: String) -> [SourceFile] {
        let base = root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: base.path()) else { return [] }
        var found: [SourceFile] = []
        for case let path as String in paths where [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
            if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            guard let bytes = FileManager.default.contents(atPath: base.appending(path: path).path()) else {
                fatalError("\(path) cannot be read")
            }
            found.append(SourceFile(path: "\(folder)/\(path)", text: String(decoding: bytes, as: UTF8.self)))
        }
        return found.sorted { $0.path < $1.path }
    }
}
