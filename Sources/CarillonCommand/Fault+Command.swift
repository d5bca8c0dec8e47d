import ALSA
import AudioFiles
import Carillon
import Reports
import SongFiles

extension ClassifiedError {
    var exitCode: Int32 { exit.rawValue }
}

extension Fault {
    /// The code that the program ends with: after an interruption that of the signal.
    var exitCode: Int32 { kind.exit == .interrupted ? Interruption.exitCode : kind.exit.rawValue }

    /// The text on a command line, one for each cause: a setting is called by its option, and a name that does not exist is
    /// followed by the one that was probably meant.
    ///
    /// - Parameter passage: the options that choose the passage of a song.
    func commandSentences(_ passage: String = "--from, --to") -> [String] {
        causes.isEmpty ? [commandSentence(passage)] : causes.flatMap { $0.commandSentences(passage) }
    }

    var commandSentence: String { commandSentence("--from, --to") }

    private func commandSentence(_ passage: String) -> String {
        switch kind {
        case .setting, .option: "--\(self)"
        case .tooLong: "\(self) (--max-duration 12h)"
        case .empty: "\(self) (--tail 2s)"
        case .unheard: "\(self); look at --instrument, --patch, --track, --only-channel, --solo, --mute, --set and --gain"
        case .noPlace: "\(passage): \(self)"
        case .afterEnd: "--from: \(self)"
        case .emptyPassage: "--to: \(self)"
        case .refused: "--fail-on: \(self)"
        case .lostLabels: "--labels: \(self) (--block 64 --threads 1)"
        default: ofOrigin
        }
    }

    private var ofOrigin: String {
        switch origin {
        case let error as ParameterError: "--set: \(self)\(Self.lister(of: error))"
        // Users of fluidsynth name the SoundFont beside the song.
        case SongError.notASong(let path, _)?: MistakenFile.hint(ofSong: path) ?? description
        case AudioFileError.unknownFormat(let name?, _)?:
            "\(self)\(NearName.question(name, among: AudioFileFormat.Container.allCases.map(\.rawValue))) (--format)"
        case AudioFileError.unknownFormat?, AudioFileError.cannotStream?: "\(self) (--format)"
        case AudioFileError.exists(let path)?: ExistingFile.refusal(path)
        case AudioFileError.encodingNotOffered?: "\(self) (--bits)"
        case AudioFileError.sampleRateNotOffered?: "\(self) (--rate)"
        case DeviceError.notFound(let device, _)?:
            "\(self)"
                + NearName.question(
                    device, among: PCMDirectory.devices().map(\.name) + ["default", "null", "jack", "pipewire"])
        case DeviceError.noSoundCard(let device)?:
            "\(self) (--device null)\(NearName.question(device, among: ["default", "null"].filter { $0 != device }))"
        default: description
        }
    }

    private static func lister(of error: ParameterError) -> String {
        switch error {
        case .unknownParameter(_, let unit, let known) where known.count > NameList.most: "; carillon units \(unit) lists them"
        case .unknownUnitName(_, let known) where known.count > NameList.most: "; carillon units lists them"
        default: ""
        }
    }
}
