import Sequencer

/// Walks the chunks of a song file: header, tracks, and all other chunks between them.
struct ScoreParser {
    private let bytes: [UInt8]
    private var log: RepairLog
    private let chain: EventChain
    private var position = 0
    private var end: Int
    private var readings: [TrackReading] = []
    /// The delta times that stand out, of each track whose events do not read strictly by the standard.
    private var pauses: [LongestPauses] = []
    /// The last track has no End of Track by the letter, so that it may end elsewhere.
    private var isLost = false

    init(_ bytes: [UInt8], name: String, isStrict: Bool, limits: SongLimits) {
        self.bytes = bytes
        chain = EventChain(bytes)
        log = RepairLog(name: name, isStrict: isStrict, limits: limits)
        end = bytes.count
    }

    mutating func read() throws(SongError) -> SongFile {
        guard !bytes.isEmpty else { throw .empty(name: log.name) }
        let container = try unwrap()
        try findHeader()
        let header = try readHeader()
        let tracks = try readTracks(ticksPerQuarter: header.ticksPerQuarter)
        // A sound header that announces no track is a song of silence; otherwise its tracks were lost.
        guard !tracks.isEmpty || (header.trackCount == 0 && log.count == 0) else { throw .noTracks(name: log.name) }
        if tracks.count != header.trackCount {
            try log.report(.trackCount(declared: header.trackCount, found: tracks.count), at: header.offset + 10)
        }
        var format = header.format
        if format == .single, tracks.count > 1 {
            try log.report(.singleFormatWithTracks(tracks.count), at: header.offset + 8)
            format = .simultaneous
        }
        var song = Song(format: format, division: header.division, tracks: tracks)
        if let pause = DamagedPause(in: song, pauses: pauses) {
            try log.report(.deltaTime(ticks: pause.ticks, taken: pause.taken), at: pause.byteOffset)
            song = pause.shortened(song)
        }
        return SongFile(
            song: song, readings: readings, repairs: log.repairs, repairCount: log.count,
            byteCount: bytes.count, container: container)
    }

