import Carillon
import Installation

/// What an installation tells while it runs: on a terminal a sentence with the time on the wall, else a line
/// `event=... key=value` as `live` and `play` have it; what happens in the house has `clock` at its end, what happens to the
/// sound `time`.
struct HouseLog {
    private var session = LiveLog(.nothing)
    private var device: String?
    private var counted = 0
    private let isForPeople = ScreenStyle.canRedraw
    /// What has not been told because nobody took it.
    private var untold: [String] = []

    /// Tells what has happened.
    mutating func tell(_ steward: Steward, _ snapshot: SessionSnapshot?) {
        let events = steward.takeEvents()
        if isForPeople {
            untold += events.map { "\(Self.time) \($0.sentence)" }
            if let snapshot { untold += troubles(snapshot) }
        } else {
            untold += events.map { Self.line($0.fields.name, $0.fields.values) }
            if let snapshot { untold += session.lines(for: snapshot, at: SteadyClock.seconds) }
        }
        flush()
    }

    /// Says something.
    mutating func say(_ texts: [String]) {
        untold += texts.map { isForPeople ? "\(Self.time) \($0)" : Self.line("message", [("text", $0)]) }
        flush()
    }

    /// The last line.
    mutating func end(_ reason: String) {
        untold.append(
            isForPeople ? "\(Self.time) ends" : Self.line("end", [("reason", reason)]))
        flush()
    }

    /// A line, with what the clock on the wall says at its end.
    private static func line(_ event: String, _ values: [(String, String)]) -> String {
        let clock = time.split(separator: " ").joined(separator: "T")
        return LiveLog.line(event, values.map { ($0.0, $0.1) } + [("clock", clock)])
    }

    private mutating func flush() {
        while let line = untold.first, StandardError.canWrite {
            StandardError.print(Failure.oneLine(line))
            untold.removeFirst()
        }
        // Nobody reads them: the oldest go.
        if untold.count > 200 { untold.removeFirst(untold.count - 200) }
    }

    private mutating func troubles(_ snapshot: SessionSnapshot) -> [String] {
        var lines: [String] = []
        let state = "\(snapshot.device.name ?? "none") \(snapshot.device.state)"
        if state != device, snapshot.device.state != "opening" {
            lines.append("\(Self.time) device: \(state)" + (snapshot.device.fault.map { " (\($0))" } ?? ""))
            device = state
        }
        if snapshot.xruns > counted {
            lines.append("\(Self.time) \(snapshot.xruns - counted) interruptions of the sound (xruns)")
        }
        counted = snapshot.xruns
        return lines
    }

    private static var time: String { WallZone.system.civil(at: WallTime.now).description }
}
