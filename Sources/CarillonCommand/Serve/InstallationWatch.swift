import Carillon
import Installations
import Reports

/// The reports of an installation to the service manager: ready, how it does, and that sound is made.
struct InstallationWatch {
    /// Seconds of starvation before it is reported: a session that has just begun has rendered nothing yet.
    private static let grace = 0.5

    private let notice: ServiceNotice
    private var watch = SoundWatch()
    private var fed = -Double.infinity
    private var status = ""
    /// The loudest that was heard since the watchdog was fed last.
    private var loudest = -Double.infinity
    /// When it began to starve; nil while it is fed.
    private var starving: Double?
    private var isTold = false

    init(_ notice: ServiceNotice) { self.notice = notice }

    /// Seconds until the watchdog has to be fed; nil if there is none.
    var patience: Double? { notice.watchdogInterval.map { max(fed + $0 - SteadyClock.seconds, 0) } }

    /// Reports the state, and feeds the watchdog if that is due and the session is well.
    mutating func look(at runner: InstallationRunner, _ all: SessionSnapshot) {
        let now = SteadyClock.seconds, snapshot = runner.session == nil ? nil : all
        let status = Self.status(runner, all)
        if status != self.status {
            self.status = status
            notice.send([.status(status)])
        }
        loudest = max(loudest, snapshot?.levels.map(\.average).max() ?? -.infinity)
        if let snapshot { watch.look(renderedFrames: snapshot.sampleTime.rawValue, at: now) }
        guard let interval = notice.watchdogInterval, now - fed >= interval else { return }
        guard let snapshot else {
            // a closed installation makes no sound, and has none to watch.
            (watch, fed, starving, isTold) = (SoundWatch(), now, nil, false)
            notice.send([.watchdog])
            return
        }
        let isSounding = runner.isSounding && !snapshot.notes.isEmpty
        if watch.mayFeed(
            renderedFrames: snapshot.sampleTime.rawValue, notesSounding: isSounding, levelDecibels: loudest, at: now)
        {
            notice.send([.watchdog])
            (fed, loudest, starving, isTold) = (now, -.infinity, nil, false)
            return
        }
        let since = starving ?? now
        starving = since
        guard now - since >= Self.grace, !isTold, let reason = watch.reason else { return }
        isTold = true
        runner.writeBlackBox(because: "the watchdog starves: \(reason)")
        LogOutput().print(OneLine.text(LiveLog.line("watchdog", [("state", "starves"), ("reason", reason)])))
    }

    mutating func tell(_ state: ServiceNotice.State) {
        let states = [state] + (status.isEmpty ? [] : [.status(status)])
        if let fault = notice.send(states) { StandardError.print("carillon: \(OneLine.text("\(fault)"))") }
    }

    mutating func tellReloading() {
        notice.send([.reloading(monotonicMicroseconds: UInt64(max(SteadyClock.seconds, 0) * 1e6))])
    }

    /// The line that the service manager shows on what plays.
    static func status(_ runner: InstallationRunner, _ snapshot: SessionSnapshot) -> String {
        guard let house = snapshot.installation else { return "" }
        var words = house.activity.sentence
        if house.activity.state == .playing, let song = snapshot.transport?.song {
            words = "\(runner.situation.words): \(song)"
        } else if house.activity.state == .closed, let next = house.next {
            words += " until \(next.at)"
        }
        return words + (house.trouble.map { "; \($0.reason), since \($0.since)" } ?? "")
    }
}
