import Carillon
import Glibc

/// The control thread of `live` and `play`: keys become commands, and ten times a second the screen is brought up to
/// date, or the log is. Returns when the session is to end.
struct SessionLoop {
    enum Ending: Equatable {
        /// A key ended it, or it ended by itself.
        case done
        case signal(Int32)

        var exitCode: Int32 {
            switch self {
            case .done: 0
            case .signal(let number): 128 + number
            }
        }

        var name: String {
            switch self {
            case .done: "done"
            case .signal(SIGINT): "SIGINT"
            case .signal(SIGTERM): "SIGTERM"
            case .signal(SIGHUP): "SIGHUP"
            case .signal(let number): "signal-\(number)"
            }
        }
    }

    /// Seconds for which a message is on the screen.
    private static let messageTime = 6.0
    /// Seconds within which a message is shown together with the next one.
    private static let glance = 1.0
    private static let interval = 0.1
    /// Seconds between two turns while a button may become a hold.
    private static let hurry = 0.02

    private let surface: KeyTable.Surface
    private let signals: Int32
    private let control: SessionControl
    private let style = ScreenStyle()
    private let redraws = ScreenStyle.canRedraw
    private var keys = KeyReader()
    private var interpreter: KeyInterpreter
    private var painter: ScreenPainter
    private var log: LiveLog
    private let output: LogOutput
    /// The page of the help, counted from 1; 0 without.
    private var helpPage = 0
    private var showsStage: Bool
    /// The message on the screen, its last part, and the time of that.
    private var message: (text: String, last: String, since: Double)?
    private var untold: [String] = []
    private var lastKey = 0.0
    private var patch: String?
    private var hasInput = isatty(0) == 1
    private var ending: Ending?

    /// `SignalPipe` reads `signals`.
    init(_ surface: KeyTable.Surface, signals: Int32, control: SessionControl, output: LogOutput, showsStage: Bool) {
        self.showsStage = showsStage
        self.output = output
        self.surface = surface
        self.signals = signals
        self.control = control
        interpreter = KeyInterpreter(KeyTable(surface), presets: control.presets(), names: control.names)
        painter = ScreenPainter(hasColour: style.hasColour)
        log = LiveLog(showsSong: surface == .play)
    }

    /// The terminal is as it was at the end.
    mutating func run() -> Ending {
        defer { painter.leave(redraws: redraws) }
        var due = Self.now
        while true {
            if hasInput { _ = RawTerminal.enter() }
            let hasArrivals = wait(until: due)
            let isDue = Self.now >= due || ending != nil
            if isDue || hasArrivals {
                let messages = control.maintain()
                if !messages.isEmpty { tell(LiveLog.news(messages, beside: control.snapshot())) }
                if control.hasEnded() { ending = ending ?? .done }
            }
            if isDue || ending != nil {
                due = max(due + Self.interval, Self.now)
                show()
            }
            if let ending { return ending }
        }
    }

    private mutating func tell(_ texts: [String]) {
        if texts.isEmpty { return }
        if redraws {
            // The last message has not been read yet.
            let former = message.flatMap { Self.now - $0.since < Self.glance ? $0.last : nil }
            let text = texts.joined(separator: "; ")
            message = (former.map { "\($0); \(text)" } ?? text, text, Self.now)
        } else {
            untold += texts
        }
        // The log takes no lines: the oldest are dropped.
        untold.removeFirst(max(untold.count - 100, 0))
    }

