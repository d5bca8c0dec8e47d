import Document
import Glibc

/// Small texts that are kept from one run to the next in a folder: a file for each, named by all its inputs. Any thread.
package struct UserCache: Sendable {
    /// The folder; it is made with the first text that is kept.
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// Creates a folder among the user's: in `$CACHE_DIRECTORY` of a service, `$XDG_CACHE_HOME/carillon`, `~/.cache/carillon`;
    /// nil where there is none, and for a home folder that does not exist: it is not Carillon's to make.
    package init?(named name: String) {
        func variable(_ name: String) -> String? {
            guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
            // systemd lists several with colons between.
            return value.split(separator: ":").first.map { String($0) }
        }
        let own = variable("CACHE_DIRECTORY") ?? variable("XDG_CACHE_HOME").map { $0 + "/carillon" }
        let home = variable("HOME").flatMap { access($0, F_OK) == 0 ? $0 + "/.cache/carillon" : nil }
        guard let folder = own ?? home else { return nil }
        self.folder = "\(folder)/\(name)"
    }

    private static let largest = 1 << 16

    private func path(_ key: String) -> String { "\(folder)/\(Checksum.text(key.utf8))" }

    /// The text that was kept for a key, which ends with a line break; nil where there is none, or its file was changed.
    package func text(for key: String) -> String? {
        let text: String
        do { text = try BoundedFile.text(path: path(key), limit: Self.largest) } catch { return nil }
        guard text.hasPrefix(key), text.hasSuffix("\n") else { return nil }
        return String(text.dropFirst(key.count).dropLast())
    }

    /// Keeps a text of one line. Returns 0, or `errno` of the call that failed.
    package func keep(_ text: String, for key: String) -> Int32 {
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += "/" + part
            if mkdir(parent, 0o755) != 0, errno != EEXIST { return errno }
        }
        return WholeText.write("\(key)\(text)\n", toFile: path(key))
    }
}
