import EngineCore
import Reports
import Sequencer
import UnitAPI

/// The requests about songs.
extension SongsPart {
    package static let verbs: [Verb] =
        [
            .play, .pause, .toggle, .stop, .next, .nextAt, .previous, .seekTo, .seekBy, .seekBar, .seekBars, .seekMarkers,
            .transpose,
            .repeats, .loop, .shuffle, .queue, .crossFade, .passage, .passageClear, .layer, .playSong, .songSheet, .songNotes,
            .songList,
        ] + SongEditVerbs.all
}

extension Verb {
    package static let play = song("play", help: "Plays from the current position.", "play", .play)
    package static let pause = song("pause", help: "Pauses at the current position.", "pause", .pause)
    package static let toggle = song(
        "toggle", help: "Plays if paused, pauses if playing.", "toggle", .togglePlay)
    package static let stop = song("stop", help: "Stops and goes to the song's beginning.", "stop", .stop)
    package static let next = song("next", help: "Goes to the next song.", "next", .next)
    package static let nextAt = Verb(
        "next at", [.boundary], help: "Goes to the next song at the next beat, bar or marker of this one.", "next at bar"
    ) { (songs: SongsPart, values) throws(Fault) in
        guard let boundary = TransportBoundary(rawValue: values.text(0)) else { return }
        try songs.next(at: boundary)
    }
    package static let previous = song(
        "previous", help: "Goes to the previous song, or to the beginning of this one.", "previous", .previous)
    package static let seekTo = Verb(
        "seek", [.init("TIME", .number(VerbArgument.songTime))], help: "Goes to a time of the song.", "seek 1:30"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.seek(.seconds(values.number(0)))) }
    package static let seekBy = Verb(
        "seek", [.init("+TIME", .shift(VerbArgument.songTime))], help: "Moves forward by a time, or back with a minus.", "seek -5"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.seek(.bySeconds(values.number(0)))) }
    package static let seekBar = Verb(
        "seek bar", [.whole("BAR", 1...1_000_000)], help: "Goes to the beginning of a bar.", "seek bar 12"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.seek(.bar(values.whole(0)))) }
    package static let seekBars = Verb(
        "seek bars", [.count], help: "Moves forward by bars; 0 goes to the beginning of this one.", "seek bars -2"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.seek(.byBars(values.whole(0)))) }
    package static let seekMarkers = Verb(
        "seek markers", [.count], help: "Moves forward by markers.", "seek markers 1"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.seek(.byMarkers(values.whole(0)))) }
    static let transpose = Verb(
        "transpose", [.semitones], help: "Plays the song higher or lower; drums stay.", "transpose -2"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.transpose(values.whole(0))) }
    package static let loop = Verb(
        "loop", [.onOff], help: "Is called repeat from this version on.", "loop on", instead: "repeat all, or repeat off"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.request(.repetition(values.flag(0) ? .all : .off)) }
    package static let repeats = Verb(
        "repeat", [.oneOf(SessionSnapshot.Repetition.allCases.map(\.rawValue))],
        help: "Repeats the song, the list, or nothing.", "repeat all"
    ) { (songs: SongsPart, values) throws(Fault) in
        guard let repetition = SessionSnapshot.Repetition(rawValue: values.text(0)) else { return }
        try songs.request(.repetition(repetition))
    }
    static let passage = song(
        "ab set", help: "Sets A, then B: the song loops between both.", "ab set", .setPassage)
    static let passageClear = song("ab clear", help: "Ends the loop between A and B.", "ab clear", .clearPassage)
    static let layer = Verb(
        "layer", [.name("layers", "name"), .onOff],
        help: "Starts a layer over the songs at the next bar, or ends it there.",
        "layer drums on"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.set(layer: values.text(0), values.flag(1)) }
    package static let playSong = Verb(
        "play-song", [.init("NAME", .name, known: .init(question: "songs", keys: ["songs", "name"]))],
        help: "Plays a song now, by its name or its number in songs; the list resumes after it.", "play-song gavotte"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.play(values.text(0)) }
    static let queue = Verb(
        "queue", [.init("NAME", .name, known: .init(question: "songs", keys: ["songs", "name"]))],
        help: "Plays a song after the current one, and after those that were queued before.", "queue gavotte"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.queue(values.text(0)) }
    static let shuffle = Verb(
        "shuffle", [.onOff], help: "Plays the songs in random order, or in that of the list.", "shuffle on"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.shuffle(values.flag(0)) }
    static let crossFade = Verb(
        "cross-fade", [.init("SECONDS", .number(crossFadeTime))],
        help: "Lets songs cross over; 0: they follow each other.", "cross-fade 4"
    ) { (songs: SongsPart, values) throws(Fault) in try songs.set(crossFade: values.number(0)) }
    package static let crossFadeTime = ParameterSpec(
        "time", 0...60, default: 0, unit: .seconds, help: "The time in which a song fades out and the next one in.")
    static let songSheet = Verb(
        "song", help: "Reports the bars, markers and words of the current song.", "song"
    ) { (songs: SongsPart, _) in songs.sheet }
    static let songNotes = Verb(
        "notes", [.init("FROM", .number(VerbArgument.songTime)), .init("TO", .number(VerbArgument.songTime))],
        help: "Lists the song's notes between two times: start, length, channel, key, velocity.", "notes 0:30 1:00"
    ) { (songs: SongsPart, values) throws(Fault) in
        let (start, end) = (values.number(0), values.number(1)), most = SongSheet.Passage.mostSeconds
        guard start <= end, end - start <= most else {
            throw .outOfRange(
                name: "notes", value: "\(start) to \(end) s", remedy: "give FROM before TO, at most \(Int(most)) s apart")
        }
        return songs.sheet.passage(from: start, to: end)
    }
    package static let songList = Verb(
        "songs", [.init("TEXT", .name, isOptional: true)],
        help: "Lists the songs that can be requested: all, or those whose titles and playlists have these words.", "songs gavotte"
    ) { (songs: SongsPart, values) in SongList(songs.playlist.items.listed, having: values.optionalText(0)) }
    private static func song(_ word: String, help: String, _ example: String, _ request: SongRequest) -> Verb {
        Verb(word, help: help, example) { (songs: SongsPart, _) throws(Fault) in try songs.request(request) }
    }
}

