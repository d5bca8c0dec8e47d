import Glibc

/// A failure of libsmf: which call, and what it gave.
public enum SMFFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call returned an error or nothing.
    case refused(function: String)
    case tracks(function: String, expected: Int, found: Int)
    case events(function: String, expected: Int, found: Int)
    /// The tempo map differs from the events.
    case tempo(function: String)
    /// A system call around it failed; `reason` is `errno`.
    case system(function: String, reason: Int32)

    public var description: String {
        switch self {
        case .refused(let function): "\(function) failed"
        case .tracks(let function, let expected, let found): "\(function) gave \(found) tracks instead of \(expected)"
        case .events(let function, let expected, let found): "\(function) gave \(found) events instead of \(expected)"
        case .tempo(let function): "\(function) gave another tempo than the song's"
        case .system(let function, let reason): "\(function) failed (\(systemMessage(reason)))"
        }
    }
}

/// The system's words for an `errno`.
func systemMessage(_ reason: Int32) -> String { String(cString: strerror(reason)) }
