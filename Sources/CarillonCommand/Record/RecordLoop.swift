import Carillon
import Glibc

/// The control thread of `carillon record`: ten times a second the screen is brought up to date, or the log is, until a key, a
/// signal, the time or a fault ends it.
struct RecordLoop {
    private static let interval = 0.1
    /// Seconds between two lines of levels in the log.
    private static let logInterval = 10.0

    private let session: RecordSession
    private let signals: Int32
    private let output: LogOutput
    private let style = ScreenStyle()
    private let redraws = ScreenStyle.canRedraw
    private var painter: ScreenPainter
    private var keys = KeyReader()
    private var hasInput = isatty(0) == 1
    private var logged = -Double.infinity
    private var toldState: AudioRecorder.State?
    private var toldDeafness: String?
    /// The signal that ended it, 0 for none.
    private var ending: Int32?

    /// `SignalPipe` reads `signals`.
    init(_ session: RecordSession, signals: Int32, output: LogOutput) {
        (self.session, self.signals, self.output) = (session, signals, output)
        painter = ScreenPainter(hasColour: style.hasColour)
    }

    /// Returns the signal that ended it; 0: a key, the time, or a fault of the file.
    mutating func run() throws(Fault) -> Int32 {
        defer { painter.leave(redraws: redraws) }
        var due = SteadyClock.seconds
        while true {
            if hasInput { _ = RawTerminal.enter() }
            wait(until: due)
            if SteadyClock.seconds >= due {
                due = max(due + Self.interval, SteadyClock.seconds)
                try session.maintain()
            }
            let view = session.view
            switch view.state {
            case .finished, .failed: ending = ending ?? 0
            case .waiting, .recording, .paused: break
            }
            show(view)
            if let ending { return ending }
        }
    }

    private mutating func show(_ view: RecordView) {
        guard StandardError.canWrite else { return }
        if !redraws { return log(view) }
        guard RawTerminal.isInForeground(2) else { return }
        let size = TerminalSize.now
        let lines = RecordScreen.lines(view, columns: size.columns - 1, rows: max(size.rows - 1, 1), style: style)
        let text = painter.update(lines, columns: size.columns)
        if !text.isEmpty { StandardError.write(text) }
    }

    private mutating func log(_ view: RecordView) {
        let now = SteadyClock.seconds
        if view.state == toldState, view.deafness == toldDeafness, now - logged < Self.logInterval { return }
        (toldState, toldDeafness, logged) = (view.state, view.deafness, now)
        output.print(Self.line(view))
    }

    static func line(_ view: RecordView) -> String {
        let state =
            switch view.state {
            case .waiting: "waiting"
            case .recording: "recording"
            case .paused: "paused"
            case .finished: "finished"
            case .failed: "failed"
            }
        func number(_ value: Double?) -> String? { value.map { RenderJob.fixed(max($0, -120), 1) } }
        func count(_ number: Int) -> String? { number > 0 ? "\(number)" : nil }
        let names: [String] =
            switch view.input.count {
            case 1: ["peak"]
            case 2: ["peak-left", "peak-right"]
            default: view.input.indices.map { "peak-\($0 + 1)" }
            }
        let peaks = zip(names, view.input).map { ($0, number($1.peak)) }
        return LiveLog.line(
            "recording",
            [
                ("state", state), ("file", view.path), ("seconds", RenderJob.fixed(view.seconds, 1)),
            ] + peaks + [
                ("overs", count(view.overs)), ("clipped", count(view.clipped)), ("missing", count(view.missing)),
                ("dropped", count(view.dropped)), ("device", view.deviceState), ("fault", view.deafness),
            ])
    }

    private mutating func wait(until due: Double) {
        var waiting = [
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasInput && RawTerminal.isEntered ? 0 : -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waiting, nfds_t(waiting.count), Int32((max(due - SteadyClock.seconds, 0) * 1000).rounded(.up)))
        while let number = SignalPipe.next(from: signals) { take(signal: number) }
        if waiting[1].revents != 0 { readKeys() }
    }

    private mutating func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(0, &bytes, bytes.count)
        if count > 0 {
            for key in keys.keys(in: bytes.prefix(count)) {
                switch key {
                case .character(" "): session.togglePause()
                case .character("q"): ending = ending ?? 0
                case .control("l"): if redraws { StandardError.write(painter.erase(columns: TerminalSize.now.columns)) }
                default: break
                }
            }
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            hasInput = false
        }
    }

    private mutating func take(signal number: Int32) {
        if !painter.take(signal: number, redraws: redraws) { ending = ending ?? number }
    }
}
