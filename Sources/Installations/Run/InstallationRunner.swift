import Carillon
import Control
import Reports

/// Runs an installation: opens and closes it by the calendar, and saves its state, so that a power cut costs only seconds.
/// While it is open, two parts of its session decide what plays.
///
/// ```
/// wall clock -> OpeningHours -> open, close, change, pause, level      (the calendar's hours, nothing else)
///              Programme -> ProgrammePart, CuesPart of a Session  (sample time: no clock of the wall reaches the music)
///                                          -> InstallationState -> StateFile
/// ```
/// Outside its hours there is no session: the card is free and no memory is held. One thread calls `step` ten times a second.
/// All time comes from `clock`, `uptime` and the session's port, so that a test can simulate months.
public final class InstallationRunner {
    /// Where time and sound come from.
    public struct World {
        /// The time of the wall clock.
        public var clock: () -> WallTime
        /// Seconds of a clock that is never set.
        public var uptime: () -> Double
        /// A device for a session.
        package var port: () -> any DevicePort
        /// The time zone of the calendar.
        public var zone: WallZone
        /// Returns whether a device is there; in simulated time all are.
        public var isThere: InstallationTrial.DeviceQuestion = { _, _ in true }

        /// Creates a world; for tests, or for a program of one's own.
        package init(
            clock: @escaping () -> WallTime, uptime: @escaping () -> Double, port: @escaping () -> any DevicePort,
            zone: WallZone
        ) {
            (self.clock, self.uptime, self.port, self.zone) = (clock, uptime, port, zone)
        }
    }

    /// The queue for requests to the installation, open or closed. Any thread.
    public let inbox = CommandInbox()
    /// The most seconds that `finish` takes to fade out the music, before the session's own end.
    public static let longestFade = InstallationTimes.lastFade + InstallationTimes.endPatience
    /// Called when a stage of `finish` begins, with the seconds that it may take.
    public var onEnd: (_ seconds: Double) -> Void = { _ in }
    /// True once the end was requested (`quit`).
    public private(set) var isOver = false
    /// The session that plays; nil while the installation is closed.
    public private(set) var session: Session?
    /// The reason why there is no session though the installation is open.
    public private(set) var fault: Fault? {
        get { house.fault }
        set { house.fault = newValue }
    }
    let house: InstallationPart
    private(set) var programme: ProgrammePart? { didSet { house.programme = programme } }
    /// nil while a session plays, and while the installation is closed.
    private var retry: Double?
    private let keeper: StateKeeper?
    /// Where black boxes are written; nil means nowhere.
    private let folder: String?
    /// The state that was read from the store, until it was used or is too old.
    private var former: InstallationState?
    /// The place of the music when another file asked for another session, until that begins.
    private var carried: InstallationState?, standsStill = false
    private var saved = -Double.infinity
    private var saveFault: String?
    /// The last state that was written down, and all that was.
    private var written: InstallationState?, kept = ""
    /// Requests in the same second: only the first few are reported.
    private var askedSecond = -Double.infinity, askedCount = 0
    private var reported: InstallationStatus.Trouble?
    private var faults = 0

    /// Creates an installation that has not begun; its saved state is read here.
    /// A `store` of nil saves nothing. `isThreaded`: a thread of its own writes, so that a slow disk blocks nothing else.
    public init(_ installation: Installation, in world: World, store: StateFile?, isThreaded: Bool = false) {
        house = InstallationPart(installation, in: world)
        folder = store?.folder
        keeper = store.map { StateKeeper($0, isThreaded: isThreaded) }
        do throws(Fault) {
            if let text = try store?.read(), !text.isEmpty {
                former = InstallationState(text: text)
                (written, kept) = (former, text)
                let wishes = InstallationWishes(text: text)
                house.hours.wish { $0 = wishes }
                if former == nil, wishes.isEmpty {
                    house.tell(.note("the saved state cannot be read; the installation starts anew"))
                }
            }
        } catch { house.tell(.note("\(error)")) }
        house.onRequest = { [unowned self] in save() }
    }