extension ControlCommand {
    public static let play = Verb.play()
    public static let pause = Verb.pause()
    public static let togglePlay = Verb.toggle()
    public static let stop = Verb.stop()
    public static let next = Verb.next()
    public static let previous = Verb.previous()
    /// Plays a song after the current one and those that were queued before, by its name or its number in the list.
    public static func queue(_ song: String) -> ControlCommand { Verb.queue(song) }
    /// Plays the songs in random order, or in that of the list.
    public static func shuffle(_ isOn: Bool) -> ControlCommand { Verb.shuffle(isOn) }
    /// Goes there, with programs, controllers and all else as if the song had been played up to there.
    public static func seek(_ position: SongPosition) -> ControlCommand {
        switch position {
        case .seconds(let seconds): Verb.seekTo(seconds)
        case .bySeconds(let seconds): Verb.seekBy(seconds)
        case .bar(let bar): Verb.seekBar(bar)
        case .byBars(let count): Verb.seekBars(count)
        case .byMarkers(let count): Verb.seekMarkers(count)
        }
    }
    /// The place that it goes to; nil for any other command.
    package var position: SongPosition? {
        guard let value = values.first else { return nil }
        switch (verb, value) {
        case (.seekTo, .number(let seconds)): return .seconds(seconds)
        case (.seekBy, .number(let seconds)): return .bySeconds(seconds)
        case (.seekBar, .whole(let bar)): return .bar(bar)
        case (.seekBars, .whole(let count)): return .byBars(count)
        case (.seekMarkers, .whole(let count)): return .byMarkers(count)
        default: return nil
        }
    }
    /// Semitones, -48...48; drums stay.
    public static func transpose(_ semitones: Int) -> ControlCommand { Verb.transpose(semitones) }
    /// Repeats the song that plays or a single one without a gap, the list at its end, or nothing.
    public static func repeats(_ repetition: SessionSnapshot.Repetition) -> ControlCommand { Verb.repeats(repetition.rawValue) }
    /// Lets songs cross over for so many seconds, 0...60; with 0 they follow each other.
    public static func crossFade(_ seconds: Double) -> ControlCommand { Verb.crossFade(seconds) }
    /// Goes to the next song at the next beat, bar or marker of the one that plays.
    package static func next(at boundary: TransportBoundary) -> ControlCommand { Verb.nextAt(boundary.rawValue) }
    /// Sets A, then B, between which the song loops; the third time A anew.
    public static let setPassage = Verb.passage()
    /// Ends the loop between A and B.
    public static let clearPassage = Verb.passageClear()
    /// Starts a layer of the session over the songs, or ends it; on the next bar.
    public static func layer(_ name: String, _ isOn: Bool) -> ControlCommand { Verb.layer(name, isOn) }
    /// Plays a song of the list by its name, with or without its ending, or its number.
    public static func playSong(_ name: String) -> ControlCommand { Verb.playSong(name) }
}
