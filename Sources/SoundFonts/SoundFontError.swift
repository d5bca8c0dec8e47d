import Reports
import UnitAPI

/// An error in finding, reading or playing a SoundFont. Each line names the file and the remedy.
public enum SoundFontError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file named by the caller cannot be opened; `code` is the system's errno.
    case cannotOpen(path: String, code: Int32)
    /// The file is a folder, a device or a pipe.
    case notAFile(path: String)
    /// The file does not begin as a SoundFont or DLS file does.
    case notASoundFont(path: String, firstBytes: [UInt8])
    /// A song file (RMID) in which there is no SoundFont.
    case noBank(path: String)
    /// The file is version `major`.`minor`; 2 and 3 can be read.
    case unsupportedVersion(path: String, major: Int, minor: Int)
    /// A length is greater than the rest: `needed` bytes at `offset`, where `available` remain.
    case truncated(path: String, chunk: String, offset: Int, needed: Int, available: Int)
    /// A chunk that must be at `offset` is not there.
    case missingChunk(path: String, chunk: String, offset: Int, found: String)
    /// A chunk's length cannot be right: not a whole number of records, or fewer than it must have.
    case chunkSize(path: String, chunk: String, offset: Int, size: Int, recordSize: Int, fewest: Int)
    /// An index in record `record` of a chunk points outside what it indexes, or backwards.
    case index(path: String, chunk: String, offset: Int, record: Int, value: Int, allowed: ClosedRange<Int>)
    /// A number in record `record` of a chunk is outside what can be played.
    case value(path: String, chunk: String, offset: Int, field: String, value: Int, allowed: ClosedRange<Int>)
    /// The file has more of something than a SoundFont can sensibly have: loading it would take too long or too much memory.
    case tooMany(path: String, what: String, count: Int, limit: Int)
    /// A looped sample can be driven so high that playing it would take for ever: `octaves` above its limit.
    case pitchOutOfReach(path: String, chunk: String, offset: Int, octaves: Int)
    /// A compressed sample is no Ogg Vorbis stream, or one whose pages do not follow each other.
    case brokenVorbis(path: String, sample: Int, offset: Int)
    /// A line of an SFZ file makes no sense; `problem` is the reason and what to write.
    case text(path: String, line: Int, problem: String)
    /// The samples need at least `needed` bytes of memory, even if only their beginnings stay, and `limit` are allowed.
    case sampleMemory(path: String, needed: Int, limit: Int)
    /// The file could not be read at `offset`; `code` is the system's errno.
    case unreadable(path: String, offset: Int, code: Int32)
    /// The file was written to, or replaced, between its check and its use.
    case changed(path: String)
    /// libfluidsynth refused a file that looked right; `message` is its own last word.
    case refused(path: String, message: String)
    /// libfluidsynth is built without the reader for this kind of file.
    case noReader(path: String, kind: String)
    /// libfluidsynth is not there; `reason` is the system's.
    case notInstalled(reason: String)
    /// A call of libfluidsynth failed that cannot fail unless memory or the library is at its end.
    case library(function: String, message: String)
    /// A SoundFont property has a value that cannot be used.
    case property(name: String, reason: PropertyFault)

    /// The faults that a property of the unit can have.
    public enum PropertyFault: Sendable, Equatable {
        case wrongType(expected: String)
        case outOfRange(value: Int, allowed: ClosedRange<Int>)
        case empty
    }

    /// The kind of refusal that the error is.
    public var fault: UnitError.ResourceFault {
        switch self {
        case .cannotOpen, .notAFile: .missing
        case .unreadable: .unreadable
        case .library: .library
        case .notInstalled: .notInstalled
        case .property, .sampleMemory: .property
        default: .damaged
        }
    }

    public var description: String {
        switch self {
        case .cannotOpen(let path, let code):
            "\(path): cannot be opened (\(SystemFault.text(code))); check the path or $CARILLON_SOUNDFONT; "
                + "carillon soundfont lists those that need not be named"
        case .notAFile(let path):
            "\(path): is not a regular file; name an .sf2, .sf3, .dls or .sfz file"
        case .notASoundFont(let path, let bytes):
            "\(path): is no SoundFont (it begins with \(Self.hex(bytes))); name an .sf2, .sf3, .dls or .sfz file"
        case .noBank(let path):
            "\(path): is a song without a SoundFont; name an .sf2, .sf3, .dls or .sfz file"
        case .unsupportedVersion(let path, let major, let minor):
            "\(path): is SoundFont version \(major).\(minor); save it as version 2.01, 2.04 or 3.00"
        case .truncated(let path, let chunk, let offset, let needed, let available):
            "\(path): cut short in \(chunk) at byte \(offset): \(needed) bytes wanted, \(available) there; "
                + "copy it again"
        case .missingChunk(let path, let chunk, let offset, let found):
            "\(path): \(chunk) expected at byte \(offset), found \(found); the file is damaged, copy or export it again"
        case .chunkSize(let path, let chunk, let offset, let size, let record, let fewest):
            "\(path): \(chunk) at byte \(offset) has \(size) bytes, wanted at least \(fewest) records of \(record); "
                + "the file is damaged, export it again"
        case .index(let path, let chunk, let offset, let record, let value, let allowed):
            "\(path): \(chunk) record \(record) at byte \(offset) points to \(value), outside "
                + "\(allowed.lowerBound)...\(allowed.upperBound); the file is damaged, export it again"
        case .value(let path, let chunk, let offset, let field, let value, let allowed):
            "\(path): \(field) in \(chunk) at byte \(offset) is \(value), outside "
                + "\(allowed.lowerBound)...\(allowed.upperBound); correct it in a SoundFont editor"
        case .tooMany(let path, let what, let count, let limit):
            "\(path): \(count) \(what), at most \(limit) can be loaded; split the SoundFont"
        case .pitchOutOfReach(let path, let chunk, let offset, let octaves):
            "\(path): \(chunk) at byte \(offset) tunes a looped sample \(octaves) octaves too high to be played; "
                + "correct its tuning in a SoundFont editor"
        case .brokenVorbis(let path, let sample, let offset):
            "\(path): sample \(sample) at byte \(offset) is no intact Ogg Vorbis stream; convert the SoundFont again"
        case .text(let path, let line, let problem): "\(path): line \(line) \(problem)"
        case .sampleMemory(let path, let needed, let limit):
            "\(path): the beginnings of its samples need \(Self.megabytes(needed)) MB of memory where \(limit / 1_000_000) MB "
                + "are allowed; allow more memory for samples, or play fewer presets"
        case .unreadable(let path, let offset, let code):
            "\(path): reading at byte \(offset) failed (\(SystemFault.text(code))); check the disk"
        case .changed(let path):
            "\(path): was changed while it was being read; try again when it is no longer written"
        case .refused(let path, let message):
            "\(path): libfluidsynth cannot load it (\(message)); open and save it in a SoundFont editor"
        case .noReader(let path, let kind):
            "\(path): this libfluidsynth is built without a reader for \(kind); convert it to .sf2"
        case .notInstalled(let reason):
            "libfluidsynth cannot be loaded (\(reason)); install it: apt-get install libfluidsynth3"
        case .library(let function, let message):
            "\(function) failed (\(message)); free memory, or lower the polyphony"
        case .property(let name, let reason):
            "property \(name): \(reason)"
        }
    }

    private static func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return bytes.isEmpty
            ? "nothing"
            : bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
                .joined(separator: " ")
    }
}

extension SoundFontError.PropertyFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongType(let expected): "wants \(expected)"
        case .outOfRange(let value, let allowed):
            "\(value) is outside \(allowed.lowerBound)...\(allowed.upperBound)"
        case .empty: "is empty; name at least one file"
        }
    }
}

extension SoundFontError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit { fault.exit }
}
