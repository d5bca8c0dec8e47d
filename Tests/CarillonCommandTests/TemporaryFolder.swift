import Glibc

/// A folder for one test, removed with everything in it.
final class TemporaryFolder {
    let path: String
    private let hiddenPath: String
    private var hiddenCount = 0

    init() {
        var template = Array("/tmp/carillon-command-XXXXXX".utf8CString)
        let root = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        path = root + "/here"
        hiddenPath = root + "/hidden"
        mkdir(path, 0o700)
        mkdir(hiddenPath, 0o700)
    }

    deinit {
        Self.removeAll(String(path.dropLast("/here".count)))
    }

    private static func removeAll(_ path: String) {
        for name in names(in: path) where unlink(path + "/" + name) != 0 { removeAll(path + "/" + name) }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The path of a new file outside the folder that the test looks at.
    func hidden(_ name: String) -> String {
        hiddenCount += 1
        return "\(hiddenPath)/\(hiddenCount)-\(name)"
    }

    /// Puts a file into it, and returns its name.
    @discardableResult
    func add(_ name: String, _ bytes: [UInt8]) -> String {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "\(name) cannot be made")
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            precondition(count > 0, "\(name) cannot be written")
            rest = rest.dropFirst(count)
        }
        return name
    }

    /// What is in it, hidden files too, sorted.
    var names: [String] { Self.names(in: path) }

    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func bytes(of name: String) -> [UInt8] { CarillonCommandTests.bytes(file(name)) }
}

/// All bytes of a file; none where there is no file.
func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rbe") else { return [] }
    defer { fclose(file) }
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 { all += block[..<count] }
    return all
}
