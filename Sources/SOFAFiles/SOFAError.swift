/// The reason why a SOFA file cannot be used.
public enum SOFAError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library that reads such files is not installed.
    case noLibrary(path: String)
    /// The system could not read the file; `code` is its errno.
    case unreadable(path: String, code: Int32)
    /// The file holds no responses of two ears; `code` is libmysofa's, or 0.
    case damaged(path: String, code: Int32)

    public var description: String {
        switch self {
        case .noLibrary(let path):
            "\(path): libmysofa reads SOFA files, and is not installed; on Debian: apt-get install libmysofa1"
        case .unreadable(let path, let code):
            "\(path): " + (code == 2 ? "there is no such file" : "cannot be read (error \(code) of the system)")
                + "; name a SOFA file in the property head, or install libmysofa1, which brings one"
        case .damaged(let path, let code):
            "\(path): holds no responses of two ears" + (code == 0 ? "" : " (error \(code) of libmysofa)")
                + "; name another SOFA file in the property head"
        }
    }
}
