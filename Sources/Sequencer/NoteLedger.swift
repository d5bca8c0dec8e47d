import MIDI
import RealtimeCore

/// Walks a song's events in the order of effect: gives a note of no length its one frame, lets go at the end what the song
/// leaves down, and counts for the summary.
struct NoteLedger {
    private struct Part {
        var usage: PartUsage
        var bankMSB: UInt8 = 0
        var bankLSB: UInt8 = 0
        var program: UInt8 = 0
        /// Index in `usage.presets` of the preset in force; nil before the first program change or note.
        var preset: Int?
        var held: [Held] = []
        var isDrums: Bool
        var keysDown = 0
        /// Notes that each key holds, and the frame of its last note-on; empty until the first note.
        var down: [Int32] = []
        var started: [Int64] = []
        /// True if anything but note-offs came: a channel that only releases keys is not in use.
        var isUsed = false
        /// The pedals that are down, of `Self.pedals`; bit by bit.
        var pedals = 0
    }

    /// Sustain, sostenuto and legato.
    private static let pedals: [UInt8] = [64, 66, 68]

    private struct Held {
        var message: MIDIMessage
        var count: Int
    }

    private var events: [TimedMusicEvent] = []
    private var summary = TimelineSummary()
    private var parts: [Part]
    private var scans = [ZoneScan](repeating: ZoneScan(), count: 16)
    /// Parts that hold note-offs back, in the order in which they began to.
    private var holding: [Int] = []
    /// The index of a preset in its part's list: found by number, never iterated.
    private var presetIndex: [UInt32: Int] = [:]
    private var now = SampleTime.zero
    private var keysDown = 0

    init() {
        parts = (0..<256).map { part in
            Part(usage: PartUsage(port: UInt8(part >> 4), channel: UInt8(part & 15)), isDrums: PartMode.initial(part).isDrums)
        }
    }

    mutating func take(_ event: MusicEvent, at time: SampleTime) {
        if time > now { releaseAll() }
        now = max(now, time)
        scans[Int(event.port & 15)].apply(event)
        switch event {
        case .message(let message): take(message)
        case .reset(let standard, let port), .standard(let standard, let port):
            release(port: port)
            append(event)
            summary.resets.append(TimelineSummary.Reset(time: now, standard: standard, port: port))
            for part in Self.parts(of: port) {
                silence(part)
                parts[part].pedals = 0
                parts[part].program = 0
                parts[part].bankMSB = 0
                parts[part].bankLSB = 0
                parts[part].preset = nil
                parts[part].isDrums = PartMode.initial(part).isDrums
            }
        case .partMode(let mode, let port, let channel):
            let part = Int(port & 15) * 16 + Int(channel & 15)
            release(part: part)
            append(event)
            parts[part].isDrums = mode == .drums
            parts[part].preset = nil
        case .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part, .insertion:
            release(port: event.port)
            append(event)
        case .time: append(event)
        }
    }

    /// Returns the events that were walked, and their summary. `end`: where the longest track ends.
    mutating func close(end: SampleTime) -> ([TimedMusicEvent], TimelineSummary) {
        releaseAll()
        summary.unendedNotes = keysDown
        summary.parts = parts.filter(\.isUsed).map(\.usage)
        summary.lastEvent = events.last { !$0.event.isTime }?.time ?? .zero
        summary.end = max(end, summary.lastEvent)
        now = max(now, summary.end)
        for part in parts.indices { letGo(part) }
        return (events, summary)
    }

    /// The end of the last track: keys and pedals that are down go up.
    private mutating func letGo(_ part: Int) {
        for key in parts[part].down.indices where parts[part].down[key] > 0 {
            append(.message(MIDIMessage(part: part, 0x80, UInt8(key), 64)))
            end(part: part, key: key)
        }
        for (bit, pedal) in Self.pedals.enumerated() where parts[part].pedals >> bit & 1 == 1 {
            append(.message(MIDIMessage(part: part, 0xB0, pedal, 0)))
        }
    }

    private mutating func take(_ message: MIDIMessage) {
        let part = message.part & 255
        let key = Int(message.data1 & 127)
        switch message.kind {
        case .noteOn where message.data2 > 0:
            release(part: part, key: message.data1)
            append(.message(message))
            begin(part: part, key: key)
        case .noteOn, .noteOff:
            let isOfThisFrame =
                parts[part].keysDown > 0 && parts[part].down[key] > 0
                && parts[part].started[key] == now.rawValue
            guard isOfThisFrame, now < TempoMap.lastFrame else {
                append(.message(message))
                end(part: part, key: key)
                return
            }
            hold(message, part: part)
        case .controlChange:
            release(part: part)
            append(.message(message))
            parts[part].isUsed = true
            control(message, part: part)
        case .programChange:
            release(part: part)
            append(.message(message))
            parts[part].isUsed = true
            choose(program: message.data1, part: part)
        case .keyPressure, .channelPressure, .pitchBend, nil:
            release(part: part)
            append(.message(message))
            parts[part].isUsed = true
        }
    }

