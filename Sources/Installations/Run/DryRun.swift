import Carillon

/// A dry run: what an installation would play between two moments, without a sound. Its calendar, its playlists and the lengths
/// of its songs are walked through as fast as can be.
///
/// The same hours and the same programme decide as in earnest; what a device would add, a slice here and there, is left
/// out. One thread.
public struct DryRun {
    /// Something that happens, and what the clocks show then.
    public struct Entry: Sendable {
        public let moment: WallTime
        public let local: LocalTime
        public let event: InstallationEvent
    }

    /// The sums of a dry run.
    public struct Summary: Sendable {
        /// Seconds in which the installation was open.
        public var openSeconds: Int64 = 0
        /// Songs that began, and how many different ones.
        public var songs = 0
        public var differentSongs = 0
        /// Songs that were left out because they cannot be played.
        public var leftOut = 0
    }

    private let zone: WallZone
    private let sampleRate: Int
    private var hours: OpeningHours
    private var programme: Programme
    private let fade: Double
    private let cues: [Cue]
    private var lengths: [String: (length: Double, rest: Double)?] = [:]

    /// Creates a run of an installation with the songs that are there now.
    public init(_ installation: Installation, playlists: [InstallationPlaylist], zone: WallZone) {
        self.zone = zone
        sampleRate = installation.sampleRate
        hours = OpeningHours(installation.calendar(in: zone))
        programme = Programme(playlists)
        fade = installation.fade
        cues = installation.cues
    }

    /// Walks from one moment to another; calls `tell` with every entry in order.
    public mutating func run(from start: WallTime, to end: WallTime, tell: (Entry) -> Void) -> Summary {
        var summary = Summary(), known: Set<String> = []
        var now = start
        let zone = zone
        func say(_ event: InstallationEvent, at moment: WallTime) {
            tell(Entry(moment: moment, local: zone.local(at: moment), event: event))
        }
        while now < end {
            let due = CueTimes.due(of: cues, after: now + -1, through: now, in: zone).map {
                (name: $0.cue.name, waits: $0.cue.content.waitsForMusic, order: CueTimes.order(at: now, in: hours))
            }
            for cue in due where cue.order != .last {
                say(cue.order == .first && !cue.waits ? .cue(cue.name) : .cueRefused(cue.name, reason: CueTimes.closed), at: now)
            }
            let wasPaused = hours.situation?.isPaused ?? false, actions = hours.actions(at: now)
            let fade = hours.situation?.fade ?? fade
            var begins = false, delay = 0.0
            for action in actions {
                switch action {
                case .open(let playlist, let level):
                    say(.opened(playlist: playlist), at: now)
                    if level != 0 { say(.level(level), at: now) }
                    programme.go(to: Programme.Place(playlist: playlist))
                    begins = true
                case .change(let playlist):
                    say(.changed(playlist: playlist), at: now)
                    programme.go(to: Programme.Place(playlist: playlist))
                    // Paused music has nothing to fade.
                    (begins, delay) = (true, (wasPaused ? 0 : fade) + InstallationTimes.rest)
                case .close: say(.closed(until: nil), at: now)
                case .pause: say(.paused, at: now)
                case .resume: say(.wentOn, at: now)
                case .level(let decibels): say(.level(decibels), at: now)
                }
            }
            if begins { state.begin(after: delay) }
            let pauses = actions.contains(.pause) || begins && hours.situation?.isPaused == true
            changing = max(changing, now + Int64(delay + (pauses ? fade : 0)))
            let next = min(hours.nextChange(after: now) ?? end, end), isOpen = hours.situation?.playlist != nil
            for cue in due where cue.order == .last {
                if cue.waits { waiting.append((cue.name, now)) } else { say(.cue(cue.name), at: now) }
            }
            var entries: [(WallTime, InstallationEvent)] = []
            for cue in CueTimes.due(of: cues, after: now, through: next + -1, in: zone) {
                if !isOpen {
                    entries.append((cue.moment, .cueRefused(cue.cue.name, reason: CueTimes.closed)))
                } else if cue.cue.content.waitsForMusic {
                    waiting.append((cue.cue.name, cue.moment))
                } else {
                    entries.append((cue.moment, .cue(cue.cue.name)))
                }
            }
            if isOpen {
                summary.openSeconds += next - now
                if hours.situation?.isPaused == false {
                    play(from: now, until: next, &summary, &known) { entries.append(($1, $0)) }
                }
            } else {
                state = Playing()
            }
            entries += waitingCues(isOpen: isOpen, at: now, until: next)
            // What happens at the same moment stays in its order.
            let sorted = entries.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            for (moment, event) in sorted.map(\.element) { say(event, at: moment) }
            now = next
        }
        summary.differentSongs = known.count
        return summary
    }

