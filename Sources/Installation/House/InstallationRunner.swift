import Carillon

/// Runs an installation: opens and closes the house as the hours says, plays what the programme says, and writes down
/// where it is, so that a power cut costs seconds.
///
/// ```
/// wall clock -> OpeningHours -> open, close, change, pause, level      (the calendar's hours, nothing else)
///              Programme -> SongFeed -> Playlist of a Session  (sample time: no clock of the wall reaches the music)
///                                          -> HouseState -> StateFile
/// ```
/// Outside of its hours there is no session: the card is free, no memory is held. One thread, which calls `step` ten times a
/// second; all time comes from `clock`, `uptime` and the session's port, so a test lets months pass.
public final class InstallationRunner {
    /// Where time and sound come from.
    public struct World {
        /// The time that the clock on the wall says.
        public var clock: () -> WallTime
        /// Seconds of a clock that nobody sets.
        public var uptime: () -> Double
        /// A device for a session.
        public var port: () -> any DevicePort
        /// The time zone of the calendar.
        public var zone: WallZone

        /// A world; for tests, or for a program of one's own.
        public init(
            clock: @escaping () -> WallTime, uptime: @escaping () -> Double, port: @escaping () -> any DevicePort,
            zone: WallZone
        ) {
            (self.clock, self.uptime, self.port, self.zone) = (clock, uptime, port, zone)
        }
    }

    /// The phase that the house is in.
    enum Phase: Equatable {
        /// No session.
        case closed
        /// No session could be had; it is tried again.
        case waiting(until: Double)
        case playing
        /// The music becomes softer, and then something happens.
        case fading(until: SampleTime, then: Then)
        /// Silence before another playlist.
        case resting(until: SampleTime)
        /// The music stands still.
        case paused
        /// A song that is a cue plays in the place of the music.
        case interlude(Playlist.Item.ID)
        /// Silence before the music goes on behind it.
        case returning(until: SampleTime)
    }

    /// The step that follows a fade.
    enum Then: Equatable { case close, change, pause, reopen, interlude, comeBack }

    /// Where any thread puts what it wants of the house, open or closed.
    public let inbox = CommandInbox()
    /// Seconds that `finish` lets the music go in at most, before the session's own end.
    public static let longestFade = House.lastFade + House.endPatience
    /// Called when a stage of `finish` begins, with the seconds that it may take.
    public var onEnd: (_ seconds: Double) -> Void = { _ in }
    /// True once somebody has asked for the end (`quit`).
    public private(set) var isOver = false
    /// The file that is run.
    public private(set) var installation: Installation
    /// The session that plays; nil while the house is closed.
    public internal(set) var session: Session?
    let world: World
    var phase = Phase.closed
    private(set) var hours: OpeningHours
    var feed: SongFeed
    /// The cues, what keyboards and files ask for, and the song that plays in the place of the music.
    var cues: HouseCues
    private(set) var playlists: [InstallationPlaylist]
    let keeper: StateKeeper?
    /// Where black boxes are written; nil: nowhere.
    private let folder: String?
    private var box = BlackBox()
    /// The state that was read from the store, until it was used or is too old.
    var former: HouseState?
    /// The reason why there is no session though the house is open.
    public internal(set) var fault: LiveError?
    var saved = -Double.infinity
    var saveFault: String?
    var song: Playlist.Item.ID?
    private var events: [HouseEvent] = []
    /// When notes were told.
    private var noted: [String: Double] = [:]
    /// True once the end of the programme was told.
    var hasToldEnd = false
    /// The calendar's next word, as snapshots show it.
    var shown: ComingChange?
    /// The second of the last request, and the number of requests in it: they are not told without end.
    var askedSecond = -Double.infinity, askedCount = 0
    /// Faults of units that were counted.
    private var faults = 0

    /// An installation that has not begun; what was written down is read here.
    ///
    /// - Parameters:
    ///   - store: where it is written down; nil: nowhere.
    ///   - isThreaded: whether a thread of its own writes, so that a slow disk keeps nobody.
    public init(_ installation: Installation, in world: World, store: StateFile?, isThreaded: Bool = false) {
        (self.installation, self.world, folder) = (installation, world, store?.folder)
        keeper = store.map { StateKeeper($0, isThreaded: isThreaded) }
        let (playlists, remarks) = installation.playlists()
        self.playlists = playlists
        hours = OpeningHours(installation.calendar(in: world.zone))
        feed = SongFeed(Programme(playlists))
        cues = HouseCues(installation)
        events = remarks.map { .note($0) }
        do throws(StateFileError) {
            if let text = try store?.read(), !text.isEmpty {
                former = HouseState(text: text)
                if former == nil { events.append(.note("what was written down cannot be understood; it begins anew")) }
            }
        } catch { events.append(.note("\(error)")) }
    }

