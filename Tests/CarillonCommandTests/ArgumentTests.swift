import TestFolders
import Testing

@testable import CarillonCommand

/// Arguments that cannot be: what is valid is said, near names are suggested, misleading ones are not.
@Suite struct ArgumentTests {
    private let folder = TemporaryFolder()

    init() { folder.add("one.mid", SongBytes.oneNote) }

    private func refusal(_ arguments: String...) -> String {
        let run = Program.run(arguments, in: folder)
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.output.isEmpty, "\(arguments): \(run.errors)")
        return run.errors
    }

    @Test func nearNamesAreSuggestedForCommandsAndOptions() {
        #expect(refusal("rendr", "one.mid").contains("there is no command \"rendr\""))
        #expect(refusal("rendr", "one.mid").contains("did you mean render?"))
        #expect(refusal("help", "nosuch").contains("there is no command \"nosuch\""))
        #expect(refusal("help", "unit").contains("did you mean units?"))
        #expect(!refusal("plug-in-chil").contains("plug-in-child") && !refusal("nosuch").contains("plug-in-child"))
        #expect(refusal("render", "one.mid", "--gian", "3").contains("there is no option --gian; did you mean --gain?"))
        #expect(!refusal("render", "one.mid", "--stems").contains("mean"))
        #expect(refusal("render", "one.mid", "--follow", "port").contains("carillon live has it"))
        #expect(refusal("render", "one.mid", "--sample-rate", "48k").contains("did you mean --rate?"))
        #expect(refusal("live", "--prot", "2").contains("did you mean --ports?"))
    }

    @Test func aCommandInACommandThatIsNotThereIsTold() {
        #expect(refusal("graph", "shwo").contains("there is no command \"graph shwo\"; there is graph show; "))
        #expect(refusal("graph", "shwo").contains("did you mean carillon graph show?"))
        #expect(refusal("graph", "one.mid").contains("did you mean carillon graph show one.mid?"))
    }

    @Test func aFileInThePlaceOfACommandIsToldWhatPlaysIt() {
        folder.add("my song.kar", SongBytes.oneNote)
        #expect(refusal("one.mid").contains("carillon play one.mid, or carillon render one.mid"))
        #expect(refusal("none.MIDI", "--loop").contains("carillon play none.MIDI"))
        #expect(refusal("my song.kar").contains("carillon play 'my song.kar'"))
        #expect(refusal("GM.sf2", "one.mid").contains("carillon play SONG --soundfont GM.sf2"))
        #expect(refusal(".").contains("carillon play ."))
        #expect(!refusal("rendr").contains("carillon play"))
    }

    @Test func aTempoThatIsNoFactorIsToldWhatOneIs() {
        for command in ["render", "play"] {
            let percent = refusal(command, "one.mid", "--tempo", "80")
            #expect(percent.contains("--tempo 80: ") && percent.contains("80% or 0.8") && percent.contains("beats"), "\(percent)")
            #expect(refusal(command, "one.mid", "--tempo", "120 BPM").contains("carillon inspect"))
            #expect(refusal(command, "one.mid", "--tempo", "4000").contains("0.1 to 10"))
            #expect(refusal(command, "one.mid", "--tempo", "fast").contains("\"fast\" is not a number"))
        }
    }

    @Test func stripsThatMayBeSetAreAmongThoseThatThereAre() {
        let line = refusal("render", "one.mid", "--instrument", "square-wave", "--set", "stirp-9.pan=0")
        #expect(line.contains(", strip-1 ... strip-16") && line.contains("did you mean strip-9?"), "\(line)")
        #expect(refusal("units", "strip-99").contains("did you mean strip-9?"))
        #expect(refusal("units", "srtip-3").contains("did you mean strip-3?"))
        let list = Program.run(["units"], in: folder).text
        #expect(list.hasSuffix("\n\ncarillon units NAME lists a unit's parameters.\n"))
    }

    @Test func nearNamesAreSuggestedForUnitsParametersAndChoices() {
        #expect(refusal("units", "revreb").contains("did you mean reverb?"))
        let square = ["render", "one.mid", "--instrument", "square-wave", "--set"]
        #expect(refusal(square + ["revreb.decay=2s"]).contains("did you mean reverb?"))
        #expect(refusal(square + ["reverb.decoy=2s"]).contains("did you mean decay?"))
        #expect(refusal("render", "one.mid", "--instrument", "square").contains("did you mean square-wave?"))
        #expect(refusal("render", "one.mid", "--format", "flacc").contains("did you mean flac?"))
    }

    private func refusal(_ arguments: [String]) -> String {
        let run = Program.run(arguments, in: folder)
        #expect(run.exitCode == 64 && run.errorLines.count == 1, "\(arguments): \(run.errors)")
        return run.errors
    }

    private static let invalid: [([String], String)] = [
        (["render", "one.mid", "--rate", "fast"], "--rate: \"fast\" is not a number; choose from 8 to 384 kHz"),
        (["render", "one.mid", "--rate", "44100.5"], "--rate: \"44100.5\" is not a whole number; choose from 8 to 384 kHz"),
        (["render", "one.mid", "--gain", "3 Hz"], "--gain: \"3 Hz\" has the wrong unit; choose from -60 to 40 dB"),
        (["render", "one.mid", "--tail", "soon"], "--tail: \"soon\" is not a number; choose from auto, exact or 0 s to 24 h"),
        (["render", "one.mid", "--track", "two"], "--track: \"two\" is not a whole number"),
        (["render", "one.mid", "--bits", "17"], "--bits: \"17\" is not one of 16, 24, 32f"),
        (["play", "one.mid", "--tempo", "0.01"], "--tempo: 0.01 is out of range; choose from 0.1 to 10"),
    ]

    @Test(arguments: invalid) func whatIsInvalidIsToldWhatIsValid(_ arguments: [String], _ line: String) {
        let errors = refusal(arguments)
        #expect(errors == "carillon: \(line); see carillon \(arguments[0]) --help\n")
    }

    @Test func oneListOfSettingsServesEverySong() throws {
        func render(_ settings: String...) throws -> [UInt8] {
            let options = settings.flatMap { ["--set", $0] }
            let run = Program.run(["render", "one.mid", "--tail", "exact", "-o", "x.wav", "--force"] + options, in: folder)
            try #require(run.exitCode == 0, "\(settings): \(run.errors)")
            return folder.bytes(of: "x.wav")
        }
        let plain = try render()
        #expect(try render("strip-16.pan=-50%", "strip-9.mute=on") == plain)
        #expect(try render("strip-1.pan=-50%") != plain)
        #expect(try render("strip-1.pan=-50%") == render("strip-1.pan=-50"))
        for setting in ["strip-17.pan=0", "strip-0.pan=0", "strip-16.pna=0", "strip-16.pan=300", "strip-02.pan=0", "strip.pan=0"]
        {
            _ = refusal("render", "one.mid", "--set", setting)
        }
    }

    @Test func unitsAreFoundByTheirTypeAndByTheirNameInSongs() {
        let names = [
            ("channel-strip", "strip-1"), ("channel-strip", "strip-16"), ("multichannel-mixer", "mixer"),
            ("peak-meter", "meter-3"), ("soundfont", "soundfont-2"), ("reverb", "reverb"),
        ]
        for (type, name) in names {
            let byName = Program.run(["units", name], in: folder), byType = Program.run(["units", type], in: folder)
            #expect(byName.exitCode == 0 && byName.text == byType.text && byName.text.hasPrefix(type), "\(name)")
        }
        let list = Program.run(["units"], in: folder).text
        for (type, name) in [("channel-strip", "strip-1 ... strip-16"), ("multichannel-mixer", "mixer")] {
            #expect(list.split(separator: "\n").contains { $0.hasPrefix(type) && $0.hasSuffix(" In songs: \(name).") })
        }
        _ = refusal("units", "strip")
    }

    @Test func optionsTakeNumbersWithTheirUnits() throws {
        func render(_ options: String...) throws -> [UInt8] {
            let run = Program.run(
                ["render", "one.mid", "--instrument", "square-wave", "-o", "x.wav", "--force"] + options, in: folder)
            try #require(run.exitCode == 0, "\(options): \(run.errors)")
            return folder.bytes(of: "x.wav")
        }
        let plain = try render("--rate", "44100", "--gain", "3", "--tail", "0.25", "--block", "64")
        let same = try render("--rate", "44.1k", "--gain", "3dB", "--tail", "250ms", "--block", "64 frames")
        #expect(plain == same)
        #expect(try render("--max-duration", "0.5") == render("--max-duration", "500 ms"))
        #expect(try render("--tail", "1m", "--max-duration", "0:01") == render("--tail", "60", "--max-duration", "1"))
    }
}

