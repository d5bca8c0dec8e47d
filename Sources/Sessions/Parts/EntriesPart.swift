import MIDI
import RealtimeCore
import Reports

/// What the entries of a set list begin with, besides their patches: a song, which waits at its beginning, loops, a tempo, a meter
/// and a count-in; and the parts that they consist of. What an entry does not say, and another one does, is as usual: the song's own
/// tempo, or without one that of the patch, 4/4, no count. Loops that are not saved are kept. The song that plays goes on where an entry has none. The requests of the first entry are made before
/// anything sounds.
final class EntriesPart: SessionPart {
    private let core: SessionCore
    private let stage: StagePart
    private let keys: KeysPart
    private let songs: SongsPart?
    private let outputs: OutputsPart
    /// The entry that has begun, and whether its song still has to be selected.
    private var entry: ListedPatch
    private var owesSong = false
    /// True once its song has ended and the next entry was asked for; that one then plays.
    private var hasGoneOn = false
    private var playsNext: Bool
    /// True until what it begins with was asked for.
    private var owesRequests = false
    /// The meter that an entry has as long as the song of the one before plays.
    private var lentMeter: Meter?
    /// The place of the part that is played, and the number of the marker that the song passed last.
    private var part = 0
    private var marker = 0

    static let isMissing = Fault.noPatchList
    static let verbs: [Verb] = [.partNext, .partPrevious, .part]
    static let fields: [PartField<EntriesPart>] = [
        PartField(\.text, "text", "The part of the entry that is played, with its words.") { $0.text }
    ]

    /// Selects the first entry's song. - Throws: `queueFull`.
    init(
        _ core: SessionCore, _ stage: StagePart, _ keys: KeysPart, _ songs: SongsPart?, _ outputs: OutputsPart
    ) throws(Fault) {
        (self.core, self.stage, self.keys, self.songs, self.outputs) = (core, stage, keys, songs, outputs)
        entry = stage.list.listed(stage.list.current)
        // The entry decides which song begins.
        let haveSongs = stage.list.all.contains { $0.song != nil }
        playsNext = haveSongs && !core.options.songsWait
        if haveSongs {
            core.options.songsWait = true
            songs?.playlist.manner.entriesDecide = true
            songs?.isOfEntry = { [unowned self] in hasSong }
        }
        begin(entry)
        try selectSong()
        stage.onEntry = { [unowned self] in begin($0) }
        stage.onExchange = { [unowned self] in
            entry = $0
            part = min(part, max(parts.count - 1, 0))
        }
    }

    func turn() throws(Fault) {
        try again { () throws(Fault) in try selectSong() }
        try followMarkers()
        guard let songs, songs.playlist.isAtEnd, !hasGoneOn, let index = try successor(of: songs.playlist) else { return }
        (hasGoneOn, playsNext) = (true, true)
        if index == stage.list.current { begin(entry) } else { try stage.change(to: .number(index + 1), .now) }
    }

    /// The entry that follows at the end of a song: the next one, or round the list's end one with a song.
    private func successor(of playlist: Playlist) throws(Fault) -> Int? {
        if entry.goesOn, playlist.currentID == songID, let next = try stage.list.index(of: .next) { return next }
        return playlist.manner.repetition == .all ? stage.list.nextWithSong : nil
    }

    func takeRequests(_ parts: [any SessionPart]) -> [SessionRequest] {
        if owesSong { return [] }
        let commands = owesRequests ? commands() : meterAfterSong
        owesRequests = false
        return commands.map { SessionRequest(command: $0, time: core.now) }
    }

    /// An entry without a meter has the usual one once the song that played on has ended, unless another was chosen meanwhile.
    private var meterAfterSong: [ControlCommand] {
        guard let lent = lentMeter, songs?.isPlaying != true else { return [] }
        lentMeter = nil
        return lent == metronome.meter ? [.metronome(outputs.beat.isRunning, tempo: nil, meter: .common)] : []
    }

    private var metronome: SessionMetronome { SessionMetronome(engine: core.engine) }

    private func begin(_ entry: ListedPatch) {
        (self.entry, owesSong, hasGoneOn, part, marker) = (entry, songID(of: entry) != nil, false, 0, 0)
        owesRequests = true
    }

