import Carillon
import Control

/// Cues while the house is open: what asks for them, what they do to the music, and their ends.
extension InstallationRunner {
    /// Asks for a cue, from a surface. InstallationRunner's thread.
    ///
    /// - Throws: `unknownCue`; `houseClosed`; `cueRefused` for one that is not to play now.
    public func ask(forCue name: String) throws(LiveError) {
        guard cues.machine.cue(named: name) != nil else { throw .unknownCue(name, known: installation.cues.map(\.name)) }
        guard let session else { throw .houseClosed }
        let actions = isOpenForCues ? cues.ask(for: name, at: world.uptime()) : refusal(name)
        obey(actions, session)
        for case .refuse(_, let reason) in actions { throw .cueRefused(name, reason: reason) }
    }

    /// Lets go of a cue that is held, from a surface. InstallationRunner's thread.
    public func release(cue name: String) {
        // Whoever lets go of one that nobody holds wants its end.
        if let session, let cue = cues.machine.cue(named: name), cue.mode != .hold, cues.machine.names.contains(name) {
            return stop(cue, session)
        }
        cues.asked.append(.release(name))
    }

    /// Tells what somebody has asked for and got, a few times a second at most: faders move often.
    func tellAsked(_ command: ControlCommand) {
        if [.cue, .releaseCue, .note, .press, .lift, .release, .quit].contains(command.verb) { return }
        let second = world.uptime().rounded(.down)
        askedCount = second == askedSecond ? askedCount + 1 : 1
        askedSecond = second
        if askedCount <= House.mostAsked { tell(.asked(ControlGrammar.text(command))) }
    }

    /// The cues that play now, by name.
    public var playingCues: [String] { cues.machine.names }

    /// Opens the sounds of a new session; one that cannot be played is told, and refused when it is asked for.
    func prepareCues(_ session: Session) {
        for sound in installation.sounds {
            do throws(LiveError) { try session.prepare(sound) } catch {
                cues.broken[sound.name] = "\(error)"
                note("cue \(sound.name): \(error)")
            }
        }
    }

    /// Hears who asks, and notices what has ended.
    func followCues(_ session: Session) {
        let now = world.uptime()
        let named = cues.due(at: world.clock(), in: world.zone) + droppedCues()
        let calls = cues.asked + cues.filter.take() + named.map { .ask($0) }
        cues.asked = []
        for call in calls {
            switch call {
            case .ask(let name): obey(isOpenForCues ? cues.ask(for: name, at: now) : refusal(name), session)
            case .release(let name): obey(cues.release(name), session)
            }
        }
        for (name, start) in cues.sounds
        where session.sampleTime >= start + frames(House.soundStart) && !session.isPlaying(sound: name) {
            ended(name, session)
        }
        for cue in installation.cues {
            // One that was counted has been played, or somebody else has ended it.
            guard case .layer(let name) = cue.content, let state = session.state(ofLayer: name) else { continue }
            let isPlaying = cues.machine.names.contains(cue.name)
            if isPlaying, state == .off { ended(cue.name, session) }
            // Somebody else has let it come: the next who asks for the cue wants its end.
            if !isPlaying, state == .on || state == .coming, cue.mode == .toggle { cues.begin(cue.name, at: now) }
        }
        if case .interlude(let id) = phase, let list = session.playlist {
            let isOver = list.isAtEnd || list.currentID != id || list.items.contains { $0.id == id && $0.fault != nil }
            if isOver, let cue = cues.interlude?.cue {
                ended(cue, session)
                // Unless another song has taken its place already.
                if case .interlude = phase { endInterlude(session) }
            }
        }
        if cues.machine.duck != cues.ducked {
            cues.ducked = cues.machine.duck
            if isAudible { attempt { (session) throws(LiveError) in try session.fade(to: self.level, over: House.duckFade) } }
        }
    }

    /// Takes files away that ask for something while the house is closed: they are not to ask in the morning.
    func refuseDroppedCues() {
        for name in droppedCues() { note("cue \(name) is not played: the house is closed") }
    }