/// ArgumentParser's text in this program's words.
@Suite struct ArgumentMessageTests {
    @Test func whatIsNotKnownStaysAsItIs() {
        let message = ArgumentMessage("Missing expected argument '<song.mid>'\nmore.", options: ["--set"])
        #expect(message.text == "Missing expected argument '<song.mid>' more")
    }

    @Test func anOptionsFormerNameLeadsToTheNewOne() {
        let options = ["--device", "--input-device"]
        #expect(
            ArgumentMessage("Unknown option '--capture-device'", options: options).text
                == "there is no option --capture-device any more; it is called --input-device")
        #expect(
            ArgumentMessage("Unknown option '--capture-device'", options: ["--rate"]).text
                == "there is no option --capture-device")
    }

    @Test(arguments: ["--outdir", "--out-dir"]) func otherProgramsNamesLeadToOurs(_ name: String) {
        #expect(
            ArgumentMessage("Unknown option '\(name)'", options: ["--output", "--output-dir"]).text
                == "there is no option \(name); did you mean --output-dir?")
    }

    @Test func itsOwnSuggestionIsReplaced() {
        let message = "Unknown option '--stems'. Did you mean '--set'?"
        #expect(ArgumentMessage(message, options: ["--set"]).text == "there is no option --stems")
        #expect(
            ArgumentMessage(message, options: ["--set", "--stem"]).text == "there is no option --stems; did you mean --stem?")
    }
}
