import Carillon
import Control
import Glibc
import Installations
import Reports

/// One run of `live` or `play`: from options to an exit code, in this order: sounds are read, the device opened, signals
/// taken over, threads started; then the terminal's loop; then notes released, files and device closed.
struct SessionRun {
    let surface: KeyTable.Surface
    let options: LiveOptions
    var songs: [SessionSong] = []
    /// nil means the first song's beginning.
    var from: TransportTarget?
    /// Channels that are muted from the beginning, counted from 1; one that does not exist is reported.
    var muted: [Int] = []
    /// Commands that hold from the beginning, before anything sounds.
    var commands: [ControlCommand] = []
    /// True to begin with what is read from afar.
    var showsStage = false
    let printsTiming: Bool
    var output = LogOutput()
    /// The files that are watched for changes, from before they were read; nil means none.
    var watched: ListWatch?
    /// What keeps the entry that plays; nil means nothing does.
    var memory: EntryMemory?
    var access = NetworkAccess()
    /// The gain that was measured for its SoundFonts, in decibels; nil means none was.
    var soundFontGain: Double?

    func run() throws -> Int32 {
        Interruption.reportClosedPipes()
        // Others may ask from here on: what they want waits until sounds are read.
        let inbox = CommandInbox(), socket = try access.socket(for: inbox)
        let loading = StuckCall(over: "songs and SoundFonts", patience: StuckCall.loadPatience)
        let session: Session, wakeUp = WakeUp()
        do throws(Fault) { session = try Session(options, songs: songs, inbox: inbox) } catch {
            for item in inbox.close() { item.answer?(.failure(error)) }
            socket?.end()
            throw Failure.report(error, passage: "--from")
        }
        loading.stop()
        for line in session.takeNotices() { say(line, at: .zero) }
        for line in RemarkReport.lines(of: session) {
            say(line, as: "remark", at: .zero)
        }
        let fonts = SoundFontLines(session.graph.soundFonts, session.graph.soundFontOrigin)
        for line in fonts.lines { say(line, as: "soundfonts", at: .zero) }
        if let soundFontGain { say(fonts.line(gain: soundFontGain), as: "gain", at: .zero) }
        socket?.publish(session.snapshot, of: session)
        let gateway = try access.gateway()
        for line in gateway?.announcements ?? [] { say(line, as: "address", at: .zero) }
        let signals: Int32
        session.onButton { wakeUp?.wake() }
        session.onEnd = { SignalPipe.expectEnd(within: $0) }
        do { signals = try SignalPipe.install(endingWithin: session.longestFade) } catch {
            throw Failure.report(error)
        }
        try reporting { () throws(Fault) in
            if let from { try session.begin(at: from) }
            for channel in muted { try mute(channel, session) }
            for command in commands { try session.perform(command) }
            try session.start()
        }
        let control = Self.control(session, socket, gateway, wakeUp, watched: watched, memory)
        var loop = SessionLoop(
            surface, signals: signals, control: control, output: output, showsStage: showsStage)
        let ending = loop.run()
        var code = ending.exitCode
        memory?.end()
        do { try session.finish() } catch {
            _ = Failure.report(error)
            if code == 0 { code = error.exitCode }
        }
        // All answers have been sent by now.
        gateway?.end()
        socket?.end()
        // A song that cannot be played does not stop the others, but the exit code reports it.
        if code == 0, session.playlist?.items.contains(where: { $0.fault != nil }) == true { code = 65 }
        let snapshot = session.snapshot
        let capture = session.captureFault == nil ? session.capturePath : nil
        if ScreenStyle.canRedraw {
            StandardError.print(Self.summary(snapshot, options, capture: capture))
        } else {
            output.print(LiveLog.summary(snapshot, reason: ending.name, capture: capture))
        }
        if printsTiming { try StandardOutput.print(session.timingReport) }
        return code
    }

    /// Mutes a channel. One of no song that is played is muted as it is; if none can be muted, that is an error.
    private func mute(_ channel: Int, _ session: Session) throws(Fault) {
        do { try session.perform(.mute(channel: channel, true)) } catch {
            guard error.kind == .unknownChannel else { throw error }
            say("\(error); nothing is to be muted there", at: .zero)
        }
    }

