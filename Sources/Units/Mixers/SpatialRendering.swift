import SOFAFiles
import UnitAPI

/// The ways in which a spatial mixer makes channels of places.
enum SpatialRendering: Int, BitwiseCopyable {
    case equalPower, hrtf, vbap

    static let names = ["equal-power", "hrtf", "vbap"]

    /// The rendering that a unit is to be made for. Control side.
    init(_ setup: UnitSetup) {
        self = Self(rawValue: Int(setup.value(of: SpatialMixer.Parameter.rendering))) ?? .equalPower
    }
}
