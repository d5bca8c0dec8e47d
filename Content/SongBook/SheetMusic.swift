import MIDI
import Sequencer

/// A piece as its composer wrote it: parts, meters, tempos, markers. `song()` performs it.
public struct SheetMusic: Sendable {
    /// Ticks in a quarter note, in every score of the book: halves to sixty-fourths, triplets and quintuplets are
    /// whole.
    public static let quarter = 480

    /// Stands in the first track's name.
    public var title: String
    public var meters: MeterPlan
    public var tempo: TempoPlan
    public var key: KeySignature
    /// Rehearsal marks (FF 06), by tick.
    public var markers: [(tick: Int, name: String)]
    /// Texts (FF 01) of the first track, at tick 0, in this order.
    public var texts: [String]
    /// Universal System Exclusive "GM System On" at the start.
    public var resetsToGeneralMIDI: Bool
    public var parts: [Part]
    /// The bar line that ends the piece. Unit: ticks.
    public var end: Int

    public init(
        title: String, meters: MeterPlan, tempo: TempoPlan, key: KeySignature,
        markers: [(tick: Int, name: String)] = [], texts: [String] = [], resetsToGeneralMIDI: Bool = true,
        parts: [Part], end: Int
    ) {
        self.title = title
        self.meters = meters
        self.tempo = tempo
        self.key = key
        self.markers = markers
        self.texts = texts
        self.resetsToGeneralMIDI = resetsToGeneralMIDI
        self.parts = parts
        self.end = end
    }

    /// The length of the written music, without what rings on. Unit: seconds.
    public var duration: Double { tempo.seconds(atTick: end) }
}

extension SheetMusic {
    /// The score as it is played: one track for meters, tempos and markers, then one per part. Deterministic.
    public func song() -> Song {
        Song(
            format: .simultaneous, division: .ticksPerQuarter(Self.quarter),
            tracks: [conductor()] + parts.map { track(of: $0) })
    }

    private func conductor() -> Track {
        var events: [(tick: Int, rank: Int, kind: SongEvent.Kind)] = texts.map { (0, 0, .text(SongText(.text, $0))) }
        events.append((0, 1, .key(key)))
        if resetsToGeneralMIDI { events.append((0, 2, .systemExclusive([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]))) }
        events += meters.changes.map { ($0.tick, 3, .timeSignature($0.meter)) }
        events += tempo.changes.map { ($0.tick, 4, .tempo(microsecondsPerQuarter: UInt32($0.microsecondsPerQuarter))) }
        events += markers.map { ($0.tick, 5, .text(SongText(.marker, $0.name))) }
        return Track(name: title, events: Self.sorted(events), endTick: Int64(end))
    }

    private func track(of part: Part) -> Track {
        func message(_ kind: MIDIMessage.Kind, _ data1: Int, _ data2: Int = 0) -> SongEvent.Kind {
            .message(MIDIMessage(status: kind.rawValue | part.channel, data1: UInt8(data1), data2: UInt8(data2)))
        }
        var events: [(tick: Int, rank: Int, kind: SongEvent.Kind)] = []
        events.append((0, 0, message(.programChange, Int(part.program))))
        for (controller, value) in [(7, part.volume), (10, part.pan), (91, part.reverb), (93, part.chorus)] {
            events.append((0, 0, message(.controlChange, controller, Int(value))))
        }
        for gesture in part.gestures {
            let kind =
                switch gesture.action {
                case .controller(let number, let value): message(.controlChange, number, value)
                case .program(let number): message(.programChange, number)
                case .bend(let value): message(.pitchBend, (value + 8192) & 0x7F, (value + 8192) >> 7)
                case .channelPressure(let value): message(.channelPressure, value)
                case .keyPressure(let key, let value): message(.keyPressure, key, value)
                }
            events.append((gesture.tick, 2, kind))
        }
        events += part.lyrics.map { ($0.tick, 3, .text(SongText(.lyric, $0.syllable))) }
        for note in part.touch.perform(part.notes) {
            events.append((note.start, 4, message(.noteOn, note.key, note.velocity)))
            events.append((note.start + note.length, 1, message(.noteOff, note.key, 64)))
        }
        let last = events.map(\.tick).max() ?? 0
        return Track(name: part.name, events: Self.sorted(events), endTick: Int64(max(end, last)))
    }

    /// The events by tick, then rank (set-up, note-offs, gestures, syllables, note-ons), then the order given.
    private static func sorted(_ events: [(tick: Int, rank: Int, kind: SongEvent.Kind)]) -> [SongEvent] {
        events.enumerated()
            .sorted { ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset) }
            .map { SongEvent(tick: Int64($0.element.tick), $0.element.kind) }
    }
}
