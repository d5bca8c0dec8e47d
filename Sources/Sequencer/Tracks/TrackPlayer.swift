import MIDI
import RealtimeCore

/// Plays an arrangement that changes while it sounds: a pure state machine, as `Transport` is for songs. Commands and the time go
/// in; stretches for the renderer, and reports of what it will have played, come out.
///
/// The music is planned ahead in short stretches. A command takes effect on its frame: what was planned from there on is dropped
/// and planned anew, by the notes that sound on that frame. A note that the new version does not have any more ends there, one
/// that ends elsewhere ends there instead, and one that should have begun before is not struck. Commands come in the order of
/// their times; one that is given for a time before the last one's takes effect with that. Control side.
package struct TrackPlayer: Sendable {
    /// What the renderer plays from a frame on, instead of what was planned for then or later.
    package struct Stretch: Sendable {
        package var start: SampleTime
        package var events: [TimedMusicEvent]
        package var prologue: [MusicEvent] = []
        package var releases = false
    }

    private enum Command: Sendable {
        case play, stop
        case seek(Double)
        case rate(Double)
        case edit(Song.Arrangement)
    }

    private struct Window: Sendable {
        var start: SampleTime
        var state: TrackState
        var reports: [Song.Arrangement.Report]
    }

    /// Quarter notes a minute of a tempo track that says nothing else.
    package static let usualTempo = 120.0

    private let sampleRate: Double
    /// The versions of the music that hold from their frame on, in the order of time, never empty.
    private var versions: [(time: SampleTime, score: TrackScore)]
    /// Commands whose time has not been planned yet.
    private var waiting: [(time: SampleTime, command: Command)] = []
    private var windows: [Window] = []
    /// Reports of windows that have passed; the newest.
    private var passed: [Song.Arrangement.Report] = []
    private static let mostReports = 4096
    /// Versions that are kept to know where the music was; each may be as large as the song.
    private static let mostVersions = 64
    private var state = TrackState()
    /// Everything before it is planned.
    private var planned = SampleTime.zero
    private var newest = SampleTime.zero
    /// What the newest command sends: a further one for the same frame sends it too, for its stretch takes the place.
    private var sent = Stretch(start: SampleTime(.min), events: [])
    /// What instruments have been set to: the settings before this part. nil: as they are, which is not known.
    private var toldTo: Int64?
    private var hasPlayed = false

    /// The arrangement with all edits, those included that wait for their time.
    package private(set) var arrangement: Song.Arrangement

    /// Creates a player that stands at beat 0, and takes commands for times from `time` on.
    ///
    /// - Parameter areLoops: true for tracks that have nothing to do with each other, beside the music: each ends its own keys,
    ///   pedals and bends alone, all of them as soon as it plays nothing; tempo and position are not sent.
    package init(_ arrangement: Song.Arrangement, sampleRate: Int, from time: SampleTime = .zero, areLoops: Bool = false) {
        self.arrangement = arrangement
        if areLoops { state.ledger = SourceLedger() }
        newest = time
        self.sampleRate = Double(min(max(sampleRate, 1), 1 << 24))
        versions = [(.zero, TrackScore(arrangement, sampleRate: self.sampleRate))]
    }

    /// The tempos with all edits.
    package var map: BeatMap { BeatMap(arrangement.tempoTrack) }

    // Commands take effect at `time`, or as soon as possible after the commands before.

    package mutating func play(at time: SampleTime, now: SampleTime) -> [Stretch] { take(.play, time, now) }
    package mutating func stop(at time: SampleTime, now: SampleTime) -> [Stretch] { take(.stop, time, now) }

    /// Goes to a beat, playing on if it plays: notes end, and the settings of that place are sent.
    package mutating func seek(to beat: Double, at time: SampleTime, now: SampleTime) -> [Stretch] {
        take(.seek(max(Song.Arrangement.bounded(beat), 0)), time, now)
    }

    /// The factor of the tempo, brought into 0.001...1000.
    package mutating func setRate(_ factor: Double, at time: SampleTime, now: SampleTime) -> [Stretch] {
        take(.rate(factor.isNaN ? 1 : min(max(factor, 0.001), 1000)), time, now)
    }

    /// Goes on with another version of the music, at the same beat.
    package mutating func edit(_ arrangement: Song.Arrangement, at time: SampleTime, now: SampleTime) -> [Stretch] {
        self.arrangement = arrangement
        return take(.edit(arrangement), time, now)
    }

    /// Plans what comes up to `horizon` frames after `now`.
    package mutating func advance(now: SampleTime, horizon: Int) -> [Stretch] {
        let stretches = plan(until: now + max(horizon, 0))
        while windows.count > 1, windows[1].start <= now { passed += windows.removeFirst().reports }
        passed.removeFirst(max(passed.count - Self.mostReports, 0))
        // What is heard is older than what is rendered.
        let past = versions.count > Self.mostVersions ? 0 : 10 * Int(sampleRate)
        while versions.count > 1, versions[1].time + past <= now { versions.removeFirst() }
        return stretches
    }

    /// Takes out the reports of what has been rendered before `now`.
    package mutating func takeReports(before now: SampleTime) -> [Song.Arrangement.Report] {
        var reports = passed
        passed = []
        for place in windows.indices where windows[place].start < now {
            let due = windows[place].reports.prefix { $0.time < now }
            reports += due
            windows[place].reports.removeFirst(due.count)
        }
        return reports
    }

    private func score(at time: SampleTime) -> TrackScore { versions.last { $0.time <= time }?.score ?? versions[0].score }

    /// True if it plays on a frame.
    package func isPlaying(at time: SampleTime) -> Bool { score(at: time).isRunning }

    /// True if it plays on a frame, and all tracks have come to their end.
    package func hasEnded(at time: SampleTime) -> Bool {
        let score = score(at: time)
        guard score.isRunning, let end = score.end else { return false }
        return score.beat(at: time) >= TrackScore.beat(end)
    }

    /// The beat that is played on a frame, as far as is known now.
    package func beat(at time: SampleTime) -> Double { score(at: time).beat(at: time) }

    /// The frame on which a beat is played if nothing is changed; nil while it does not play.
    package func time(ofBeat beat: Double) -> SampleTime? {
        guard let score = versions.last?.score, score.isRunning else { return nil }
        return score.time(ofBeat: beat)
    }

    /// The factor of the tempo.
    package var rate: Double { versions.last?.score.rate ?? 1 }

    private mutating func take(_ command: Command, _ wanted: SampleTime, _ now: SampleTime) -> [Stretch] {
        let time = max(wanted, max(newest, now))
        newest = time
        waiting.append((time, command))
        if time > planned { return [] }
        rewind(to: time)
        return plan(until: time + 1)
    }

    /// Forgets what was planned from a frame on; the state is that of the frame.
    private mutating func rewind(to time: SampleTime) {
        guard time < planned, let place = windows.lastIndex(where: { $0.start <= time }) else {
            planned = max(planned, time)
            return
        }
        state = windows[place].state
        _ = score(at: windows[place].start).play(&state, from: windows[place].start, to: time)
        windows[place].reports.removeAll { $0.time >= time }
        windows.removeSubrange((place + 1)...)
        planned = time
    }

    private mutating func plan(until end: SampleTime) -> [Stretch] {
        var stretches: [Stretch] = []
        while planned < end || waiting.first.map({ $0.time <= planned }) ?? false {
            var stretch = Stretch(start: planned, events: []), isNew = false
            while let next = waiting.first, next.time <= planned {
                waiting.removeFirst()
                if let (prologue, releases) = obey(next.command) {
                    if sent.start < planned { sent = Stretch(start: planned, events: []) }
                    sent.prologue += prologue
                    sent.releases = sent.releases || releases
                    (stretch, isNew) = (sent, true)
                }
            }
            let score = score(at: planned)
            let length = max(score.isRunning ? Int(sampleRate / 2) : end - planned, 1)
            let next = min(planned + length, waiting.first?.time ?? SampleTime(.max))
            let window = Window(start: planned, state: state, reports: [])
            windows.append(window)
            let played = score.play(&state, from: planned, to: next)
            (stretch.events, windows[windows.count - 1].reports) = played
            if isNew || !stretch.events.isEmpty { stretches.append(stretch) }
            planned = next
        }
        return stretches
    }

    /// Changes the version of the music at `planned`. Returns what is sent there, and whether all notes end; nil if nothing
    /// changes for the renderer.
    private mutating func obey(_ command: Command) -> (prologue: [MusicEvent], releases: Bool)? {
        let old = score(at: planned)
        var new = old, prologue: [MusicEvent] = [], releases = false
        switch command {
        case .play:
            if old.isRunning { return nil }
            new.isRunning = true
            new.first = startingPart(of: old)
            prologue = settings(of: new, from: toldTo) + time(of: new)
            // A timeline may have played before, and nothing ends its notes.
            (releases, hasPlayed) = (!hasPlayed, true)
        case .stop:
            guard old.isRunning else { return nil }
            new.isRunning = false
            new.seconds = old.map.seconds(ofBeat: old.beat(at: planned))
            toldTo = old.part(from: planned)
            (prologue, releases) = (letGo() + (state.ledger == nil ? [.time(.stopped)] : []), true)
        case .seek(let beat):
            new.seconds = old.map.seconds(ofBeat: beat)
            if old.isRunning {
                toldTo = old.part(from: planned)
                (prologue, releases) = (letGo(), true)
                new.start = planned
                new.first = startingPart(of: new)
                prologue += settings(of: new, from: toldTo) + time(of: new)
            }
        case .rate(let rate):
            if rate == old.rate { return nil }
            new.rate = rate
            if old.isRunning {
                anchor(&new, as: old)
                new.start = planned
                prologue = time(of: new)
            }
        case .edit(let arrangement):
            new = TrackScore(arrangement, sampleRate: sampleRate)
            (new.rate, new.start, new.seconds) = (old.rate, old.start, old.seconds)
            (new.first, new.isRunning) = (old.first, old.isRunning)
            if !old.isRunning {
                new.seconds = new.map.seconds(ofBeat: old.beat(at: planned))
            } else {
                if new.map != old.map {
                    anchor(&new, as: old)
                    prologue = time(of: new)
                }
                prologue += adopt(new, at: old.part(from: planned))
            }
        }
        new.start = old.isRunning && !releases && new.map == old.map && new.rate == old.rate ? new.start : planned
        versions.removeAll { $0.time >= planned }
        versions.append((planned, new))
        guard old.isRunning || new.isRunning else { return nil }
        return (prologue, releases)
    }

    /// Nothing is held any more. Returns what ends all but the notes.
    private mutating func letGo() -> [MusicEvent] {
        let ends = state.ledger == nil ? Self.pedalsUp(state.pedals) : state.release { _ in true }
        (state.sounding, state.delayed, state.pedals, state.keys) = ([], [], [], [])
        return ends
    }

    /// The beat at `planned` is the same in another version.
    private func anchor(_ new: inout TrackScore, as old: TrackScore) {
        new.first = old.part(from: planned)
        new.seconds = new.map.seconds(ofBeat: old.beat(at: planned))
    }

    private func startingPart(of score: TrackScore) -> Int64 {
        let beat = score.map.beat(atSeconds: score.seconds)
        return max(Int64((beat * Double(Song.Arrangement.partsPerBeat) - 1e-3).rounded(.up)), 0)
    }

    private func time(of score: TrackScore) -> [MusicEvent] {
        if state.ledger != nil { return [] }
        return score.map.musicalTime(
            atBeat: score.map.beat(atSeconds: score.seconds), rate: score.rate, passed: score.seconds / score.rate * sampleRate)
    }

    private static func pedalsUp(_ pedals: Set<Int>) -> [MusicEvent] {
        pedals.sorted().map { .message(MIDIMessage(part: $0 / 128, 0xB0, UInt8($0 & 127), 0)) }
    }

    /// What sets the instruments to the settings before the score's first part, if they have those before `origin`.
    private mutating func settings(of score: TrackScore, from origin: Int64?) -> [MusicEvent] {
        if origin ?? 0 == score.first { return [] }
        let chase = Chase(score.settings(before: max(score.first, origin ?? 0)))
        let events = chase.prologue(at: chase.index(at: score.first), from: chase.index(at: origin ?? 0))
        for case .message(let message) in events { state.observe(message) }
        return events
    }

    /// Notes that sound go on as the new version has them. Returns what ends those that it does not have, and pedals that it has
    /// up.
    private mutating func adopt(_ score: TrackScore, at part: Int64) -> [MusicEvent] {
        if state.ledger != nil { return adoptLoops(score, at: part) }
        var ends: [MusicEvent] = [], kept: [SoundingNote] = [], gone: [SoundingNote] = []
        var taken: [[Int64]: Set<Int>] = [:]
        for var note in state.sounding {
            let place = [Int64(note.part), Int64(note.key), note.start]
            if let found = score.end(of: note, taken: taken[place] ?? []) {
                taken[place, default: []].insert(found.track)
                (note.end, note.track) = (max(found.end, part), found.track)
                kept.append(note)
            } else {
                gone.append(note)
            }
        }
        for var note in gone {
            // Another note holds the key.
            if let end = kept.filter({ $0.part == note.part && $0.key == note.key }).map(\.end).max() {
                note.end = end
                kept.append(note)
            } else {
                ends.append(note.up)
            }
        }
        state.sounding = kept.sorted { $0.number < $1.number }
        state.delayed.removeAll { note in !kept.contains { $0.number == note.number } }
        if !state.pedals.isEmpty || !state.keys.isEmpty {
            var wanted = TrackState()
            for case .message(let message) in score.settings(before: part).map(\.event) { wanted.observe(message) }
            ends += Self.pedalsUp(state.pedals.subtracting(wanted.pedals))
            state.pedals.formIntersection(wanted.pedals)
            for key in state.keys.subtracting(wanted.keys).sorted() {
                ends.append(.message(MIDIMessage(part: key / 128, 0x80, UInt8(key & 127), 64)))
            }
            state.keys.formIntersection(wanted.keys)
        }
        return ends
    }
    /// The same of loops: each track has its own notes, and one that plays nothing any more lets go of all that it holds.
    private mutating func adoptLoops(_ score: TrackScore, at part: Int64) -> [MusicEvent] {
        var ends: [MusicEvent] = [], kept: [SoundingNote] = []
        for var note in state.sounding {
            if let end = score.ownEnd(of: note) {
                note.end = max(end, part)
                kept.append(note)
            } else {
                ends += state.heard(note.up, from: note.track)
            }
        }
        state.sounding = kept
        state.delayed.removeAll { note in !kept.contains { $0.number == note.number } }
        return ends + state.release(score.isSilent)
    }
}
