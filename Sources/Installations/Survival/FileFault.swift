import Glibc

/// A call of the system that failed: which, at which path, why.
public struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call: `write`.
    public let call: String
    /// The file or folder that it was about.
    public let path: String
    /// The `errno` of the failed call.
    public let code: Int32

    public var description: String { "\(path): \(call) failed (\(String(cString: strerror(code))))" }

    var remedy: String {
        switch code {
        case ENOSPC, EDQUOT: "make room on the disk"
        case EROFS: "make the file system writable, or choose another folder"
        case EACCES, EPERM: "let this user read and write the folder, or choose another"
        case ENOENT, ENOTDIR: "create its folder, or choose another"
        case ELOOP: "a symbolic link is in its place; remove it"
        case EISDIR: "a folder is in its place; remove it"
        case EIO: "check the disk; it may be failing"
        case EMFILE, ENFILE: "too many files are open; raise the limit"
        case EINVAL: "choose another folder or name"
        default: "check the folder, or choose another"
        }
    }
}
