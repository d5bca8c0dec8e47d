/// Corrections to the headers of the WAV family that libsndfile has no command for.
enum WAVHeader {
    /// The value that readers take for "until the stream ends".
    static let unknownLength = UInt32.max

    /// Puts the lengths of RIFF, `fact` and `data` into the header of a WAV file that goes through a pipe, where they cannot be
    /// filled in at the end; `frames` or nil will follow. Bytes that are not a WAV header are left as they are.
    static func complete(_ header: inout [UInt8], frames: Int64?, bytesPerFrame: Int) {
        guard header.count >= 12, header.starts(with: "RIFF".utf8) else { return }
        var position = 12
        while position + 8 <= header.count {
            if matches(header, position, "data") {
                let body = frames.flatMap { frames -> Int64? in
                    let (bytes, isTooBig) = frames.multipliedReportingOverflow(by: Int64(bytesPerFrame))
                    let total = bytes.addingReportingOverflow(Int64(position + 8) + 1)
                    return isTooBig || total.overflow || total.partialValue >= Int64(unknownLength) ? nil : bytes
                }
                let padded = body.map { $0 + $0 % 2 + Int64(position) }
                set(&header, position + 4, body.map { UInt32($0) } ?? unknownLength)
                set(&header, 4, padded.map { UInt32($0) } ?? unknownLength)
                return
            }
            if matches(header, position, "fact"), position + 12 <= header.count {
                set(&header, position + 8, frames.flatMap { UInt32(exactly: $0) } ?? unknownLength)
            }
            position += 8 + Int(length(header, position + 4))
        }
    }

    /// Clears the time of day in the PEAK chunk, which libsndfile can leave out of WAV files, but not out of RF64 files.
    static func clearPeakTime(_ header: inout [UInt8]) {
        guard header.count >= 12, matches(header, 8, "WAVE") else { return }
        var position = 12
        while position + 16 <= header.count {
            if matches(header, position, "PEAK") {
                // Version, time, then the peaks.
                set(&header, position + 12, 0)
                return
            }
            position += 8 + Int(length(header, position + 4))
        }
    }

    /// Writes the format of a WAV file in the plain form that every reader knows if libsndfile, which began it as RF64, has
    /// used the extensible one: 16 bytes; the bytes that this leaves free become a chunk that readers skip. Anything else,
    /// RF64 too, is left as it is.
    static func simplifyFormat(_ header: inout [UInt8]) {
        guard header.count >= 12, header.starts(with: "RIFF".utf8), matches(header, 8, "WAVE") else { return }
        var position = 12
        while position + 8 <= header.count {
            let size = Int(length(header, position + 4))
            if matches(header, position, "fmt ") {
                let isExtensible = header.count >= position + 48 && header[position + 8] == 0xFE && header[position + 9] == 0xFF
                guard size == 40, isExtensible else { return }
                // The kind of sample begins the GUID.
                header[position + 8] = header[position + 32]
                header[position + 9] = header[position + 33]
                set(&header, position + 4, 16)
                for (i, byte) in "JUNK".utf8.enumerated() { header[position + 24 + i] = byte }
                set(&header, position + 28, 16)
                for i in (position + 32)..<(position + 48) { header[i] = 0 }
                return
            }
            position += 8 + size
        }
    }

    /// Removes the mask of speakers that libsndfile makes up for channels without speakers.
    static func clearSpeakers(_ header: inout [UInt8]) {
        guard header.count >= 12, matches(header, 8, "WAVE") else { return }
        var position = 12
        while position + 8 <= header.count {
            if matches(header, position, "fmt ") {
                let isExtensible = header.count >= position + 48 && header[position + 8] == 0xFE && header[position + 9] == 0xFF
                if isExtensible { set(&header, position + 28, 0) }
                return
            }
            position += 8 + Int(length(header, position + 4))
        }
    }

    private static func matches(_ header: [UInt8], _ position: Int, _ name: String) -> Bool {
        header[position..<(position + 4)].elementsEqual(name.utf8)
    }

    private static func length(_ header: [UInt8], _ position: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(header[position + $1]) << (8 * UInt32($1)) }
    }

    private static func set(_ header: inout [UInt8], _ position: Int, _ value: UInt32) {
        for i in 0..<4 { header[position + i] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(i))) }
    }
}
