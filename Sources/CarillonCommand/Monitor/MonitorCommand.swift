import ALSA
import ArgumentParser
import Carillon
import Reports

/// `carillon monitor`: what MIDI ports send, in words.
struct MonitorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print what MIDI keyboards and programs send: a line for each message.",
        discussion: """
            A line has the seconds since the start, the port, the bytes in hexadecimal, and what they mean. Clock, active \
            sensing and time code are summed up once a second, with the tempo. Ports that come later are heard too. Ctrl-C ends \
            it. Other programs can play to the port "Carillon monitor in".

            Examples:
              carillon monitor
              carillon monitor Keystation
              carillon monitor --count 1
              carillon monitor --json > evening.jsonl
            """)

    @Argument(
        help: ArgumentHelp(
            "The port: any, a part of a name (case does not matter, * is any text), or an identity that carillon devices "
                + "prints; several may be given. (default: any)", valueName: "port"))
    var ports: [String] = []

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
        for rule in wanted where rule.input != 0 {
            throw ValidationError("\(rule): @ chooses a port of a session; leave it out")
        }
    }

    func run() throws {
        let run: MonitorRun
        do throws(MIDIInletError) {
            run = MonitorRun(try MIDIListener(name: "Carillon monitor", rules: rules), json: json, most: count)
        } catch { throw Failure.report(Fault(error)) }
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    private var rules: [ConnectionRule] {
        get throws(MIDIInletError) {
            var rules: [ConnectionRule] = []
            for text in ports.isEmpty ? ["any"] : ports { rules.append(try ConnectionRule(text)) }
            return rules
        }
    }
}
