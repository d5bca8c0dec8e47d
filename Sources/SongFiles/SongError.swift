import Reports

/// The reason why a song file could not be read or written.
public enum SongError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case notFound(path: String)
    /// A folder was given.
    case isDirectory(path: String)
    /// The file could not be read; `reason` is the system's `errno`.
    case unreadable(path: String, reason: Int32)
    /// A named pipe that is not opened for writing.
    case noWriter(path: String)
    /// A file of 0 bytes.
    case empty(name: String)
    /// Neither MThd nor RIFF RMID; `start` is the first bytes, at most 8.
    case notASong(name: String, start: [UInt8])
    /// A header that announces tracks, but none is there.
    case noTracks(name: String)
    /// Longer than `SongLimits.bytes`.
    case tooLong(name: String, bytes: Int, limit: Int)
    /// A text encoding that the C library does not have.
    case unknownEncoding(name: String)
    /// More than `SongLimits.events`.
    case tooManyEvents(name: String, limit: Int)
    /// More than `SongLimits.tracks`.
    case tooManyTracks(name: String, limit: Int)
    /// Strict reading was requested, and this is the first thing that would have to be repaired.
    case refused(name: String, first: SongRepair)
    /// libsmf did not take, or did not give back, what it was handed: a fault in this program or in the library.
    case library(name: String, fault: SMFFault)
    /// The song has something that a song file cannot hold.
    case cannotWrite(SongWriterFault)
    /// The file could not be created, written or renamed; `reason` is the system's `errno`. No part of it is left.
    case cannotCreate(path: String, reason: Int32)

    public var description: String {
        switch self {
        case .notFound(let path): "\(path): no such file; check the name"
        case .isDirectory(let path): "\(path): is a folder; give a song file (.mid, .rmi)"
        case .unreadable(let path, let reason):
            "\(path): cannot be read (\(systemMessage(reason))); check its permissions"
        case .noWriter(let path): "\(path): is a pipe without a writer; start its writer, or give a file"
        case .empty(let name): "\(name): is empty (0 bytes); give a Standard MIDI File"
        case .notASong(let name, let start):
            "\(name): is not a song file (starts with \(hexadecimal(start)), not with MThd or RIFF ... RMID); "
                + "give a Standard MIDI File"
        case .noTracks(let name): "\(name): has a header but none of its tracks; nothing can be played from it"
        case .unknownEncoding(let name):
            "\(name): is no text encoding that this system has; cp1251, SHIFT_JIS and UTF-16 are some that most have"
        case .tooLong(let name, let bytes, let limit):
            "\(name): \(bytes) bytes are more than the \(limit) a song may have"
        case .tooManyEvents(let name, let limit): "\(name): has more than the \(limit) events a song may have; split it"
        case .tooManyTracks(let name, let limit):
            "\(name): has more than the \(limit) tracks a song may have; merge some"
        case .refused(let name, let first): "\(name): \(first); read it without being strict to have it repaired"
        case .library(let name, let fault): "\(name): libsmf: \(fault); please report this with the file"
        case .cannotWrite(let fault): "the song cannot be written: \(fault)"
        case .cannotCreate(let path, let reason):
            "\(path): cannot be written (\(systemMessage(reason))); check the folder and its free space"
        }
    }
}

extension SongError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit {
        switch self {
        case .notFound, .isDirectory, .unreadable, .noWriter: .noInput
        case .empty, .notASong, .noTracks, .tooLong, .tooManyEvents, .tooManyTracks, .refused: .data
        case .library, .cannotWrite: .software
        case .cannotCreate: .cannotCreate
        case .unknownEncoding: .usage
        }
    }
}
