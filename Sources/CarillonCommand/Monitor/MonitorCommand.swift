import ALSA
import ArgumentParser
import Carillon
import Document
import Patches
import Reports

/// `carillon monitor`: what MIDI ports send, in words.
struct MonitorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print what MIDI keyboards and programs send: a line for each message.",
        discussion: """
            A line has the seconds since the start, the port, the bytes in hexadecimal, and what they mean. Clock, active \
            sensing and time code are summed up once a second, with the tempo. Ports that come later are heard too. Ctrl-C ends \
            it. Other programs can play to the port "Carillon monitor in". With --patch, --list or --button a line ends with what \
            takes the message in carillon live: a button, the set list, a scene, a controller, zones, or nothing.

            Examples:
              carillon monitor
              carillon monitor Keystation
              carillon monitor --count 1
              carillon monitor --patch organ.yaml --button controller-80="patch next"
              carillon monitor --json > evening.jsonl
            """)

    @Argument(
        help: ArgumentHelp(
            "The port: any, a part of a name (case does not matter, * is any text), or an identity that carillon devices "
                + "prints; several may be given. (default: any)", valueName: "port"))
    var ports: [String] = []

    @Option(help: ArgumentHelp("The patch that plays.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var patch: String?

    @Option(
        help: ArgumentHelp("The set list, whose first patch plays.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var list: String?

    @OptionGroup var buttons: ButtonArguments

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(
        help: ArgumentHelp("End after this many lines.", valueName: "lines"),
        transform: { text in
            guard let count = Int(text), count > 0 else { throw ValidationError("--count: \(text): give a number from 1 on") }
            return count
        })
    var count: Int?

    func validate() throws {
        let wanted: [ConnectionRule]
        do throws(MIDIInletError) { wanted = try rules } catch { throw ValidationError("\(error)") }
        if patch != nil, list != nil { throw ValidationError("--list and --patch exclude each other; leave one of them out") }
        for rule in wanted where rule.input != 0 {
            throw ValidationError("\(rule): @ chooses a port of a session; leave it out")
        }
    }

    func run() throws {
        let run: MonitorRun, taker = try taker
        do throws(MIDIInletError) {
            run = MonitorRun(try MIDIListener(name: "Carillon monitor", rules: rules), taker, json: json, most: count)
        } catch { throw Failure.report(Fault(error)) }
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    /// Nil where nothing is asked about a session.
    private var taker: MessageTaker? {
        get throws {
            if patch == nil, list == nil, buttons.button.isEmpty { return nil }
            let read = try list.map { path in
                do throws(DocumentError) { return ListLoading(try SetList(path: path)) } catch { throw Failure.report(error) }
            }
            if let read { try PatchLoading.requireOne(read.patches) }
            let patch = try PatchLoading.patch(patch) ?? read?.patches.first { $0.fault == nil && $0.hasPatch }?.patch
            do throws(PatchError) {
                return try MessageTaker(
                    buttons: buttons.button + (read?.list.buttons.compactMap(\.made) ?? []), programs: read?.list.programs,
                    patch: patch)
            } catch { throw Failure.report(Fault(error)) }
        }
    }

    private var rules: [ConnectionRule] {
        get throws(MIDIInletError) {
            var rules: [ConnectionRule] = []
            for text in ports.isEmpty ? ["any"] : ports { rules.append(try ConnectionRule(text)) }
            return rules
        }
    }
}
