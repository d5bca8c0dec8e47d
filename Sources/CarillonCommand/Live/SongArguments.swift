import ALSA
import ArgumentParser
import Carillon
import Reports
import SongFiles

/// The options of `play` and `live` for songs.
struct SongArguments: ParsableArguments {
    @OptionGroup(title: "Song") var song: PlayedSongArguments

    @OptionGroup(title: "Song") var bank: SettingGroup<ReadingSettings>

    @OptionGroup(title: "Sound") var level: PlayLevelArguments

    @OptionGroup(title: "Keys and ports") var outside: PlayPortArguments

    func validate() throws {
        if song.loop, song.repetition.map({ $0 != .all }) == true {
            throw ValidationError("--loop: is --repeat all; leave one of them out")
        }
        guard let follow = outside.follow else { return }
        do { _ = try ConnectionRule(follow) } catch { throw ValidationError("--follow: \(error)") }
        if follow.lowercased() == "any" { throw ValidationError("--follow: name a MIDI port; carillon devices lists them") }
        if song.passage.from != nil {
            throw ValidationError("--from: --follow takes the place from the master; leave one of them out")
        }
        if song.passage.tempo != 1 {
            throw ValidationError("--tempo: --follow takes it from the master's clock; leave one of them out")
        }
    }

    /// Refuses options of songs that exclude options of the session.
    func check(beside session: SessionArguments) throws {
        try SettingRefusal.asked { try LoudnessOption.check(level.loudness, beside: session.sound.gain) }
        if let follow = outside.follow, session.devices.clock.contains(follow) {
            throw ValidationError("--follow: \(follow) gets MIDI clock by --clock; follow another port")
        }
    }

    /// The first option that means songs alone; nil if none was given.
    var nameOfGiven: String? {
        let passage = song.passage.value, heard = song.heard.value
        let given = [
            ("--loop", song.loop), ("--repeat", song.repetition != nil), ("--shuffle", song.shuffle),
            ("--from", passage.from != nil),
            ("--tempo", passage.tempo != 1), ("--transpose", passage.transpose != 0), ("--mute", !heard.muted.isEmpty),
            ("--solo", !heard.soloed.isEmpty), ("--layer", !song.layer.isEmpty), ("--strict", song.strict),
            ("--no-embedded-bank", bank.noEmbeddedBank), ("--text-encoding", bank.textEncoding != nil),
            ("--loudness", level.loudness != nil), ("--send", !outside.send.isEmpty), ("--follow", outside.follow != nil),
        ]
        return given.first(where: \.1)?.0
    }

    /// Sets what the options of a session say of songs: ports, loudness, layers. A layer is heard on `layerPort` of a patch that
    /// songs play; nil means they play instruments of their own.
    func set(_ options: inout LiveOptions, gain: Float?, layerPort: Int?) {
        options.connections.sends = outside.send
        options.connections.master = outside.follow
        if gain == nil, level.loudness?.description != "off" {
            var wanted = SongLoudnessOptions(LoudnessTarget(loudness: level.loudness?.loudness))
            (wanted.tempo, wanted.transpose) = (song.passage.tempo, song.passage.transpose)
            options.loudness = wanted
            options.faderLevel = 0
        }
        for (name, path) in layers {
            var layer = SessionLayer(name, SessionSong(name: name, path: path, isStrict: song.strict))
            if let layerPort { layer.port = layerPort }
            options.layers.append(layer)
        }
    }

    /// The requests that hold from the beginning. `metronome`: the tempo of one that clicks.
    func commands(metronome: Double? = nil) -> [ControlCommand] {
        var commands = layers.map { ControlCommand.layer($0.name, true) }
        if song.passage.tempo != 1 { commands.append(.tempo(song.passage.tempo)) }
        if song.passage.transpose != 0 { commands.append(.transpose(song.passage.transpose)) }
        if let repetition = song.repetition ?? (song.loop ? .all : nil) { commands.append(.repeats(repetition)) }
        if song.shuffle { commands.append(.shuffle(true)) }
        if metronome != nil || song.countIn != nil {
            commands.append(.metronome(metronome != nil, tempo: metronome, countIn: song.countIn))
        }
        return commands + song.heard.soloed.sorted.map { .solo(channel: $0 + 1, true) }
    }

    /// Channels that are muted from the beginning, counted from 1.
    var muted: [Int] { song.heard.muted.sorted.map { $0 + 1 } }

