import ALSA
import ArgumentParser
import Carillon
import Installations
import Reports
import SongFiles

/// `carillon play`: songs through the loudspeaker.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play songs (.mid, .rmi, .kar), one after another.",
        discussion: """
            On a terminal: space plays and pauses, arrows move by 5 s and by bars, + and - change the tempo, [ and ] \
            transpose, digits mute channels, q quits; ? shows all keys. Otherwise each change is a line on standard \
            error. A folder means the songs in it, a list (.m3u) those that it names, - one on standard input.

            Examples:
              carillon play song.mid
              carillon play songs/*.mid --loop
              carillon play songs/*.mid --loudness -23
              carillon play song.mid --layer drums.mid --layer choir.mid
              carillon play song.mid --button controller-41=toggle --button key-C2=next
              carillon play song.mid --clock UM-ONE
              carillon play song.mid --send 10=UM-ONE --send 1-4,12=Fantom
              carillon play song.mid --follow TR-8S
              carillon play song.mid --control carillon.sock
              carillon play song.mid --from "bar 5" --mute 10
              carillon play song.mid --tempo 0.8 --transpose -2 --device hw:0,0 --device default
            """)

    @Argument(
        help: ArgumentHelp("Songs, and folders and lists (.m3u) of songs; - is standard input.", valueName: "song.mid"),
        completion: .file(extensions: SongList.namedEndings))
    var songs: [String]

    @OptionGroup(title: "Song") var song: PlayedSongArguments

    @OptionGroup(title: "Song") var bank: SettingGroup<ReadingSettings>

    @OptionGroup(title: "Sound") var level: PlayLevelArguments

    @OptionGroup(title: "Keys and ports") var outside: PlayPortArguments

    @OptionGroup var session: SessionArguments

    func validate() throws {
        if session.watch, session.patch.isEmpty { throw ValidationError("--watch: name the file with --patch") }
        try SongList.requireSong(onStandardInput: songs, "play")
        try SettingRefusal.asked { try LoudnessOption.check(loudness, beside: session.sound.gain) }
        if let follow {
            do { _ = try ConnectionRule(follow) } catch { throw ValidationError("--follow: \(error)") }
            if follow.lowercased() == "any" { throw ValidationError("--follow: name a MIDI port; carillon devices lists them") }
            if session.devices.clock.contains(follow) {
                throw ValidationError("--follow: \(follow) gets MIDI clock by --clock; follow another port")
            }
            if song.passage.from != nil {
                throw ValidationError("--from: --follow takes the place from the master; leave one of them out")
            }
            if tempo != 1 { throw ValidationError("--tempo: --follow takes it from the master's clock; leave one of them out") }
        }
        if song.loop, song.repetition.map({ $0 != .all }) == true {
            throw ValidationError("--loop: is --repeat all; leave one of them out")
        }
        if session.patch.count > 1 { throw ValidationError("--patch: songs are played through one patch; name one") }
    }

    func run() throws {
        var options = session.options
        // What is saved while sounds are read is not missed.
        let watches = session.watch ? session.patch.map { PatchWatch($0) } : []
        options.patch = try PatchLoading.patch(session.patch.first)
        options.patchPath = session.patch.first
        options.ports = 0
        options.connections.sends = send
        if !options.connections.buttons.isEmpty { (options.ports, options.keyboardsPlay) = (1, false) }
        options.connections.master = follow
        if session.sound.gain == nil, loudness?.description != "off" {
            options.loudness = songLoudness
            options.faderLevel = 0
        }
        let soundFontGain = try session.setLevel(of: &options)
        let found = SongList(songs)
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
        var commands: [ControlCommand] = []
        var names: [String] = []
        for path in layer {
            let name = PlayLayers.name(of: path, beside: names)
            names.append(name)
            var layer = SessionLayer(name, SessionSong(name: name, path: path, isStrict: strict))
            // A patch that the user has given gets its notes from its own inputs.
            if options.patch != nil { layer.port = 1 }
            options.layers.append(layer)
            commands.append(.layer(name, true))
        }
        if tempo != 1 { commands.append(.tempo(tempo)) }
        if transpose != 0 { commands.append(.transpose(transpose)) }
        if let repetition = song.repetition ?? (song.loop ? .all : nil) { commands.append(.repeats(repetition)) }
        if let bars = song.countIn { commands.append(.metronome(false, tempo: nil, countIn: bars)) }
        commands += song.heard.soloed.sorted.map { .solo(channel: $0 + 1, true) }
        let run = SessionRun(
            surface: .play, options: options, songs: list, from: song.passage.from,
            muted: song.heard.muted.sorted.map { $0 + 1 }, commands: commands,
            printsTiming: session.report.timingReport, output: LogOutput(least: session.report.log.logLevel),
            watched: watches, access: session.network.access, soundFontGain: soundFontGain)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
        if let failure { throw failure }
    }

    private var songLoudness: SongLoudnessOptions {
        var wanted = SongLoudnessOptions(LoudnessTarget(loudness: loudness?.loudness))
        (wanted.tempo, wanted.transpose) = (tempo, transpose)
        return wanted
    }

    private var tempo: Double { song.passage.tempo }
    private var transpose: Int { song.passage.transpose }
    private var layer: [String] { song.layer }
    private var strict: Bool { song.strict }
    private var send: [SongSend] { outside.send }
    private var follow: String? { outside.follow }
    private var loudness: LoudnessOption? { level.loudness }

    /// Standard input is read here, once: it cannot be read again when its turn comes again.
    private func sessionSong(_ path: String) throws -> SessionSong {
        guard path == SongList.standardInput else {
            var song = SessionSong(name: RenderOutput.name(of: path), path: path, isStrict: strict)
            (song.playsBank, song.manner.textEncoding) = (!bank.noEmbeddedBank, bank.textEncoding)
            return song
        }
        do {
            let file = try SongReader.read(path: path, strict: strict, textEncoding: bank.textEncoding)
            if !bank.noEmbeddedBank, let remark = SongBank.bank(in: file, path: path).remark {
                StandardError.print(OneLine.text("\(SongList.shown(path)): \(remark)"))
            }
            return SessionSong(name: SongList.shown(path), song: file.song)
        } catch { throw Failure.report(Fault(error)) }
    }
}