    /// Takes the events since the last time that somebody asked.
    public func takeEvents() -> [HouseEvent] {
        defer { events = [] }
        box.take(events, at: civil)
        return events
    }

    /// The time that the clocks show.
    private var civil: CivilTime { world.zone.civil(at: world.clock()) }

    /// Writes what happened in the last minutes beside the state, because something went wrong; not more than once in ten
    /// minutes.
    public func writeBlackBox(because reason: String) {
        guard let folder else { return }
        if let text = box.write(reason, session, in: folder, civil, uptime: world.uptime()) { note(text) }
    }

    /// When the calendar has something to say for the next time.
    public var nextChange: WallTime? { hours.nextChange(after: world.clock()) }

    /// The time that the clocks will show when the house opens again; nil where the calendar does not say.
    private var opening: CivilTime? { nextChange.map { world.zone.civil(at: $0) } }

    /// True while the house is open by the calendar.
    public var isOpen: Bool { hours.situation?.playlist != nil }

    /// True while notes of the score are to be heard: none are while the music fades, rests or stands still.
    public var isSounding: Bool { phase == .playing && level > House.softest }

    /// The situation by the calendar.
    public var situation: InstallationCalendar.Situation { hours.situation ?? InstallationCalendar.Situation() }

    /// The level that everything is to have, in decibels.
    var level: Double { (hours.situation?.level ?? 0) + cues.machine.duck }

    var fade: Double { hours.situation?.fade ?? installation.fade }

    // MARK: - Ten times a second

    /// Does what is due.
    public func step() {
        obeySurfaces()
        let isFirst = hours.situation == nil
        for action in hours.actions(at: world.clock()) { obey(action) }
        if isFirst, hours.situation?.playlist == nil { events.append(.closed(until: opening)) }
        if case .waiting(let until) = phase, world.uptime() >= until { open(resumes: true) }
        guard let session else { return refuseDroppedCues() }
        do throws(LiveError) {
            try session.maintain()
        } catch {
            note("\(error)")
            writeBlackBox(because: "\(error)")
        }
        let faults = session.counters.faults
        if faults > self.faults { writeBlackBox(because: "a unit gave samples that are no numbers") }
        self.faults = faults
        box.look(at: session, civil, uptime: world.uptime())
        for text in session.takeNotices() { note(text) }
        if let list = session.playlist, cues.interlude == nil { events += feed.look(after: list, at: world.uptime()) }
        followCues(session)
        proceed(session)
        tellSong(session)
        if world.uptime() - saved >= installation.savingInterval { save() }
    }

    /// Obeys what surfaces ask of the house; what is about the music goes to its session.
    private func obeySurfaces() {
        for item in inbox.take() {
            do throws(LiveError) {
                let outcome = try perform(item.command)
                tellAsked(item.command)
                item.answer?(.success(outcome))
            } catch {
                if let answer = item.answer { answer(.failure(error)) } else { note("\(error)") }
            }
        }
    }

    /// Does what a surface asks for, at once. InstallationRunner's thread; others have the `inbox`.
    @discardableResult
    public func perform(_ command: ControlCommand) throws(LiveError) -> CommandOutcome {
        switch command.verb {
        case .quit: isOver = true
        case .cue where session == nil, .releaseCue where session == nil: throw .houseClosed
        case .cue: try ask(forCue: command.text(0) ?? "")
        case .releaseCue: release(cue: command.text(0) ?? "")
        case .loop: throw .houseRepeats
        default:
            guard let session else { throw .houseClosed }
            return try session.perform(command)
        }
        return .done
    }

