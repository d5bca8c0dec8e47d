import Carillon
import Installations
import MIDI
import Sequencer
import Testing

@testable import Control

/// Lines become requests and back.
@Suite struct ControlGrammarTests {
    @Test func everyCommandIsReadAsItIsWritten() throws {
        var random = RandomCommand(seed: 47), verbs = Set<Verb>()
        for _ in 0..<20_000 {
            let command = random.command(), line = ControlGrammar.installation.text(command)
            let (verb, read) = try ControlGrammar.installation.parse(line)
            verbs.insert(verb)
            guard read == .command(command) else {
                Issue.record("\(command) -> \(line) -> \(read)")
                return
            }
            #expect(ControlGrammar.installation.text(read) == line)
            #expect(!line.unicodeScalars.contains { $0.value < 32 }, "\(line)")
        }
        #expect(verbs == Set(ControlGrammar.installation.vocabulary.verbs.filter { $0.role != .look }))
    }

    @Test(arguments: ControlGrammar.installation.allVerbs) func everyExampleIsOfItsForm(_ verb: Verb) throws {
        let (parsed, request) = try ControlGrammar.installation.parse(verb.example)
        #expect(parsed == verb)
        #expect(try ControlGrammar.installation.request(ControlGrammar.installation.text(request)) == request)
        #expect(verb.help.hasSuffix(".") && !verb.words.isEmpty)
    }

    static let lines: [(String, ControlRequest)] = [
        ("seek 1:30", .command(.seek(.seconds(90)))), ("seek +5", .command(.seek(.bySeconds(5)))),
        ("seek -1:30", .command(.seek(.bySeconds(-90)))), ("seek 250ms", .command(.seek(.seconds(0.25)))),
        ("  tempo\t90% ", .command(.tempo(0.9))), ("volume -6 ", .command(.volume(-6))),
        ("volume hardware", .command(Verb.hardware())), ("volume hardware -12dB", .command(.hardwareVolume(.decibels(-12)))),
        ("volume hardware share 50%", .command(.hardwareVolume(.percent(50)))),
        ("volume hardware mute on", .command(.hardwareVolume(.mute(true)))),
        ("set reverb.decay = 2.5 s", .command(.set("reverb.decay = 2.5 s"))),
        ("note 1 60 100", .command(.note(channel: 1, key: 60, velocity: 100, seconds: nil))),
        ("program 1 0 40", .command(.program(channel: 1, bank: 0, program: 40))),
        ("program 1 violin", .command(.program(channel: 1, named: "violin"))),
        ("program 1 40", .command(.program(channel: 1, named: "40"))),
        ("tempo 96", .command(.tempo(96))), ("tempo 96bpm", .command(.tempo(96))), ("tempo 96 bpm", .command(.tempo(96))),
        ("tempo 0.9", .command(.tempo(0.9))),
        ("metronome on 7/8", .command(.metronome(true, tempo: nil, meter: Meter(beats: 7, unit: 3)))),
        ("metronome on 96 count-in 2", .command(.metronome(true, tempo: 96, countIn: 2))),
        ("metronome off count-in 0", .command(.metronome(false, tempo: nil, countIn: 0))),
        ("next at bar", .command(.next(at: .bar))), ("fade -3dB 2s", .command(.fade(to: -3, over: 2))),
        ("bend 3 -0.5", .command(.bend(channel: 3, by: -0.5))),
        ("pedal 1 sustain on", .command(.pedal(channel: 1, .sustain, true))),
        ("scene \"next\"", .command(.scene(.named("next")))),
        ("scene \"Big \\\"Organ\\\"\"", .command(.scene(.named("Big \"Organ\"")))),
        ("patch \"2\"", .command(.patch(.named("2")))), ("patch organ", .command(.patch(.named("organ")))),
        ("loop yes", .command(Verb.loop(true))), ("repeat one", .command(.repeats(.one))),
        ("save-recording", .command(.saveRecording(path: nil))),
        ("save-recording notes", .command(.saveRecording(path: nil, .notes))),
        ("save-recording keys a.mid", .command(.saveRecording(path: "a.mid", .keys))),
        ("watch", .watch(every: 1)), ("watch 250ms", .watch(every: 0.25)), ("status", .status), ("help", .help),
    ]

    @Test(arguments: lines) func aLineMeansARequest(_ line: String, _ request: ControlRequest) throws {
        #expect(try ControlGrammar.installation.request(line) == request)
    }

