import Carillon

/// The music of an installation: songs by the programme, at the calendar's level, and a cue's song in their place. Requests
/// of surfaces for songs go through it too, and it is the one place that knows what the music does.
final class ProgrammePart: SessionPart {
    enum Phase: Equatable {
        case playing
        case fading(until: SampleTime, then: Then)
        /// Silence before another playlist.
        case resting(until: SampleTime)
        case paused
        /// A song that is a cue plays in the place of the music.
        case interlude(Playlist.Item.ID)
        /// Silence before the music goes on after the cue's song.
        case returning(until: SampleTime)
        /// The last fade is over: the session is to end.
        case over
    }

    enum Then: Equatable { case end, change, pause, interlude, comeBack }

    let house: InstallationPart
    let core: SessionCore
    let songs: SongsPart?
    private(set) var phase = Phase.playing
    var song: Playlist.Item.ID?
    /// The saved state until the music has passed it, so that repeated power cuts do not lead back.
    private(set) var resumed: (state: InstallationState, song: Playlist.Item.ID)?
    /// A request has stopped the music in the silence between two playlists: the next one waits for a request to play.
    private(set) var isHeld = false
    /// Seconds of the longest rest in the song, at its own tempo, and as it plays.
    var writtenRest = Double.infinity
    var rest: Double { writtenRest / (songs?.rate ?? 1) }
    var hasToldEnd = false
    /// The time when an installation that closes stops waiting for its sounds and fades the music; nil if it is not closing.
    private(set) var closing: SampleTime?
    /// When the end of the session waits for sounds no longer.
    private var lastSound = SampleTime.zero

    /// The session was made of `choices`.
    init(_ house: InstallationPart, _ core: SessionCore, _ songs: SongsPart?, _ choices: [Programme.Choice]) {
        (self.house, self.core, self.songs) = (house, core, songs)
        guard let songs else { return }
        // The feed reports faults, each once.
        (songs.loopRefusal, songs.playlist.tellsFaults) = (.repeats, false)
        songs.revise = { [unowned self] in revise(&$0) }
        house.feed.adopt(choices, in: songs.playlist)
    }

    var list: Playlist? { songs?.playlist }

    /// Goes to a place in the first song, if that is the one that was written down.
    func resume(_ state: InstallationState) {
        guard let list, let choice = house.feed.choice(of: list), choice.song.path == state.song else { return }
        house.attempt { () throws(Fault) in try songs?.request(.seek(state.position)) }
        resumed = (state, list.currentID)
        for path in state.requests {
            if let song = house.songs.song(at: path, playing: choice.place.playlist) {
                house.feed.request(song, isFirst: false, in: list)
            }
        }
        house.tell(.resumed(song: choice.song.name, bar: state.bar))
    }

    func leave() { phase = .over }

    func turn() {
        if phase == .over { return }
        if let list, house.cues.interlude == nil {
            if secondsOfChange == nil { house.feed.releaseHeld(in: list) }
            for event in house.feed.look(after: list, at: house.world.uptime()) { house.tell(event) }
        }
        if let closing, core.now >= closing || !house.cues.hasSound { fadeOut(then: .end) }
        proceed()
        tellSong()
        if let resumed, let list, list.currentID != resumed.song || list.snapshot(at: core.now).seconds >= resumed.state.seconds {
            self.resumed = nil
        }
    }

    func obey(_ action: OpeningHours.Action) {
        switch action {
        // One that is still fading goes over to the new list.
        case .open, .change:
            closing = nil
            house.feed.clearHeld()
            fadeOut(then: .change)
        case .close:
            // Closing by hand does not wait for sounds; those that play then are played to their end.
            let isByHand = house.hours.wishes.opening?.value == .closed
            if house.cues.hasSound, !isByHand {
                closing = core.now + frames(InstallationTimes.longestSound)
            } else {
                fadeOut(then: .end)
            }
        case .pause: if phase == .playing { fadeOut(then: .pause) }
        case .resume: resume()
        case .level: follow(over: house.fade)
        }
    }

    /// The level of calendar and cues.
    func follow(over seconds: Double) { if isAudible { fade(over: seconds) } }

    private func fade(over seconds: Double) {
        house.attempt { () throws(Fault) in try core.fade(to: house.level, over: seconds) }
    }

