import Foundation

/// A folder for one test, removed with its contents.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "carillon-corpus-\(UUID())").path()

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func add(_ name: String, _ bytes: [UInt8]) {
        let isWritten = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
        precondition(isWritten, "\(name) cannot be written")
    }

    func bytes(of name: String) -> [UInt8] { FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? [] }

    /// The names in a folder, in order; none if it does not exist.
    func names(in folder: String = "") -> [String] {
        (FileManager.default.enumerator(atPath: file(folder))?.compactMap { $0 as? String } ?? []).sorted()
    }
}
