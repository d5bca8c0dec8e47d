import DSP
import Reports

/// The reason why an audio file could not be written or read. Every description is one line that names the file and the remedy.
public enum AudioFileError: Error, Hashable, CustomStringConvertible {
    /// The format's name is unknown, or (`name` nil) the path's extension is.
    case unknownFormat(name: String?, path: String)
    /// The installed libsndfile cannot write it; `available` are the containers that it can write.
    case formatNotInLibrary(AudioFileFormat, available: [AudioFileFormat.Container], library: String)
    case encodingNotOffered(container: AudioFileFormat.Container, encoding: AudioFileFormat.Encoding)
    case qualityNotOffered(container: AudioFileFormat.Container)
    case qualityOutOfRange(Double)
    /// The format has no bit rate to choose, or a quality was chosen already.
    case bitRateNotOffered(container: AudioFileFormat.Container, bitRate: Int, hasQuality: Bool)
    case bitRateOutOfRange(container: AudioFileFormat.Container, bitRate: Int, offered: ClosedRange<Int>)
    /// The path's extension and the name mean different formats.
    case contradiction(path: String, ending: AudioFileFormat.Container, name: AudioFileFormat.Container)
    case sampleRateNotOffered(container: AudioFileFormat.Container, sampleRate: Int)
    case channelCountNotOffered(container: AudioFileFormat.Container, channels: Int)
    /// The format cannot hold these loudspeakers, or its readers would take them for others.
    case layoutNotOffered(container: AudioFileFormat.Container, layout: SpeakerLayout)
    /// A pipe cannot take this container.
    case cannotStream(path: String, container: AudioFileFormat.Container)
    case isDirectory(path: String)
    case cannotCreate(path: String, SystemFault)
    /// A pipe that a recording would have to wait at.
    case noReader(path: String)
    /// A file is there already, and none is to be replaced.
    case exists(path: String)
    /// libsndfile refused to start; `message` is its own text.
    case encoderRefused(path: String, AudioFileFormat, message: String)
    case writeFailed(path: String, SystemFault)
    /// A file ends early, for one of the other reasons: what was written is kept, `frames` frames if that is known.
    case cutShort(path: String, reason: String, frames: Int64?)
    /// The finished file could not take the place of the target.
    case cannotReplace(path: String, SystemFault)
    /// An encoder failed without an error of the system; `message` is libsndfile's text.
    case encodingFailed(path: String, message: String)
    /// The container's lengths end at 4 GiB.
    case tooLong(path: String, container: AudioFileFormat.Container)
    /// A stream's header had already promised another length.
    case lengthMismatch(path: String, promised: Int64, written: Int64)
    case cannotOpen(path: String, SystemFault)
    /// The file is there but is not an audio file that libsndfile knows, or it is damaged.
    case unreadable(path: String, message: String)

    /// Sound was passed with another number of channels, or memory for another number.
    case channels(path: String, given: Int, wanted: Int)
    /// This number of frames cannot be read or written.
    case frames(path: String, Int)

