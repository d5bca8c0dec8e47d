import ALSA
import ArgumentParser
import Carillon
import Document
import Reports

/// `carillon live`: plays from every MIDI keyboard that is plugged in.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Play from MIDI keyboards, now, alone or beside songs.",
        discussion: """
            Keyboards play as soon as they are plugged in, and keep their place when they are plugged in again; --connect \
            chooses among them. A terminal shows connections, sounding notes, levels, load and interruptions; \
            otherwise each change is a line on standard error. c chooses a channel, v its sound, / finds a sound by name, k turns the letters into piano keys, L assigns a control of the keyboard to a parameter, full stop and \
            comma step through the scenes of a patch, w saves the current state as a patch, ? shows all keys. Several \
            patches, or the entries of --list, are a set list: n goes to the next one, which new notes play at once while held \
            ones ring on. Songs, as carillon play has them, play beside the keys on instruments of their own: the first \
            waits at its beginning until space starts it, or begins with --play. The last ten \
            minutes are always kept: s saves them as a .mid. Ctrl-C releases all notes and quits.

            Examples:
              carillon live
              carillon live --device hw:0,0 --period 128 --periods 2 --immediate
              carillon live --connect Keystation --soundfont Piano.sf2 --set reverb.decay=3s
              carillon live --metronome 96
              carillon live --metronome 120 --clock Volca
              carillon live --patch organ.yaml --watch --device null
              carillon live --patch organ.yaml --patch strings.yaml --device null
              carillon live --list evening.yaml --device null
              carillon live song.mid --patch organ.yaml --device null
              carillon live songs/*.mid --repeat all --play --device null
              carillon live --device null
            """)

    @Argument(
        help: ArgumentHelp(
            "Songs to play beside the keys, and folders and lists (.m3u) of songs; or a set list, as with --list.",
            valueName: "song.mid|list.yaml"),
        completion: .file(extensions: SongList.namedEndings + listEndings))
    var songs: [String] = []

    @OptionGroup var given: SongArguments

    @OptionGroup var session: SessionArguments

    @OptionGroup(title: "Keys and recording") var keys: LiveArguments

    private static let listEndings = ["yaml", "yml"]

    /// The set list that is named in the place of songs.
    private var setList: String? { songs.first { SongList.hasEnding($0, Self.listEndings) } }

    func validate() throws {
        if let setList {
            if keys.list != nil { throw ValidationError("\(setList): --list names a set list already") }
            if songs.count > 1 { throw ValidationError("\(setList): is a set list, which names its songs; give it alone") }
        } else if let song = songs.first {
            if let list = keys.list { throw ValidationError("\(song): write the song into \(list), the set list") }
        } else if keys.list == nil {
            if let name = given.nameOfGiven { throw ValidationError("\(name): is for songs; name one") }
            if let name = keys.nameOfSongs { throw ValidationError("\(name): is for songs; name one") }
        }
        try SongList.requireSong(onStandardInput: songs, "live")
        try given.check(beside: session)
        if keys.list == "" { throw ValidationError("--list: the name is empty") }
        if setList != nil || keys.list != nil {
            if !session.patch.isEmpty {
                throw ValidationError("--list and --patch exclude each other; write the patch into the list")
            }
            if let setting = session.sound.set.first {
                throw ValidationError("--set \(setting): a list plays; set it in the file of the patch that is meant")
            }
        } else if session.watch, session.patch.isEmpty {
            throw ValidationError("--watch: name the file with --patch or --list")
        }
        _ = try Self.rules(connect)
        if capture == "" { throw ValidationError("--capture: the name is empty") }
        if capture == "-" { throw ValidationError("--capture -: give a file's name; standard output is not for this") }
    }

    func run() throws {
        session.sound.sampleMemory?.use()
        var options = session.options
        let list = try (setList ?? keys.list).map { path in
            do throws(DocumentError) { return try SetList(path: path) } catch { throw Failure.report(error) }
        }
        // What is saved while sounds are read is not missed.
        var watch = session.watch ? ListWatch(list, session.patch, song: given.fileSong) : nil
        var played: (songs: [SessionSong], failure: ExitCode?) = ([], nil)
        if let list {
            let read = try read(list)
            options.patches = read.patches
            options.connections.programs = list.programs
            options.list.always = read.always
            (options.list.path, options.list.buttons) = (list.path, read.list.buttons)
            options.list.changes = list.changes
            watch?.know(read)
            options.list.keepsTempo = given.song.passage.tempo != 1
            played.songs = read.songs
        } else {
            options.patches = try PatchLoading.list(session.patch)
            if !songs.isEmpty { played = try given.songs(songs) }
        }
        options.ports = ports
        if !played.songs.isEmpty {
            (options.songsHaveOwnInstruments, options.songsWait) = (true, !keys.play)
            options.crossFade = keys.crossFade ?? 0
            given.set(&options, gain: session.sound.gain, layerPort: nil)
        }
        if let ready = keys.ready { options.list.ready = ready }
        let files = (setList ?? keys.list).map { [$0] } ?? session.patch
        let memory = options.patches.count > 1 ? EntryMemory(files) : nil
        if keys.resume { options.list.first = lastEntry(memory, of: options.patches) }
        let soundFontGain = try session.setLevel(of: &options)
        options.connections.sources = connect.isEmpty ? ["any"] : connect
        options.device.isImmediate = immediate
        options.capturePath = capture
        let run = SessionRun(
            surface: .live, options: options, songs: played.songs, from: given.song.passage.from, muted: given.muted,
            commands: given.commands(metronome: keys.metronome), showsStage: keys.stage,
            printsTiming: session.report.timingReport,
            output: LogOutput(least: session.report.log.logLevel),
            watched: watch, memory: memory,
            access: session.network.access, soundFontGain: soundFontGain)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
        if let failure = played.failure { throw failure }
    }

    /// The entry with which `--resume` goes on; nil, with a word, where it begins at the beginning.
    private func lastEntry(_ memory: EntryMemory?, of entries: [ListedPatch]) -> String? {
        let reason: String
        if let memory {
            do throws(Fault) {
                let name = try memory.entry()
                if let name, entries.contains(where: { $0.name == name }) {
                    StandardError.print(OneLine.text("--resume: goes on with \(name)"))
                    return name
                }
                reason = name.map { "the list no longer has the entry \"\($0)\"" } ?? "no session of this list was interrupted"
            } catch { reason = "\(error)" }
        } else {
            reason = "no entry is kept, since there is no set list, or no folder for states (HOME)"
        }
        StandardError.print(OneLine.text("--resume: \(reason); the list begins at its beginning"))
        return nil
    }

    /// A list with its patches and songs. What of it is not followed is shown.
    private func read(_ list: SetList) throws -> ListLoading {
        let read = ListLoading(list, song: given.fileSong)
        if read.patches.isEmpty {
            for remark in read.remarks { StandardError.print(OneLine.text(remark.description)) }
            throw Failure.report("\(list.path): none of its entries can be played", exitCode: 78)
        }
        try PatchLoading.requireOne(read.patches)
        if read.songs.isEmpty, let name = given.nameOfGiven ?? keys.nameOfSongs {
            throw Failure.report("\(name): is for songs, and \(list.path) has none", exitCode: 64)
        }
        let check = "carillon list check \(ShellWord.quoted(list.path))"
        for line in RemarkLines(read.remarks).text({ _ in check }) { StandardError.print(OneLine.text(line)) }
        return read
    }

    private var ports: Int { keys.ports }
    private var connect: [String] { keys.connect }
    private var capture: String? { keys.capture }
    private var immediate: Bool { keys.immediate }

    /// `any` if `--connect` gives none.
    static func rules(_ texts: [String]) throws -> [ConnectionRule] {
        try (texts.isEmpty ? ["any"] : texts).map { text in
            do { return try ConnectionRule(text) } catch { throw ValidationError("--connect: \(error)") }
        }
    }
}
