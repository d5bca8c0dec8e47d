import Reports

/// A reason why a rate cannot be converted.
public enum SampleRateError: ClassifiedError, Equatable {
    /// The library refuses the pair of rates, hertz; `reason` is its own text.
    case refused(from: Int, to: Int, reason: String)
    /// The library failed in the middle.
    case failed(from: Int, to: Int)
    /// Sound was passed with another number of channels, or memory for another number.
    case channels(Int, wanted: ClosedRange<Int>)
    /// This number of frames cannot be passed; `most` can.
    case frames(Int, most: Int)
    /// The sound has ended with `flush()`.
    case ended

    /// The library's reason, without the rates.
    public var reason: String {
        switch self {
        case .refused(_, _, let reason): reason
        case .failed: "libsoxr failed"
        case .channels, .frames, .ended: description
        }
    }

    public var description: String {
        switch self {
        case .refused(let from, let to, let reason):
            "\(from) Hz cannot be converted to \(to) Hz (\(reason)); choose rates of 1 to 1000000 Hz"
        case .failed(let from, let to):
            "converting \(from) Hz to \(to) Hz failed; what was converted before is valid, start again for the rest"
        case .channels(let given, let wanted):
            "\(given) channels cannot be converted; give "
                + (wanted.count == 1 ? "\(wanted.lowerBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)")
        case .frames(let frames, let most):
            "\(frames) frames cannot be passed; give 0 \(most == .max ? "or more" : "to \(most)")"
        case .ended: "the sound has ended with flush(); call startAgain() before another"
        }
    }

    /// The class of a fault that is made of it.
    public var exit: Fault.Exit { .usage }
}
