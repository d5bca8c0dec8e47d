/// Something that can be wrong with a song file that still holds music.
package enum SongFault: Hashable, Sendable, CustomStringConvertible {
    // The wrapping and the header
    case bytesBeforeHeader(count: Int)
    case riffLength(declared: Int, found: Int)
    case headerLength(Int)
    case unknownFormat(Int)
    case singleFormatWithTracks(Int)
    case division(UInt16)
    case trackCount(declared: Int, found: Int)
    // Chunks
    case bytesBetweenChunks(count: Int)
    case bytesAfterLastTrack(count: Int)
    case trackLength(declared: Int, found: Int)
    case noEndOfTrack
    case bytesAfterEndOfTrack(count: Int)
    case endOfTrackLength(Int)
    // Events
    case unreadable(count: Int)
    case eventLength(declared: Int, found: Int)
    case deltaTime(ticks: Int64, taken: Int64)
    case runningStatus(UInt8)
    case quantityTooLong
    case eventCutOff
    case noStatus(dataByte: UInt8)
    case dataByte(UInt8)
    case systemMessage(status: UInt8)
    case systemExclusiveNotClosed
    case tempoLength(Int)
    case tempoZero
    case meter(length: Int)
    case key(length: Int)
    case portLength(Int)
    case portNumber(UInt8)
    case smpteOffset(length: Int)
    case metaType(UInt8)

    /// The fault in a few words.
    package var description: String {
        switch self {
        case .bytesBeforeHeader(let count): "\(count) bytes before the header"
        case .riffLength(let declared, let found): "RIFF data chunk says \(declared) bytes, \(found) are there"
        case .headerLength(let length): "header of \(length) bytes instead of 6"
        case .unknownFormat(let format): "unknown format \(format)"
        case .singleFormatWithTracks(let count): "format 0 with \(count) tracks"
        case .division(let division):
            "division \(hexadecimal([UInt8(division >> 8), UInt8(division & 255)])) means nothing"
        case .trackCount(let declared, let found): "header says \(declared) tracks, \(found) are there"
        case .bytesBetweenChunks(let count): "\(count) bytes that are not a chunk"
        case .bytesAfterLastTrack(let count): "\(count) bytes after the last track"
        case .trackLength(let declared, let found): "track says \(declared) bytes, \(found) are there"
        case .noEndOfTrack: "no End of Track"
        case .bytesAfterEndOfTrack(let count): "\(count) bytes after End of Track"
        case .endOfTrackLength(let length): "End of Track with a length of \(length)"
        case .unreadable(let count): count == 1 ? "1 byte that is no event" : "\(count) bytes that are no event"
        case .eventLength(let declared, let found):
            "event says \(declared) bytes, of which \(declared - found) are no part of it"
        case .deltaTime(let ticks, _): "delta time of \(ticks) ticks: hours, in a song of minutes"
        case .runningStatus(let status):
            "running status \(hexadecimal([status])) after a meta event or System Exclusive, which end it"
        case .quantityTooLong: "variable-length quantity of more than four bytes"
        case .eventCutOff: "event cut off by the end of its track"
        case .noStatus(let byte): "data byte \(hexadecimal([byte])) where a status byte must be"
        case .dataByte(let byte): "data byte \(hexadecimal([byte])) above 127"
        case .systemMessage(let status): "system message \(hexadecimal([status])), which has no place in a file"
        case .systemExclusiveNotClosed: "System Exclusive without its F7"
        case .tempoLength(let length): "tempo of \(length) bytes instead of 3"
        case .tempoZero: "tempo of 0 microseconds"
        case .meter(let length): "invalid time signature (\(length) bytes)"
        case .key(let length): "invalid key signature (\(length) bytes)"
        case .portLength(let length): "port of \(length) bytes instead of 1"
        case .portNumber(let port): "port \(port) above 15"
        case .smpteOffset(let length): "invalid SMPTE offset (\(length) bytes)"
        case .metaType(let type): "meta event of the invalid type \(hexadecimal([type]))"
        }
    }

    /// The remedy that was applied.
    package var remedy: String {
        switch self {
        case .bytesBeforeHeader, .bytesBetweenChunks, .bytesAfterLastTrack, .bytesAfterEndOfTrack, .systemMessage:
            "skipped"
        case .unreadable: "skipped, the track continues there"
        case .riffLength, .trackLength: "read what is there"
        case .eventLength(_, let found): "read \(found) bytes, the track continues there"
        case .deltaTime(_, let taken): "taken as \(taken) ticks"
        case .runningStatus: "still holds, throughout the track"
        case .headerLength: "read six bytes"
        case .unknownFormat, .singleFormatWithTracks: "the tracks play together"
        case .division: "96 ticks to a quarter"
        case .trackCount: "all tracks that are there play"
        case .noEndOfTrack: "the track ends after its last event"
        case .endOfTrackLength: "the track ends there"
        case .quantityTooLong, .eventCutOff, .noStatus: "the track ends there, the others play"
        case .dataByte: "taken as 127"
        case .systemExclusiveNotClosed: "closed"
        case .tempoLength, .tempoZero, .meter, .key, .portLength, .smpteOffset, .metaType: "ignored"
        case .portNumber(let port): "played on port \(port & 15)"
        }
    }
}

/// "4D 54 68 64".
func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
}
