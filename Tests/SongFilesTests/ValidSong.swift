import MIDI
import Sequencer

/// A random song file that is valid by the letter of Standard MIDI Files 1.0, and the music it says. The same seed is the
/// same file. Shares no code with the reader.
struct ValidSong {
    /// Where an event stands in the file.
    struct Place {
        enum Kind: Hashable {
            case message(hasStatus: Bool)
            case meta(type: UInt8)
            case systemExclusive
            case escape
        }

        let track: Int
        let kind: Kind
        /// Its delta time, and behind that its status, or its first data byte in running status.
        let delta: Int, event: Int
        /// The byte behind it.
        let end: Int
    }

    private(set) var song = Song()
    private(set) var bytes: [UInt8] = []
    /// Every event of every track in order, End of Track among them.
    private(set) var places: [Place] = []
    /// Where each track chunk begins.
    private(set) var trackOffsets: [Int] = []
    private var random: RandomSource
    // The track that is being written.
    private var events: [SongEvent] = []
    private var tick: Int64 = 0
    private var status: UInt8?
    private var sounding: [(channel: UInt8, key: UInt8)] = []
    private var channels: [UInt8] = []
    private var endsNotesByVelocity = false

    init(seed: Int) {
        random = RandomSource(seed: UInt64(seed))
        song.format = random.pick([.single, .simultaneous, .simultaneous, .sequential])
        let count = song.format == .single ? 1 : 1 + random.below(5)
        // Later versions of the format may have a longer header.
        let extra = random.oneIn(10) ? (0...random.below(8)).map { _ in UInt8(random.below(64)) } : []
        bytes = SongBytes.ascii("MThd") + SongBytes.big(6 + extra.count, 4)
        bytes += SongBytes.big(Int(song.format.rawValue), 2) + SongBytes.big(count, 2) + division() + extra
        for _ in 0..<count {
            appendAlienChunks()
            appendTrack()
        }
        appendAlienChunks()
    }

    private mutating func division() -> [UInt8] {
        if random.oneIn(4) {
            let rate = random.pick(SMPTERate.allCases), ticks = 1 + random.below(255)
            song.division = .smpte(rate, ticksPerFrame: ticks)
            return [UInt8(256 - Int(rate.rawValue)), UInt8(ticks)]
        }
        let ticks = random.pick([24, 96, 120, 384, 480, 960, 1 + random.below(32_767)])
        song.division = .ticksPerQuarter(ticks)
        return SongBytes.big(ticks, 2)
    }

    private mutating func appendAlienChunks() {
        while random.oneIn(6) {
            let letters = random.oneIn(4) ? Array(0x20...0x7E) : Array(0x61...0x7A)
            var data = someBytes(below: 60)
            // What looks like a track is none inside another chunk.
            if random.oneIn(4) { data += SongBytes.ascii("MTrk") + [0, 0, 0, 4, 0, 0xFF, 0x2F, 0] }
            bytes += (0..<4).map { _ in UInt8(random.pick(letters)) } + SongBytes.big(data.count, 4) + data
        }
    }

    private mutating func appendTrack() {
        let start = bytes.count
        trackOffsets.append(start)
        bytes += SongBytes.ascii("MTrk") + [0, 0, 0, 0]
        (events, tick, status, sounding) = ([], 0, nil, [])
        channels = (0...random.below(3)).map { _ in UInt8(random.below(16)) }
        endsNotesByVelocity = random.oneIn(2)
        for _ in 0..<random.below(random.pick([4, 40, 200])) { appendEvent() }
        while !sounding.isEmpty { endNote() }
        appendMeta(0x2F, [])
        bytes.replaceSubrange(start + 4..<start + 8, with: SongBytes.big(bytes.count - start - 8, 4))
        var name: String?, port: UInt8?
        for event in events {
            if case .text(let text) = event.kind, text.kind == .trackName, name == nil { name = text.string }
            if case .port(let number) = event.kind, port == nil { port = number }
        }
        song.tracks.append(Track(name: name ?? "", port: port ?? 0, events: events, endTick: tick))
    }

    // MARK: Events

    private mutating func appendEvent() {
        switch random.below(40) {
        case 0..<14: beginNote()
        case 14..<25: if sounding.isEmpty { beginNote() } else { endNote() }
        case 25..<32: appendController()
        case 32..<37: appendAnyMeta()
        case 37: appendSystemExclusive()
        case 38: appendPackets()
        default: appendEscape()
        }
    }

    private mutating func beginNote() {
        let note = (channel: random.pick(channels), key: UInt8(random.below(128)))
        sounding.append(note)
        appendMessage([0x90 | note.channel, note.key, 1 + UInt8(random.below(127))])
    }

    private mutating func endNote() {
        let note = sounding.remove(at: random.below(sounding.count))
        if endsNotesByVelocity {
            appendMessage([0x90 | note.channel, note.key, 0])
        } else {
            appendMessage([0x80 | note.channel, note.key, UInt8(random.below(128))])
        }
    }

    private mutating func appendController() {
        let kind: UInt8 = random.pick([0xA0, 0xB0, 0xB0, 0xC0, 0xD0, 0xE0, 0xE0])
        let data = (0..<(kind & 0xE0 == 0xC0 ? 1 : 2)).map { _ in UInt8(random.below(128)) }
        appendMessage([kind | random.pick(channels)] + data)
    }

    private mutating func appendMessage(_ message: [UInt8]) {
        let isRunning = status == message[0] && !random.oneIn(5)
        append(.message(hasStatus: !isRunning), isRunning ? Array(message.dropFirst()) : message)
        status = message[0]
        add(Self.kind(of: message))
    }

