import Reports
import Sequencer
import UnitAPI

/// The requests for keys, scenes and controllers.
extension KeysPart {
    static let verbs: [Verb] = [
        .keys, .note, .press, .lift, .release, .midi, .controller, .bend, .pressure, .pedal, .panicSource, .sceneNext,
        .sceneNextAt,
        .scenePrevious, .scene, .forget,
    ]
}

extension Verb {
    static let keys = Verb(
        "keys", [.semitones], help: "Transposes what keyboards play.", "keys -12", movesSound: true
    ) { (keys: KeysPart, values) throws(Fault) in keys.transpose(by: values.whole(0)) }
    package static let note = Verb(
        "note", [.channel, .key, .velocity, .init("TIME", .number(noteTime), isOptional: true)],
        help: "Plays a note for a time, or until the next one on the channel.", "note 1 60 100 0.5s"
    ) { (keys: KeysPart, values) throws(Fault) in
        try keys.strike(
            channel: values.whole(0), key: values.whole(1), velocity: values.whole(2), seconds: values.optionalNumber(3))
    }
    package static let press = Verb(
        "press", [.channel, .key, .velocity], help: "Presses a key until it is lifted or this client goes; note lifts it itself.",
        "press 1 60 100"
    ) { (keys: KeysPart, values) throws(Fault) in
        try keys.press(channel: values.whole(0), key: values.whole(1), velocity: values.whole(2))
    }
    package static let lift = Verb("lift", [.channel, .key], help: "Lifts a pressed key.", "lift 1 60") {
        (keys: KeysPart, values) throws(Fault) in try keys.lift(channel: values.whole(0), key: values.whole(1))
    }
    package static let release = Verb("release", help: "Ends all notes and pedals started by note, press and pedal.", "release") {
        (keys: KeysPart, _) throws(Fault) in try keys.releaseAll()
    }
    static let midi = Verb(
        "midi", [.init("STATUS", .name), .init("DATA1", .name), .init("DATA2", .name, isOptional: true)],
        help:
            "Plays a message as a keyboard sends it, in hexadecimal: buttons, scenes, learned knobs and zones hear it. midi 80 ends a key.",
        "midi B0 50 7F"
    ) { (keys: KeysPart, values) throws(Fault) in
        try keys.play([values.text(0), values.text(1)] + (values.optionalText(2).map { [$0] } ?? []))
    }
    static let controller = Verb(
        "cc", [.channel, .whole("CONTROLLER", 0...127), .value],
        help: "Moves a controller of a channel for its instruments; what buttons and learned knobs hear is midi.",
        "cc 1 11 90"
    ) { (keys: KeysPart, values) throws(Fault) in
        try keys.control(channel: values.whole(0), controller: values.whole(1), value: values.whole(2))
    }
    static let bend = Verb(
        "bend", [.channel, .init("BEND", .number(KeysPart.bendRange))], help: "Bends a channel; 0 is the middle.", "bend 1 -0.5"
    ) { (keys: KeysPart, values) throws(Fault) in try keys.bend(channel: values.whole(0), by: values.number(1)) }
    static let pressure = Verb(
        "pressure", [.channel, .value], help: "Sets the pressure on a channel's keys.", "pressure 1 64"
    ) { (keys: KeysPart, values) throws(Fault) in try keys.press(channel: values.whole(0), by: values.whole(1)) }
    package static let pedal = Verb(
        "pedal", [.channel, .oneOf(ControlCommand.Pedal.allCases.map(\.rawValue)), .onOff],
        help: "Presses a pedal until it is lifted or this client goes (with cc it stays), or lifts it.", "pedal 1 sustain on"
    ) { (keys: KeysPart, values) throws(Fault) in
        guard let pedal = ControlCommand.Pedal(rawValue: values.text(1)) else { return }
        try keys.control(channel: values.whole(0), controller: pedal.controller, value: values.flag(2) ? 127 : 0)
    }
    static let panicSource = Verb(
        "panic source", [.name("keyboards", "name")], help: "Ends what a keyboard holds.", "panic source \"Keystation 61\""
    ) { (keys: KeysPart, values) throws(Fault) in try keys.silence(source: values.text(0)) }
    static let sceneNext = Verb("scene next", help: "Calls the next scene of the patch.", "scene next", movesSound: true) {
        (keys: KeysPart, _) throws(Fault) in try keys.call(.next)
    }
    static let sceneNextAt = Verb(
        "scene next at", [.boundary], help: "Calls the next scene at the next beat, bar or marker.", "scene next at bar",
        movesSound: true
    ) { (keys: KeysPart, values) throws(Fault) in
        guard let boundary = TransportBoundary(rawValue: values.text(0)) else { return }
        try keys.call(.next, at: boundary)
    }
    static let scenePrevious = Verb("scene previous", help: "Calls the previous scene.", "scene previous", movesSound: true) {
        (keys: KeysPart, _) throws(Fault) in try keys.call(.previous)
    }
    static let scene = Verb("scene", [.name("scenes")], help: "Calls a scene of the patch.", "scene chorus", movesSound: true) {
        (keys: KeysPart, values) throws(Fault) in try keys.call(.named(values.text(0)))
    }
    static let forget = Verb("forget", [.parameter], help: "Removes the control of this parameter.", "forget reverb.decay") {
        (keys: KeysPart, values) throws(Fault) in try keys.forget(values.text(0))
    }.changingSetup
    private static let noteTime = ParameterSpec(
        "time", 0.001...3600, default: 0.5, unit: .seconds, help: "How long the note is held.")
}

