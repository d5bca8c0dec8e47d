import Carillon
import Glibc

/// The last minutes of an installation, kept in memory and written when something goes wrong: events and levels as text, and
/// what was played as a song and a journal, which plays it again, sample by sample.
///
/// At most `kept` of them are in the folder, and one is written in ten minutes: a fault that comes back every second does not
/// fill the disk.
struct BlackBox {
    /// Lines in memory, boxes on the disk, seconds between two of them.
    private static let room = 2_000, kept = 5, interval = 600.0
    private static let glance = 10.0
    private static let prefix = "black-box-"

    private var lines: [String] = []
    private var written = -Double.infinity
    private var glanced = -Double.infinity

    mutating func take(_ events: [InstallationEvent], at time: LocalTime) {
        for event in events { add("\(time) \(event.sentence)") }
    }

    /// Every ten seconds.
    mutating func look(at session: Session, _ time: LocalTime, uptime: Double) {
        guard uptime - glanced >= Self.glance else { return }
        glanced = uptime
        let snapshot = session.snapshot
        let levels = snapshot.levels.map { $0.average.isFinite ? "\(Int($0.average.rounded()))" : "-inf" }
        add(
            "\(time) frame \(snapshot.sampleTime.rawValue), levels \(levels.joined(separator: " ")) dB, "
                + "\(snapshot.voices) voices, \(snapshot.xruns) xruns, \(snapshot.lateEvents) late, "
                + "\(snapshot.lostEvents) lost, load \(Int((snapshot.load * 100).rounded())) %, "
                + "device \(snapshot.device.state)")
    }

    private mutating func add(_ line: String) {
        lines.append(line)
        if lines.count > Self.room { lines.removeFirst(lines.count - Self.room) }
    }

    /// Unless one was written a moment ago. Returns a sentence on where the box is, or why it was not written.
    mutating func write(
        _ reason: String, _ session: Session?, in folder: String, _ time: LocalTime, uptime: Double
    ) -> String? {
        guard uptime - written >= Self.interval else { return nil }
        written = uptime
        let stem = "\(folder)/\(Self.prefix)\("\(time.civil)".filter(\.isNumber))"
        let text = (["\(time) \(reason)"] + lines).joined(separator: "\n") + "\n"
        guard let file = fopen(stem + ".txt", "we") else { return Self.refusal(stem) }
        let isWhole = fputs(text, file) >= 0
        guard fclose(file) == 0, isWhole else { return Self.refusal(stem) }
        _ = KeptFiles(in: [folder], prefix: Self.prefix).thin(most: Self.kept, keeping: stem + ".txt")
        do throws(Fault) { _ = try session?.saveRecording(stem + ".mid") } catch {
            // Nothing was played yet: the text is everything.
            if error.kind != .nothingPlayed { return "black box: \(stem).txt, without what was played: \(error)" }
        }
        return "black box: \(stem).txt"
    }

    private static func refusal(_ stem: String) -> String { "no black box: \(stem).txt: \(String(cString: strerror(errno)))" }
}
