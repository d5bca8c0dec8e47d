import Carillon

extension ProgrammePart {
    func tellSong() {
        guard let list, phase == .playing, song != list.currentID || list.isAtEnd else { return }
        if let choice = house.feed.choice(of: list), song != list.currentID {
            song = list.currentID
            house.feed.hasBegun(choice.song)
            house.songs.learn(length: list.currentLength, of: choice.song.path)
            writtenRest = songs?.longestRest ?? .infinity
            house.tell(.song(name: choice.song.name, playlist: choice.place.playlist, seconds: list.currentLength))
        }
        if list.isAtEnd, house.feed.hasEnded, !hasToldEnd {
            hasToldEnd = true
            house.tell(.ended(playlist: house.situation.playlist ?? ""))
        } else if !list.isAtEnd {
            hasToldEnd = false
        }
    }

    /// nil if none waits.
    var coming: Programme.Place? { list.flatMap { house.feed.coming(in: $0) } }

    /// The state of what plays, as it is written down; nil between two songs.
    var state: InstallationState? {
        var state = place
        state?.requests = requestedFiles
        return state
    }

    private var place: InstallationState? {
        if let back = house.cues.interlude?.back { return back }
        guard let list, let choice = house.feed.choice(of: list), let asked = house.situation.playlist else { return nil }
        if let resumed {
            var state = resumed.state
            (state.asked, state.moment) = (asked, house.world.clock())
            return state
        }
        if house.feed.isRequested(in: list) {
            // It is outside of the order: the song that comes back is the one that the playlist goes on with.
            return house.feed.planned(behind: list).map {
                InstallationState(
                    asked: asked, place: $0.place, song: $0.song.path, seconds: 0, bar: 0, moment: house.world.clock())
            }
        }
        let transport = list.snapshot(at: core.now)
        guard transport.isPlaying || phase == .paused || standsStill else { return nil }
        return InstallationState(
            asked: asked, place: choice.place, song: choice.song.path, seconds: transport.seconds, bar: transport.bar,
            moment: house.world.clock())
    }

    /// True while a song stands still on request.
    var standsStill: Bool {
        guard phase == .playing, let transport = list?.snapshot(at: core.now) else { return false }
        return !transport.isPlaying && !transport.hasEnded && transport.nextIn == nil
    }

    /// The list of a session is a window on the programme, a few songs long.
    func revise(_ transport: inout SessionSnapshot.Transport) {
        guard let place = list.flatMap({ house.feed.choice(of: $0) })?.place,
            let playlist = house.playlists.first(where: { $0.name == place.playlist })
        else { return }
        (transport.number, transport.count) = (place.step + 1, playlist.roundCount)
        // It is on its way to the place that it is resumed from.
        if let resumed, list?.currentID == resumed.song, transport.bar < resumed.state.bar {
            (transport.seconds, transport.bar) = (resumed.state.seconds, resumed.state.bar)
        }
    }

    /// The names of the songs that wait after the one that plays, with the requested ones first.
    var queue: [String] {
        // While a cue's song plays they wait beside the list.
        if house.cues.interlude != nil { return requests }
        return list.map { house.feed.waiting(in: $0).map(\.song.name) } ?? []
    }
    var requestedFiles: [String] { list.map { house.feed.requests(in: $0).map(\.path) } ?? [] }
    var requests: [String] { list.map { house.feed.requests(in: $0).map(\.name) } ?? [] }
}
