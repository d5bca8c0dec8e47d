import MIDI
import Sequencer

extension SongLabels {
    /// The song as it was heard, for a MIDI file: a track for each channel, on ticks that are the frames of the audio wherever
    /// the rate allows it, with programs, controllers and bends.
    ///
    /// Notes that were not heard are left out; a key without a known release goes up at the end of the audio. The file has
    /// neither meters nor the song's tempos: one tempo makes ticks frames.
    public var song: Song {
        let clock = TickClock(sampleRate: sampleRate)
        var parts: [[Placed]] = Array(repeating: [], count: 256)
        for control in controls {
            parts[control.message.part & 255].append(Placed(tick: clock.tick(control.frame), order: 0, message: control.message))
        }
        for note in notes where note.isHeard {
            guard let onset = note.onset else { continue }
            let part = note.channel - 1, key = UInt8(note.soundingKey ?? note.key), begin = clock.tick(onset)
            let end = max(clock.tick(note.keyUp ?? note.release ?? frames), begin + 1)
            parts[part & 255].append(
                Placed(tick: begin, order: 2, message: MIDIMessage(part: part, 0x90, key, UInt8(note.velocity))))
            parts[part & 255].append(Placed(tick: end, order: 1, message: MIDIMessage(part: part, 0x80, key, 64)))
        }
        let last = clock.tick(frames)
        let words =
            (marks.markers.map { ($0.frame, SongText(.marker, $0.text)) }
                + marks.lyrics.map { ($0.frame, SongText(.lyric, $0.text)) })
        let texts = words.map { SongEvent(tick: clock.tick($0.0), .text($0.1)) }.enumerated().sorted { a, b in
            (a.element.tick, a.offset) < (b.element.tick, b.offset)
        }.map(\.element)
        let tempo = SongEvent(tick: 0, .tempo(microsecondsPerQuarter: UInt32(clock.tempo)))
        let names = Dictionary(uniqueKeysWithValues: self.parts.map { ($0.channel - 1, $0.programs.first?.found?.name) })
        var tracks = [Track(events: [tempo] + texts, endTick: last)]
        for (part, events) in parts.enumerated() where !events.isEmpty {
            let sorted = events.enumerated().sorted { a, b in
                let (first, second) = (a.element, b.element)
                if first.tick != second.tick { return first.tick < second.tick }
                return first.order != second.order ? first.order < second.order : a.offset < b.offset
            }
            tracks.append(
                Track(
                    name: (names[part] ?? nil) ?? "", port: UInt8(part / 16),
                    events: sorted.map { SongEvent(tick: $0.element.tick, .message($0.element.message)) }, endTick: last))
        }
        return Song(format: .simultaneous, division: .ticksPerQuarter(clock.ticksPerQuarter), tracks: tracks)
    }

    /// A message with what decides its place at one tick.
    private struct Placed {
        let tick: Int64
        let order: Int8
        let message: MIDIMessage
    }
}

/// Ticks of a MIDI file that are frames: their number per quarter, and a tempo of whole microseconds that makes them as long.
struct TickClock {
    let ticksPerQuarter: Int
    let tempo: Int
    private let sampleRate: Int64

    init(sampleRate: Int) {
        self.sampleRate = Int64(sampleRate)
        var (a, b) = (sampleRate, 1_000_000)
        while b != 0 { (a, b) = (b, a % b) }
        let ticks = sampleRate / a, microseconds = 1_000_000 / a
        // The multiple whose tempo is nearest 120, as far as a file can count.
        let most = min(32_767 / max(ticks, 1), 16_777_215 / microseconds), wanted = max(500_000 / microseconds, 1)
        let times = min(max(most, 0), wanted)
        // If no whole numbers fit, a tick is a hundredth of a millisecond or two, and onsets are rounded to it.
        (ticksPerQuarter, tempo) = times > 0 ? (ticks * times, microseconds * times) : (25_000, 500_000)
    }

    /// The tick nearest a frame.
    func tick(_ frame: Int64) -> Int64 {
        let numerator = Int128(frame) * Int128(ticksPerQuarter) * 1_000_000
        let denominator = Int128(sampleRate) * Int128(tempo)
        return Int64((numerator * 2 + denominator) / (denominator * 2))
    }
}
