import Glibc

/// The C library's text for an `errno`.
enum SystemError {
    static func text(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "system error \(code)" }
}
