import Glibc
import MIDI
import Sequencer

/// Writes songs as Standard MIDI Files, through libsmf a page at a time; what it cannot write (meta events above 127
/// bytes, escapes) goes in beside it. The same song gives the same bytes. Control side, any thread.
public enum SongWriter {
    /// Returns the file's bytes.
    ///
    /// - Throws: `SongError.cannotWrite`, `SongError.library`.
    public static func bytes(of song: Song) throws(SongError) -> [UInt8] {
        guard song.tracks.count <= (song.format == .single ? 1 : 65_535) else {
            throw .cannotWrite(.trackCount(song.tracks.count))
        }
        let division: UInt16
        switch song.division {
        case .ticksPerQuarter(let ticks) where (1...32_767).contains(ticks): division = UInt16(ticks)
        case .smpte(let rate, let ticks) where (1...255).contains(ticks):
            division = UInt16(256 - Int(rate.rawValue)) << 8 | UInt16(ticks)
        case .ticksPerQuarter, .smpte: throw .cannotWrite(.division)
        }
        var file =
            Array("MThd".utf8) + bigEndian(6, bytes: 4) + bigEndian(Int(song.format.rawValue), bytes: 2)
            + bigEndian(song.tracks.count, bytes: 2) + bigEndian(Int(division), bytes: 2)
        for (index, track) in song.tracks.enumerated() {
            let body = try self.body(of: track, number: index + 1)
            guard body.count <= Int(UInt32.max) else { throw .cannotWrite(.trackLength(track: index + 1)) }
            file += Array("MTrk".utf8) + bigEndian(body.count, bytes: 4) + body
        }
        return file
    }

    /// Writes a file beside `path` and renames it at the end, so that no half file is ever seen.
    public static func write(_ song: Song, path: String) throws(SongError) {
        let image = try bytes(of: song)
        let temporary = path + ".part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: errno) }
        var reason: Int32 = 0
        var done = 0
        while done < image.count, reason == 0 {
            let count = image.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if count >= 0 { done += count } else if errno != EINTR { reason = errno }
        }
        if close(descriptor) != 0, reason == 0 { reason = errno }
        if reason == 0, rename(temporary, path) != 0 { reason = errno }
        if reason != 0 {
            unlink(temporary)
            throw .cannotCreate(path: path, reason: reason)
        }
    }

    private static func body(of track: Track, number: Int) throws(SongError) -> [UInt8] {
        var body: [UInt8] = []
        var page: [(delta: Int, bytes: [UInt8])] = []
        var tick: Int64 = 0
        var pageTicks: Int64 = 0
        for event in preamble(of: track) + track.events {
            guard event.tick >= tick else { throw .cannotWrite(.order(track: number, tick: event.tick)) }
            let delta = event.tick - tick
            guard delta <= ScorePage.longestDelta else { throw .cannotWrite(.gap(track: number, tick: event.tick)) }
            guard let (bytes, isCarried) = encode(event.kind) else {
                throw .cannotWrite(.event(track: number, tick: event.tick))
            }
            tick = event.tick
            if !isCarried || page.count == SMFCalls.eventsPerPage || pageTicks + delta > 1 << 30 {
                body += try write(page)
                page.removeAll(keepingCapacity: true)
                pageTicks = 0
            }
            if isCarried {
                page.append((Int(delta), bytes))
                pageTicks += delta
            } else {
                VariableLengthQuantity.append(Int(delta), to: &body)
                body += bytes
            }
        }
        body += try write(page)
        let rest = max(track.endTick - tick, 0)
        guard rest <= ScorePage.longestDelta else { throw .cannotWrite(.gap(track: number, tick: track.endTick)) }
        VariableLengthQuantity.append(Int(rest), to: &body)
        return body + [0xFF, 0x2F, 0x00]
    }

    private static func write(_ page: [(delta: Int, bytes: [UInt8])]) throws(SongError) -> [UInt8] {
        guard !page.isEmpty else { return [] }
        do throws(SMFFault) {
            return try SMFCalls.write(page, ticksPerQuarter: 480)
        } catch {
            throw .library(name: "song", fault: error)
        }
    }

    /// A track's name and port, if no event of it has them.
    private static func preamble(of track: Track) -> [SongEvent] {
        var preamble: [SongEvent] = []
        var isNamed = track.name.isEmpty
        var hasPort = track.port == 0
        for event in track.events {
            switch event.kind {
            case .text(let text) where text.kind == .trackName: isNamed = true
            case .port: hasPort = true
            default: break
            }
        }
        if !isNamed { preamble.append(SongEvent(tick: 0, .text(SongText(.trackName, track.name)))) }
        if !hasPort { preamble.append(SongEvent(tick: 0, .port(track.port & 15))) }
        return preamble
    }

    /// As in a file (libsmf takes System Exclusive without its length), and whether libsmf can carry it; nil means out of
    /// range.
    private static func encode(_ kind: SongEvent.Kind) -> (bytes: [UInt8], isCarried: Bool)? {
        switch kind {
        case .message(let message):
            guard let kind = message.kind, message.data1 < 128, message.data2 < 128 else { return nil }
            let isShort = kind == .programChange || kind == .channelPressure
            return ([message.status, message.data1] + (isShort ? [] : [message.data2]), true)
        case .tempo(let microseconds):
            guard (1...0xFF_FFFF).contains(microseconds) else { return nil }
            return meta(0x51, bigEndian(Int(microseconds), bytes: 3))
        case .timeSignature(let meter):
            guard meter.numerator > 0, meter.denominatorPower <= 7 else { return nil }
            return meta(
                0x58,
                [
                    meter.numerator, meter.denominatorPower, meter.clocksPerClick,
                    meter.thirtySecondsPerQuarter,
                ])
        case .key(let key):
            guard (-7...7).contains(key.sharps) else { return nil }
            return meta(0x59, [UInt8(bitPattern: key.sharps), key.isMinor ? 1 : 0])
        case .text(let text): return meta(text.kind.rawValue, text.bytes)
        case .port(let port): return port < 16 ? meta(0x21, [port]) : nil
        case .meta(let type, let bytes): return type < 0x80 && type != 0x2F ? meta(type, bytes) : nil
        case .systemExclusive(let bytes):
            guard bytes.count >= 2, bytes.first == 0xF0, bytes.last == 0xF7,
                bytes.count <= ScorePage.longestDelta
            else { return nil }
            return (bytes, true)
        case .escape(let bytes):
            guard bytes.count <= ScorePage.longestDelta else { return nil }
            var encoded: [UInt8] = [0xF7]
            VariableLengthQuantity.append(bytes.count, to: &encoded)
            return (encoded + bytes, false)
        }
    }

    private static func meta(_ type: UInt8, _ payload: [UInt8]) -> (bytes: [UInt8], isCarried: Bool)? {
        guard payload.count <= ScorePage.longestDelta else { return nil }
        var encoded: [UInt8] = [0xFF, type]
        VariableLengthQuantity.append(payload.count, to: &encoded)
        return (encoded + payload, ScorePage.canCarry(status: 0xFF, payload: payload.count))
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(value >> (8 * (bytes - 1 - $0)) & 255) }
    }
}