    /// The file that is run.
    public var installation: Installation { house.installation }
    /// Returns the events since the last call and clears them.
    public func takeEvents() -> [InstallationEvent] { house.takeEvents() }
    /// Returns the remarks since the last call, each once in the life of the installation.
    public func takeRemarks() -> [Remark] { house.remarks.take() }
    /// The time of the calendar's next change.
    public var nextChange: WallTime? { house.nextChange }
    /// True while the installation is open by the calendar.
    public var isOpen: Bool { house.isOpen }
    /// True while notes of the score are to be heard: none are while the music fades, rests or stands still.
    public var isSounding: Bool { programme?.isSounding ?? false }
    /// The situation by the calendar.
    public var situation: InstallationCalendar.Situation { house.situation }
    /// The cues that play now, by name.
    public var playingCues: [String] { house.cues.machine.names }
    /// The state of the music, as it is saved; nil while the installation is closed, and between two songs.
    public var state: InstallationState? { programme?.state }

    /// The state of the installation, as the last step found it, and of what plays there; of a closed installation nothing plays.
    public var snapshot: SessionSnapshot {
        var snapshot = session?.snapshot ?? SessionSnapshot(of: [house])
        snapshot.remarks = house.remarks.count
        // Nothing plays though it is open: the status shows why.
        if session == nil, isOpen, let fault { snapshot.device.fault = "\(fault)" }
        return snapshot
    }

    private func look() {
        house.lookAtSongs()
        let snapshot = snapshot
        let activity =
            programme?.activity(snapshot)
            ?? (isOpen ? fault.map { .init(.silent, reason: "\($0)") } ?? .init(.opening) : .init(.closed))
        let level = snapshot.levels.map { max($0.average, $0.peak) }.max() ?? -.infinity
        house.ledger.look(
            activity,
            InstallationLedger.Sound(
                level: level, hasNotes: isSounding && !snapshot.notes.isEmpty,
                rest: programme.map { isSounding ? $0.rest : .infinity } ?? .infinity),
            isHushed: programme?.isHushed ?? false, at: house.world.uptime(), house.local)
        guard house.ledger.trouble != reported else { return }
        reported = house.ledger.trouble
        house.tell(reported.map { .trouble(reason: $0.reason, since: $0.since) } ?? .well)
    }

    /// Writes what happened in the last minutes beside the state, because something went wrong; not more than once in ten
    /// minutes.
    public func writeBlackBox(because reason: String) {
        if let folder { house.writeBlackBox(because: reason, of: session, in: folder) }
    }

    /// Does what is due, and takes in the state after it.
    public func step() {
        obeySurfaces()
        defer { look() }
        let isFirst = house.hours.situation == nil, due = dueCues
        due.first.forEach(play)
        for action in house.actions() { obey(action) }
        if isFirst, !isOpen { house.tell(closed) }
        due.last.forEach(play)
        house.refuseWaitingCues()
        if let retry, house.world.uptime() >= retry {
            house.readListsAgain()
            open(resumes: true)
        }
        guard let session, let programme else {
            // They are not to ask in the morning.
            for name in house.droppedCues() { house.note(refusal(of: name).sentence) }
            return
        }
        do throws(Fault) {
            try session.maintain()
        } catch {
            house.note("\(error)")
            writeBlackBox(because: "\(error)")
        }
        let faults = session.counters.faults
        if faults > self.faults { writeBlackBox(because: "a unit gave samples that are not numbers") }
        self.faults = faults
        house.look(at: session)
        for text in session.takeNotices() { house.note(text) }
        house.remarks.note(session.takeRemarks())
        if programme.phase == .over { endSession() }
        if isToBeSaved { save() }
    }

    /// What is about the music goes to its session.
    private func obeySurfaces() {
        for item in inbox.take() {
            do throws(Fault) {
                if Self.stills.contains(item.command.verb) { house.asker = item.asker }
                let outcome = try perform(item.command, by: item.asker)
                tellAsked(item.command, by: item.asker)
                item.answer?(.success(outcome))
            } catch {
                if let answer = item.answer { answer(.failure(error)) } else { house.note("\(error)") }
            }
        }
    }