    private func obey(_ action: OpeningHours.Action) {
        switch action {
        case .open(let playlist, let level):
            events.append(.opened(playlist: playlist))
            if level != 0 { events.append(.level(level)) }
            // One that is still fading goes over to the new list.
            if session != nil { return fadeOut(then: .change) }
            feed.go(to: Programme.Place(playlist: playlist), in: nil)
            open(resumes: former?.asked == playlist)
        case .close:
            events.append(.closed(until: opening))
            if case .waiting = phase { phase = .closed } else { fadeOut(then: .close) }
        case .change(let playlist):
            events.append(.changed(playlist: playlist))
            if session == nil { feed.go(to: Programme.Place(playlist: playlist), in: nil) }
            fadeOut(then: .change)
        case .pause:
            events.append(.paused)
            if case .playing = phase { fadeOut(then: .pause) }
        case .resume:
            events.append(.wentOn)
            resume()
        case .level(let decibels):
            events.append(.level(decibels))
            if isAudible { attempt { (session) throws(LiveError) in try session.fade(to: self.level, over: self.fade) } }
        }
    }

    /// True while the fader stands where the calendar wants it.
    var isAudible: Bool {
        switch phase {
        case .playing, .interlude: true
        case .closed, .waiting, .fading, .resting, .paused, .returning: false
        }
    }

    func fadeOut(then: Then, over seconds: Double? = nil) {
        guard let session else { return }
        let fade = seconds ?? fade
        if then != .interlude, then != .comeBack { cues.forgetInterlude(at: world.uptime()) }
        switch phase {
        case .fading(let until, _): phase = .fading(until: until, then: then)
        case .resting where then == .change: break
        case .resting, .paused, .returning:
            // Nothing is heard that might fade.
            phase = .fading(until: session.sampleTime, then: then)
        case .closed, .waiting, .playing, .interlude:
            attempt { (session) throws(LiveError) in try session.fade(to: House.softest, over: fade) }
            phase = .fading(until: session.sampleTime + frames(fade), then: then)
        }
    }

    /// Goes on with what the time has come for.
    private func proceed(_ session: Session) {
        switch phase {
        case .fading(let until, let then) where session.sampleTime >= until:
            switch then {
            case .close: close()
            case .reopen:
                let kept = state
                close()
                former = kept
                feed.go(to: kept?.place ?? Programme.Place(playlist: hours.situation?.playlist ?? ""), in: nil)
                open(resumes: true)
            case .pause:
                attempt { (session) throws(LiveError) in try session.perform(.pause) }
                phase = .paused
            case .interlude: beginInterlude(session)
            case .comeBack: endInterlude(session)
            case .change:
                attempt { (session) throws(LiveError) in try session.perform(.stop) }
                feed.go(to: Programme.Place(playlist: hours.situation?.playlist ?? ""), in: session.playlist)
                phase = .resting(until: session.sampleTime + frames(House.rest))
            }
        case .resting(let until) where session.sampleTime >= until:
            attempt { (session) throws(LiveError) in
                try session.fade(to: self.level, over: 0)
                try session.perform(.next)
                try session.perform(.play)
            }
            phase = .playing
            if hours.situation?.isPaused == true { fadeOut(then: .pause) }
        case .returning(let until) where session.sampleTime >= until: goOn(session)
        default: break
        }
    }

    private func resume() {
        switch phase {
        case .paused:
            attempt { (session) throws(LiveError) in
                try session.perform(.play)
                try session.fade(to: self.level, over: self.fade)
            }
            phase = .playing
        case .fading(_, .pause):
            attempt { (session) throws(LiveError) in try session.fade(to: self.level, over: self.fade) }
            phase = .playing
        default: break
        }
    }

    func frames(_ seconds: Double) -> Int { Int(seconds * Double(installation.device.sampleRate)) }

    /// Tells a person something; what is said again and again is told once a minute.
    func note(_ text: String) {
        let now = world.uptime()
        if let before = noted[text], now - before < House.repetition { return }
        if noted.count > 200 { noted = noted.filter { now - $0.value < House.repetition } }
        noted[text] = now
        events.append(.note(text))
    }

    func tell(_ event: HouseEvent) { events.append(event) }

    func attempt(_ body: (Session) throws(LiveError) -> Void) {
        guard let session else { return }
        do throws(LiveError) { try body(session) } catch { note("\(error)") }
    }

    // MARK: - Another file

    /// Adopts another file from now on. What plays goes on; what follows is by the new lists.
    func adopt(_ new: Installation, _ lists: [InstallationPlaylist]) {
        installation = new
        shown = nil
        cues.replace(new)
        hours = OpeningHours(new.calendar(in: world.zone), after: hours)
        if lists == playlists { return }
        playlists = lists
        feed.replace(Programme(lists), playing: session?.playlist)
    }

    /// Makes the session anew behind a fade, at the same bar.
    func reopen() { if session != nil, phase != .closed { fadeOut(then: .reopen) } }
}
