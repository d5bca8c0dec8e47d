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
        public let event: HouseEvent
    }

    /// The sums of a dry run.
    public struct Summary: Sendable {
        /// Seconds in which the house was open.
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

    /// A run of an installation with the songs that are there now.
    public init(_ installation: Installation, playlists: [InstallationPlaylist], zone: WallZone) {
        self.zone = zone
        sampleRate = installation.device.sampleRate
        hours = OpeningHours(installation.calendar(in: zone))
        programme = Programme(playlists)
        fade = installation.fade
        cues = installation.cues
    }

    /// Walks from one moment to another; `tell` hears everything in order.
    public mutating func run(from start: WallTime, to end: WallTime, tell: (Entry) -> Void) -> Summary {
        var summary = Summary(), known: Set<String> = []
        var now = start
        let zone = zone
        func say(_ event: HouseEvent, at moment: WallTime) {
            tell(Entry(moment: moment, local: zone.local(at: moment), event: event))
        }
        while now < end {
            let actions = hours.actions(at: now)
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
                    (begins, delay) = (true, (hours.situation?.fade ?? fade) + House.rest)
                case .close: say(.closed(until: nil), at: now)
                case .pause: say(.paused, at: now)
                case .resume: say(.wentOn, at: now)
                case .level(let decibels): say(.level(decibels), at: now)
                }
            }
            if begins { state.begin(after: delay) }
            let next = min(hours.nextChange(after: now) ?? end, end)
            if hours.situation?.playlist == nil { state = Playing() } else { summary.openSeconds += next - now }
            if hours.situation?.playlist != nil {
                var entries = cueTimes(from: now, until: next)
                if hours.situation?.isPaused == false {
                    play(from: now, until: next, &summary, &known) { entries.append(($1, $0)) }
                }
                // What begins at the same moment stays in its order.
                let sorted = entries.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
                for (moment, event) in sorted.map(\.element) { say(event, at: moment) }
            }
            now = next
        }
        summary.differentSongs = known.count
        return summary
    }

    /// The cues that have times of day, at their times. What they do to the music is left out.
    private func cueTimes(from start: WallTime, until end: WallTime) -> [(WallTime, HouseEvent)] {
        let timed = cues.filter { !$0.times.isEmpty }
        if timed.isEmpty { return [] }
        var entries: [(WallTime, HouseEvent)] = [], date = zone.civil(at: start).date
        let last = zone.civil(at: end).date
        while date <= last {
            for cue in timed {
                for time in cue.times {
                    let moment = zone.moment(of: CivilTime(date, second: time))
                    if moment >= start, moment < end { entries.append((moment, .cue(cue.name))) }
                }
            }
            date = date.advanced(by: 1)
        }
        return entries
    }

    /// The music that plays.
    private struct Playing {
        /// Seconds that are left of the song, or of the silence before the next.
        var left = 0.0
        /// The choice that begins then; nil while a song plays.
        var next: (Programme.Choice, length: Double, rest: Double)?
        /// Seconds of silence that the song wants behind it; nil before the first one.
        var rest: Double?
        var hasEnded = false

        mutating func begin(after delay: Double) { self = Playing(left: delay) }
    }

    private var state = Playing()

    /// Plays songs from one moment to another.
    private mutating func play(
        from start: WallTime, until end: WallTime, _ summary: inout Summary, _ known: inout Set<String>,
        _ say: (HouseEvent, WallTime) -> Void
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
                    state.left = failures >= max(programme.songCount, 1) ? House.patience : 0
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

    /// Seconds of a song and of the rest behind it; nil for one that cannot be played.
    private mutating func length(of song: InstallationSong) -> (Double, Double)? {
        let key = "\(song.path) \(song.manner)"
        if let known = lengths[key] { return known }
        let listed = SongFeed.song(song)
        var result: (length: Double, rest: Double)?
        // Why it cannot be played, whoever checks the installation is told.
        do { result = (try listed.length(sampleRate: sampleRate), listed.rest) } catch { result = nil }
        lengths[key] = .some(result)
        return result
    }
}
