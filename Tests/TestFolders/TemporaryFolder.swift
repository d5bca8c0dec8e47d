import Foundation

/// A folder for one test, removed with all that is in it. Its path is short enough for a socket.
package final class TemporaryFolder {
    package let path: String
    private let root: String
    private var hiddenCount = 0

    /// - Parameter inMemory: whether thousands of files come and go, for which a disk makes all others wait.
    package init(inMemory: Bool = false) {
        let place = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/carillon-XXXXXX".utf8CString)
        root = mkdtemp(&template).map { String(cString: $0) } ?? ""
        path = root + "/here"
        precondition(!root.isEmpty && mkdir(path, 0o700) == 0, "\(place) takes no folder")
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: root) } catch { print("\(root) stays: \(error)") }
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// The path of a new file outside the folder that the test looks at.
    package func hidden(_ name: String) -> String {
        hiddenCount += 1
        return "\(root)/\(hiddenCount)-\(name)"
    }

    /// Puts a file into it, and returns its name.
    @discardableResult
    package func add(_ name: String, _ bytes: [UInt8]) -> String {
        let isWritten = FileManager.default.createFile(
            atPath: file(name), contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        precondition(isWritten, "\(name) cannot be written")
        return name
    }

    /// What is in it, hidden files too, sorted.
    package var names: [String] { Self.names(in: path) }

    /// What is in a folder; nothing where there is none.
    package static func names(in path: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch { return [] }
    }

    package func bytes(of name: String) -> [UInt8] { Self.bytes(file(name)) }

    /// All bytes of a file; none where there is no file.
    package static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rbe") else { return [] }
        defer { fclose(file) }
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, file), count > 0 { all += block[..<count] }
        return all
    }
}
