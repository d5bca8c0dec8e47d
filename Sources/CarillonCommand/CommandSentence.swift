import ALSA
import Carillon
import Reports

// The text of a library's error on a command line: a setting is called by its option, and a name that does not exist is
// followed by the one that was probably meant.

extension RenderError {
    var commandSentence: String {
        switch self {
        case .parameter(let error): "--set: \(error)\(Self.lister(of: error))"
        case .setting(let error): "--\(error)"
        case .option: "--\(description)"
        case .passage(let error): error.commandSentence()
        case .tooLong, .empty: "\(description) (\(remedy))"
        case .unheard: "\(description); look at --instrument, --patch, --track, --only-channel, --solo, --mute, --set and --gain"
        case .audioFile(let error): error.commandSentence
        // Users of fluidsynth name the SoundFont beside the song.
        case .song(.notASong(_, let start)) where start.starts(with: [0x52, 0x49, 0x46, 0x46]):
            "\(description); a SoundFont is given with --soundfont"
        case .refused: "--fail-on: \(description)"
        case .lostLabels: "--labels: \(description) (--block 64 --threads 1)"
        case .song, .timeline, .layer, .unit, .graph, .engine, .patch, .rendered, .interrupted, .keptPartial: description
        }
    }

    private static func lister(of error: ParameterError) -> String {
        switch error {
        case .unknownParameter(_, let unit, let known) where known.count > NameList.most: "; carillon units \(unit) lists them"
        case .unknownUnitName(_, let known) where known.count > NameList.most: "; carillon units lists them"
        default: ""
        }
    }

    private var remedy: String {
        if case .empty = self { return "--tail 2s" }
        return "--max-duration 12h"
    }
}

extension SongPassageError {
    func commandSentence(_ options: String = "--from, --to") -> String {
        switch self {
        case .noMarker(let name, let known): "\(options): \(description)\(NearName.question(name, among: known))"
        case .noBars: "\(options): \(description)"
        case .behindEnd: "--from: \(description)"
        case .empty: "--to: \(description)"
        }
    }
}

extension LiveError {
    /// One for each thing that is missing.
    var commandSentences: [String] {
        switch self {
        // Songs of a session are played to their ends.
        case .sound(.passage(let error)): [error.commandSentence("--from")]
        case .sound(let error): [error.commandSentence]
        case .setting(let error): ["--\(error)"]
        case .option: ["--\(description)"]
        case .audioFile(let error): [error.commandSentence]
        case .unavailable(let device, let sequencer):
            [device?.commandSentence, sequencer?.description].compactMap { $0 }
        default: [description]
        }
    }
}

extension AudioFileError {
    var commandSentence: String {
        switch self {
        case .unknownFormat(let name?, _):
            "\(description)\(NearName.question(name, among: AudioFileFormat.Container.allCases.map(\.rawValue))) (--format)"
        case .unknownFormat, .cannotStream: "\(description) (--format)"
        case .exists(let path): ExistingFile.refusal(path)
        case .encodingNotOffered: "\(description) (--bits)"
        case .sampleRateNotOffered: "\(description) (--rate)"
        default: description
        }
    }
}

extension DeviceError {
    var commandSentence: String {
        switch self {
        case .notFound(let device, _):
            description
                + NearName.question(
                    device, among: PCMDirectory.devices().map(\.name) + ["default", "null", "jack", "pipewire"])
        case .noSoundCard(let device):
            "\(description) (--device null)\(NearName.question(device, among: ["default", "null"].filter { $0 != device }))"
        default: description
        }
    }
}
