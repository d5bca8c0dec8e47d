import ArgumentParser
import TestFolders
import Testing

@testable import CarillonCommand

/// Help that is read: short where somebody looks something up, whole and in groups where somebody wants to know.
@Suite struct HelpTests {
    private let folder = TemporaryFolder()

    init() { folder.add("one.mid", SongBytes.oneNote) }

    private func help(_ words: String...) -> String {
        let run = Program.run(words, in: folder)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
        return run.text
    }

    @Test(arguments: ["render", "play", "live", "record", "serve"])
    func theShortHelpHasTheOptionsThatAreUsedMost(_ command: String) throws {
        let whole = help(command, "--help"), short = help(command, "-h")
        let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 60 && lines.count * 2 < whole.count(of: "\n"), "\(short)")
        #expect(lines.first?.hasPrefix("OVERVIEW: ") == true && short.contains("USAGE: carillon \(command)"), "\(short)")
        #expect(short.contains("carillon \(command) --help lists all"))
        for option in try #require(HelpText.mostUsed[command]) {
            #expect(HelpText(whole).optionNames.contains(option), "\(command) has no \(option)")
            #expect(short.contains(option))
        }
        // Behind other words too.
        #expect(help(command, "one.mid", "-h") == short || ["live", "record"].contains(command))
    }

    @Test func optionsStandInGroups() {
        let render = help("render", "--help")
        for title in ["SONG:", "SOUND:", "OUTPUT:", "REPORT:"] { #expect(render.contains("\n\(title)\n"), "\(render)") }
        for command in ["play", "live"] {
            let text = help(command, "--help")
            for title in ["SOUND:", "DEVICE:", "REMOTE CONTROL:"] { #expect(text.contains("\n\(title)\n"), "\(text)") }
        }
        for (command, titles) in [
            ("serve", ["INSTALLATION:", "DEVICE:", "REMOTE CONTROL:", "REPORT:"]),
            ("record", ["RECORDING:", "OUTPUT:", "DEVICE:", "REPORT:"]),
        ] {
            let text = help(command, "--help")
            for title in titles { #expect(text.contains("\n\(title)\n"), "\(text)") }
        }
        #expect(render.count(of: "USAGE: ") == 1)
        #expect(help("render", "-h").contains("USAGE: carillon render <song.mid> ... [<options>]\n"))
    }

    /// Nothing of the parser's own text is lost but a usage that nobody reads.
    @Test func theWholeHelpIsWhole() {
        for command in CarillonCommand.configuration.subcommands where command.configuration.shouldDisplay {
            let text = CarillonCommand.helpMessage(for: command), whole = HelpText(text).whole
            let lines = Set(text.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("         ") })
            #expect(lines.allSatisfy { whole.contains($0) || text.contains("USAGE: ") && $0.contains("[--") })
            for name in HelpText(text).optionNames { #expect(whole.contains(name)) }
        }
    }

    @Test func everyCommandHasBoth() {
        for command in CarillonCommand.configuration.subcommands where command.configuration.shouldDisplay {
            let name = command.configuration.commandName ?? ""
            #expect(help(name, "-h").hasPrefix("OVERVIEW: ") && help(name, "--help").hasPrefix("OVERVIEW: "))
        }
        #expect(help("patch", "new", "-h").contains("carillon patch new"))
        #expect(help("-h").contains("SUBCOMMANDS") && help("help", "render") == help("render", "--help"))
    }

    @Test(arguments: [
        (["render", "-ni", "-F", "x.wav", "one.mid"], "play listen to no keyboard"),
        (["render", "one.mid", "-F", "x.wav"], "-o FILE"),
        (["render", "one.mid", "-g", "0.5"], "--gain 8dB"), (["render", "one.mid", "-r", "44100"], "--rate RATE"),
        (["render", "one.mid", "-Ow"], "-o FILE.wav"), (["render", "one.mid", "-O", "s24"], "--bits"),
        (["live", "-i"], "carillon live"),
        (["play", "one.mid", "-T", "120"], "--tempo"),
        (["render", "one.mid", "-y"], "there is no option -y"), (["render", "one.mid", "-OwM"], "-o FILE.wav"),
        (["render", "one.mid", "-Ov"], "-o FILE.ogg"), (["render", "one.mid", "-OF"], "-o FILE.flac"),
        (["render", "one.mid", "-Os16"], "--bits 16"), (["play", "one.mid", "-Os"], "carillon play sounds"),
        (["play", "one.mid", "-EFreverb=d"], "reverb.level=-120dB"), (["render", "one.mid", "-EFchorus=n,20"], "chorus.level"),
        (["render", "one.mid", "-EFns=0"], "no counterpart"), (["play", "one.mid", "-Ew"], "always obeyed"),
        (["play", "one.mid", "-ids"], "in natural order"), (["play", "one.mid", "-idt"], "that of carillon play"),
        (["render", "one.mid", "-D10"], "GS and XG"), (["render", "one.mid", "-D", "10"], "GS and XG"),
        (["render", "one.mid", "-A150"], "--gain"), (["render", "one.mid", "-s44100"], "TiMidity's -s RATE is --rate"),
        (["render", "one.mid", "-cGM.cfg"], "--soundfont FILE"), (["play", "one.mid", "-c4"], "--periods"),
        (["render", "one.mid", "-xsoundfont GM.sf2"], "--soundfont FILE"), (["live", "-iAD"], "carillon live"),
    ])
    func lettersOfOthersAreAnsweredWithOurs(_ arguments: [String], _ answer: String) {
        let run = Program.run(arguments, in: folder)
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(answer), "\(run.errors)")
        #expect(folder.names == ["one.mid"])
    }

    @Test func aListOfNamesIsShortAndTheNearOneIsFirst() throws {
        let line = Program.run(["units", "revreb"], in: folder).errors
        let near = try #require(line.firstRange(of: "did you mean reverb?")?.lowerBound)
        #expect(line.distance(from: line.startIndex, to: near) < 60 && line.utf8.count < 320, "\(line)")
        #expect(line.contains(" more; carillon units lists them"), "\(line)")
    }
}
