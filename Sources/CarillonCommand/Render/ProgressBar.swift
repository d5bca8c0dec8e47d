import Carillon
import Reports

/// The progress of a render. On a terminal one line that is rewritten four times a second; elsewhere a line every five seconds,
/// the first after one; or a JSON object every second.
struct ProgressBar {
    enum Form { case bar, lines, json }

    enum State {
        case song(RenderProgress)
        /// `parts` are songs, those that are being rendered as far as they are; these are `running`.
        case songs(done: Int, of: Int, parts: Double, running: [(song: String, part: Double)])
    }

    private let name: String
    private let sampleRate: Int
    private let form: Form
    private let start = ContinuousClock().now
    private var due: ContinuousClock.Instant
    private var isDrawn = false

    /// `name` is a song's, or a folder's of them.
    init(name: String, sampleRate: Int, form: Form) {
        self.name = OneLine.text(name)
        self.sampleRate = sampleRate
        self.form = form
        due = start + (form == .bar ? .milliseconds(250) : .seconds(1))
    }

    mutating func update(_ state: State) {
        let now = ContinuousClock().now
        if now < due { return }
        // The song is still being read.
        if case .song(let progress) = state, progress.expectedFrames == 0 { return }
        let elapsed = (now - start).inSeconds
        switch form {
        case .json:
            due = now + .seconds(1)
            return StandardError.print(ProgressLine(state, sampleRate: sampleRate, elapsed: elapsed).text)
        case .lines:
            due = now + .seconds(5)
            return StandardError.print(line(state, elapsed: elapsed, width: nil))
        case .bar: due = now + .milliseconds(250)
        }
        let text = line(state, elapsed: elapsed, width: TerminalSize.now.columns)
        isDrawn = true
        StandardError.write("\r\u{1B}[K" + text)
    }

    /// Reports that a song begins, in JSON form only.
    func begin(_ song: String, number: Int, of count: Int) {
        if form != .json { return }
        let elapsed = (ContinuousClock().now - start).inSeconds
        StandardError.print(ProgressLine(beginning: song, number: number, of: count, elapsed: elapsed).text)
    }

    /// Reports that a song is over, in JSON form only.
    func end(_ outcome: RenderBatch.Outcome, number: Int) {
        if form != .json { return }
        let elapsed = (ContinuousClock().now - start).inSeconds
        StandardError.print(ProgressLine(outcome, number: number, elapsed: elapsed).text)
    }

    mutating func clear() {
        if isDrawn { StandardError.write("\r\u{1B}[K") }
        isDrawn = false
    }

    /// `name [=====     ] 1:02 / 3:20  95x  0:02 left`, `name [==   ] 12 of 100 songs  0:31 left`: in less than `width`
    /// columns; if these are few, the bar goes first, then the name. Without a width there is no bar.
    func line(_ state: State, elapsed: Double, width: Int?) -> String {
        let part: Double, text: String
        switch state {
        case .song(let progress):
            let done = Double(progress.frames) / Double(sampleRate)
            let whole = max(Double(progress.expectedFrames) / Double(sampleRate), done)
            let speed = elapsed > 0 ? done / elapsed : 0
            let timeLeft = speed > 0 ? (whole - done) / speed : 0
            part = whole > 0 ? done / whole : 0
            text = "\(Self.time(done)) / \(Self.time(whole))  \(Int(speed.rounded()))x  \(Self.time(timeLeft)) left"
        case .songs(let done, let count, let parts, _):
            part = count > 0 ? parts / Double(count) : 0
            let timeLeft = parts > 0 ? elapsed / parts * (Double(count) - parts) : 0
            text = "\(done) of \(count) songs  \(Self.time(timeLeft)) left"
        }
        guard let width else { return "\(name): \(text)" }
        let room = max(width, 20) - 1
        let shortName = TextColumns.fitting(name, columns: max(width / 4, 8))
        let barWidth = min(room - shortName.columns - text.count - 4, 60)
        if barWidth >= 6 {
            let filled = min(Int(Double(barWidth) * part), barWidth)
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: barWidth - filled)
            return "\(shortName.text) [\(bar)] \(text)"
        }
        let left = TextColumns.fitting(name, columns: room - text.count - 1).text
        return left.isEmpty ? String(text.prefix(room)) : "\(left) \(text)"
    }

    /// `3:07`, `1:02:03`.
    static func time(_ seconds: Double) -> String {
        let whole = Int64(max(seconds, 0).rounded())
        func two(_ n: Int64) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let hours = whole / 3600, minutes = whole / 60 % 60
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }
}
