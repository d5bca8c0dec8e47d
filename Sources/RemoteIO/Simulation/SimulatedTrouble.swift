/// A trouble that a device has in simulated time. Times are seconds since the port was started.
public enum SimulatedTrouble: Sendable, Equatable {
    /// The machine is busy: threads that would wake meanwhile wake at the end.
    case holdUp(at: Double, lasting: Double)
    /// The device loses what it had not played yet.
    case xrun(at: Double)
    /// The system puts the device to sleep.
    case suspension(at: Double, lasting: Double)
    /// The device is not there.
    case absence(at: Double, lasting: Double)

    /// When it begins.
    public var start: Double {
        switch self {
        case .holdUp(let start, _), .xrun(let start), .suspension(let start, _), .absence(let start, _): start
        }
    }

    /// The time that the trouble lasts.
    public var length: Double {
        switch self {
        case .holdUp(_, let length), .suspension(_, let length), .absence(_, let length): length
        case .xrun: 0
        }
    }
}