    /// The cues that files have asked for since the last second; what else lies in their folder is told.
    private func droppedCues() -> [String] {
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

    private var isOpenForCues: Bool {
        switch phase {
        case .playing, .paused, .interlude, .returning, .fading(_, .interlude), .fading(_, .comeBack): true
        case .closed, .waiting, .resting, .fading: false
        }
    }

    private func refusal(_ name: String) -> [CueMachine.Action] {
        cues.machine.cue(named: name).map { [.refuse($0, "the music is coming or going")] } ?? []
    }

    private func obey(_ actions: [CueMachine.Action], _ session: Session) {
        for action in actions {
            switch action {
            case .refuse(let cue, let reason): note("cue \(cue.name) is not played: \(reason)")
            case .start(let cue): start(cue, session)
            case .stop(let cue): stop(cue, session)
            }
        }
    }

    private func start(_ cue: Cue, _ session: Session) {
        tell(.cue(cue.name))
        switch cue.content {
        case .scene(let name): attempt { (session) throws(LiveError) in try session.perform(.scene(.named(name))) }
        case .commands(let commands):
            for command in commands { attempt { (session) throws(LiveError) in try session.perform(command) } }
        case .layer(let name):
            do throws(LiveError) { try session.perform(.layer(name, true)) } catch {
                note("cue \(cue.name): \(error)")
                ended(cue.name, session)
            }
        case .sound:
            if let reason = cues.broken[cue.name] {
                note("cue \(cue.name): \(reason)")
                return ended(cue.name, session)
            }
            cues.sounds[cue.name] = session.sampleTime
            attempt { (session) throws(LiveError) in try session.play(sound: cue.name, loops: cue.mode == .toggle) }
        case .song(let song):
            let former = cues.interlude, choice = session.playlist.flatMap { feed.choice(of: $0) }
            cues.interlude = HouseCues.Interlude(
                cue: cue.name, song: song, back: former?.back ?? state, choice: former?.choice ?? choice)
            fadeOut(then: .interlude, over: House.cueFade)
        }
    }

    private func stop(_ cue: Cue, _ session: Session) {
        switch cue.content {
        case .scene, .commands: break
        case .layer(let name):
            attempt { (session) throws(LiveError) in try session.perform(.layer(name, false)) }
            ended(cue.name, session)
        case .sound:
            attempt { (session) throws(LiveError) in try session.stop(sound: cue.name) }
            ended(cue.name, session)
        case .song:
            let isMine = cues.interlude?.cue == cue.name
            ended(cue.name, session)
            // A song that takes its place has said so by then.
            if isMine, cues.interlude?.cue == cue.name { fadeOut(then: .comeBack, over: House.cueFade) }
        }
    }

    private func ended(_ name: String, _ session: Session) {
        cues.sounds[name] = nil
        tell(.cueEnded(name))
        obey(cues.end(name, at: world.uptime()), session)
    }

    // MARK: - A song in the place of the music

    /// The music has faded: the cue's song plays.
    func beginInterlude(_ session: Session) {
        guard let interlude = cues.interlude, let list = session.playlist else { return goOn(session) }
        attempt { (session) throws(LiveError) in try session.perform(.stop) }
        let id = feed.interrupt(with: interlude.song, in: list)
        attempt { (session) throws(LiveError) in
            try session.perform(.next)
            try session.fade(to: self.level, over: 0)
            try session.perform(.play)
        }
        phase = .interlude(id)
    }

    /// The cue's song is over: after a moment the music goes on.
    func endInterlude(_ session: Session) {
        attempt { (session) throws(LiveError) in
            try session.perform(.stop)
            try session.fade(to: House.softest, over: 0)
        }
        phase = .returning(until: session.sampleTime + frames(House.cueRest))
    }

    /// The music goes on at the bar where it was.
    func goOn(_ session: Session) {
        let interlude = cues.interlude
        cues.interlude = nil
        phase = .playing
        guard let list = session.playlist, let back = interlude?.back, let choice = interlude?.choice else {
            return attempt { (session) throws(LiveError) in try session.fade(to: self.level, over: House.cueFade) }
        }
        feed.comeBack(to: choice, in: list)
        let isPaused = hours.situation?.isPaused == true
        attempt { (session) throws(LiveError) in
            try session.perform(.next)
            try session.perform(.seek(back.bar > 0 ? .bar(back.bar) : .seconds(back.seconds)))
            if isPaused { return }
            try session.perform(.play)
            try session.fade(to: self.level, over: House.cueFade)
        }
        if isPaused { phase = .paused }
        song = list.currentID
        tell(.resumed(song: choice.song.name, bar: back.bar))
    }
}