    private mutating func show() {
        // A stalled line or pipe must not stop the session's own work.
        guard StandardError.canWrite else { return }
        let snapshot = control.snapshot(), now = Self.now
        if snapshot.patches?.name != patch {
            patch = snapshot.patches?.name
            interpreter.offer(control.presets())
        }
        if !redraws {
            for line in log.lines(for: snapshot, messages: untold, at: now) { output.print(line) }
            untold = []
            return
        }
        if let message, now - message.since > Self.messageTime { self.message = nil }
        guard RawTerminal.isInForeground(2) else { return }
        let (columns, rows) = screenSize
        let lines =
            switch surface {
            case _ where showsStage && helpPage == 0 && interpreter.choice.search == nil && interpreter.names == nil:
                StageScreen.lines(
                    snapshot, columns: columns, rows: rows, style: style, message: message?.text,
                    waitingKeys: interpreter.waitingKeys)
            case .live:
                LiveScreen.lines(
                    snapshot, columns: columns, rows: rows, style: style, message: message?.text,
                    waitingKeys: interpreter.waitingKeys, helpPage: helpPage,
                    hand: LiveHand(choice: interpreter.choice, typing: interpreter.typing, names: interpreter.names))
            case .play:
                PlayScreen.lines(
                    snapshot, columns: columns, rows: rows, style: style, message: message?.text,
                    waitingKeys: interpreter.waitingKeys, helpPage: helpPage)
            }
        let text = painter.update(lines, columns: columns + 1)
        if !text.isEmpty { StandardError.write(text) }
    }

    /// Returns whether a command has come.
    private mutating func wait(until due: Double) -> Bool {
        let isHurried = control.isHurried()
        var limit = min(max(due - Self.now, 0), isHurried ? Self.hurry : Self.interval)
        if keys.isWaiting { limit = min(limit, max(lastKey + Double(KeyReader.patience) / 1000 - Self.now, 0)) }
        var waiting = [
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasInput && RawTerminal.isEntered ? 0 : -1, events: Int16(POLLIN), revents: 0),
        ]
        waiting += control.arrivals.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&waiting, nfds_t(waiting.count), Int32((limit * 1000).rounded(.up)))
        while let number = SignalPipe.next(from: signals) { take(signal: number) }
        if waiting[1].revents != 0 {
            readKeys()
        } else if keys.isWaiting, Self.now - lastKey >= Double(KeyReader.patience) / 1000 {
            take(keys.timeout())
        }
        return isHurried || waiting[2...].contains { $0.revents != 0 }
    }

    private mutating func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(0, &bytes, bytes.count)
        if count > 0 {
            lastKey = Self.now
            take(keys.keys(in: bytes.prefix(count)))
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            // The terminal has gone: no key will be pressed any more, and polling it again would use the whole processor.
            hasInput = false
        }
    }

    private mutating func take(_ keys: [Key]) {
        for key in keys {
            switch interpreter.outcome(of: key, at: control.snapshot()) {
            case .commands(let commands):
                // The last message is of another time.
                message = nil
                for command in commands {
                    if command == .quit { ending = ending ?? .done }
                    if let text = control.perform(command) { tell([text]) }
                }
            case .confirmation(let loss): tell(["\(loss); the same key again within \(Int(KeyInterpreter.patience)) s quits"])
            case .help: turnHelp()
            case .stage: showsStage.toggle()
            case .redraw:
                if redraws { StandardError.write(painter.erase(columns: TerminalSize.now.columns)) }
            case .nothing: break
            }
        }
        if !keys.isEmpty, redraws { show() }
    }

    /// Shows the help, its next page, or after the last none.
    private mutating func turnHelp() {
        let situation = KeyTable.Situation(control.snapshot(), isTyping: interpreter.typing.isOn), size = screenSize
        let count = HelpPages(KeyTable(surface), situation, columns: size.columns, rows: size.rows).pages.count
        helpPage = helpPage < count ? helpPage + 1 : 0
    }

    /// One column and one row stay free: the cursor's.
    private var screenSize: (columns: Int, rows: Int) {
        let size = TerminalSize.now
        return (size.columns - 1, max(size.rows - 1, 1))
    }

    private mutating func take(signal number: Int32) {
        guard painter.take(signal: number, redraws: redraws) else {
            ending = ending ?? .signal(number)
            return
        }
        if number == SIGWINCH, redraws { show() }
    }

    /// Seconds of a clock that never goes back.
    private static var now: Double { SteadyClock.seconds }
}
