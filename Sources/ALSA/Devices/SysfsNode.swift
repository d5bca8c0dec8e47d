import Glibc

/// A folder of sysfs: a device, with its attributes as small files.
struct SysfsNode: Sendable {
    /// Symbolic links are resolved.
    let path: String

    init?(_ path: String) {
        guard let resolved = realpath(path, nil) else { return nil }
        self.path = String(cString: resolved)
        free(resolved)
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var parent: SysfsNode? { path == "/" ? nil : SysfsNode(path + "/..") }
    var lineage: some Sequence<SysfsNode> { sequence(first: self) { $0.parent } }

    /// The text of an attribute without white space at the ends; nil if there is no such attribute.
    func attribute(_ name: String) -> String? { Self.text(of: path + "/" + name) }

    /// The first 16 KiB.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 16_384 {
            let count = read(descriptor, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