    static let faults: [(String, String)] = [
        ("", "the line is empty; help lists the requests"),
        (" \t ", "the line is empty; help lists the requests"),
        ("ab", "ab: a word is missing; there are set, clear"),
        ("ab dance", "ab: there is no \"dance\" here; there are set, clear"),
        ("paly", "there is no command \"paly\"; help lists them all; did you mean play?"),
        ("\"play\"", "there is no command \"play\"; help lists them all; did you mean play?"),
        ("play now", "play: \"now\" is one word too many"),
        ("panic chanel 3", "panic: there is no \"chanel\" here; there are source, channel, unit; did you mean channel?"),
        ("seek", "seek: TIME is missing, as in: seek 1:30"),
        ("seek bar", "seek bar: BAR is missing, as in: seek bar 12"),
        ("seek bar 0", "bar: 0 is out of range; choose from 1 to 1000000"),
        ("seek bar 1.5", "bar: \"1.5\" is not a whole number; choose from 1 to 1000000"),
        ("seek there", "time: \"there\" is not a number; choose from 0 s to 8784 h"),
        ("seek +-5", "time: -5 is out of range; choose from 0 s to 8784 h"),
        ("seek 5dB", "time: \"5dB\" has the wrong unit; choose from 0 s to 8784 h"),
        ("tempo 11", "tempo: 11 is out of range; choose from 0.1 to 10, or 20 to 400 bpm"),
        ("tempo 19bpm", "tempo: 19bpm is out of range; choose from 20 to 400 bpm"),
        ("tempo nan", "tempo: \"nan\" is not a number; choose from 0.1 to 10, or 20 to 400 bpm"),
        (
            "metronome on 7/9",
            "\"7/9\" is no meter; choose from 1 to 32 beats of 1, 2, 4, 8 or 16, as in: metronome on 120 7/8 count-in 1"
        ),
        ("metronome on count-in 5", "count-in: 5 is out of range; choose from 0 to 4"),
        ("metronome on 7/8 120", "count-in BARS: there is no \"120\" here; there is count-in"),
        ("mute 3 perhaps", "on|off: \"perhaps\" is not one of on, off"),
        ("mute 257 on", "channel: 257 is out of range; choose from 1 to 256"),
        ("mute 3", "mute: on|off is missing, as in: mute 3 on"),
        ("set reverb.decay", "\"reverb.decay\" is not of the form NAME=VALUE, as in: set reverb.decay=2.5s"),
        ("patch 0", "number: 0 is out of range; choose from 1 to 1000000"),
        ("scene \"\"", "NAME: the name is empty"),
        ("scene \"Big", "a quote is not closed; write names with spaces as \"Big Organ\""),
        ("scene \"Big\"Organ", "a quote is not closed; write names with spaces as \"Big Organ\""),
        ("scene a\u{0}b", "the line is not UTF-8, or contains control characters"),
        ("watch 1ms", "time: 1ms is out of range; choose from 50 ms to 1 h"),
        (String(repeating: "x", count: 4097), "the line is longer than 4096 bytes"),
    ]

    @Test(arguments: faults) func whatIsWrongIsOneSentence(_ line: String, _ sentence: String) {
        #expect("\(fault(line).map { "\($0)" } ?? "nothing")" == sentence)
    }

    private func fault(_ line: String) -> Fault? {
        do throws(Fault) { _ = try ControlGrammar.installation.request(line) } catch { return error }
        return nil
    }

    @Test func whatOnlyAsksIsNoCommand() throws {
        #expect(try ControlGrammar.installation.command("seek bar 12") == .seek(.bar(12)))
        for line in ["status", "sounds", "volume hardware"] {
            #expect(throws: Fault.self) { try ControlGrammar.installation.command(line) }
        }
    }

    @Test func wordsAreCompleted() {
        #expect(
            ControlGrammar.installation.completions(after: []).starts(with: [
                "play", "pause", "toggle", "stop", "next", "previous", "seek",
            ]))
        #expect(ControlGrammar.installation.completions(after: ["seek"]) == ["bar", "bars", "markers"])
        #expect(ControlGrammar.installation.completions(after: ["mute", "3"]) == ["on", "off"])
        #expect(ControlGrammar.installation.completions(after: ["loop"]) == ["on", "off"])
        #expect(
            ControlGrammar.installation.completions(after: ["play"]).isEmpty
                && ControlGrammar.installation.completions(after: ["x"]).isEmpty)
    }

    @Test func helpAndReferenceHaveEveryForm() {
        let lines = ControlGrammar.installation.help.split(separator: "\n"),
            rows = ControlGrammar.installation.reference.split(separator: "\n")
        #expect(lines.count == ControlGrammar.installation.allVerbs.count && rows.count == lines.count + 2)
        for (verb, line) in zip(ControlGrammar.installation.allVerbs, lines) {
            #expect(line.hasPrefix(verb.text) && line.contains(verb.help))
        }
        #expect(
            rows.contains(
                "| `note CHANNEL KEY VELOCITY [TIME]` | Plays a note for a time, or until the next one on the channel. "
                    + "CHANNEL 1 to 256; KEY 0 to 127; VELOCITY 1 to 127; TIME 1 ms to 1 h | `note 1 60 100 0.5s` |"), "\(rows)")
    }
}
