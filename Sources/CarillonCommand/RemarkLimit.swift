import ArgumentParser
import Carillon
import Reports

/// `--fail-on`: the remarks that a command does not accept.
enum RemarkLimit: String, SettingWord, ExpressibleByArgument {
    /// Something is not there, and what needs it is silent.
    case missing
    /// Anything but the level differs from the request.
    case remarks

    /// The remarks among `found` that fail.
    func refused(_ found: [Remark]) -> [Remark] {
        found.filter { $0.kind == .missing || self == .remarks && $0.kind != .level }
    }

    /// The sentence for refused remarks: the first, and how many more.
    static func sentence(_ refused: [Remark]) -> String {
        let first = refused.first?.description ?? "", others = refused.count - 1
        return first + (others > 0 ? " (and \(others) more)" : "")
    }
}