    /// The fader is at the calendar's level.
    private var isAudible: Bool {
        switch phase {
        case .playing, .interlude: true
        case .fading, .resting, .paused, .returning, .over: false
        }
    }

    /// No note of the score is heard while the music fades, rests or stands still.
    var isSounding: Bool { phase == .playing && house.level > InstallationTimes.softest }

    /// The music neither comes nor goes.
    var hearsCues: Bool {
        switch phase {
        case .playing, .paused, .interlude, .returning, .fading(_, .interlude), .fading(_, .comeBack): true
        case .resting, .fading, .over: false
        }
    }

    func fadeOut(then: Then, over seconds: Double? = nil) {
        let fade = seconds ?? house.fade
        if then == .end { (closing, lastSound) = (nil, closing ?? core.now + frames(InstallationTimes.longestSound)) }
        if then != .interlude, then != .comeBack { house.cues.forgetInterlude(at: house.world.uptime()) }
        switch phase {
        case .fading(let until, _): phase = .fading(until: until, then: then)
        case .resting where then == .change: if let list { house.feed.go(to: house.beginning, in: list) }
        case .resting, .paused, .returning, .over:
            // Nothing is heard that might fade.
            phase = .fading(until: core.now, then: then)
        case .playing, .interlude:
            house.attempt { () throws(Fault) in try core.fade(to: InstallationTimes.softest, over: fade) }
            phase = .fading(until: core.now + frames(fade), then: then)
        }
    }

    private func proceed() {
        switch phase {
        case .fading(let until, .end) where core.now >= until && house.cues.hasSound && core.now < lastSound: break
        case .fading(let until, let then) where core.now >= until:
            switch then {
            case .end: phase = .over
            case .pause:
                request(.pause)
                phase = .paused
            case .interlude: beginInterlude()
            case .comeBack: endInterlude()
            case .change:
                request(.stop)
                house.feed.go(to: house.beginning, in: list, keepsHeld: true)
                phase = .resting(until: core.now + frames(InstallationTimes.rest))
            }
        case .resting(let until) where core.now >= until:
            fade(over: 0)
            // What was requested meanwhile comes first.
            if let list { house.feed.releaseHeld(in: list) }
            request(.next)
            if !isHeld { request(.play) }
            isHeld = false
            phase = .playing
            if house.situation.isPaused { fadeOut(then: .pause) }
        case .returning(let until) where core.now >= until: goOn()
        default: break
        }
    }

    /// At once, or after the one that plays; while another playlist is on its way it waits for that. - Throws: `closed`;
    /// `musicChanges` while the session is made anew; `cuePlays`; `queueIsFull`.
    func play(_ song: InstallationSong, atOnce: Bool) throws(Fault) {
        guard let list else { throw SongsPart.isMissing }
        if !house.isOpen { throw .closed }
        if house.cues.interlude != nil { throw .cuePlays }
        if house.feed.requests(in: list).count >= InstallationTimes.mostRequests {
            throw .queueIsFull(InstallationTimes.mostRequests)
        }
        switch phase {
        case .fading(_, .change), .resting:
            house.feed.hold(song, isFirst: atOnce)
            if atOnce { isHeld = false }
            return
        case .playing, .paused, .fading(_, .pause): break
        case .fading, .interlude, .returning, .over:
            throw .musicChanges(seconds: secondsOfChange ?? 1)
        }
        house.feed.request(song, isFirst: atOnce, in: list)
        guard atOnce else { return }
        forgetResumed()
        request(.next, .play)
        if phase != .playing { resume() }
    }

    /// Seconds until another playlist plays, or a session that is made anew; nil if none is on its way.
    var secondsOfChange: Int? {
        let rest = frames(InstallationTimes.rest)
        let end: SampleTime? =
            switch phase {
            case .fading(let until, .change): until + rest
            case .fading(let until, .end): until
            case .resting(let until): until
            default: nil
            }
        return end.map { max(Int((Double($0 - core.now) / Double(core.options.sampleRate)).rounded(.up)), 1) }
    }

    /// - Throws: `notQueued`.
    func withdraw(_ name: String) throws(Fault) {
        let (list, place) = try queued(name)
        house.feed.withdraw(at: place, from: list)
    }