    /// The time until which the music changes, and the songs and layers that wait for it; their sound is left out.
    private var changing = WallTime(seconds: .min / 2)
    private var waiting: [(name: String, since: WallTime)] = []

    private mutating func waitingCues(isOpen: Bool, at now: WallTime, until next: WallTime) -> [(WallTime, InstallationEvent)] {
        var entries: [(WallTime, InstallationEvent)] = []
        waiting.removeAll { cue in
            let latest = cue.since + Int64(InstallationTimes.longestWait), moment = max(cue.since, changing)
            let (time, event): (WallTime, InstallationEvent) =
                if !isOpen {
                    (now, .cueRefused(cue.name, reason: CueTimes.closed))
                } else if moment < latest {
                    (moment, .cue(cue.name))
                } else {
                    (latest, .cueRefused(cue.name, reason: CueTimes.changing))
                }
            if time >= next { return false }
            entries.append((time, event))
            return true
        }
        return entries
    }

    private struct Playing {
        /// Seconds of the song, or of the silence before the next.
        var left = 0.0
        /// nil while a song plays.
        var next: (Programme.Choice, length: Double, rest: Double)?
        /// Seconds; nil before the first song.
        var rest: Double?
        var hasEnded = false

        mutating func begin(after delay: Double) { self = Playing(left: delay) }
    }

    private var state = Playing()

    private mutating func play(
        from start: WallTime, until end: WallTime, _ summary: inout Summary, _ known: inout Set<String>,
        _ say: (InstallationEvent, WallTime) -> Void
    ) {
        // Seconds of music since `start`, exact enough for years.
        var passed = 0.0, failures = 0
        let room = Double(end - start)
        while !state.hasEnded, passed + state.left < room {
            passed += state.left
            let now = start + Int64(passed)
            if let (choice, length, rest) = state.next {
                summary.songs += 1
                known.insert(choice.song.path)
                say(.song(name: choice.song.name, playlist: choice.place.playlist, seconds: length), now)
                (state.left, state.rest, state.next) = (length, rest, nil)
            } else if let choice = programme.take() {
                if let (length, rest) = length(of: choice.song) {
                    failures = 0
                    state.left = state.rest.map { max(choice.song.manner.pause, $0) } ?? 0
                    state.next = (choice, length, rest)
                } else {
                    summary.leftOut += 1
                    failures += 1
                    // A list of nothing but such songs is tried again after a while, as in earnest.
                    state.left = failures >= max(programme.songCount, 1) ? InstallationTimes.patience : 0
                    if state.left > 0 { failures = 0 }
                }
            } else {
                state.hasEnded = true
                say(.ended(playlist: hours.situation?.playlist ?? ""), now)
                return
            }
        }
        state.left -= room - passed
    }

    /// Seconds of a song and of the rest after it; nil for one that cannot be played.
    private mutating func length(of song: InstallationSong) -> (Double, Double)? {
        let key = "\(song.path) \(song.manner)"
        if let known = lengths[key] { return known }
        let listed = SongFeed.song(song)
        var result: (length: Double, rest: Double)?
        // The check of the installation reports why it cannot be played.
        do { result = (try listed.length(sampleRate: sampleRate), listed.rest) } catch { result = nil }
        lengths[key] = .some(result)
        return result
    }
}