    private var layers: [(name: String, path: String)] {
        var names: [String] = []
        return song.layer.map { path in
            names.append(PlayLayers.name(of: path, beside: names))
            return (names[names.count - 1], path)
        }
    }

    /// The songs of the arguments. What is left out is reported, and `failure` is the code of the first that cannot be a song.
    /// Ends the command if none is left.
    func songs(_ arguments: [String]) throws -> (songs: [SessionSong], failure: ExitCode?) {
        let found = SongList(arguments)
        for remark in found.remarks { StandardError.print(OneLine.text(remark)) }
        var list: [SessionSong] = [], failure: ExitCode?
        for entry in found.songs {
            switch entry {
            case .success(let path): list.append(try sessionSong(path))
            case .failure(let reason):
                let code = Failure.report(reason.row, exitCode: reason.exitCode)
                failure = failure ?? code
            }
        }
        if list.isEmpty, let failure { throw failure }
        return (list, failure)
    }

    /// A song that is read when its turn comes.
    func fileSong(_ path: String) -> SessionSong {
        var made = SessionSong(name: RenderOutput.name(of: path), path: path, isStrict: song.strict)
        (made.playsBank, made.manner.textEncoding) = (!bank.noEmbeddedBank, bank.textEncoding)
        return made
    }

    /// Standard input is read here, once: it cannot be read again when its turn comes again.
    private func sessionSong(_ path: String) throws -> SessionSong {
        if path != SongList.standardInput { return fileSong(path) }
        do {
            let file = try SongReader.read(path: path, strict: song.strict, textEncoding: bank.textEncoding)
            if !bank.noEmbeddedBank, let remark = SongBank.bank(in: file, path: path).remark {
                StandardError.print(OneLine.text("\(SongList.shown(path)): \(remark)"))
            }
            return SessionSong(name: SongList.shown(path), song: file.song)
        } catch { throw Failure.report(Fault(error)) }
    }
}

/// How songs are played.
struct PlayedSongArguments: ParsableArguments {
    @Flag(
        help:
            "Start over at the end; a single song loops without a gap, from its own loop point if it has one (loopStart, CC 111)."
    )
    var loop = false

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("What repeats: off, the song (one) or the list (all, as --loop).", valueName: "off|one|all"))
    var repetition: SessionSnapshot.Repetition?

    @Flag(help: "Play the songs after the first in random order.")
    var shuffle = false

    @Option(
        help: ArgumentHelp("Count so many bars before a song, whenever one is started.", valueName: "bars"),
        transform: Verb.countIn.wholeNumber)
    var countIn: Int?

    @OptionGroup var passage: SettingGroup<Passage>

    @OptionGroup var heard: SettingGroup<Heard>

    enum Passage: SettingTable { static let settings = [SongPassage.beginning] + SongPassage.manner }

    enum Heard: SettingTable { static let settings = ChannelChoice.heard }

    @Option(
        help: ArgumentHelp(
            """
            A song repeated on top of the others, in their tempo and bars; y and a digit stop it at the next bar \
            and bring it back. Can be given more than once.
            """, valueName: "song.mid"),
        completion: .file(extensions: SongList.endings))
    var layer: [String] = []

    @Flag(help: "Reject damaged songs instead of repairing them.")
    var strict = false
}

/// The options of songs for what comes from MIDI ports and goes to them.
struct PlayPortArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Send channels of the songs to a MIDI port instead, in time with the sound: a part of its name, or an \
            identity that carillon devices prints. Can be given more than once.
            """, valueName: "channels=port"),
        transform: PlaySend.read)
    var send: [SongSend] = []

    @Option(
        help: ArgumentHelp(
            """
            A MIDI port whose MIDI clock the songs follow, with start, stop and song position: a part of its name, or an \
            identity that carillon devices prints. The songs start, stop and change tempo with it.
            """, valueName: "port"))
    var follow: String?
}

/// The loudness of songs.
struct PlayLevelArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Bring each song to this loudness, in LUFS, by a gain of its own; off plays them as they are. Songs are measured before \
            they play, once. (default: -16; with a gain: off)
            """, valueName: "LUFS|off"),
        completion: .list(["off", "-14", "-16", "-23"]), transform: LoudnessOption.init)
    var loudness: LoudnessOption?
}

extension SessionSnapshot.Repetition: ExpressibleByArgument {}
