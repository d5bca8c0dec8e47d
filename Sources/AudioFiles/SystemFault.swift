import Glibc

/// An error number of the operating system, with its text.
public struct SystemFault: Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`, for example `ENOSPC`.
    public let code: Int32

    public init(code: Int32) {
        self.code = code
    }

    /// The fault of the system call that has just failed in this thread.
    static var last: SystemFault { SystemFault(code: errno) }

    /// The C library's text, for example "No space left on device". (glibc keeps it per thread since 2.32.)
    public var description: String {
        guard let text = strerror(code) else { return "system error \(code)" }
        return String(cString: text)
    }
}
