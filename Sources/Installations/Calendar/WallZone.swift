import Carillon
import Glibc

/// A time zone: what the clocks of a place show at any moment, summer time among it.
///
/// Any thread. The system's own zone is that of the process, as glibc knows it; other zones are for programs that set their
/// own rules, such as tests.
public struct WallZone: Sendable {
    /// The name of the zone: `Europe/Berlin`.
    public let name: String
    /// Seconds ahead of Greenwich's clocks.
    private let offset: @Sendable (WallTime) -> Int64

    /// The zone of this process: that of the environment variable `TZ`, else of the machine.
    public static var system: WallZone {
        let name = getenv("TZ").map { String(cString: $0) } ?? ""
        return WallZone(name: name.isEmpty ? "the machine's" : name) { moment in
            var seconds = time_t(moment.seconds), fields = tm()
            // It fails for years that do not fit into a number, far later than any calendar here.
            return localtime_r(&seconds, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
        }
    }

    /// Creates a zone whose offset changes at certain moments.
    /// `offset` is in seconds ahead of Greenwich before the first change, as are those of `changes`, which are in order.
    public init(name: String, offset: Int64, changes: [(at: WallTime, offset: Int64)] = []) {
        self.init(name: name) { [changes = changes.map { (at: $0.at, offset: $0.offset) }] moment in
            changes.last { $0.at <= moment }?.offset ?? offset
        }
    }

    private init(name: String, offset: @escaping @Sendable (WallTime) -> Int64) {
        (self.name, self.offset) = (name, offset)
    }

    /// Returns what the clocks show at a moment.
    public func civil(at moment: WallTime) -> CivilTime { CivilTime(seconds: moment.seconds + offset(moment)) }

    /// Returns when the clocks show a time: the first time that they do, if they show it twice; if they leap over it, when they
    /// leap.
    public func moment(of time: CivilTime) -> WallTime {
        let greenwich = WallTime(seconds: time.seconds), day: Int64 = 86_400
        let before = offset(greenwich + -day), after = offset(greenwich + day)
        let first = greenwich + -before
        if offset(first) == before { return first }
        let second = greenwich + -after
        if offset(second) == after { return second }
        // Between the two the clocks leap.
        var low = greenwich + -day, high = greenwich + day
        while high - low > 1 {
            let middle = WallTime(seconds: (low.seconds + high.seconds) / 2)
            if offset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}

extension WallZone {
    private static let folder = "/usr/share/zoneinfo/"

    /// Returns true if the system has a zone of this name.
    public static func isKnown(_ name: String) -> Bool {
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-+".contains($0)) }
        }
        return name == "UTC" || isName && access(folder + name, R_OK) == 0 && !SongFolder.isFolder(folder + name)
    }

    /// Makes a zone that of the process, before it has a second thread: glibc knows one zone at a time.
    ///
    /// - Parameter name: as `Europe/Berlin`; one of the system's (`isKnown`).
    public static func setSystem(_ name: String) {
        setenv("TZ", name, 1)
        tzset()
    }
}