extension ControlCommand {
    /// Semitones by which keyboards are transposed, -48...48; drums stay. Sounding notes end by their own keys.
    public static func transposeKeys(_ semitones: Int) -> ControlCommand { Verb.keys(semitones) }
    /// Plays a note as a keyboard would, for `seconds`; nil means until the next such note on the channel, or
    /// `releaseNotes`. Key 0...127, 60 is middle C; velocity 1...127.
    public static func note(channel: Int, key: Int, velocity: Int, seconds: Double?) -> ControlCommand {
        Verb.note(channel, key, velocity, seconds)
    }
    /// Presses a key, which sounds until `liftKey`, independently of other notes; for surfaces that know when a key goes up. If
    /// it is pressed again, it is struck anew.
    public static func pressKey(channel: Int, key: Int, velocity: Int) -> ControlCommand { Verb.press(channel, key, velocity) }
    /// Lifts a key that was pressed.
    public static func liftKey(channel: Int, key: Int) -> ControlCommand { Verb.lift(channel, key) }
    /// Plays a channel message as a keyboard sends it: buttons, scenes, learned controls and zones hear it. Status 0x80...0xEF, data
    /// 0...127; `data2` is nil for program changes and pressure.
    public static func midi(_ status: UInt8, _ data1: UInt8, _ data2: UInt8? = nil) -> ControlCommand {
        func text(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
        return Verb.midi(text(status), text(data1), data2.map(text))
    }
    /// Moves a controller of a channel as a keyboard would. Controller and value 0...127.
    public static func controller(channel: Int, _ controller: Int, value: Int) -> ControlCommand {
        Verb.controller(channel, controller, value)
    }
    /// Bends a channel by a share of its range, -1...1; 0 is the middle.
    public static func bend(channel: Int, by share: Double) -> ControlCommand { Verb.bend(channel, share) }
    /// Sets the pressure on a channel's keys, 0...127.
    public static func pressure(channel: Int, value: Int) -> ControlCommand { Verb.pressure(channel, value) }
    /// Presses a pedal of a channel, or lifts it.
    public static func pedal(channel: Int, _ pedal: Pedal, _ isOn: Bool) -> ControlCommand {
        Verb.pedal(channel, pedal.rawValue, isOn)
    }
    /// Ends the notes that `note` and `pressKey` have begun, and lifts their pedals.
    public static let releaseNotes = Verb.release()
    /// Calls a scene of the patch: its values, and the zones that are heard.
    public static func scene(_ choice: SceneChoice) -> ControlCommand {
        switch choice {
        case .named(let name): Verb.scene(name)
        case .next: Verb.sceneNext()
        case .previous: Verb.scenePrevious()
        }
    }
    /// Calls the next scene at the next beat, bar or marker of the song that plays or of the metronome.
    package static func nextScene(at boundary: TransportBoundary) -> ControlCommand { Verb.sceneNextAt(boundary.rawValue) }
    /// Gives this parameter (`reverb.decay`) to the next control that a keyboard moves, a knob or a wheel, and to no other;
    /// nil ends the wait for one.
    public static func learn(_ parameter: String?) -> ControlCommand { parameter.map { Verb.learn($0) } ?? Verb.learnOff() }
    /// Removes the controls of this parameter.
    public static func forget(_ parameter: String) -> ControlCommand { Verb.forget(parameter) }
}

extension KeysPart {
    static let bendRange = ParameterSpec("bend", -1...1, default: 0, help: "The share of the wheel's way.")
}

extension ControlCommand {
    /// A pedal of a piano.
    public enum Pedal: String, Sendable, Hashable, CaseIterable {
        case sustain, sostenuto, soft

        /// The number of its controller.
        var controller: Int {
            switch self {
            case .sustain: 64
            case .sostenuto: 66
            case .soft: 67
            }
        }
    }
}

/// The scene that is called.
public enum SceneChoice: Sendable, Hashable {
    case named(String)
    /// The one after that which was called last, or before it, round the list's end.
    case next, previous

    /// The scene's name, for messages.
    public var name: String {
        switch self {
        case .named(let name): name
        case .next: "the next one"
        case .previous: "the one before"
        }
    }
}
