import Glibc

/// The names of everything in a folder, without the folder itself and its parent. Control side, any thread.
package struct FolderNames {
    /// The names as the system has them, in no order.
    package let bytes: [[UInt8]]

    /// Reads a folder.
    ///
    /// - Parameter most: names that are read at most.
    /// - Returns: nil if it cannot be read; the reason is in `errno`.
    package init?(in folder: String, most: Int = .max) {
        guard let entries = opendir(folder) else { return nil }
        defer { closedir(entries) }
        var bytes: [[UInt8]] = []
        while bytes.count < most, let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { bytes.append(name) }
        }
        self.bytes = bytes
    }

    /// The names in order, as text.
    package var sorted: [String] { bytes.map { String(decoding: $0, as: UTF8.self) }.sorted() }
}
