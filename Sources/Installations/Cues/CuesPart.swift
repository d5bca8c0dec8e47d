import Carillon

/// The cues of an installation while it is open: what asks for them, what they do to the music, and their ends.
final class CuesPart: SessionPart {
    private let house: InstallationPart
    private let core: SessionCore
    private let programme: ProgrammePart
    private let songs: SongsPart?
    private let sounds: SoundFilesPart?
    var perform: (ControlCommand) throws(Fault) -> Void = { _ in }

    static let verbs: [Verb] = [.cue, .releaseCue]
    static let isMissing = Fault.noInstallation

    init(
        _ house: InstallationPart, _ core: SessionCore, _ programme: ProgrammePart, _ songs: SongsPart?, _ sounds: SoundFilesPart?
    ) {
        (self.house, self.core, self.programme, self.songs, self.sounds) = (house, core, programme, songs, sounds)
    }

    /// A sound that cannot be played is reported, and refused when it is requested.
    func prepare() {
        for sound in house.installation.sounds {
            do throws(Fault) { try sounds?.prepare(sound) } catch {
                house.cues.broken[sound.name] = "\(error)"
                house.note("cue \(sound.name): \(error)")
            }
        }
    }

    /// Throws `unknownCue`; `cueRefused` for one that is not to play now.
    func ask(for name: String) throws(Fault) {
        guard house.cues.machine.cue(named: name) != nil else {
            throw .unknownCue(name, known: house.installation.cues.map(\.name))
        }
        let actions = hear(name)
        for case .refuse(_, let reason) in actions { throw .cueRefused(name, reason: reason) }
    }

    @discardableResult
    func hear(_ name: String) -> [CueMachine.Action] {
        let actions = answer(to: name)
        obey(actions)
        return actions
    }

    func release(_ name: String) {
        // To release a playing cue that is not of mode `hold` ends it.
        if let cue = house.cues.machine.cue(named: name), cue.mode != .hold, house.cues.machine.names.contains(name) {
            return stop(cue)
        }
        if house.cues.machine.cue(named: name)?.mode == .hold { _ = house.cues.takeWaiting(name) }
        obey(house.cues.machine.release(name))
    }

    func turn() {
        if programme.phase == .over { return }
        let now = house.world.uptime()
        if programme.hearsCues { for name in house.cues.takeWaiting() { hear(name) } }
        for name in house.droppedCues() { hear(name) }
        let begun = Int(InstallationTimes.soundStart * Double(core.options.sampleRate))
        for (name, start) in house.cues.sounds where core.now >= start + begun && sounds?.isPlaying(name) != true { ended(name) }
        for cue in house.installation.cues {
            // A layer that counts as playing but is off has been played to its end, or was ended by another command.
            guard case .layer(let name) = cue.content, let state = songs?.state(ofLayer: name) else { continue }
            let isPlaying = house.cues.machine.names.contains(cue.name)
            if isPlaying, state == .off { ended(cue.name) }
            // Another command has started the layer: the next request for the cue ends it.
            if !isPlaying, state == .on || state == .coming, cue.mode == .toggle { house.cues.machine.begin(cue.name, at: now) }
        }
        if let cue = programme.endedInterlude {
            ended(cue)
            programme.leaveInterlude()
        }
        if house.cues.machine.duck != house.cues.ducked {
            house.cues.ducked = house.cues.machine.duck
            programme.follow(over: InstallationTimes.duckFade)
        }
    }

    private func answer(to name: String) -> [CueMachine.Action] {
        guard let cue = house.cues.machine.cue(named: name) else { return [] }
        let now = house.world.uptime()
        if !house.isOpen { return [.refuse(cue, CueTimes.closed)] }
        if !house.cues.machine.names.contains(name) {
            if let fault = fault(of: cue) { return [.refuse(cue, fault)] }
            if cue.content.waitsForMusic, !programme.hearsCues {
                if house.cues.wait(for: name, at: now) { return [] }
                // Asked for again: one that would have ended by that does not begin.
                if cue.mode == .toggle, !house.cues.takeWaiting(name).isEmpty { return [] }
                return [.refuse(cue, "it waits already, until the music has changed")]
            }
        }
        return house.cues.machine.ask(for: name, at: now)
    }

    private func fault(of cue: Cue) -> String? {
        switch cue.content {
        case .sound: return house.cues.broken[cue.name]
        case .song(let song):
            do throws(Fault) { try song.requireFile() } catch { return "\(error)" }
            return nil
        case .scene, .layer, .commands: return nil
        }
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
        do throws(Fault) {
            switch cue.content {
            case .layer(let name): try songs?.set(layer: name, true)
            case .sound:
                try sounds?.play(cue.name, loops: cue.mode == .toggle)
                house.cues.sounds[cue.name] = core.now
            case .scene, .commands, .song: break
            }
        } catch {
            house.note("cue \(cue.name) is not played: \(error)")
            obey(house.cues.machine.end(cue.name, at: house.world.uptime()))
            return
        }
        house.tell(.cue(cue.name))
        switch cue.content {
        case .scene(let name): house.attempt { () throws(Fault) in try perform(.scene(.named(name))) }
        case .commands(let commands):
            for command in commands { house.attempt { () throws(Fault) in try perform(command) } }
        case .song(let song): programme.interrupt(with: song, for: cue.name)
        case .layer, .sound: break
        }
    }

    private func stop(_ cue: Cue) {
        switch cue.content {
        case .scene, .commands: break
        case .layer(let name):
            house.attempt { () throws(Fault) in try songs?.set(layer: name, false) }
            ended(cue.name)
        case .sound:
            house.attempt { () throws(Fault) in try sounds?.stop(cue.name) }
            ended(cue.name)
        case .song:
            let isMine = house.cues.interlude?.cue == cue.name
            ended(cue.name)
            // A song that takes its place has been registered by then.
            if isMine, house.cues.interlude?.cue == cue.name {
                programme.fadeOut(then: .comeBack, over: InstallationTimes.cueFade)
            }
        }
    }

    private func ended(_ name: String) {
        house.cues.sounds[name] = nil
        house.tell(.cueEnded(name))
        obey(house.cues.machine.end(name, at: house.world.uptime()))
    }
}
