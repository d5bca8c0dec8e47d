import EngineCore
import Reports
import UnitAPI
import Units

extension Verb {
    /// The requests that need a track at most.
    static let loopActions = Session.LoopAction.allCases.map { action in
        Verb(
            "looper \(action.rawValue)", [.init("TRACK", .whole(loopTrack), isOptional: true)], help: action.help,
            "looper \(action.rawValue) 1"
        ) { (looper: LooperPart, values) throws(Fault) in try looper.act(action, track: values.optionalWhole(0)) }
    }
    static func looper(_ action: Session.LoopAction) -> Verb {
        loopActions[Session.LoopAction.allCases.firstIndex(of: action) ?? 0]
    }
    static let loopTrack = ParameterSpec("track", 1...Float(Looper.tracks), default: 1, help: "A track of the looper.")
    private static let loopNumber = VerbArgument("TRACK", .whole(loopTrack))

    static let looperMultiply = Verb(
        "looper multiply", [.whole("N", 1...64), .init("TRACK", .whole(loopTrack), isOptional: true)],
        help: "Makes a loop N times as long as its first recording.", "looper multiply 2 1"
    ) { (looper: LooperPart, values) throws(Fault) in
        try looper.multiply(values.whole(0), track: values.optionalWhole(1))
    }
    static let looperRow = Verb(
        "looper row", [.init("TRACKS", .name)],
        help: "Plays these loops together from the next bar on, and stops all others there.", "looper row 1,3-4"
    ) { (looper: LooperPart, values) throws(Fault) in try looper.play(row: values.text(0)) }
    static let looperKind = Verb(
        "looper kind", [.oneOf(Session.LoopKind.allCases.map(\.rawValue)), .init("TRACK", .whole(loopTrack), isOptional: true)],
        help: "Says whether a track records sound or MIDI, while it is empty.", "looper kind midi 2"
    ) { (looper: LooperPart, values) throws(Fault) in
        try looper.set(Session.LoopKind(rawValue: values.text(0)) ?? .audio, track: values.optionalWhole(1))
    }
    static let looperCapture = Verb(
        "looper capture", [.whole("N", 1...64), .init("TRACK", .whole(loopTrack), isOptional: true)],
        help: "Makes the last N bars that keyboards played a MIDI loop on an empty track.", "looper capture 2 3"
    ) { (looper: LooperPart, values) throws(Fault) in
        try looper.capture(bars: values.whole(0), track: values.optionalWhole(1))
    }
    static let looperMove = Verb(
        "looper move", [.init("TRACK", .whole(loopTrack), isOptional: true)],
        help: "Gives a MIDI loop to the instruments of the patch in hand.", "looper move 2"
    ) { (looper: LooperPart, values) throws(Fault) in try looper.move(track: values.optionalWhole(0)) }
    static let looperLevel = setting(.level, "Sets the level of a loop.", "looper level 1 -6dB")
    static let looperPan = setting(.pan, "Sets where a loop is heard.", "looper pan 1 -50")
    static let looperFeedback = setting(
        .feedback, "Sets how much of a loop stays where a layer is added.", "looper feedback 1 80%")
    static let looperOutput = setting(
        .output, "Sets the pair of channels of a loop: 2 is channels 3 and 4.", "looper output 1 2")
    private static func setting(_ parameter: Looper.Parameter, _ help: String, _ example: String) -> Verb {
        let spec = parameter.spec, arguments: [VerbArgument] = [loopNumber, .init(spec.name.uppercased(), .number(spec))]
        return Verb("looper \(spec.name)", arguments, help: help, example) { (looper: LooperPart, values) throws(Fault) in
            try looper.set(parameter, values.number(1), track: values.whole(0))
        }
    }
    static let looperBeats = Verb(
        "looper beats", [.whole("N", 1...512)], help: "Corrects how many beats the loop has that has set the tempo.",
        "looper beats 8"
    ) { (looper: LooperPart, values) throws(Fault) in try looper.set(beats: values.whole(0)) }
    static let looperStretch = Verb(
        "looper stretch", [.onOff],
        help: "Stretches loops of sound to another tempo, at first on; off: while they play, their tempo stays.",
        "looper stretch off"
    ) { (looper: LooperPart, values) in looper.stretch(values.flag(0)) }
    static let looperSave = Verb(
        "looper save", [.name],
        help: "Saves all loops as NAME.yaml and a folder NAME of sound and MIDI files, while they play on.",
        "looper save riffs", role: .save
    ) { (looper: LooperPart, values) throws(Fault) in try looper.save(values.text(0)) }
    static let looperLoad = Verb(
        "looper load", [.name], help: "Brings saved loops back, stopped, in the place of all others.", "looper load riffs",
        role: .save
    ) { (looper: LooperPart, values) throws(Fault) in try looper.load(values.text(0)) }
}