    private mutating func appendAnyMeta() {
        func number(_ bound: Int) -> UInt8 { UInt8(random.below(bound)) }
        switch random.below(14) {
        case 0:
            let tempo = 1 + random.below(0xFF_FFFF)
            appendMeta(0x51, SongBytes.big(tempo, 3), .tempo(microsecondsPerQuarter: UInt32(tempo)))
        case 1:
            let fields = [1 + number(255), number(8), number(256), number(256)]
            appendMeta(
                0x58, fields,
                .timeSignature(
                    TimeSignature(
                        numerator: fields[0], denominatorPower: fields[1], clocksPerClick: fields[2],
                        thirtySecondsPerQuarter: fields[3])))
        case 2:
            let sharps = Int8(random.below(15) - 7), isMinor = random.oneIn(2)
            appendMeta(
                0x59, [UInt8(bitPattern: sharps), isMinor ? 1 : 0], .key(KeySignature(sharps: sharps, isMinor: isMinor)))
        case 3:
            let port = number(16)
            appendMeta(0x21, [port], .port(port))
        case 4: appendOther(0x54, [number(4) << 5 | number(24), number(60), number(60), number(24), number(100)])
        case 5: appendOther(0x00, [number(256), number(256)])
        case 6: appendOther(0x20, [number(16)])
        case 7: appendOther(0x7F, someBytes())
        // Types without a meaning.
        case 8: appendOther(random.pick([0x0A, 0x0F, 0x10, 0x22, 0x4B, 0x60, 0x7E]), someBytes())
        default:
            let kind = random.pick(SongText.Kind.allCases)
            // No tag, and no byte order mark.
            let text = someBytes().map { $0 == 0x7B || $0 >= 0xFE ? 0x2E : $0 }
            appendMeta(kind.rawValue, text, .text(SongText(kind, bytes: text)))
        }
    }

    private mutating func appendOther(_ type: UInt8, _ data: [UInt8]) { appendMeta(type, data, .meta(type: type, bytes: data)) }

    private mutating func appendMeta(_ type: UInt8, _ data: [UInt8], _ kind: SongEvent.Kind? = nil) {
        appendLong(.meta(type: type), [0xFF, type], data)
        if let kind { add(kind) }
    }

    private mutating func appendSystemExclusive() {
        let data = someBytes().map { $0 & 0x7F } + [0xF7]
        appendLong(.systemExclusive, [0xF0], data)
        add(.systemExclusive([0xF0] + data))
    }

    /// One message in two to four packets, meta events between them.
    private mutating func appendPackets() {
        var message = someBytes(below: 20).map { $0 & 0x7F } + [1]
        appendLong(.systemExclusive, [0xF0], message)
        for _ in 0..<random.below(3) {
            if random.oneIn(4) { appendAnyMeta() }
            let packet = someBytes(below: 20).map { $0 & 0x7F }
            appendLong(.escape, [0xF7], packet)
            message += packet
        }
        let last = someBytes(below: 20).map { $0 & 0x7F } + [0xF7]
        appendLong(.escape, [0xF7], last)
        add(.systemExclusive([0xF0] + message + last))
    }

    private mutating func appendEscape() {
        switch random.below(3) {
        case 0:
            let data: [UInt8] = random.pick([[0xFA], [0xF8, 0xF8], [0xF3, 5], [0xF2, 1, 2], [0xF6, 0xFC], [1, 2, 3], []])
            appendLong(.escape, [0xF7], data)
            add(.escape(data))
        case 1:
            let messages = (0...random.below(3)).map { _ in [0xB0 | random.pick(channels), UInt8(random.below(128)), 64] }
            appendLong(.escape, [0xF7], messages.flatMap { $0 })
            for message in messages { add(Self.kind(of: message)) }
        default:
            let data = [0xF0] + someBytes().map { $0 & 0x7F } + [0xF7]
            appendLong(.escape, [0xF7], data)
            add(.systemExclusive(data))
        }
    }

    // MARK: Bytes

    private mutating func appendLong(_ kind: Place.Kind, _ start: [UInt8], _ data: [UInt8]) {
        var length = data.count < 1 << 7 ? 1 : data.count < 1 << 14 ? 2 : 3
        if random.oneIn(8) { length += random.below(5 - length) }
        append(kind, start + Self.quantity(data.count, length: length) + data)
        status = nil
    }

    /// One event, behind a delta time of one to four bytes.
    private mutating func append(_ kind: Place.Kind, _ event: [UInt8]) {
        let length = random.pick([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, random.pick([1, 2, 4])])
        let delta = random.below(random.oneIn(8) ? 128 : 1 << (7 * length))
        tick += Int64(delta)
        let start = bytes.count
        bytes += Self.quantity(delta, length: length)
        let place = bytes.count
        bytes += event
        places.append(Place(track: song.tracks.count, kind: kind, delta: start, event: place, end: bytes.count))
    }

    /// A variable-length quantity of exactly so many bytes: the first may be padding.
    private static func quantity(_ value: Int, length: Int) -> [UInt8] {
        (0..<length).reversed().map { place in
            let bits = UInt8(value >> (7 * place) & 0x7F)
            return place > 0 ? bits | 0x80 : bits
        }
    }

    private mutating func someBytes(below bound: Int? = nil) -> [UInt8] {
        (0..<random.below(bound ?? random.pick([4, 20, 20, 20, 200, 200, random.oneIn(20) ? 40_000 : 20]))).map { _ in
            UInt8(random.below(256))
        }
    }

    private mutating func add(_ kind: SongEvent.Kind) { events.append(SongEvent(tick: tick, kind)) }

    private static func kind(of message: [UInt8]) -> SongEvent.Kind {
        .message(MIDIMessage(status: message[0], data1: message[1], data2: message.count > 2 ? message[2] : 0))
    }
}