    /// To the front of the queue.
    /// - Throws: `notQueued`.
    func prefer(_ name: String) throws(Fault) {
        let (list, place) = try queued(name)
        house.feed.prefer(at: place, in: list)
    }

    func clearQueue() {
        guard let list else { return }
        while !house.feed.requests(in: list).isEmpty { house.feed.withdraw(at: 0, from: list) }
    }

    /// The place in the queue of a song by its name or its number.
    private func queued(_ name: String) throws(Fault) -> (Playlist, place: Int) {
        guard let list else { throw SongsPart.isMissing }
        let songs = house.feed.requests(in: list)
        let place =
            songs.firstIndex { $0.name == name || $0.path == name }
            ?? songs.firstIndex { ListedSong.title(of: $0.name) == name } ?? Int(name).map { $0 - 1 }
        guard let place, songs.indices.contains(place) else { throw .notQueued(name, known: songs.map(\.name)) }
        return (list, place)
    }

    func forgetResumed() { resumed = nil }

    /// While the music is paused by the calendar, or another playlist is on its way. False if the request is one for the songs
    /// as usual.
    func obey(_ verb: Verb) -> Bool {
        switch phase {
        case .paused where verb == .play || verb == .toggle: resume()
        case .resting, .fading(_, .change):
            guard [.play, .pause, .stop, .toggle].contains(verb) else { return false }
            isHeld = verb == .toggle ? !isHeld : verb != .play
        default: return false
        }
        return true
    }

    private func resume() {
        switch phase {
        case .paused: request(.play)
        case .fading(_, .pause): break
        default: return
        }
        fade(over: house.fade)
        phase = .playing
    }

    private func request(_ requests: SongRequest...) {
        house.attempt { () throws(Fault) in
            guard let songs else { throw SongsPart.isMissing }
            for request in requests { try songs.request(request) }
        }
    }

    private func frames(_ seconds: Double) -> Int { Int(seconds * Double(core.options.sampleRate)) }

    func interrupt(with song: InstallationSong, for cue: String) {
        let former = house.cues.interlude, choice = list.flatMap { house.feed.choice(of: $0) }
        house.cues.interlude = InstallationCues.Interlude(
            cue: cue, song: song, back: former?.back ?? state, choice: former?.choice ?? choice,
            standsStill: former?.standsStill ?? standsStill)
        fadeOut(then: .interlude, over: InstallationTimes.cueFade)
    }

    /// nil while its song plays, and if there is none.
    var endedInterlude: String? {
        guard case .interlude(let id) = phase, let list else { return nil }
        let isOver = list.isAtEnd || list.currentID != id || list.items.contains { $0.id == id && $0.fault != nil }
        return isOver ? house.cues.interlude?.cue : nil
    }

    /// The music has faded.
    private func beginInterlude() {
        guard let interlude = house.cues.interlude, let list else { return goOn() }
        request(.stop)
        let id = house.feed.interrupt(with: interlude.song, in: list)
        request(.next)
        fade(over: 0)
        request(.play)
        phase = .interlude(id)
    }

    /// The cue's song is over: after a moment the music goes on. Nothing if another song has taken its place.
    func leaveInterlude() { if case .interlude = phase { endInterlude() } }

    private func endInterlude() {
        request(.stop)
        house.attempt { () throws(Fault) in try core.fade(to: InstallationTimes.softest, over: 0) }
        phase = .returning(until: core.now + frames(InstallationTimes.cueRest))
    }

    /// The music goes on at the bar where it was.
    private func goOn() {
        let interlude = house.cues.interlude
        house.cues.interlude = nil
        phase = .playing
        guard let list, let back = interlude?.back, let choice = interlude?.choice else {
            return fade(over: InstallationTimes.cueFade)
        }
        house.feed.comeBack(to: choice, in: list)
        request(.next, .seek(back.position))
        if house.situation.isPaused {
            phase = .paused
        } else {
            if interlude?.standsStill != true { request(.play) }
            fade(over: InstallationTimes.cueFade)
        }
        song = list.currentID
        house.tell(.resumed(song: choice.song.name, bar: back.bar))
    }
}

extension InstallationState {
    /// The beginning of the bar, or the second in a song that has no bars.
    fileprivate var position: SongPosition { bar > 0 ? .bar(bar) : .seconds(seconds) }
}