extension ControlCommand {
    /// Asks a track of the looper, 1...8, for something; nil means the track of the last request.
    public static func looper(_ action: Session.LoopAction, track: Int? = nil) -> ControlCommand { Verb.looper(action)(track) }
    /// Makes a loop so many times as long as its first recording, 1...64.
    public static func looperMultiply(_ times: Int, track: Int? = nil) -> ControlCommand { Verb.looperMultiply(times, track) }
    /// Plays the loops of these tracks, each 1...8, together from the next bar on, and stops all others there.
    public static func looper(row tracks: [Int]) -> ControlCommand {
        Verb.looperRow(tracks.map(String.init).joined(separator: ","))
    }
    /// Says whether a track records sound or MIDI, while it is empty; nil means the track of the last request.
    public static func looper(kind: Session.LoopKind, track: Int? = nil) -> ControlCommand {
        Verb.looperKind(kind.rawValue, track)
    }
    /// Makes the last bars, 1...64, that keyboards played a MIDI loop on an empty track; nil means the track of the last request.
    public static func looperCapture(bars: Int, track: Int? = nil) -> ControlCommand { Verb.looperCapture(bars, track) }
    /// Gives a MIDI loop to the instruments of the patch in hand; nil means the track of the last request.
    public static func looperMove(track: Int? = nil) -> ControlCommand { Verb.looperMove(track) }
    /// Corrects how many beats the loop has that has set the tempo, 1...512.
    public static func looperBeats(_ beats: Int) -> ControlCommand { Verb.looperBeats(beats) }
    /// Says whether loops of sound are stretched to another tempo, as at first; else it is refused while they play.
    public static func looper(stretch isOn: Bool) -> ControlCommand { Verb.looperStretch(isOn) }
    /// Saves all loops as `NAME.yaml` and a folder of that name.
    public static func saveLoops(_ name: String) -> ControlCommand { Verb.looperSave(name) }
    /// Brings saved loops back, stopped, in the place of all others.
    public static func loadLoops(_ name: String) -> ControlCommand { Verb.looperLoad(name) }

    /// Sets the level of a loop, -60...12 decibels.
    public static func looper(level decibels: Double, track: Int) -> ControlCommand { Verb.looperLevel(track, decibels) }
    /// Sets where a loop is heard, from -100, left, to 100.
    public static func looper(pan: Double, track: Int) -> ControlCommand { Verb.looperPan(track, pan) }
    /// Sets how much of a loop stays where a layer is added, 0...100 percent.
    public static func looper(feedback percent: Double, track: Int) -> ControlCommand { Verb.looperFeedback(track, percent) }
    /// Sets the pair of channels that a loop is recorded from and heard on, 1...4: 2 is channels 3 and 4.
    public static func looper(output pair: Int, track: Int) -> ControlCommand { Verb.looperOutput(track, Double(pair)) }

    /// What the pedal of a loop does besides, by its movement; nothing for any other request.
    var followers: [(Session.Button.Gesture, ControlCommand)] {
        if verb != Verb.looper(.pedal) { return [] }
        return [(.hold, ControlCommand(Verb.looper(.hold), values)), (.release, ControlCommand(Verb.looper(.lift), values))]
    }
}
