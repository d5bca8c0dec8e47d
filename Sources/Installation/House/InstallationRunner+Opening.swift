import Carillon

/// The beginning and the end of a session.
extension InstallationRunner {
    /// Makes a session and lets it play; where that cannot be, it is tried again.
    func open(resumes: Bool) {
        var resumed: HouseState?
        if resumes, let former, let list = playlists.first(where: { $0.name == former.place.playlist }),
            list.round(former.place.round).indices.contains(former.place.step),
            list.songs[list.round(former.place.round)[former.place.step]].path == former.song
        {
            resumed = former
            feed.go(to: former.place, in: nil)
        }
        former = nil
        let choices = feed.first()
        do throws(LiveError) {
            var options = try LiveOptions(installation)
            options.faderLevel = House.softest
            options.filter = installation.buttons.isEmpty ? nil : cues.filter
            let session = try Session(options, songs: choices.map { SongFeed.song($0.song) }, on: world.port())
            self.session = session
            if let list = session.playlist {
                // The feed tells them, once each.
                list.tellsFaults = false
                feed.adopt(choices, in: list)
            }
            for remark in session.remarks { note(remark) }
            if let resumed, session.playlist.flatMap({ feed.choice(of: $0) })?.song.path == resumed.song {
                try session.perform(.seek(resumed.bar > 0 ? .bar(resumed.bar) : .seconds(resumed.seconds)))
                tell(.resumed(song: choices.first?.song.name ?? resumed.song, bar: resumed.bar))
            }
            prepareCues(session)
            try session.start()
            try session.fade(to: level, over: resumed == nil ? fade : House.quickFade)
            (phase, fault) = (.playing, nil)
        } catch {
            note("\(error); it is tried again")
            (session, fault) = (nil, error)
            phase = .waiting(until: world.uptime() + House.patience)
            // The same songs again, from where they were.
            feed.go(to: choices.first?.place ?? Programme.Place(playlist: hours.situation?.playlist ?? ""), in: nil)
        }
    }

    /// Ends the session: the card is free.
    func close() {
        do throws(LiveError) { try session?.finish() } catch { note("\(error)") }
        (session, song, phase) = (nil, nil, .closed)
        former = nil
        cues.clear(at: world.uptime())
        save()
    }

    /// Ends everything within a few seconds; what plays was written down and is gone on with at the next start.
    public func finish() {
        defer {
            keeper?.finish()
            for item in inbox.close() { item.answer?(.failure(.interrupted)) }
        }
        guard let session else { return }
        save()
        let seconds = min(fade, House.lastFade), end = session.sampleTime + frames(seconds)
        session.onEnd = onEnd
        onEnd(seconds + House.endPatience)
        attempt { (session) throws(LiveError) in try session.fade(to: House.softest, over: seconds) }
        // A device that stands still does not keep anybody.
        var patience = Int((seconds + House.endPatience) * 1000)
        // On a busy machine a pass takes longer than it should.
        let limit = world.uptime() + seconds + House.endPatience
        while session.sampleTime < end, patience > 0, world.uptime() < limit {
            session.pass(milliseconds: 20)
            patience -= 20
            attempt { (session) throws(LiveError) in try session.maintain() }
        }
        do throws(LiveError) { try session.finish() } catch { note("\(error)") }
        (self.session, phase) = (nil, .closed)
    }
}
