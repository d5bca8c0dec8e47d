import Carillon

/// One line on the terminal that is rewritten four times a second: position, speed, time left.
struct ProgressBar {
    private let name: String
    private let sampleRate: Int
    private let start = ContinuousClock().now
    private var lastDrawn: ContinuousClock.Instant
    private var isDrawn = false

    /// A bar for the song `name`.
    init(name: String, sampleRate: Int) {
        self.name = Failure.oneLine(name)
        self.sampleRate = sampleRate
        lastDrawn = start
    }

    /// Draws when a quarter of a second has passed since the last time.
    mutating func update(_ progress: RenderProgress) {
        let now = ContinuousClock().now
        if now - lastDrawn < .milliseconds(250) { return }
        lastDrawn = now
        isDrawn = true
        StandardError.write("\r\u{1B}[K" + line(progress, elapsed: Self.seconds(now - start), width: TerminalSize.now.columns))
    }

    /// Takes the line away.
    mutating func clear() {
        if isDrawn { StandardError.write("\r\u{1B}[K") }
        isDrawn = false
    }

    /// `name [=====     ] 1:02 / 3:20  95x  0:02 left` in less than `width` columns; where these are few, the bar goes
    /// first, then the name.
    func line(_ progress: RenderProgress, elapsed: Double, width: Int) -> String {
        let done = Double(progress.frames) / Double(sampleRate)
        let whole = max(Double(progress.expectedFrames) / Double(sampleRate), done)
        let speed = elapsed > 0 ? done / elapsed : 0
        let timeLeft = speed > 0 ? (whole - done) / speed : 0
        let text = "\(Self.time(done)) / \(Self.time(whole))  \(Int(speed.rounded()))x  \(Self.time(timeLeft)) left"
        let room = max(width, 20) - 1
        let shortName = ScreenLine.fitting(name, columns: max(width / 4, 8))
        let barWidth = min(room - shortName.columns - text.count - 4, 60)
        if barWidth >= 6 {
            let filled = whole > 0 ? Int(Double(barWidth) * done / whole) : 0
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: barWidth - filled)
            return "\(shortName.text) [\(bar)] \(text)"
        }
        let left = ScreenLine.fitting(name, columns: room - text.count - 1).text
        return left.isEmpty ? String(text.prefix(room)) : "\(left) \(text)"
    }

    /// `3:07`, `1:02:03`.
    static func time(_ seconds: Double) -> String {
        let whole = Int64(max(seconds, 0).rounded())
        func two(_ n: Int64) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let hours = whole / 3600, minutes = whole / 60 % 60
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
