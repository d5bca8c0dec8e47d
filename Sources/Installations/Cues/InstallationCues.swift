import Carillon
import Reports

/// The cues of an installation while it runs: what asks for them, and what of them plays.
struct InstallationCues {
    struct Interlude {
        let cue: String
        let song: InstallationSong
        /// nil if no music played.
        let back: InstallationState?
        let choice: Programme.Choice?
        /// The music had been stopped by a request.
        let standsStill: Bool
    }

    var machine: CueMachine
    var drop: DropFolder?
    var interlude: Interlude?
    /// When sounds that play began, in the session's time.
    var sounds: [String: SampleTime] = [:]
    var broken: [String: String] = [:]
    /// Up to when times of day were looked at, and when the folder was.
    var looked: WallTime?
    /// The times of day that were played within a day: a clock that is set back does not bring them again.
    private var heard: [(name: String, moment: WallTime)] = []
    var dropped = -Double.infinity
    /// Decibels, as requested.
    var ducked = 0.0
    private(set) var waiting: [(name: String, since: Double)] = []

    init(_ installation: Installation) {
        machine = CueMachine(installation.cues)
        drop = installation.dropFolder.map { DropFolder($0) }
    }

    var hasSound: Bool { sounds.keys.contains { name in machine.cue(named: name).map { $0.mode != .toggle } ?? false } }

    /// Returns false if it waits already.
    mutating func wait(for name: String, at seconds: Double) -> Bool {
        if waiting.contains(where: { $0.name == name }) { return false }
        waiting.append((name, seconds))
        return true
    }

    mutating func takeWaiting(_ name: String? = nil, since: Double = .infinity) -> [String] {
        let isTaken = { (cue: (name: String, since: Double)) in cue.name == name ?? cue.name && cue.since <= since }
        defer { waiting.removeAll(where: isTaken) }
        return waiting.filter(isTaken).map(\.name)
    }

    /// What plays is played to its end.
    mutating func replace(_ installation: Installation) {
        machine.replace(installation.cues)
        if drop?.path != installation.dropFolder { drop = installation.dropFolder.map { DropFolder($0) } }
    }

    /// Ends the cue of the song that took the music's place, once that song is over.
    mutating func forgetInterlude(at seconds: Double) {
        guard let interlude else { return }
        // What follows it does not.
        _ = machine.end(interlude.cue, at: seconds)
        self.interlude = nil
    }

    mutating func clear(at seconds: Double) {
        machine.clear(at: seconds)
        (interlude, sounds, broken, ducked) = (nil, [:], [:], 0)
    }

    /// Cues that have become due since the last call, and the names of those that the clock has leapt over.
    mutating func due(at now: WallTime, in zone: WallZone) -> (due: [CueTimes.Due], missed: [String]) {
        defer { looked = now }
        guard let looked else { return ([], []) }
        heard.removeAll { abs(now - $0.moment) >= InstallationTimes.day }
        // A day has them all.
        let start = max(looked, now + -InstallationTimes.day)
        let due = CueTimes.due(of: machine.cues, after: start, through: now, in: zone).filter { time in
            !heard.contains { $0.name == time.cue.name && $0.moment == time.moment }
        }
        if now - looked > InstallationTimes.longestStep {
            let missed = Set(due.map(\.cue.name))
            return ([], machine.cues.map(\.name).filter { missed.contains($0) })
        }
        heard += due.map { (name: $0.cue.name, moment: $0.moment) }
        return (due, [])
    }
}

extension Installation {
    /// Advice on probable mistakes that still run, as sentences.
    public var advice: [String] {
        var advice: [String] = []
        let keyed = cues.filter { !$0.triggers.isEmpty }.map(\.name)
        if buttons.isEmpty, !keyed.isEmpty {
            advice.append("no keyboard can request \(keyed.joined(separator: ", ")): add buttons: any")
        }
        if let dropFolder, !SongFolder.isFolder(dropFolder) {
            advice.append("drop: there is no folder \(dropFolder) yet: create it; it is looked for every second")
        }
        return advice
    }

    /// Returns which cues and layers cannot be played in a session, as sentences. This uses the session up.
    public func faultsOfCues(in session: Session) -> [String] {
        var faults: [String] = []
        for layer in layers {
            do throws(Fault) { try layer.layer.check(sampleRate: sampleRate) } catch {
                faults.append("layer \(layer.name): \(error)")
            }
        }
        for sound in sounds {
            do throws(Fault) { try session.prepare(sound) } catch { faults.append("cue \(sound.name): \(error)") }
        }
        for cue in cues {
            do throws(Fault) {
                switch cue.content {
                case .sound, .layer: break
                case .song(let song): _ = try SongFeed.song(song).length(sampleRate: sampleRate)
                case .scene(let name): try session.perform(.scene(.named(name)))
                case .commands(let commands):
                    // What writes files, or is about songs that this session has not got, shows only when it is requested.
                    for command in commands where command.verb.movesSound { try session.perform(command) }
                }
            } catch { faults.append("cue \(cue.name): \(error)") }
        }
        return faults
    }

    /// The buttons of keyboards that request cues, and release those that are held.
    var cueButtons: [Session.Button] {
        cues.flatMap { cue in
            cue.triggers.flatMap { trigger in
                var press = Session.Button(trigger, .cue(cue.name)), release = Session.Button(trigger, .releaseCue(cue.name))
                release.gesture = .release
                (press.channel, release.channel) = (cue.channel, cue.channel)
                if case .program = trigger { return [press] }
                return cue.mode == .hold ? [press, release] : [press]
            }
        }
    }

    var sounds: [SessionSound] {
        cues.compactMap { cue in
            guard case .sound(let path) = cue.content else { return nil }
            return SessionSound(name: cue.name, path: path, level: cue.level)
        }
    }
}
