import Glibc

/// The system's word for an errno.
package enum SystemFault {
    /// The system's text, for instance `No such file or directory`. Control side; glibc keeps the text per thread.
    package static func text(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
