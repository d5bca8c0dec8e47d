import Carillon
import Reports

/// The file, the calendar's hours, the programme and the news of an installation: a part of each of its sessions that outlives
/// them, and answers while there is none. InstallationRunner's thread.
final class InstallationPart: SessionPart {
    let world: InstallationRunner.World
    private(set) var installation: Installation
    var hours: OpeningHours
    private(set) var playlists: [InstallationPlaylist] { didSet { songs.replace(playlists) } }
    var songs: InstallationSongs
    var feed: SongFeed
    /// The cues, including those that keyboards and files request, and the song that plays in place of the music.
    var cues: InstallationCues
    var ledger = InstallationLedger()
    /// The source of the last request to stop or resume the music.
    var asker: Asker?
    /// The source of the request that is carried out, as the status names it.
    var requester: String?
    /// The music of the session; nil while there is none.
    weak var programme: ProgrammePart?
    /// The reason why there is no session though the installation is open.
    var fault: Fault?
    /// Called when a request has changed what plays next.
    var onRequest: () -> Void = {}
    private var box = BlackBox()
    var remarks = RemarkLedger()
    private var events: [InstallationEvent] = []
    private var noted: [String: Double] = [:]
    /// The calendar's next word, as snapshots show it.
    private var lastComing: ComingChange?

    static let verbs: [Verb] = [
        .openInstallation, .closeInstallation, .quieter, .playList, .asPlanned, .queueSong, .queueFirst, .unqueueSong,
        .clearQueue, .week,
    ]
    static let isMissing = Fault.noInstallation
    static let fields: [PartField<InstallationPart>] = [
        PartField(\.installation, "house", "The installation.", before: "patches") { $0.shown },
        PartField(\.health) { part in
            // It knows whether sound is due: the device's state alone does not matter.
            part.ledger.trouble.map { .trouble("\($0.reason), since \($0.since)") } ?? .well
        },
    ]

    init(_ installation: Installation, in world: InstallationRunner.World) {
        (self.installation, self.world) = (installation, world)
        let (playlists, remarks) = installation.playlists()
        self.playlists = playlists
        songs = InstallationSongs(playlists)
        hours = OpeningHours(installation.calendar(in: world.zone), usual: playlists.first?.name)
        feed = SongFeed(Programme(playlists))
        cues = InstallationCues(installation)
        events = remarks.map { .note($0) }
    }

    /// Closed before the calendar was looked at.
    var situation: InstallationCalendar.Situation { hours.situation ?? InstallationCalendar.Situation() }

    /// True while the installation is open by the calendar.
    var isOpen: Bool { situation.playlist != nil }

    /// Decibels.
    var level: Double { situation.level + cues.machine.duck }

    var fade: Double { hours.situation?.fade ?? installation.fade }

    /// The beginning of the playlist that the calendar asks for.
    var beginning: Programme.Place { Programme.Place(playlist: situation.playlist ?? "") }

    var local: LocalTime { world.zone.local(at: world.clock()) }
    var nextChange: WallTime? { hours.nextChange(after: world.clock()) }

    /// The state, if its song is still at its place in the programme.
    func resumable(_ state: InstallationState) -> InstallationState? {
        moved(state).flatMap { $0.place == state.place ? state : nil }
    }

    /// The state with the present place of its song in the round; nil if the round has no such song.
    func moved(_ state: InstallationState) -> InstallationState? {
        guard let place = Programme(playlists).place(ofSongAt: state.song, near: state.place) else { return nil }
        var state = state
        state.place = place
        return state
    }

    func actions() -> [OpeningHours.Action] { hours.actions(at: world.clock()) }

    /// What plays goes on; what follows is by the new lists.
    func adopt(_ new: Installation, _ lists: [InstallationPlaylist], playing list: Playlist?) {
        installation = new
        lastComing = nil
        cues.replace(new)
        hours = OpeningHours(new.calendar(in: world.zone), after: hours, playlists: lists.map(\.name))
        if lists == playlists { return }
        playlists = lists
        feed.replace(Programme(lists), playing: list)
    }

    /// Looks at the playlists once more while nothing plays: a folder may have been mounted since.
    func readListsAgain() {
        let (lists, _) = installation.playlists()
        if lists == playlists { return }
        playlists = lists
        feed = SongFeed(Programme(lists))
        feed.go(to: beginning, in: nil)
    }

    func hasWished() {
        lastComing = nil
        onRequest()
    }

