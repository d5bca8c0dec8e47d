import MIDI
import RealtimeCore
import Reports

/// What the entries of a set list begin with, besides their patches: a song, which waits at its beginning, a tempo, a meter and a
/// count-in. What an entry does not say, and another one does, is as usual: the song's own tempo, 4/4, no count. The song that
/// plays goes on where an entry has none. The requests of the first entry are made before anything sounds.
final class EntriesPart: SessionPart {
    private let core: SessionCore
    private let stage: StagePart
    private let songs: SongsPart?
    private let outputs: OutputsPart
    /// The entry that has begun, and whether its song still has to be selected.
    private var entry: ListedPatch
    private var owesSong = false
    /// True once its song has ended and the next entry was asked for; that one then plays.
    private var hasGoneOn = false
    private var playsNext: Bool
    private var requests: [ControlCommand] = []
    private let says: (tempo: Bool, meter: Bool, countIn: Bool)

    /// Selects the first entry's song. - Throws: `queueFull`.
    init(_ core: SessionCore, _ stage: StagePart, _ songs: SongsPart?, _ outputs: OutputsPart) throws(Fault) {
        (self.core, self.stage, self.songs, self.outputs) = (core, stage, songs, outputs)
        let all = stage.list.all
        says = (
            all.contains { $0.tempo != nil }, all.contains { $0.meter != nil }, all.contains { $0.countIn != nil }
        )
        entry = stage.list.listed(stage.list.current)
        // The entry decides which song begins.
        let haveSongs = all.contains { $0.song != nil }
        playsNext = haveSongs && !core.options.songsWait
        if haveSongs {
            core.options.songsWait = true
            songs?.playlist.manner.goesOn = false
        }
        begin(entry)
        try selectSong()
        stage.onEntry = { [unowned self] in begin($0) }
    }

    func turn() throws(Fault) {
        try again { () throws(Fault) in try selectSong() }
        guard entry.goesOn, !hasGoneOn, let songs, songs.playlist.isAtEnd, songs.playlist.currentID == songID,
            try stage.list.index(of: .next) != nil
        else { return }
        (hasGoneOn, playsNext) = (true, true)
        try stage.change(to: .next)
    }

    func takeRequests(_ parts: [any SessionPart]) -> [SessionRequest] {
        if owesSong { return [] }
        defer { requests = [] }
        return requests.map { SessionRequest(command: $0, time: core.now) }
    }

    private func begin(_ entry: ListedPatch) {
        (self.entry, owesSong, hasGoneOn) = (entry, songID(of: entry) != nil, false)
        requests = commands
    }

    /// In the tempo and with the count, the song that plays on comes last.
    private var commands: [ControlCommand] {
        var commands: [ControlCommand] = []
        let meter = entry.meter ?? (says.meter ? .common : nil), countIn = entry.countIn ?? (says.countIn ? 0 : nil)
        if meter != nil || countIn != nil {
            commands.append(.metronome(outputs.beat.isRunning, tempo: nil, meter: meter, countIn: countIn))
        }
        if let tempo = entry.tempo {
            commands.append(.tempo(Double(tempo)))
        } else if says.tempo, songID != nil {
            commands.append(.tempo(1))
        }
        if playsNext, songID != nil { commands.append(.play) }
        playsNext = false
        return commands
    }

    private func selectSong() throws(Fault) {
        guard owesSong, let songs, let id = songID else { return }
        try songs.request(.song(id, plays: false))
        owesSong = false
    }

    private var songID: Playlist.Item.ID? { songID(of: entry) }

    private func songID(of entry: ListedPatch) -> Playlist.Item.ID? {
        guard let items = songs?.playlist.items, let number = entry.song, items.indices.contains(number - 1) else { return nil }
        return items[number - 1].id
    }
}
