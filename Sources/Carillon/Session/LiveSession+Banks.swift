import RealtimeCore
import Sequencer
import SoundFonts

/// Songs that bring SoundFonts of their own: each is played by instruments that know its bank, and no other song is.
extension LiveSession {
    /// Lets the graph play a song from a frame on: what came into the list after the start, or has other SoundFonts than the
    /// song before it, which then fades.
    func makeRoom(for timeline: Timeline, bank: SongBank?, at time: SampleTime) throws(LiveError) {
        var wanted = demand
        let hasGrown = wanted.grow(by: timeline, bank: bank)
        if hasGrown || bank != options.songBank {
            try exchange(bank, wanted, at: time)
            // On ports of songs everything is as after power-on when this one begins.
            let ports = (playlist?.ports ?? []).union(timeline.summary.parts.map(\.port))
            try tellKeyboardsSounds(at: time) { !ports.contains(UInt8($0 / 16)) }
            // Plans take over one after the other.
            bankTime = max(bankTime, time, now)
        }
        // It begins on instruments of before: once its own are there, it goes on with its programs.
        if bankTime > max(time, now) { bankRefresh = bankTime }
        demand = wanted
    }

    /// Gives the song that plays its instruments back, where those of the next were made ready and it does not follow any
    /// more. They know nothing of its programs: once they are there, the song is told to go where it stands.
    func keepBank() throws(LiveError) {
        guard let playlist else { return }
        if let time = bankRefresh, now >= time {
            bankRefresh = nil
            if playlist.state == .playing { try perform(.seek(.bySeconds(0))) }
        }
        let bank = playlist.bankAhead
        if bank == options.songBank { return }
        bankRefresh = max(bankTime, now)
        do {
            try exchange(bank, demand, at: nil)
            let played = Set(playlist.current.transport.timeline.summary.parts.map { Int($0.port) * 16 + Int($0.channel) })
            try tellKeyboardsSounds(at: nil) { !played.contains($0) }
        } catch {
            // Told once, not in each round.
            options.songBank = bank
            throw error
        }
    }

    /// Tells instruments that were made anew what the parts of keyboards play, as far as no song tells them.
    private func tellKeyboardsSounds(at time: SampleTime?, where isMeant: (Int) -> Bool) throws(LiveError) {
        let plain = ChannelSounds()
        let parts = Set(0..<options.playedPorts * 16).union(liveFilter.zones?.playedParts ?? [])
        for part in parts.sorted() where isMeant(part) {
            guard let place = graph.ports.engine(part: part) else { continue }
            let request = sounds.request(part: place)
            guard request != plain.request(part: place), let events = sounds.choose(request, part: place) else { continue }
            try desk.play(events, at: time)
        }
    }

    /// The names of the sounds that are heard now.
    var names: SoundNames { formerNames.flatMap { now < $0.until ? $0.names : nil } ?? graph.names }

    private func exchange(_ bank: SongBank?, _ demand: SongDemand, at time: SampleTime?) throws(LiveError) {
        var wanted = options
        wanted.songBank = bank
        let former = names
        graph = try LiveGraph.change(engine, wanted, songs: demand, insteadOf: graph, at: time)
        formerNames = time.map { (former, $0) }
        options = wanted
        renewControls()
        // What was so at the start was told then.
        if let bank, graph.songBank == nil {
            notices += graph.remarks.filter { $0.hasPrefix(bank.source.path + ":") }
        }
    }
}

extension Playlist {
    /// The SoundFont of the song that is posted to follow, or of the one that plays where none is.
    var bankAhead: SongBank? { if let following { following.song.bank } else { current.bank } }

    /// The state of the current song: whether it plays.
    var state: Transport.State { current.transport.state }
}
