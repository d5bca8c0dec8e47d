import Carillon

extension ControlVerb {
    /// Its declaration: parsing, printing, help, completion and the reference are made from it.
    public var form: ControlForm {
        switch self {
        case .play: Self.form("play", help: "Plays on from where the song stands.", "play")
        case .pause: Self.form("pause", help: "Stands still where it is.", "pause")
        case .toggle: Self.form("toggle", help: "Plays or stands still, whichever it does not do.", "toggle")
        case .stop: Self.form("stop", help: "Stops, and goes to the song's beginning.", "stop")
        case .next: Self.form("next", help: "Goes to the next song.", "next")
        case .previous:
            Self.form("previous", help: "Goes to the song before, or to the beginning of this one.", "previous")
        case .seekTo: Self.form("seek", [Self.time], help: "Goes to a time of the song.", "seek 1:30")
        case .seekBy:
            Self.form(
                "seek", [.init("+TIME", .shift(Self.songTime))], help: "Goes on by a time, or back with a minus.",
                "seek -5")
        case .seekBar:
            Self.form("seek bar", [Self.whole("BAR", 1...1_000_000)], help: "Goes to the beginning of a bar.", "seek bar 12")
        case .seekBars:
            Self.form("seek bars", [Self.bars], help: "Goes so many bars on; 0 is the beginning of this one.", "seek bars -2")
        case .seekMarkers: Self.form("seek markers", [Self.bars], help: "Goes so many markers on.", "seek markers 1")
        case .tempo:
            Self.form(
                "tempo", [.init("FACTOR", .number(EngineSetting.tempo.spec))],
                help: "Plays at a tempo, as a factor of the song's own.", "tempo 90%")
        case .transpose:
            Self.form(
                "transpose", [.init("SEMITONES", .whole(EngineSetting.transpose.spec))],
                help: "Plays the song higher or lower; drums stay.", "transpose -2")
        case .loop: Self.form("loop", [Self.onOff], help: "Begins anew at the end of the list, or does not.", "loop on")
        case .layer:
            Self.form(
                "layer", [Self.name, Self.onOff],
                help: "Lets a layer lie over the songs from the next bar on, or ends it there.", "layer drums on")
        case .mute: Self.form("mute", [Self.channel, Self.onOff], help: "Silences a channel.", "mute 3 on")
        case .solo: Self.form("solo", [Self.channel, Self.onOff], help: "Lets only such channels be heard.", "solo 3 off")
        case .volume:
            Self.form(
                "volume", [.init("DECIBELS", .number(MultichannelMixer.Parameter.volume.spec))],
                help: "Makes all that sounds louder or softer.", "volume -6dB")
        case .hardwareLevel:
            Self.form("volume hardware", help: "Tells how loud the sound card itself is.", "volume hardware")
        case .hardwareVolume:
            Self.form(
                "volume hardware", [.init("DECIBELS", .number(Self.decibels))],
                help: "Makes the sound card itself louder or softer, for every program.", "volume hardware -12dB")
        case .hardwarePercent:
            Self.form(
                "volume hardware share", [.init("PERCENT", .number(Self.percent))],
                help: "The same by a share of the card's own steps.", "volume hardware share 50%")
        case .hardwareMute:
            Self.form(
                "volume hardware mute", [Self.onOff], help: "Switches the sound card off, or on.",
                "volume hardware mute on")
        case .set:
            Self.form("set", [.init("NAME=VALUE", .setting)], help: "Sets a parameter of a unit.", "set reverb.decay=2.5s")
        case .preset:
            Self.form(
                "preset", [.init("UNIT", .name), Self.name],
                help: "Sets a unit by one of its presets, or by one that you keep.", "preset graphic-equalizer bass-booster")
        case .panic: Self.form("panic", help: "Ends everything that sounds.", "panic")
        case .panicChannel:
            Self.form("panic channel", [Self.channel], help: "Ends what sounds on a channel.", "panic channel 3")
        case .panicUnit: Self.form("panic unit", [Self.name], help: "Ends what a unit sounds.", "panic unit organ")
        case .panicSource:
            Self.form("panic source", [Self.name], help: "Ends what a keyboard holds.", "panic source \"Keystation 61\"")
        case .program:
            Self.form(
                "program", [Self.channel, Self.whole("BANK", 0...128), Self.whole("PROGRAM", 0...127)],
                help: "Gives a channel a sound; bank 128 has the drum kits.", "program 1 0 40")
        case .keys:
            Self.form(
                "keys", [.init("SEMITONES", .whole(EngineSetting.transpose.spec))],
                help: "Moves what keyboards play higher or lower.", "keys -12")
        case .note:
            Self.form(
                "note",
                [
                    Self.channel, Self.whole("KEY", 0...127), Self.whole("VELOCITY", 1...127),
                    .init("TIME", .number(Self.noteTime), isOptional: true),
                ], help: "Plays a note, so long or until the next one on the channel.", "note 1 60 100 0.5s")
        case .press:
            Self.form(
                "press", [Self.channel, Self.whole("KEY", 0...127), Self.whole("VELOCITY", 1...127)],
                help: "Presses a key, until it is lifted or this client goes.", "press 1 60 100")
        case .lift: Self.form("lift", [Self.channel, Self.whole("KEY", 0...127)], help: "Lifts it again.", "lift 1 60")
        case .release: Self.form("release", help: "Ends all notes that were played so.", "release")
        case .metronome:
            Self.form(
                "metronome", [Self.onOff, .init("TEMPO", .number(Metronome.Parameter.tempo.spec), isOptional: true)],
                help: "Lets a metronome click, or be quiet.", "metronome on 120")
        case .sceneNext: Self.form("scene next", help: "Calls the next scene of the patch.", "scene next")
        case .scenePrevious: Self.form("scene previous", help: "Calls the scene before.", "scene previous")
        case .scene: Self.form("scene", [Self.name], help: "Calls a scene of the patch.", "scene chorus")
        case .learnOff: Self.form("learn off", help: "Waits for no control any more.", "learn off")
        case .learn:
            Self.form(
                "learn", [Self.parameter], help: "The next control that is moved moves this from then on.",
                "learn reverb.decay")
        case .forget: Self.form("forget", [Self.parameter], help: "No control moves this any more.", "forget reverb.decay")
        case .patchNext: Self.form("patch next", help: "Goes to the next patch of the set list.", "patch next")
        case .patchPrevious: Self.form("patch previous", help: "Goes to the patch before.", "patch previous")
        case .patchNumber:
            Self.form(
                "patch", [Self.whole("NUMBER", 1...1_000_000)], help: "Goes to a patch by its place in the set list.",
                "patch 2")
        case .patch: Self.form("patch", [Self.name], help: "Goes to a patch by its name.", "patch strings")
        case .savePatch:
            Self.form("save-patch", [Self.file], help: "Writes the patch as it is played.", "save-patch evening.yaml")
        case .savePreset:
            Self.form(
                "save-preset", [.init("UNIT", .name), Self.name],
                help: "Keeps how a unit is set as a preset of your own.", "save-preset reverb my-hall")
        case .replacePreset:
            Self.form(
                "replace-preset", [.init("UNIT", .name), Self.name],
                help: "Keeps it so in the place of a preset of your own.", "replace-preset reverb my-hall")
        case .saveRecording:
            Self.form("save-recording", [Self.file], help: "Writes what was played as a song.", "save-recording evening.mid")
        case .cue: Self.form("cue", [Self.name], help: "Asks for a cue of an installation.", "cue bell")
        case .releaseCue: Self.form("release cue", [Self.name], help: "Lets go of a cue that is held.", "release cue hymn")
        case .quit: Self.form("quit", help: "Ends the session.", "quit")
        case .status: Self.form("status", help: "Tells how things stand.", "status")
        case .metrics: Self.form("metrics", help: "Tells the numbers that are watched over months.", "metrics")
        case .watch:
            Self.form(
                "watch", [.init("TIME", .number(Self.interval), isOptional: true)],
                help: "Tells how things stand again and again.", "watch 0.5s")
        case .help: Self.form("help", help: "Tells what may be asked.", "help")
        case .prometheus:
            Self.form(
                "metrics prometheus", help: "Tells the same as a Prometheus server reads it, as a JSON string.",
                "metrics prometheus")
        case .song: Self.form("song", help: "Tells the bars, markers and words of the song that plays.", "song")
        case .notes:
            Self.form(
                "notes", [.init("FROM", .number(Self.songTime)), .init("TO", .number(Self.songTime))],
                help: "Tells the song's notes between two times: start, length, channel, key, velocity.", "notes 0:30 1:00")
        case .sounds: Self.form("sounds", help: "Tells the sounds that channels can be given.", "sounds")
        case .parameters:
            Self.form("parameters", help: "Tells the units of what sounds, and what can be moved of them.", "parameters")
        case .log: Self.form("log", help: "Tells what was told of late.", "log")
        case .health: Self.form("health", help: "Tells whether all is well: ok, or an error that says what is not.", "health")
        case .openAPI:
            Self.form("openapi", help: "Describes the HTTP interface of carillon-gateway, as OpenAPI has it.", "openapi")
        case .role:
            Self.form(
                "role", [.init("ROLE", .role)], help: "From here on this client may do less: \(ControlRole.Name.help).",
                "role reader")
        }
    }