    /// Does what a surface asks for, at once. InstallationRunner's thread; others have the `inbox`.
    ///
    /// - Parameter asker: the source of the request, as status and log name it; nil: the program itself.
    /// - Throws: `part` with an `Fault`, such as `closed` while nothing plays; what the session throws.
    @discardableResult
    public func perform(_ command: ControlCommand, by asker: Asker? = nil) throws(Fault) -> CommandOutcome {
        if command.verb == .quit {
            isOver = true
            return .done
        }
        house.requester = asker.map { "\($0)" }
        if InstallationPart.verbs.contains(command.verb) { return try command.perform(on: [house]) }
        // Its playlists have more songs than the list of a session, and have them while it is closed.
        if command.verb == .songList {
            return .told(SongList(house.songs.listed, having: command.text(0)).fieldValue)
        }
        if command.verb == .playSong {
            try house.play(song: command.text(0) ?? "", atOnce: true)
            return .done
        }
        guard let session else { throw command.verb.role == .look ? .nothingPlays : house.silence }
        if programme?.obey(command.verb) == true { return .done }
        if Self.ofSong.contains(command.verb), let seconds = programme?.secondsOfChange {
            throw .musicChanges(seconds: seconds)
        }
        if case .seconds(let seconds)? = command.position, let length = session.snapshot.transport?.length,
            seconds > length.rounded(.up)
        {
            let remedy = "the song lasts \(Int(length.rounded(.up))) s"
            throw .outOfRange(name: "seek", value: "\(seconds)", remedy: remedy)
        }
        if Self.leaps.contains(command.verb) { programme?.forgetResumed() }
        return try session.perform(command)
    }

    private static let stills: Set<Verb> = [.play, .pause, .toggle, .stop]

    /// The requests about the song that plays: while another list is on its way they would be about one that goes.
    private static let ofSong: Set<Verb> = [
        .next, .previous, .seekTo, .seekBy, .seekBar, .seekBars, .seekMarkers,
    ]
    private static let leaps: Set<Verb> = [
        .stop, .next, .previous, .seekTo, .seekBy, .seekBar, .seekBars, .seekMarkers,
    ]

    /// Reports a request that was granted, at most a few times a second: faders move often.
    private func tellAsked(_ command: ControlCommand, by asker: Asker?) {
        if [.releaseCue, .note, .press, .lift, .release, .pedal, .quit].contains(command.verb) { return }
        let second = house.world.uptime().rounded(.down)
        askedCount = second == askedSecond ? askedCount + 1 : 1
        askedSecond = second
        if askedCount <= InstallationTimes.mostAsked { house.tell(.asked(ControlGrammar.installation.text(command), by: asker)) }
    }

    private func obey(_ action: OpeningHours.Action) {
        for event in events(of: action) { house.tell(event) }
        if let programme { return programme.obey(action) }
        switch action {
        case .open(let playlist, _):
            house.feed.go(to: house.beginning, in: nil)
            if former?.asked != playlist { former = nil }
            open(resumes: true)
        case .change:
            house.feed.go(to: house.beginning, in: nil)
            former = nil
        case .close: retry = nil
        case .pause, .resume, .level: break
        }
    }

    private func events(of action: OpeningHours.Action) -> [InstallationEvent] {
        switch action {
        case .open(let playlist, let level): [.opened(playlist: playlist)] + (level == 0 ? [] : [.level(level)])
        case .close: [closed]
        case .change(let playlist): [.changed(playlist: playlist)]
        case .pause: [.paused]
        case .resume: [.wentOn]
        case .level(let decibels): [.level(decibels)]
        }
    }

    private var closed: InstallationEvent { .closed(until: nextChange.map { house.world.zone.local(at: $0) }) }

    /// True once the place has to be written down. One comes back to the beginning of a bar: if bars are shorter than that, the
    /// place of a bar that has just begun is never older than the interval.
    private var isToBeSaved: Bool {
        let age = house.world.uptime() - saved
        if age >= installation.savingInterval { return true }
        guard age >= installation.savingInterval * 0.4, let state else { return false }
        return (state.song, state.bar) != (written?.song, written?.bar)
    }