    private mutating func append(_ event: MusicEvent) { events.append(TimedMusicEvent(time: now, event: event)) }

    private mutating func hold(_ message: MIDIMessage, part: Int) {
        if let index = parts[part].held.firstIndex(where: { $0.message.data1 == message.data1 }) {
            parts[part].held[index].count += 1
            return
        }
        if parts[part].held.isEmpty { holding.append(part) }
        parts[part].held.append(Held(message: message, count: 1))
    }

    /// Time moves on: every held note-off goes, one frame after its note-on.
    private mutating func releaseAll() {
        guard !holding.isEmpty else { return }
        now = now + 1
        for part in holding { release(part: part) }
        holding.removeAll(keepingCapacity: true)
    }

    /// Sends the part's held note-offs, or the one of `key`, before the part goes on to something else on this frame.
    private mutating func release(part: Int, key: UInt8? = nil) {
        guard !parts[part].held.isEmpty else { return }
        let going = parts[part].held.filter { key == nil || $0.message.data1 == key }
        parts[part].held.removeAll { key == nil || $0.message.data1 == key }
        for off in going {
            for _ in 0..<off.count { append(.message(off.message)) }
            end(part: part, key: Int(off.message.data1 & 127))
        }
    }

    private mutating func release(port: UInt8) {
        for part in Self.parts(of: port) { release(part: part) }
    }

    private static func parts(of port: UInt8) -> Range<Int> {
        Int(port & 15) * 16..<Int(port & 15) * 16 + 16
    }

    private mutating func begin(part: Int, key: Int) {
        if parts[part].down.isEmpty {
            parts[part].down = [Int32](repeating: 0, count: 128)
            parts[part].started = [Int64](repeating: -1, count: 128)
        }
        parts[part].down[key] += 1
        parts[part].started[key] = now.rawValue
        keysDown += 1
        parts[part].keysDown += 1
        parts[part].isUsed = true
        parts[part].usage.noteCount += 1
        summary.noteCount += 1
        summary.firstNote = summary.firstNote ?? now
        summary.lastNoteEnd = max(summary.lastNoteEnd, now)
        summary.peakPolyphony = max(summary.peakPolyphony, keysDown)
        parts[part].usage.peakPolyphony = max(parts[part].usage.peakPolyphony, parts[part].keysDown)
        // In a zone the manager's program plays.
        let source = part & ~15 | Int(scans[part >> 4].zones.manager(of: UInt8(part & 15)))
        if source != part || parts[part].preset == nil { choose(part: part, as: source) }
        if let preset = parts[part].preset { parts[part].usage.presets[preset].noteCount += 1 }
        if source != part { parts[part].preset = nil }
    }

    private mutating func end(part: Int, key: Int) {
        guard parts[part].keysDown > 0, parts[part].down[key] > 0 else { return }
        keysDown -= Int(parts[part].down[key])
        parts[part].keysDown -= Int(parts[part].down[key])
        parts[part].down[key] = 0
        summary.lastNoteEnd = max(summary.lastNoteEnd, events.last?.time ?? now)
    }

    private mutating func silence(_ part: Int) {
        guard parts[part].keysDown > 0 else { return }
        for key in 0..<128 { end(part: part, key: key) }
    }

    private mutating func control(_ message: MIDIMessage, part: Int) {
        switch Controller(rawValue: message.data1) {
        case .bankSelect: parts[part].bankMSB = message.data2
        case .bankSelectLSB: parts[part].bankLSB = message.data2
        case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .mono, .poly: silence(part)
        case .resetAllControllers: parts[part].pedals = 0
        default:
            guard let bit = Self.pedals.firstIndex(of: message.data1) else { return }
            parts[part].pedals = parts[part].pedals & ~(1 << bit) | (message.data2 >= 64 ? 1 << bit : 0)
        }
    }

    private mutating func choose(program: UInt8, part: Int) {
        parts[part].program = program
        choose(part: part, as: part)
    }

    private mutating func choose(part: Int, as source: Int) {
        let wanted = PresetUse(
            bankMSB: parts[source].bankMSB, bankLSB: parts[source].bankLSB, program: parts[source].program,
            isDrums: parts[source].isDrums, noteCount: 0)
        let number =
            UInt32(part) << 22 | UInt32(wanted.bankMSB & 127) << 15 | UInt32(wanted.bankLSB & 127) << 8
            | UInt32(wanted.program & 127) << 1 | (wanted.isDrums ? 1 : 0)
        if let known = presetIndex[number] {
            parts[part].preset = known
        } else {
            presetIndex[number] = parts[part].usage.presets.count
            parts[part].preset = parts[part].usage.presets.count
            parts[part].usage.presets.append(wanted)
        }
    }
}