    private static func control(
        _ session: Session, _ socket: ControlSocket?, _ gateway: GatewayProcess?, _ wakeUp: WakeUp?,
        watched: ListWatch?, _ memory: EntryMemory?
    ) -> SessionControl {
        var watched = watched
        let faults = RepeatedFault()
        // The snapshot from the end of `maintain`: drawing and logging right after it use this one.
        var latest: SessionSnapshot?
        return SessionControl(
            presets: { session.presets },
            names: { purpose in
                switch purpose {
                case .learn:
                    session.learnableParameters.map { .init(name: $0, command: .learn($0)) }
                        + ControlGrammar.standard.buttonActions.map { .init(name: $0.description, command: .learn(request: $0)) }
                case .silence: session.unitNames.map { .init(name: $0, command: .panic(.unit($0))) }
                }
            },
            snapshot: { latest ?? session.snapshot },
            perform: { command in
                latest = nil
                do {
                    let before = session.snapshot
                    if case .saved(let path) = try session.perform(command) { return "saved \(path)" }
                    return answer(to: command, before)
                } catch { return "\(error)" }
            },
            arrivals: [socket?.arrivals, wakeUp?.descriptor].compactMap(\.self),
            isHurried: { session.awaitsButtons },
            maintain: {
                // Before the inbox is emptied: what comes later wakes again.
                socket?.takeArrivals()
                wakeUp?.take()
                defer {
                    let snapshot = session.snapshot
                    latest = snapshot
                    socket?.publish(snapshot, of: session)
                }
                var lines = session.takeNotices()
                lines += RemarkReport.lines(of: session)
                lines += watched?.follow(session) ?? []
                lines += latest.flatMap { memory?.follow($0) } ?? []
                lines += gateway?.follow() ?? []
                // A fault that occurs ten times a second is reported once; `finish` reports it again at the end.
                do { try session.maintain() } catch { lines += faults.news("\(error)") }
                for line in lines { socket?.tell(line, at: "\(WallZone.now)") }
                return lines
            },
            hasEnded: { session.isOver })
    }

    /// Returns why it changes nothing.
    private static func answer(to command: ControlCommand, _ snapshot: SessionSnapshot) -> String? {
        if let patches = snapshot.patches {
            if command.verb == .patchNext, patches.next == nil { return "this is the last patch" }
            if command.verb == .patchPrevious, patches.number == 1, patches.wanted == nil { return "this is the first patch" }
        }
        guard let transport = snapshot.transport else { return nil }
        if command.verb == .seekMarkers, transport.markers == 0 { return "this song has no markers" }
        let isLast = transport.number == transport.count && transport.repetition != .all
        return command.verb == .next && isLast ? "this is the last song" : nil
    }

    /// Errors become lines on standard error, one for each thing that is missing.
    private func reporting<Result>(_ body: () throws(Fault) -> Result) throws -> Result {
        do { return try body() } catch { throw Failure.report(error, passage: "--from") }
    }

    /// Prints a message before the screen is drawn, or writes it to the log.
    private func say(_ text: String, as event: String = "message", at time: SampleTime) {
        if ScreenStyle.canRedraw { return StandardError.print(OneLine.text(text)) }
        output.print(LiveLog.line(event, [("text", text), ("time", "\(time.rawValue)")]))
    }

    private static func summary(_ snapshot: SessionSnapshot, _ options: LiveOptions, capture: String?) -> String {
        let seconds = Double(snapshot.sampleTime.rawValue) / Double(max(options.sampleRate, 1))
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        var parts = [
            "\(ProgressBar.time(seconds)) played", counted(snapshot.xruns, "xrun"),
            counted(snapshot.lateEvents, "late event"), counted(snapshot.lostEvents, "lost event"),
        ]
        if let line = LimiterLine(snapshot.limiter, seconds: seconds, gain: options.gain) { parts.append(line.text) }
        if let capture { parts.append("captured in \(OneLine.text(capture))") }
        return parts.joined(separator: ", ")
    }
}

/// A fault that comes back with every call is news once.
private final class RepeatedFault {
    private var last: String?

    func news(_ text: String) -> [String] {
        defer { last = text }
        return text == last ? [] : [text]
    }
}
