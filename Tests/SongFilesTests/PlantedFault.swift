/// One fault of each known kind, planted into a song file that is valid.
enum PlantedFault: String, CaseIterable {
    case bytesBeforeHeader, riffLength, headerLength, unknownFormat, singleFormatWithTracks, division, trackCount
    case bytesBetweenChunks, bytesAfterLastTrack, trackLengthZero, trackTooShort, trackTooLong, trackLongerThanFile
    case noEndOfTrack, noEndOfLastTrack, bytesAfterEndOfTrack, endOfTrackLength
    case statusIsData, statusIsClock, eventTooLong, eventTooShort, deltaSwallowsStatus, deltaOfDays, deltaOfFiveBytes
    case anyByte, missingByte, runningStatusBehindMeta, noFirstStatus, fileCutOff, dataByte, systemMessage
    case systemExclusiveNotClosed, tempoLength, tempoZero, meter, key, portLength, portNumber, smpteOffset, metaType

    /// The file with the fault at a random place that fits; nil where the song has none.
    func bytes(of song: ValidSong, _ random: inout RandomSource) -> [UInt8]? {
        switch self {
        case .bytesBeforeHeader: return [UInt8](repeating: 0, count: 1 + random.below(200)) + song.bytes
        case .riffLength:
            return SongBytes.ascii("RIFF") + SongBytes.little(song.bytes.count + 12, 4) + SongBytes.ascii("RMIDdata")
                + SongBytes.little(random.pick([0, song.bytes.count + 1_000]), 4) + song.bytes
        case .headerLength: return replaced(song, 4..<8, SongBytes.big(random.below(6), 4))
        case .unknownFormat: return replaced(song, 8..<10, SongBytes.big(3 + random.below(9), 2))
        case .singleFormatWithTracks: return song.song.tracks.count > 1 ? replaced(song, 8..<10, [0, 0]) : nil
        case .division: return replaced(song, 12..<14, [0, 0])
        case .trackCount: return replaced(song, 10..<12, SongBytes.big(song.song.tracks.count + 1 + random.below(9), 2))
        case .bytesBetweenChunks:
            let place = song.trackOffsets.last ?? 0
            return replaced(song, place..<place, (0...random.below(30)).map { _ in UInt8(random.below(32)) })
        case .bytesAfterLastTrack: return song.bytes + (0...random.below(30)).map { _ in UInt8(random.below(32)) }
        case .trackLengthZero: return length(song, &random) { _, _ in 0 }
        case .trackTooShort: return length(song, &random) { random, length in random.below(length) }
        case .trackTooLong: return length(song, &random) { random, length in length + 1 + random.below(100) }
        case .trackLongerThanFile: return length(song, &random) { _, length in length + song.bytes.count }
        case .noEndOfTrack:
            return event(song, &random, where: { $0 == .meta(type: 0x2F) }, { place in (place.delta..<place.end, []) })
        case .noEndOfLastTrack:
            guard let place = song.places.last else { return nil }
            return edited(song, place.track, place.delta..<place.end, [])
        case .bytesAfterEndOfTrack:
            let junk = (0...random.below(30)).map { _ in UInt8(random.below(256)) }
            return event(song, &random, where: { $0 == .meta(type: 0x2F) }, { place in (place.end..<place.end, junk) })
        case .endOfTrackLength:
            return event(song, &random, where: { $0 == .meta(type: 0x2F) }, { ($0.end - 1..<$0.end, [UInt8(1)]) })
        case .statusIsData: return status(song, &random, UInt8(random.below(128)))
        case .statusIsClock: return status(song, &random, 0xFE)
        case .eventTooLong: return text(song, &random) { random, length in min(length + 1 + random.below(60), 127) }
        case .eventTooShort: return text(song, &random) { random, length in random.below(length) }
        case .deltaSwallowsStatus:
            let byte = UInt8(0x80 + random.below(128))
            return event(song, &random, where: { $0 == .message(hasStatus: true) }) { ($0.event - 1..<$0.event, [byte]) }
        case .deltaOfDays:
            return event(song, &random, where: { _ in true }) { ($0.delta..<$0.event, [0xFF, 0xFF, 0xFE, 0x7F]) }
        case .deltaOfFiveBytes:
            return event(song, &random, where: { _ in true }) { ($0.delta..<$0.event, [0x81, 0x80, 0x80, 0x80, 0x00]) }
        case .anyByte:
            let byte = UInt8(random.below(256)), share = random.below(1_000)
            return event(song, &random, where: { _ in true }) { place in
                let at = place.delta + (place.end - place.delta) * share / 1_000
                return (at..<at + 1, [byte])
            }
        case .missingByte:
            return event(song, &random, where: { $0 == .message(hasStatus: true) || $0 == .message(hasStatus: false) }) {
                ($0.event..<$0.event + 1, [])
            }
        case .runningStatusBehindMeta:
            let places = zip(song.places, song.places.dropFirst()).filter {
                $0.kind == .message(hasStatus: false) && $1.kind == .message(hasStatus: false)
            }
            guard !places.isEmpty else { return nil }
            let place = random.pick(places).1
            return edited(song, place.track, place.delta..<place.delta, [0, 0xFF, 1, 2, 0x68, 0x69])
        case .noFirstStatus:
            guard let place = song.places.first, place.kind == .message(hasStatus: true) else { return nil }
            return edited(song, place.track, place.event..<place.event + 1, [])
        case .fileCutOff: return Array(song.bytes.prefix(song.bytes.count - 1 - random.below(song.bytes.count / 2)))
        case .dataByte:
            let byte = UInt8(0x80 + random.below(128))
            return event(song, &random, where: { $0 == .message(hasStatus: true) }) { ($0.end - 1..<$0.end, [byte]) }
        case .systemMessage:
            let message: [UInt8] = random.pick([[0, 0xF8], [0, 0xFE], [0, 0xF2, 1, 2], [0, 0xF4]])
            return event(song, &random, where: { $0 != .message(hasStatus: false) }) { ($0.delta..<$0.delta, message) }
        case .systemExclusiveNotClosed:
            return event(song, &random, where: { $0 == .systemExclusive }) { ($0.end - 1..<$0.end, [0x10]) }
        case .tempoLength: return inserted(song, &random, [0, 0xFF, 0x51, 2, 1, 2])
        case .tempoZero: return inserted(song, &random, [0, 0xFF, 0x51, 3, 0, 0, 0])
        case .meter: return inserted(song, &random, [0, 0xFF, 0x58, 4, 0, 2, 24, 8])
        case .key: return inserted(song, &random, [0, 0xFF, 0x59, 2, 40, 0])
        case .portLength: return inserted(song, &random, [0, 0xFF, 0x21, 2, 0, 0])
        case .portNumber: return inserted(song, &random, [0, 0xFF, 0x21, 1, 17])
        case .smpteOffset: return inserted(song, &random, [0, 0xFF, 0x54, 5, 31, 0, 0, 0, 0])
        case .metaType: return inserted(song, &random, [0, 0xFF, 0x85, 2, 1, 2])
        }
    }

