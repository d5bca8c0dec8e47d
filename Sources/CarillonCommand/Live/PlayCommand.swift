import ArgumentParser
import Carillon
import SongFiles

/// `carillon play`: songs through the loudspeaker.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play songs (.mid, .rmi, .kar), one after another.",
        discussion: """
            On a terminal: space plays and pauses, arrows move by 5 s and by bars, + and - change the tempo, [ and ] \
            transpose, digits mute channels, q ends; ? shows all keys. Otherwise standard error gets a line for each \
            change.

            Examples:
              carillon play song.mid
              carillon play songs/*.mid --loop
              carillon play song.mid --tempo 0.8 --transpose -2 --device hw:0,0 --device default
            """)

    @Argument(
        help: ArgumentHelp("The songs.", valueName: "song.mid"), completion: .file(extensions: ["mid", "rmi", "kar"]))
    var songs: [String]

    @Flag(help: "Begin anew at the end; a single song without a gap, and from where it says itself (loopStart, CC 111).")
    var loop = false

    @Option(
        parsing: .unconditional, help: EngineSetting.tempo.help("80% is 0.8"), transform: EngineSetting.tempo.spec.number)
    var tempo = 1.0

    @Option(
        parsing: .unconditional, help: EngineSetting.transpose.help(),
        transform: EngineSetting.transpose.spec.wholeNumber)
    var transpose = 0

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false

    @OptionGroup var session: SessionArguments

    func run() throws {
        var options = session.options
        options.ports = 0
        var list: [SessionSong] = [], remarks: [String] = []
        for path in songs {
            let watchdog = StuckCall(over: path, patience: StuckCall.loadPatience)
            let file: SongFile
            do { file = try SongReader.read(path: path, strict: strict) } catch {
                throw Failure.report(.song(error), ofSong: path)
            }
            watchdog.stop()
            list.append(SessionSong(name: RenderOutput.name(of: path), song: file.song))
            if file.repairCount > 0 {
                remarks.append("\(path): \(file.repairCount) repairs; carillon inspect lists them")
            }
        }
        var commands: [ControlCommand] = []
        if tempo != 1 { commands.append(.tempo(tempo)) }
        if transpose != 0 { commands.append(.transpose(transpose)) }
        if loop { commands.append(.loop(true)) }
        let run = SessionRun(
            surface: .play, options: options, songs: list, commands: commands, remarks: remarks,
            printsTiming: session.timingReport)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }
}
