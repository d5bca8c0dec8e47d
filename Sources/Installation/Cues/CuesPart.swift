import Carillon

/// The cues of a house while it is open: what asks for them, what they do to the music, and their ends.
final class CuesPart: CuePart {
    private let house: HouseCore
    private let core: SessionCore
    private let programme: ProgrammePart
    private let songs: SongsPart?
    private let sounds: SoundFilesPart?
    /// Does what a cue's commands ask for.
    var perform: (ControlCommand) throws(LiveError) -> Void = { _ in }

    init(
        _ house: HouseCore, _ core: SessionCore, _ programme: ProgrammePart, _ songs: SongsPart?, _ sounds: SoundFilesPart?
    ) {
        (self.house, self.core, self.programme, self.songs, self.sounds) = (house, core, programme, songs, sounds)
    }

    /// Opens the sounds; one that cannot be played is told, and refused when it is asked for.
    func prepare() {
        for sound in house.installation.sounds {
            do throws(LiveError) { try sounds?.prepare(sound) } catch {
                house.cues.broken[sound.name] = "\(error)"
                house.note("cue \(sound.name): \(error)")
            }
        }
    }

    /// Asks for a cue. Throws `unknownCue`; `cueRefused` for one that is not to play now.
    func ask(for name: String) throws(LiveError) {
        guard house.cues.machine.cue(named: name) != nil else {
            throw .unknownCue(name, known: house.installation.cues.map(\.name))
        }
        let actions = answer(to: name)
        obey(actions)
        for case .refuse(_, let reason) in actions { throw .cueRefused(name, reason: reason) }
    }

    /// Lets go of a cue that is held.
    func release(_ name: String) {
        // Whoever lets go of one that nobody holds wants its end.
        if let cue = house.cues.machine.cue(named: name), cue.mode != .hold, house.cues.machine.names.contains(name) {
            return stop(cue)
        }
        house.cues.asked.append(.release(name))
    }

    /// Hears who asks, and notices what has ended.
    func turn() {
        if programme.phase == .over { return }
        let now = house.world.uptime()
        let named = house.cues.due(at: house.world.clock(), in: house.world.zone) + house.droppedCues()
        let calls = house.cues.asked + house.cues.filter.take() + named.map { .ask($0) }
        house.cues.asked = []
        for call in calls {
            switch call {
            case .ask(let name): obey(answer(to: name))
            case .release(let name): obey(house.cues.machine.release(name))
            }
        }
        let begun = Int(House.soundStart * Double(core.options.sampleRate))
        for (name, start) in house.cues.sounds where core.now >= start + begun && sounds?.isPlaying(name) != true { ended(name) }
        for cue in house.installation.cues {
            // One that was counted has been played, or somebody else has ended it.
            guard case .layer(let name) = cue.content, let state = songs?.state(ofLayer: name) else { continue }
            let isPlaying = house.cues.machine.names.contains(cue.name)
            if isPlaying, state == .off { ended(cue.name) }
            // Somebody else has let it come: the next who asks for the cue wants its end.
            if !isPlaying, state == .on || state == .coming, cue.mode == .toggle { house.cues.machine.begin(cue.name, at: now) }
        }
        if let cue = programme.endedInterlude {
            ended(cue)
            programme.leaveInterlude()
        }
        if house.cues.machine.duck != house.cues.ducked {
            house.cues.ducked = house.cues.machine.duck
            programme.follow(over: House.duckFade)
        }
    }

    /// The actions that follow when a cue is asked for now.
    private func answer(to name: String) -> [CueMachine.Action] {
        if programme.hearsCues { return house.cues.machine.ask(for: name, at: house.world.uptime()) }
        return house.cues.machine.cue(named: name).map { [.refuse($0, "the music is coming or going")] } ?? []
    }

    private func obey(_ actions: [CueMachine.Action]) {
        for action in actions {
            switch action {
            case .refuse(let cue, let reason): house.note("cue \(cue.name) is not played: \(reason)")
            case .start(let cue): start(cue)
            case .stop(let cue): stop(cue)
            }
        }
    }

    private func start(_ cue: Cue) {
        house.tell(.cue(cue.name))
        switch cue.content {
        case .scene(let name): house.attempt { () throws(LiveError) in try perform(.scene(.named(name))) }
        case .commands(let commands):
            for command in commands { house.attempt { () throws(LiveError) in try perform(command) } }
        case .layer(let name):
            do throws(LiveError) { try songs?.set(layer: name, true) } catch {
                house.note("cue \(cue.name): \(error)")
                ended(cue.name)
            }
        case .sound:
            if let reason = house.cues.broken[cue.name] {
                house.note("cue \(cue.name): \(reason)")
                return ended(cue.name)
            }
            house.cues.sounds[cue.name] = core.now
            house.attempt { () throws(LiveError) in try sounds?.play(cue.name, loops: cue.mode == .toggle) }
        case .song(let song):
            // The music stays where the song is not there.
            do throws(LiveError) { try song.requireFile() } catch {
                house.note("cue \(cue.name): \(error)")
                return ended(cue.name)
            }
            programme.interrupt(with: song, for: cue.name)
        }
    }

    private func stop(_ cue: Cue) {
        switch cue.content {
        case .scene, .commands: break
        case .layer(let name):
            house.attempt { () throws(LiveError) in try songs?.set(layer: name, false) }
            ended(cue.name)
        case .sound:
            house.attempt { () throws(LiveError) in try sounds?.stop(cue.name) }
            ended(cue.name)
        case .song:
            let isMine = house.cues.interlude?.cue == cue.name
            ended(cue.name)
            // A song that takes its place has said so by then.
            if isMine, house.cues.interlude?.cue == cue.name { programme.fadeOut(then: .comeBack, over: House.cueFade) }
        }
    }

    private func ended(_ name: String) {
        house.cues.sounds[name] = nil
        house.tell(.cueEnded(name))
        obey(house.cues.machine.end(name, at: house.world.uptime()))
    }
}
