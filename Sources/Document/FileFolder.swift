/// The folder of a file: the names that the file has begin there.
package struct FileFolder: Sendable, Hashable {
    /// With its slash; empty for the current folder.
    package let path: String

    /// The folder of the file at a path.
    package init(of file: String = "") { path = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "" }

    /// The path of a name that the file has.
    package func path(of name: String) -> String { name.hasPrefix("/") ? name : path + name }

    /// The name of a path, as the file has it.
    package func name(of file: String) -> String {
        !path.isEmpty && file.hasPrefix(path) ? String(file.dropFirst(path.count)) : file
    }
}

extension ValueKind<String> {
    /// A file or a folder, from the file's own folder on.
    package static func file(_ expected: String, in folder: FileFolder) -> ValueKind {
        text(expected).map(folder.path(of:), folder.name(of:))
    }
}