    private func replaced(_ song: ValidSong, _ range: Range<Int>, _ bytes: [UInt8]) -> [UInt8] {
        Array(song.bytes[..<range.lowerBound]) + bytes + Array(song.bytes[range.upperBound...])
    }

    /// Bytes of a track replaced, and its length still right.
    private func edited(_ song: ValidSong, _ track: Int, _ range: Range<Int>, _ bytes: [UInt8]) -> [UInt8] {
        var file = replaced(song, range, bytes)
        let at = song.trackOffsets[track] + 4, length = number(song.bytes, at) + bytes.count - range.count
        file.replaceSubrange(at..<at + 4, with: SongBytes.big(length, 4))
        return file
    }

    private func event(
        _ song: ValidSong, _ random: inout RandomSource, where fits: (ValidSong.Place.Kind) -> Bool,
        _ edit: (ValidSong.Place) -> (Range<Int>, [UInt8])
    ) -> [UInt8]? {
        let places = song.places.filter { fits($0.kind) }
        guard !places.isEmpty else { return nil }
        let place = random.pick(places), (range, bytes) = edit(place)
        return edited(song, place.track, range, bytes)
    }

    private func status(_ song: ValidSong, _ random: inout RandomSource, _ byte: UInt8) -> [UInt8]? {
        event(song, &random, where: { $0 == .message(hasStatus: true) }) { ($0.event..<$0.event + 1, [byte]) }
    }

    /// An event in front of one that has a status.
    private func inserted(_ song: ValidSong, _ random: inout RandomSource, _ bytes: [UInt8]) -> [UInt8]? {
        event(song, &random, where: { $0 == .message(hasStatus: true) }) { ($0.delta..<$0.delta, bytes) }
    }

    /// Another length of a text, which must have one byte.
    private func text(
        _ song: ValidSong, _ random: inout RandomSource, _ length: (inout RandomSource, Int) -> Int
    ) -> [UInt8]? {
        let places = song.places.filter { place in
            guard case .meta(1...9) = place.kind else { return false }
            return (1..<100).contains(song.bytes[place.event + 2])
        }
        guard !places.isEmpty else { return nil }
        let place = random.pick(places), at = place.event + 2
        return edited(song, place.track, at..<at + 1, [UInt8(length(&random, Int(song.bytes[at])))])
    }

    private func length(
        _ song: ValidSong, _ random: inout RandomSource, _ length: (inout RandomSource, Int) -> Int
    ) -> [UInt8] {
        let at = random.pick(song.trackOffsets) + 4
        return replaced(song, at..<at + 4, SongBytes.big(length(&random, number(song.bytes, at)), 4))
    }

    private func number(_ bytes: [UInt8], _ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
}
