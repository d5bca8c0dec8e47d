import Document

/// The songs that a playlist file names: M3U, a name on each line.
///
/// Lines with `#` at their beginning are comments, names without a folder lie beside the list, `file://` is understood. M3U has
/// no standard; source: the custom of its readers since Winamp.
package struct SongListFile: Sendable {
    /// Endings of such files.
    package static let endings = ["m3u", "m3u8"]
    /// Bytes of the longest list that is read.
    package static let longest = 1 << 20

    /// The songs, in order. A name may lead nowhere.
    package let paths: [String]
    /// Remarks on omitted lines, as sentences.
    package let remarks: [String]

    /// Returns whether a name ends as lists do.
    package static func isList(_ name: String) -> Bool {
        endings.contains(name.split(separator: ".").last?.lowercased() ?? "")
    }

    /// Reads the list at `path`.
    ///
    /// - Throws: the reason why there is no text: `BoundedFile.Fault`.
    package init(path: String) throws(BoundedFile.Fault) {
        self.init(text: try BoundedFile.text(path: path, limit: Self.longest), path: path)
    }

    /// Reads a text; `path` is the path of its file.
    package init(text: String, path: String) {
        let folder = FileFolder(of: path)
        var paths: [String] = [], remarks: [String] = []
        let body = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
        for (number, line) in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let name = Self.trimmed(line)
            if name.isEmpty || name.hasPrefix("#") { continue }
            if name.hasPrefix("file://") {
                if let local = Self.localPath(name.dropFirst(7)) {
                    paths.append(local)
                } else {
                    remarks.append("\(path):\(number + 1): \(name): names no file of this machine; it is left out")
                }
            } else if name.prefix(while: { $0 != "/" }).hasSuffix(":"), name.contains("://") {
                remarks.append("\(path):\(number + 1): \(name): is not a file on this machine; it is left out")
            } else {
                paths.append(folder.path(of: name))
            }
        }
        (self.paths, self.remarks) = (paths, remarks)
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line.drop(while: \.isWhitespace))
    }

    /// The path of a URL after `file://`, its %-signs decoded; nil if it is not on this machine.
    private static func localPath(_ text: Substring) -> String? {
        let rest = text.hasPrefix("localhost/") ? text.dropFirst("localhost".count) : text
        guard rest.hasPrefix("/") else { return nil }
        var bytes: [UInt8] = [], left = rest.utf8[...]
        while let byte = left.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard left.count >= 2, let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                left = left.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let path = String(validating: bytes, as: UTF8.self), !path.contains("\0") else { return nil }
        return path
    }
}
