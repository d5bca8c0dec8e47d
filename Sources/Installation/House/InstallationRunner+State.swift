import Carillon

/// News of the songs, which are told, and the state, which is written down.
extension InstallationRunner {
    func tellSong(_ session: Session) {
        guard let list = session.playlist, phase == .playing, song != list.currentID || list.isAtEnd else { return }
        if let choice = feed.choice(of: list), song != list.currentID {
            song = list.currentID
            feed.hasBegun()
            tell(.song(name: choice.song.name, playlist: choice.place.playlist, seconds: list.currentLength))
        }
        if list.isAtEnd, feed.hasEnded, !hasToldEnd {
            hasToldEnd = true
            tell(.ended(playlist: hours.situation?.playlist ?? ""))
        } else if !list.isAtEnd {
            hasToldEnd = false
        }
    }

    /// Writes down what plays; what goes wrong is told once, and tried again.
    func save() {
        saved = world.uptime()
        // Between two songs there is no place to come back to but the one that was written down last.
        guard let keeper, session == nil || state != nil else { return }
        let fault = keeper.keep(state?.text ?? "")?.description
        if let fault, fault != saveFault { note(fault) }
        saveFault = fault
    }

    /// The state of what plays, as it is written down; nil while the house is closed.
    public var state: HouseState? {
        if let back = cues.interlude?.back { return back }
        guard let session, let list = session.playlist, let choice = feed.choice(of: list),
            let asked = hours.situation?.playlist, let transport = session.snapshot.transport,
            transport.isPlaying || phase == .paused
        else { return nil }
        return HouseState(
            asked: asked, place: choice.place, song: choice.song.path, seconds: transport.seconds, bar: transport.bar,
            moment: world.clock())
    }
}