    /// In the tempo and with the count, the song that plays on comes last.
    private func commands() -> [ControlCommand] {
        // Loops have the tempo of their bars: its own gives way.
        var commands: [ControlCommand] = []
        if let loops = entry.loops, !core.stage.keepsLoops() {
            commands = [.loadLoops(loops)]
        } else if let loops = entry.loops {
            core.tell(["the loops of \(loops).yaml stay out, since loops here are not saved; looper load \(loops) replaces them"])
        }
        let all = stage.list.all
        // A song of the entry before goes on in its meter.
        let isOwn = songID != nil || songs?.isPlaying != true
        let isUsual = entry.meter == nil && all.contains { $0.meter != nil }
        let meter = entry.meter ?? (isOwn && isUsual ? .common : nil)
        lentMeter = !isOwn && isUsual ? metronome.meter : nil
        let countIn = entry.countIn ?? (all.contains { $0.countIn != nil } ? 0 : nil)
        if meter != nil || countIn != nil {
            commands.append(.metronome(outputs.beat.isRunning, tempo: nil, meter: meter, countIn: countIn))
        }
        if core.options.list.keepsTempo {
            // The one that was asked for at the start holds.
        } else if let tempo = entry.tempo {
            commands.append(.tempo(Double(tempo)))
        } else if all.contains(where: { $0.tempo != nil }), songID != nil || !hasSong {
            commands.append(.tempo(songID != nil ? 1 : entry.patch.tempo ?? MetronomeBeat.usualTempo))
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

    /// True if the song that stands ready is this entry's, or has begun in another one and goes on: else it is one of a later entry.
    private var hasSong: Bool { songs.map { songID == $0.playlist.currentID || $0.hasBegun } ?? false }

    private var songID: Playlist.Item.ID? { songID(of: entry) }

    private func songID(of entry: ListedPatch) -> Playlist.Item.ID? {
        guard let items = songs?.playlist.items, let number = entry.song, items.indices.contains(number - 1) else { return nil }
        return items[number - 1].id
    }

    // MARK: - Parts

    private var parts: [EntrySheet.Part] { entry.sheet?.parts ?? [] }

    private var text: SessionSnapshot.Text? {
        let parts = parts
        guard parts.indices.contains(part) else { return nil }
        return SessionSnapshot.Text(
            title: entry.sheet?.title, part: parts[part].part.name, number: part + 1, parts: parts.map(\.part.name),
            lines: parts[part].lines, ahead: parts.indices.contains(part + 1) ? parts[part + 1].lines : [])
    }

    /// Goes to the part so many places on; past the first and the last nothing happens.
    func step(_ steps: Int) throws(Fault) {
        if parts.isEmpty { throw .noParts }
        if parts.indices.contains(part + steps) { try select(part + steps) }
    }

    /// Goes to the next part of this name, round the end.
    func select(_ name: String) throws(Fault) {
        if parts.isEmpty { throw .noParts }
        guard let place = place({ $0.name.lowercased() == name.lowercased() }, from: part + 1) else {
            throw .unknown("part", name, known: parts.map(\.part.name))
        }
        try select(place)
    }

    private func place(_ isMeant: (SetList.Part) -> Bool, from first: Int) -> Int? {
        let places = parts.indices.map { ($0 + first) % parts.count }
        return places.first { isMeant(parts[$0].part) }
    }

    /// Calls the part's scene, and goes to its marker in the song of the entry.
    private func select(_ place: Int) throws(Fault) {
        part = place
        var faults = Attempts()
        faults.attempt { () throws(Fault) in try callScene() }
        if let marker = parts[place].part.marker, let songs, songs.playlist.currentID == songID {
            faults.attempt { () throws(Fault) in try songs.begin(at: .marker(marker)) }
        }
        try faults.finish()
    }

    private func callScene() throws(Fault) { if let scene = parts[part].part.scene { try keys.call(.named(scene)) } }

    /// A part begins where the song passes its marker.
    private func followMarkers() throws(Fault) {
        guard let songs, songs.isPlaying, songs.playlist.currentID == songID, parts.contains(where: { $0.part.marker != nil })
        else { return }
        let now = songs.playlist.snapshot(at: core.now), name = now.marker.lowercased()
        if now.markerNumber == marker { return }
        marker = now.markerNumber
        guard marker > 0, let place = place({ $0.marker?.lowercased() == name }, from: part), place != part else { return }
        part = place
        try callScene()
    }
}

extension Verb {
    static let partNext = Verb("part next", help: "Goes to the next part of the entry.", "part next") {
        (entries: EntriesPart, _) throws(Fault) in try entries.step(1)
    }
    static let partPrevious = Verb("part previous", help: "Goes to the previous part of the entry.", "part previous") {
        (entries: EntriesPart, _) throws(Fault) in try entries.step(-1)
    }
    static let part = Verb(
        "part", [.name("text", "parts")], help: "Goes to a part of the entry: its scene, its marker in the song, its words.",
        "part chorus"
    ) { (entries: EntriesPart, values) throws(Fault) in try entries.select(values.text(0)) }
}

extension ControlCommand {
    /// Goes to the next part of the entry of a set list: calls its scene, goes to its marker in the entry's song, shows its words.
    public static let nextPart = Verb.partNext()
    /// Goes to the part before.
    public static let previousPart = Verb.partPrevious()
    /// Goes to the next part of this name, round the end of the entry.
    public static func part(_ name: String) -> ControlCommand { Verb.part(name) }
}
