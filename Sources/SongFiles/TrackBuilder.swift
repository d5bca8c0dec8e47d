import MIDI
import Sequencer

/// Makes a `Track` of repaired events: through libsmf a page at a time, and what libsmf cannot carry beside it.
struct TrackBuilder {
    let name: String
    private var page: ScorePage
    private var events: [SongEvent] = []
    var byteOffset = 0
    private(set) var pauses = LongestPauses()
    private var room: Int
    private let limit: Int

    init(name: String, ticksPerQuarter: Int, room: Int, limit: Int) {
        (self.limit, self.name, self.room) = (limit, name, room)
        page = ScorePage(ticksPerQuarter: ticksPerQuarter)
    }

    mutating func message(_ status: UInt8, _ first: UInt8, _ second: UInt8?, at tick: Int64) throws(SongError) {
        try makeRoom(at: tick)
        page.append(status, first, second, at: tick)
    }

    mutating func meta(type: UInt8, _ payload: ArraySlice<UInt8>, at tick: Int64) throws(SongError) {
        if ScorePage.canCarry(status: 0xFF, payload: payload.count) {
            try makeRoom(at: tick)
            page.appendMeta(type: type, payload: payload, at: tick)
        } else {
            try beside(SongEvent(tick: tick, Self.meaning(ofMeta: type, Array(payload))))
        }
    }

    /// - Parameter bytes: F0 ... F7.
    mutating func systemExclusive(_ bytes: [UInt8], at tick: Int64) throws(SongError) {
        try makeRoom(at: tick)
        page.appendSystemExclusive(payload: bytes.dropFirst(), at: tick)
    }

    mutating func escape(_ bytes: [UInt8], at tick: Int64) throws(SongError) {
        try beside(SongEvent(tick: tick, .escape(bytes)))
    }

    mutating func finish(endTick: Int64) throws(SongError) -> Track {
        try closePage()
        pauses.take(endTick, at: byteOffset)
        var name: [UInt8]?
        var port: UInt8?
        for event in events {
            switch event.kind {
            case .text(let text) where text.kind == .trackName && name == nil: name = text.bytes
            case .port(let number) where port == nil: port = number
            default: break
            }
        }
        return Track(
            name: name.map { SongText(.trackName, bytes: $0).string } ?? "", port: port ?? 0, events: events,
            endTick: endTick)
    }

    private mutating func takeRoom() throws(SongError) {
        guard room > 0 else { throw .tooManyEvents(name: name, limit: limit) }
        room -= 1
    }

    private mutating func makeRoom(at tick: Int64) throws(SongError) {
        try takeRoom()
        pauses.take(tick, at: byteOffset)
        if !page.hasRoom(for: tick) { try closePage() }
    }

    private mutating func beside(_ event: SongEvent) throws(SongError) {
        try takeRoom()
        pauses.take(event.tick, at: byteOffset)
        try closePage()
        events.append(event)
    }

    private mutating func closePage() throws(SongError) {
        guard page.count > 0 else { return }
        let (start, count) = (page.start, page.count)
        let image = page.close()
        do throws(SMFFault) {
            try SMFCalls.read(image, count: count) { tick, bytes in
                events.append(SongEvent(tick: start + Int64(tick), Self.meaning(of: bytes)))
            }
        } catch {
            throw .library(name: name, fault: error)
        }
    }

    private static func meaning(of bytes: UnsafeBufferPointer<UInt8>) -> SongEvent.Kind {
        switch bytes[0] {
        case 0x80...0xEF:
            .message(MIDIMessage(status: bytes[0], data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0))
        case 0xFF: meaning(ofMeta: bytes[1], Array(bytes[3...]))
        default: .systemExclusive(Array(bytes))
        }
    }

    /// The parser has let only whole and sensible tempos, meters, keys and ports through.
    private static func meaning(ofMeta type: UInt8, _ payload: [UInt8]) -> SongEvent.Kind {
        switch (type, payload.count) {
        case (0x21, 1): return .port(payload[0] & 15)
        case (0x51, 3):
            return .tempo(
                microsecondsPerQuarter: UInt32(payload[0]) << 16 | UInt32(payload[1]) << 8 | UInt32(payload[2]))
        case (0x58, 4):
            return .timeSignature(
                TimeSignature(
                    numerator: payload[0], denominatorPower: payload[1], clocksPerClick: payload[2],
                    thirtySecondsPerQuarter: payload[3]))
        case (0x59, 2): return .key(KeySignature(sharps: Int8(bitPattern: payload[0]), isMinor: payload[1] == 1))
        default:
            if let kind = SongText.Kind(rawValue: type) { return .text(SongText(kind, bytes: payload)) }
            return .meta(type: type, bytes: payload)
        }
    }
}