    /// RMID: the song is the `data` chunk of a RIFF file. Sizes there are little-endian.
    private mutating func unwrap() throws(SongError) -> SongFile.Container {
        guard matches("RIFF", at: 0), matches("RMID", at: 8) else { return .standardMIDIFile }
        var chunk = 12
        while chunk + 8 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[chunk + 4 + $1]) << (8 * $1) }
            let start = chunk + 8
            if matches("data", at: chunk) {
                position = start
                let found = bytes.count - start
                // A size that cannot hold a header and a track is as wrong as one beyond the file.
                if size > found || (size < 22 && found > size) {
                    try log.report(.riffLength(declared: size, found: found), at: chunk + 4)
                } else {
                    end = start + size
                }
                return .riff
            }
            chunk = start + size + size % 2
        }
        throw .notASong(name: log.name, start: Array(bytes.prefix(8)))
    }

    /// Some files carry a few bytes in front (MacBinary: 128).
    private mutating func findHeader() throws(SongError) {
        if matches("MThd", at: position) { return }
        let last = min(position + 4_096, end - 14)
        var candidate = position + 1
        while candidate <= last {
            if matches("MThd", at: candidate), (6..<256).contains(bigEndian(4, at: candidate + 4)) {
                try log.report(.bytesBeforeHeader(count: candidate - position), at: position)
                position = candidate
                return
            }
            candidate += 1
        }
        throw .notASong(name: log.name, start: Array(bytes[position..<min(position + 8, bytes.count)]))
    }

    private struct Header {
        var offset: Int
        var format: Song.Format
        var trackCount: Int
        var division: Division
        /// The division that libsmf is given; it cannot use an SMPTE division.
        var ticksPerQuarter: Int
    }

    private mutating func readHeader() throws(SongError) -> Header {
        let offset = position
        guard end - offset >= 14 else { throw .notASong(name: log.name, start: Array(bytes[offset...].prefix(8))) }
        let length = bigEndian(4, at: offset + 4)
        position = offset + 14
        if length > 6, length <= end - offset - 8, !matches("MTrk", at: position) {
            // Longer headers are legal; what follows the six bytes is for later versions of the format.
            position = offset + 8 + length
        } else if length != 6 {
            try log.report(.headerLength(length), at: offset + 4)
        }
        let number = bigEndian(2, at: offset + 8)
        let format = Song.Format(rawValue: UInt16(number))
        if format == nil { try log.report(.unknownFormat(number), at: offset + 8) }
        let raw = UInt16(bigEndian(2, at: offset + 12))
        var header = Header(
            offset: offset, format: format ?? .simultaneous, trackCount: bigEndian(2, at: offset + 10),
            division: .ticksPerQuarter(96), ticksPerQuarter: 96)
        if raw > 0, raw < 0x8000 {
            header.division = .ticksPerQuarter(Int(raw))
            header.ticksPerQuarter = Int(raw)
        } else if let rate = SMPTERate(rawValue: UInt8(truncatingIfNeeded: 256 - Int(raw >> 8))), raw & 255 > 0 {
            header.division = .smpte(rate, ticksPerFrame: Int(raw & 255))
        } else {
            try log.report(.division(raw), at: offset + 12)
        }
        return header
    }

    private mutating func readTracks(ticksPerQuarter: Int) throws(SongError) -> [Track] {
        var tracks: [Track] = []
        var room = log.limits.events
        while position < end {
            if end - position >= 8, matches("MTrk", at: position) {
                guard tracks.count < log.limits.tracks else {
                    throw .tooManyTracks(name: log.name, limit: log.limits.tracks)
                }
                let track = try readTrack(ticksPerQuarter: ticksPerQuarter, room: room)
                room -= track.events.count
                tracks.append(track)
            } else if let next = endOfAlienChunk(at: position, isPlain: isLost) {
                position = next
            } else if let next = nextTrack(from: position) {
                try log.report(.bytesBetweenChunks(count: next - position), at: position)
                position = next
            } else {
                try log.report(.bytesAfterLastTrack(count: end - position), at: position)
                position = end
            }
        }
        return tracks
    }

    /// Takes the track at `position` unchanged if it follows the standard strictly. Otherwise the reading of which most can
    /// be proven good wins: every event at face value until one cannot be read; searching for damage from the first event
    /// that is not strictly valid; or searching everywhere. Events that are strictly valid up to their end are not doubted.
    private mutating func readTrack(ticksPerQuarter: Int, room: Int) throws(SongError) -> Track {
        let body = position + 8
        let declared = body + bigEndian(4, at: position + 4)
        let limit =
            declared <= end && isWhole(declared) ? declared : nextTrack(from: declared <= end ? declared : body) ?? end
        let strict = StrictReading(bytes, from: body, to: limit)
        let isAsItStands = strict.hasEndOfTrack && strict.end == declared
        let isUndamaged = strict.hasEndOfTrack || strict.end == limit
        let suspects = isUndamaged || log.isStrict ? [Int.max] : [.max, strict.end, body]
        // Only what a reading moves is kept of each: with many tracks a copy of all that was read before would be quadratic.
        let start = (position: position, log: log)
        var best: (track: Track, pauses: LongestPauses, position: Int, log: RepairLog, evidence: TrackEvidence?)?
        for suspect in suspects {
            (position, log) = start
            let (track, pauses) = try readTrack(strict, suspect, ticksPerQuarter: ticksPerQuarter, room: room)
            let evidence = suspects.count > 1 ? TrackEvidence(track, repairs: log.count - start.log.count) : nil
            if let other = best?.evidence, let evidence, other >= evidence { continue }
            best = (track, pauses, position, log, evidence)
        }
        guard let best else { preconditionFailure("no reading was tried") }
        (position, log) = (best.position, best.log)
        isLost = !strict.hasEndOfTrack
        pauses.append(isUndamaged ? LongestPauses() : best.pauses)
        let repair = log.repairs.dropFirst(start.log.repairs.count).first
        readings.append(isAsItStands ? .asItStands : .recovered(byteOffset: repair?.byteOffset ?? strict.end))
        return best.track
    }

    private mutating func readTrack(
        _ strict: StrictReading, _ suspect: Int, ticksPerQuarter: Int, room: Int
    ) throws(SongError) -> (Track, LongestPauses) {
        let lengthOffset = position + 4
        let declared = bigEndian(4, at: lengthOffset)
        let body = position + 8
        var limit = body + declared
        if strict.hasEndOfTrack, strict.end != limit, isWhole(strict.end, isPlain: false) {
            limit = strict.end
            try log.report(.trackLength(declared: declared, found: limit - body), at: lengthOffset)
        } else if limit > end {
            limit = nextTrack(from: body) ?? end
            try log.report(.trackLength(declared: declared, found: limit - body), at: lengthOffset)
        }
        var parser = TrackParser(bytes, from: body, lookingForDamageFrom: suspect)
        var builder = TrackBuilder(
            name: log.name, ticksPerQuarter: ticksPerQuarter, room: room,
            limit: log.limits.events)
        var stop = try parser.read(to: limit, isFinal: isWhole(limit), into: &builder, &log)
        if isTooShort(stop, declared: declared, limit: limit) {
            limit = nextTrack(from: limit) ?? end
            try log.report(.trackLength(declared: declared, found: limit - body), at: lengthOffset)
            stop = try parser.read(to: limit, isFinal: true, into: &builder, &log)
        }
        try parser.finish(into: &builder, &log)
        position = limit
        switch stop {
        case .endOfTrack:
            if parser.position < limit, matches("MTrk", at: parser.position) {
                // The length reached into the next track.
                try log.report(.trackLength(declared: declared, found: parser.position - body), at: lengthOffset)
                position = parser.position
            } else if parser.position < limit {
                try log.report(.bytesAfterEndOfTrack(count: limit - parser.position), at: parser.position)
            }
        case .outOfBytes: try log.report(.noEndOfTrack, at: limit)
        case .cutOff, .broken:
            if case .cutOff = stop { try log.report(.eventCutOff, at: parser.position) }
            if let next = nextTrack(from: parser.position), next < limit { position = next }
        }
        let track = try builder.finish(endTick: parser.tick)
        return (track, builder.pauses)
    }

    /// Returns true if a track that ends at `limit` is followed by another chunk or by nothing.
    private func isWhole(_ limit: Int, isPlain: Bool = true) -> Bool {
        limit >= end || matches("MTrk", at: limit) || endOfAlienChunk(at: limit, isPlain: isPlain) != nil
    }

    /// Returns true if a track goes on beyond its length: an event is cut in two there, or events go on right after it, and
    /// no chunk begins. After a length of 0 all events are the track's, even if other bytes precede them.
    private func isTooShort(_ stop: TrackParser.Stop, declared: Int, limit: Int) -> Bool {
        if isWhole(limit) { return false }
        switch stop {
        case .cutOff: return true
        case .outOfBytes:
            // Events in running status may come before the first that has a status of its own.
            let near = declared == 0 ? end : min(limit + 2 * EventChain.proof, end)
            return chain.first(in: limit..<near, end: end) != nil
        case .endOfTrack, .broken: return false
        }
    }

    /// Legal and passed over: four characters of ASCII and a length inside the file; letters and digits alone if `isPlain`.
    private func endOfAlienChunk(at offset: Int, isPlain: Bool = true) -> Int? {
        guard end - offset >= 8, !matches("MTrk", at: offset) else { return nil }
        let next = offset + 8 + bigEndian(4, at: offset + 4)
        let isNamed = bytes[offset..<(offset + 4)].allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x20
                || !isPlain && (0x21...0x7E).contains(byte)
        }
        return isNamed && next <= end ? next : nil
    }

    private func nextTrack(from offset: Int) -> Int? {
        var candidate = offset
        while candidate + 8 <= end {
            if bytes[candidate] == 0x4D, matches("MTrk", at: candidate) { return candidate }
            candidate += 1
        }
        return nil
    }

    private func matches(_ id: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, bytes.count - offset >= 4 else { return false }
        return id.withUTF8Buffer { letters in (0..<4).allSatisfy { bytes[offset + $0] == letters[$0] } }
    }

    private func bigEndian(_ count: Int, at offset: Int) -> Int {
        (0..<count).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }
}
