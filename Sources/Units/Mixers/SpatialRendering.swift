import SOFAFiles
import UnitAPI

/// How a spatial mixer makes channels of places.
enum SpatialRendering: Int, BitwiseCopyable {
    case equalPower, hrtf, vbap

    /// What they are called, in that order.
    static let names = ["equal-power", "hrtf", "vbap"]

    /// What a unit is to be made for. Control side.
    init(_ setup: UnitSetup) {
        self = Self(rawValue: Int(setup.value(of: SpatialMixer.Parameter.rendering))) ?? .equalPower
    }
}

extension SOFAError {
    /// What kind of no it is.
    var fault: UnitError.ResourceFault {
        switch self {
        case .noLibrary: .missing
        case .unreadable(_, let code): code == 2 ? .missing : .unreadable
        case .damaged: .damaged
        }
    }
}