    private var wishes: [InstallationStatus.Wish] {
        func described<Value>(_ what: String, _ wish: InstallationWishes.Wish<Value>) -> InstallationStatus.Wish {
            .init(what: what, until: world.zone.local(at: wish.until).description, by: wish.by)
        }
        let opening = hours.wishes.opening.map { wish in
            switch wish.value {
            case .closed: described("closed", wish)
            case .open(let playlist): described("open" + (playlist.map { ": \($0)" } ?? ""), wish)
            }
        }
        return [opening, hours.wishes.reduction.map { described("softer by \($0.value) dB", $0) }].compactMap { $0 }
    }

    func tell(_ event: InstallationEvent) { events.append(event) }

    /// The same sentence at most once a minute.
    func note(_ text: String) {
        let now = world.uptime()
        if let before = noted[text], now - before < InstallationTimes.repetition { return }
        if noted.count > 200 { noted = noted.filter { now - $0.value < InstallationTimes.repetition } }
        noted[text] = now
        events.append(.note(text))
    }

    func attempt(_ body: () throws(Fault) -> Void) { do throws(Fault) { try body() } catch { note("\(error)") } }

    func takeEvents() -> [InstallationEvent] {
        defer { events = [] }
        box.take(events, at: local)
        return events
    }

    func look(at session: Session) { box.look(at: session, local, uptime: world.uptime()) }

    /// Writes what happened in the last minutes into a folder.
    func writeBlackBox(because reason: String, of session: Session?, in folder: String) {
        if let text = box.write(reason, session, in: folder, local, uptime: world.uptime()) { note(text) }
    }

    /// Refuses the cues that have waited too long for the music, or for an installation that has closed.
    func refuseWaitingCues() {
        let reason = isOpen ? CueTimes.changing : CueTimes.closed
        for name in cues.takeWaiting(since: isOpen ? world.uptime() - InstallationTimes.longestWait : .infinity) {
            tell(.cueRefused(name, reason: reason))
        }
    }

    /// The list shows the files as they are now and not as they were when last played.
    func lookAtSongs() {
        songs.learn(faults: feed.faults)
        feed.forget(faultsOf: songs.look(at: world.uptime()))
    }

    /// The cues that files have asked for since the last second; other files in the folder are reported.
    func droppedCues() -> [String] {
        let now = world.uptime(), names = cues.machine.cues.map(\.name)
        guard now - cues.dropped >= 1, let found = cues.drop?.look(for: names) else { return [] }
        cues.dropped = now
        return found.compactMap { found in
            switch found {
            case .cue(let name): return name
            case .left(let file, let reason):
                note("\(file): \(reason)")
                return nil
            }
        }
    }

    /// The installation's status, with or without a session.
    var shown: InstallationStatus {
        let playing = Set(cues.machine.names), situation = situation, activity = ledger.activity
        // A request may have resumed it.
        let stands = situation.isPaused && activity.state == .paused && activity.by == ProgrammePart.calendar
        var house = InstallationStatus(
            isOpen: isOpen, playlist: situation.playlist, level: situation.level, isPaused: stands,
            next: coming.change,
            cues: installation.cues.map { .init(name: $0.name, isPlaying: playing.contains($0.name), isHeld: $0.mode == .hold) },
            playlists: playlists.map(\.name), activity: ledger.activity)
        house.trouble = ledger.trouble
        house.wishes = wishes
        house.week = coming.week
        house.secondsSinceSound = ledger.secondsSinceSound
        house.songs = songs.listed
        house.playableSongs = songs.playable
        (house.queue, house.requests) = (programme?.queue ?? [], programme?.requests ?? [])
        return house
    }

    /// Looked up when the last change has come, the clock was set back, or the file is another.
    private var coming: ComingChange {
        let now = world.clock(), former = situation
        if let lastComing, now >= lastComing.from, lastComing.until.map({ now < $0 }) ?? true { return lastComing }
        let until = nextChange, end = now + Self.week
        var week: [InstallationStatus.Change] = [], change: InstallationStatus.Change?, next = until
        var before = former
        while let moment = next, moment < end || change == nil, week.count < Self.mostChanges {
            let situation = hours.situation(at: moment)
            let found = InstallationStatus.Change(
                at: world.zone.local(at: moment).description, what: situation.words(after: before))
            if moment < end { week.append(found) }
            change = change ?? found
            (before, next) = (situation, hours.nextChange(after: moment))
        }
        let coming = ComingChange(from: now, until: until, change: change, week: week)
        lastComing = coming
        return coming
    }

    /// The calendar's next word, and for how long that holds.
    private struct ComingChange {
        let from: WallTime
        let until: WallTime?
        let change: InstallationStatus.Change?
        let week: [InstallationStatus.Change]
    }

    /// Seconds, and changes that are looked at, at most.
    private static let week: Int64 = 7 * 86_400, mostChanges = 200
}