    public var description: String {
        switch self {
        case .unknownFormat(let name?, let path):
            "\(path): no audio format is called '\(name)'; choose one of \(Self.names(.allCases))"
        case .unknownFormat(nil, let path):
            "\(path): the name does not determine the audio format; end it in one of \(Self.names(.allCases))"
        case .formatNotInLibrary(let format, let available, let library):
            "\(format): \(library) on this machine cannot write it; it can write \(Self.names(available))"
        case .encodingNotOffered(let container, let encoding) where container.isLossy:
            "\(container.rawValue): a lossy format has no sample format; leave \(encoding.rawValue) out"
        case .encodingNotOffered(let container, let encoding):
            "\(container.rawValue): cannot hold \(encoding == .float32 ? "floating-point" : encoding.rawValue + "-bit") samples; choose "
                + container.encodings.map(\.rawValue).joined(separator: ", ")
        case .qualityNotOffered(let container):
            "\(container.rawValue): a lossless format has no quality; leave it out"
        case .bitRateNotOffered(let container, let bitRate, true):
            "\(container.rawValue): a bit rate (\(bitRate)) and a quality exclude each other; leave one of them out"
        case .bitRateNotOffered(.vorbis, let bitRate, _):
            "ogg: Vorbis has a quality and no bit rate; give a quality of 0 to 1 instead of \(bitRate) kbit/s, or choose opus"
        case .bitRateNotOffered(let container, let bitRate, _):
            "\(container.rawValue): a lossless format has no bit rate to choose; leave \(bitRate) kbit/s out"
        case .bitRateOutOfRange(let container, let bitRate, let offered):
            "\(container.rawValue): cannot be \(bitRate) kbit/s; choose \(offered.lowerBound) to \(offered.upperBound)"
        case .contradiction(let path, let ending, let name):
            "\(path): the name says \(ending.rawValue) and the format says \(name.rawValue); change one of them"
        case .qualityOutOfRange(let quality):
            "quality \(quality): must be between 0 (smallest file) and 1 (best)"
        case .sampleRateNotOffered(let container, let sampleRate):
            "\(container.rawValue): cannot hold \(sampleRate) Hz; choose "
                + (container.sampleRates.map { $0.map(String.init).joined(separator: ", ") }
                    ?? "1 to \(container.maximumSampleRate)")
        case .channelCountNotOffered(let container, let channels):
            "\(container.rawValue): cannot hold \(channels) channels; use 1 to \(container.maximumChannels)"
        case .layoutNotOffered(let container, let layout):
            "\(container.rawValue): cannot hold the layout \(layout.rawValue); choose one of "
                + "\(container.layouts.map(\.rawValue).joined(separator: ", ")), to which it is folded down, or another format"
        case .cannotStream(let path, let container):
            "\(Self.name(path)): \(container.rawValue) cannot be written to a stream; choose "
                + Self.names(AudioFileFormat.Container.allCases.filter(\.canStream)) + ", or a file"
        case .isDirectory(let path):
            "\(path): is a folder; give the name of a file in it"
        case .cannotCreate(let path, let fault):
            "\(path): cannot be created (\(fault)); choose another place for the output"
        case .noReader(let path): "\(path): is a pipe without a reader; start its reader first"
        case .exists(let path):
            "\(path): already exists; choose another name"
        case .encoderRefused(let path, let format, let message):
            "\(path): libsndfile cannot write \(format) (\(message)); choose another format"
        case .cutShort(let path, let reason, let frames):
            "\(path): was cut short (\(reason)); "
                + (frames.map { "its first \($0) frames are kept" } ?? "what was written before is kept")
        case .writeFailed(let path, let fault):
            "\(Self.name(path)): writing failed (\(fault)); no file was left"
        case .cannotReplace(let path, let fault):
            "\(path): the finished file could not be put in its place (\(fault)); no file was left"
        case .encodingFailed(let path, let message):
            "\(path): encoding failed (\(message)); no file was left"
        case .tooLong(let path, let container):
            "\(path): \(container.rawValue) ends at 4 GiB; choose rf64, w64, caf or flac"
        case .lengthMismatch(let path, let promised, let written):
            "\(Self.name(path)): \(written) frames were written where the header says \(promised)"
        case .cannotOpen(let path, let fault):
            "\(path): cannot be opened (\(fault))"
        case .channels(let path, let given, let wanted):
            "\(Self.name(path)): \(given) channel\(given == 1 ? "" : "s") cannot be passed for \(wanted); pass one pointer per channel"
        case .frames(let path, let frames):
            "\(Self.name(path)): \(frames) frames cannot be passed; pass 0 or more"
        case .unreadable(let path, let message):
            "\(path): cannot be read as audio (\(message))"
        }
    }

    private static func name(_ path: String) -> String { path == "-" ? "standard output" : path }

    private static func names(_ containers: [AudioFileFormat.Container]) -> String {
        containers.map(\.rawValue).joined(separator: ", ")
    }
}

extension AudioFileError {
    /// Refuses pointers that are not one per channel, and negative counts of frames. Throws `channels`, `frames`.
    static func check(_ path: String, given: Int, wanted: Int, frames: Int) throws(AudioFileError) {
        if given != wanted { throw .channels(path: path, given: given, wanted: wanted) }
        if frames < 0 { throw .frames(path: path, frames) }
    }
}

extension [AudioFileFormat.Container] {
    fileprivate static var allCases: Self { AudioFileFormat.Container.allCases }
}

extension AudioFileError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit {
        switch self {
        case .unknownFormat, .formatNotInLibrary, .encodingNotOffered, .qualityNotOffered, .qualityOutOfRange,
            .bitRateNotOffered, .bitRateOutOfRange, .contradiction, .sampleRateNotOffered, .channelCountNotOffered,
            .layoutNotOffered, .cannotStream:
            .usage
        case .unreadable: .data
        case .cannotOpen: .noInput
        case .channels, .frames: .software
        case .isDirectory, .cannotCreate, .noReader, .exists, .encoderRefused: .cannotCreate
        case .writeFailed, .cutShort, .cannotReplace, .encodingFailed, .tooLong, .lengthMismatch: .io
        }
    }
}

extension Fault {
    /// The fault of a file that a unit needs: it is not there, or cannot be used.
    package static func unreadable(_ error: AudioFileError) -> Fault {
        switch error {
        case .cannotOpen, .isDirectory: Fault(error, as: .noInput)
        default: Fault(error, as: .data)
        }
    }
}
