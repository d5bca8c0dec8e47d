import Carillon

extension Steward {
    /// How things stand, in the house and in what plays there; of a closed house nothing plays.
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
        return snapshot
    }

    /// The calendar's next word, looked up when the last one has come, the clock was set back, or the file is another.
    private var coming: ComingChange {
        let now = world.clock()
        if let shown, now >= shown.from, shown.until.map({ now < $0 }) ?? true { return shown }
        let until = nextChange
        let change = until.map { moment in
            SessionSnapshot.House.Change(
                at: world.zone.civil(at: moment).description, what: director.situation(at: moment).words)
        }
        let coming = ComingChange(from: now, until: until, change: change)
        shown = coming
        return coming
    }

    /// What the calendar says next, and for how long that holds.
    struct ComingChange {
        let from: WallTime
        let until: WallTime?
        let change: SessionSnapshot.House.Change?
    }
}
