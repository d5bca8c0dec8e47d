/// The forms that a request can have, in the order of the help. `form` declares each once; the compiler refuses one without.
public enum ControlVerb: CaseIterable, Sendable {
    case play, pause, toggle, stop, next, previous
    case seekTo, seekBy, seekBar, seekBars, seekMarkers
    case tempo, transpose, loop, layer
    case mute, solo, volume, hardwareLevel, hardwareVolume, hardwarePercent, hardwareMute, set, preset
    case panic, panicChannel, panicUnit, panicSource
    case program, keys, note, press, lift, release, metronome
    case sceneNext, scenePrevious, scene, learnOff, learn, forget
    case patchNext, patchPrevious, patchNumber, patch, savePatch, savePreset, replacePreset, saveRecording
    case cue, releaseCue
    case quit
    case status, metrics, prometheus, watch, song, notes, sounds, parameters, log, health, help, openAPI
    case role

    /// Whether it only asks, and changes nothing.
    public var onlyAsks: Bool {
        switch self {
        case .status, .metrics, .prometheus, .watch, .song, .notes, .sounds, .parameters, .hardwareLevel, .log, .health, .help,
            .openAPI, .role:
            true
        default: false
        }
    }

    /// Whether it may name a file that is written.
    var namesFile: Bool { self == .savePatch || self == .savePreset || self == .replacePreset || self == .saveRecording }
}

/// How a request is said: words, places for values, what it does, and a line that says it.
public struct ControlForm: Sendable {
    public let words: [String]
    public let arguments: [ControlArgument]
    /// One sentence.
    public let help: String
    public let example: String

    /// The form as the help shows it: `note CHANNEL KEY VELOCITY [TIME]`.
    public var text: String {
        (words + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }).joined(separator: " ")
    }
}
