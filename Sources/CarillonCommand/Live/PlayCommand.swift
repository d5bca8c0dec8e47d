import ArgumentParser
import Carillon

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

    @OptionGroup var given: SongArguments

    @OptionGroup var session: SessionArguments

    func validate() throws {
        if session.watch, session.patch.isEmpty { throw ValidationError("--watch: name the file with --patch") }
        try SongList.requireSong(onStandardInput: songs, "play")
        try given.check(beside: session)
        if session.patch.count > 1 { throw ValidationError("--patch: songs are played through one patch; name one") }
    }

    func run() throws {
        session.sound.sampleMemory?.use()
        var options = session.options
        // What is saved while sounds are read is not missed.
        let watch = session.watch ? ListWatch(nil, session.patch, song: given.fileSong) : nil
        options.patch = try PatchLoading.patch(session.patch.first)
        options.patchPath = session.patch.first
        options.ports = 0
        if !options.connections.buttons.isEmpty { (options.ports, options.keyboardsPlay) = (1, false) }
        // A patch that the user has given gets its notes from its own inputs.
        given.set(&options, gain: session.sound.gain, layerPort: options.patch == nil ? nil : 1)
        let soundFontGain = try session.setLevel(of: &options), list = try given.songs(songs)
        let run = SessionRun(
            surface: .play, options: options, songs: list.songs, from: given.song.passage.from, muted: given.muted,
            commands: given.commands(), printsTiming: session.report.timingReport,
            output: LogOutput(least: session.report.log.logLevel), watched: watch, access: session.network.access,
            soundFontGain: soundFontGain)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
        if let failure = list.failure { throw failure }
    }
}
