import Carillon
import Installations
import Reports

/// The log of an installation while it runs: on a terminal a sentence with the time on the wall, else a line
/// `event=... key=value` as `live` and `play` have it; what happens in the installation has `clock` at its end, what happens to the
/// sound `time`.
struct InstallationLog {
    private var session = LiveLog(.nothing)
    private var device: String?
    private var counted = 0
    private let isForPeople = ScreenStyle.canRedraw
    private let output: LogOutput
    /// Called with each event, as a sentence.
    var onSentence: (String) -> Void = { _ in }
    /// Standard error took no more.
    private var untold: [String] = []

    init(_ output: LogOutput = LogOutput()) { self.output = output }

    mutating func tell(_ runner: InstallationRunner, _ snapshot: SessionSnapshot?) {
        let events = runner.takeEvents(), found = snapshot.map { troubles($0) } ?? []
        for sentence in events.map(\.sentence) + found { onSentence(sentence) }
        if isForPeople {
            untold += (events.map(\.sentence) + found).map { "\(WallZone.now) \($0)" }
        } else {
            untold += events.map { Self.line($0.fields.name, $0.fields.values) }
            if let snapshot { untold += session.lines(for: snapshot, at: SteadyClock.seconds) }
        }
        flush()
    }

    mutating func say(_ texts: [String]) {
        texts.forEach(onSentence)
        untold += texts.map { isForPeople ? "\(WallZone.now) \($0)" : Self.line("message", [("text", $0)]) }
        flush()
    }

    mutating func end(_ reason: String) {
        untold.append(
            isForPeople ? "\(WallZone.now) ends" : Self.line("end", [("reason", reason)]))
        flush()
    }

    /// A line, with the time of the wall clock at its end.
    private static func line(_ event: String, _ values: [(String, String)]) -> String {
        LiveLog.line(event, values.map { ($0.0, $0.1) } + [("clock", WallZone.now.stamp)])
    }

    private mutating func flush() {
        while let line = untold.first, StandardError.canWrite {
            if isForPeople { StandardError.print(OneLine.text(line)) } else { output.print(OneLine.text(line)) }
            untold.removeFirst()
        }
        // Standard error takes no lines: the oldest are dropped.
        if untold.count > 200 { untold.removeFirst(untold.count - 200) }
    }

    private mutating func troubles(_ snapshot: SessionSnapshot) -> [String] {
        var lines: [String] = []
        let state = "\(snapshot.device.name ?? "none") \(snapshot.device.state)"
        if state != device, snapshot.device.state != "opening" {
            lines.append("device: \(state)" + (snapshot.device.fault.map { " (\($0))" } ?? ""))
            device = state
        }
        if snapshot.xruns > counted {
            lines.append("\(snapshot.xruns - counted) interruptions of the sound (xruns)")
        }
        counted = snapshot.xruns
        return lines
    }
}
