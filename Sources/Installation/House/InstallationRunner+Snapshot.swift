import Carillon

extension InstallationRunner {
    /// The state of the house and of what plays there; of a closed house nothing plays.
    public var snapshot: SessionSnapshot {
        var snapshot = session?.snapshot ?? SessionSnapshot()
        // Nothing is heard though it is open: whoever asks is to know why.
        if session == nil, isOpen, let fault { snapshot.device.fault = "\(fault)" }
        let playing = Set(playingCues), situation = situation
        snapshot.house = SessionSnapshot.House(
            isOpen: isOpen, playlist: situation.playlist, level: situation.level, isPaused: situation.isPaused,
            next: coming.change,
            cues: installation.cues.map { .init(name: $0.name, isPlaying: playing.contains($0.name)) },
            playlists: playlists.map(\.name))
        // The list of a session is a window on the programme, a few songs long.
        if var transport = snapshot.transport {
            snapshot.house?.isStopped =
                phase == .playing && !transport.isPlaying && !transport.hasEnded
                && snapshot.following.map(\.isHeld) ?? true
            if let place = session?.playlist.flatMap({ feed.choice(of: $0) })?.place,
                let list = playlists.first(where: { $0.name == place.playlist })
            {
                (transport.number, transport.count) = (place.step + 1, list.roundCount)
                snapshot.transport = transport
            }
        }
        return snapshot
    }

    /// The calendar's next word, looked up when the last one has come, the clock was set back, or the file is another.
    private var coming: ComingChange {
        let now = world.clock(), former = situation
        if let shown, now >= shown.from, shown.until.map({ now < $0 }) ?? true { return shown }
        let until = nextChange
        let change = until.map { moment in
            SessionSnapshot.House.Change(
                at: world.zone.civil(at: moment).description, what: hours.situation(at: moment).words(after: former))
        }
        let coming = ComingChange(from: now, until: until, change: change)
        shown = coming
        return coming
    }

    /// The calendar's next word, and for how long that holds.
    struct ComingChange {
        let from: WallTime
        let until: WallTime?
        let change: SessionSnapshot.House.Change?
    }
}