    /// A failure is reported once, and saving is tried again.
    func save() {
        saved = house.world.uptime()
        // Between two songs, and while an open installation waits for its sound, there is no place to come back to but the one that was
        // written down last.
        let isKept = state == nil && isOpen
        if !isKept { written = state } else if let programme { written?.requests = programme.requestedFiles }
        guard let keeper else { return }
        let text = (written?.text ?? "") + house.hours.wishes.text
        if isKept, text == kept { return }
        kept = text
        let fault = keeper.keep(text)?.description
        if let fault, fault != saveFault { house.note(fault) }
        saveFault = fault
    }

    private func open(resumes: Bool) {
        let resumed = resumes ? former.flatMap { house.resumable($0) } : nil
        if let resumed { house.feed.go(to: resumed.place, in: nil) }
        let choices = house.feed.first()
        do throws(Fault) {
            var options = try LiveOptions(installation)
            options.faderLevel = InstallationTimes.softest
            let session = try Session(
                options, songs: choices.map { SongFeed.song($0.song) }, on: house.world.port(), with: parts(choices))
            self.session = session
            if let cues = session[CuesPart.self] {
                cues.perform = { [unowned self] (command) throws(Fault) in try perform(command) }
                cues.prepare()
            }
            house.remarks.note(session.takeRemarks())
            if let resumed { programme?.resume(resumed) }
            try session.start()
            if standsStill { try session.perform(.pause) }
            standsStill = false
            try session.fade(to: house.level, over: resumed == nil ? house.fade : InstallationTimes.quickFade)
            (retry, fault, former) = (nil, nil, nil)
        } catch {
            house.note("\(error); it is tried again")
            (session, programme, fault) = (nil, nil, error)
            retry = house.world.uptime() + InstallationTimes.patience
            // The same songs again, from where they were: at the bar that was written down, once there is sound.
            house.feed.go(to: choices.first?.place ?? house.beginning, in: nil)
        }
    }

    /// The parts that an installation has beside those of any session.
    private func parts(_ choices: [Programme.Choice]) -> (SessionCore, [any SessionPart]) -> [any SessionPart] {
        { [unowned self] core, parts in
            core.savingFolder = SavingFolder(folder)
            let songs = parts[SongsPart.self], programme = ProgrammePart(house, core, songs, choices)
            self.programme = programme
            return [CuesPart(house, core, programme, songs, parts[SoundFilesPart.self]), programme, house]
        }
    }

    /// Remembers where the music is, for the session that takes the place of this one.
    func keepPlace() { (carried, standsStill) = (state, programme?.standsStill ?? false) }

    /// Ends the session after its last fade. If the installation is still open, its file has changed: the next session resumes
    /// at the same bar, or between two songs with the next one.
    private func endSession() {
        let kept = state ?? carried, coming = programme?.coming
        close()
        guard isOpen else { return }
        former = kept.flatMap { house.moved($0) }
        house.feed.go(to: former?.place ?? kept?.place ?? coming ?? house.beginning, in: nil)
        open(resumes: true)
    }

    /// The card is free then.
    private func close() {
        house.attempt { () throws(Fault) in try session?.finish() }
        (session, programme, former, carried) = (nil, nil, nil, nil)
        house.cues.clear(at: house.world.uptime())
        save()
    }

    /// Ends everything within a few seconds, and saves the position, at which the next start resumes.
    public func finish() {
        defer {
            keeper?.finish()
            for item in inbox.close() { item.answer?(.failure(.interrupted)) }
        }
        guard let session else { return }
        save()
        programme?.leave()
        let seconds = min(house.fade, InstallationTimes.lastFade)
        let end = session.sampleTime + Int(seconds * Double(installation.sampleRate))
        session.onEnd = onEnd
        onEnd(seconds + InstallationTimes.endPatience)
        house.attempt { () throws(Fault) in try session.fade(to: InstallationTimes.softest, over: seconds) }
        // A device that stands still must not block the end.
        var patience = Int((seconds + InstallationTimes.endPatience) * 1000)
        // On a busy machine a pass takes longer than it should.
        let limit = house.world.uptime() + seconds + InstallationTimes.endPatience
        while session.sampleTime < end, patience > 0, house.world.uptime() < limit {
            session.pass(milliseconds: 20)
            patience -= 20
            house.attempt { () throws(Fault) in try session.maintain() }
        }
        house.attempt { () throws(Fault) in try session.finish() }
        (self.session, programme) = (nil, nil)
    }
}
