import Glibc

/// The system's name of an error code.
enum SystemCode {
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
