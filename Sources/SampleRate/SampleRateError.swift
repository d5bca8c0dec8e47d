/// A reason why a rate cannot be converted.
public enum SampleRateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library refuses the pair of rates, hertz; `reason` is its own text.
    case refused(from: Int, to: Int, reason: String)
    /// The library failed in the middle.
    case failed(from: Int, to: Int)

    /// The library's reason, without the rates.
    public var reason: String {
        switch self {
        case .refused(_, _, let reason): reason
        case .failed: "libsoxr failed"
        }
    }

    public var description: String {
        switch self {
        case .refused(let from, let to, let reason):
            "\(from) Hz cannot be converted to \(to) Hz (\(reason)); choose rates of 1 to 1000000 Hz"
        case .failed(let from, let to):
            "converting \(from) Hz to \(to) Hz failed; what was converted before is valid, start again for the rest"
        }
    }
}