    // MARK: - What stands in several

    private static let channel = whole("CHANNEL", 1...256)
    private static let onOff = ControlArgument("on|off", .toggle)
    private static let name = ControlArgument("NAME", .name)
    private static let parameter = ControlArgument("PARAMETER", .name)
    private static let file = ControlArgument("FILE", .name, isOptional: true)
    private static let bars = whole("COUNT", -100_000...100_000)
    private static let time = ControlArgument("TIME", .number(songTime))
    /// A time as long as a song may be.
    private static let songTime = ParameterSpec(
        "time", 0...EngineSetting.maximumDuration.spec.range.upperBound, default: 0, unit: .seconds,
        help: "A time of the song.")
    private static let decibels = ParameterSpec(
        "decibels", -120...40, default: 0, unit: .decibels, help: "How loud a card is.")
    private static let percent = ParameterSpec(
        "percent", 0...100, default: 50, unit: .percent, help: "A share of a card's steps.")
    private static let noteTime = ParameterSpec(
        "time", 0.001...3600, default: 0.5, unit: .seconds, help: "How long the note is held.")
    /// What lies between two lines of `watch`.
    static let interval = ParameterSpec(
        "time", 0.05...3600, default: 1, unit: .seconds, help: "What lies between two lines.")

    private static func form(
        _ words: String, _ arguments: [ControlArgument] = [], help: String, _ example: String
    ) -> ControlForm {
        ControlForm(words: words.split(separator: " ").map(String.init), arguments: arguments, help: help, example: example)
    }

    private static func whole(_ name: String, _ range: ClosedRange<Float>) -> ControlArgument {
        ControlArgument(
            name,
            .whole(
                ParameterSpec(
                    name.lowercased(), range, default: max(range.lowerBound, 0), help: "A whole number.")))
    }
}
