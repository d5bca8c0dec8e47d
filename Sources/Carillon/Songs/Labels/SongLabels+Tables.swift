import MIDI
import Sequencer

extension SongLabels {
    /// The text of `SONG.notes.tsv`: a line for each note with a pitch that is heard, onset and release in seconds and the pitch
    /// in hertz, as `mir_eval.io.load_valued_intervals` reads it.
    ///
    /// A release that nobody tells is the key's, or the end of the audio. No interval is shorter than a frame.
    public var notesTable: String {
        var text = ""
        for note in notes where note.isHeard {
            guard let onset = note.onset, let pitch = note.pitch else { continue }
            let end = max(note.release ?? note.keyUp ?? frames, onset + 1)
            text += "\(seconds(onset))\t\(seconds(end))\t\((pitch * 1_000_000).rounded() / 1_000_000)\n"
        }
        return text
    }

    /// A time with nine decimals: at any rate another than that of the frames beside it.
    private func seconds(_ frame: Int64) -> String {
        let rate = Int64(sampleRate), whole = frame / rate
        let digits = "\(((frame % rate) * 1_000_000_000 + rate / 2) / rate)"
        return "\(whole).\(String(repeating: "0", count: max(9 - digits.count, 0)))\(digits)"
    }

    /// The song as it was heard, for a MIDI file: a track for each channel, on ticks that are the frames of the audio wherever
    /// the rate allows it (`tick`), with programs, controllers and bends.
    ///
    /// Notes that were not heard are left out; a key that went up with nobody telling does so at the end of the audio. Meters
    /// and tempos are none here: one tempo makes ticks frames.
    public var song: Song {
        let clock = TickClock(sampleRate: sampleRate)
        var tracks: [Int: [(tick: Int64, order: Int, message: MIDIMessage)]] = [:]
        for control in controls {
            tracks[control.message.part, default: []].append((clock.tick(control.frame), 0, control.message))
        }
        for note in notes where note.isHeard {
            guard let onset = note.onset else { continue }
            let part = note.channel - 1, key = UInt8(note.key), begin = clock.tick(onset)
            let end = max(clock.tick(note.keyUp ?? note.release ?? frames), begin + 1)
            tracks[part, default: []] += [
                (begin, 2, MIDIMessage(part: part, 0x90, key, UInt8(note.velocity))),
                (end, 1, MIDIMessage(part: part, 0x80, key, 64)),
            ]
        }
        let last = clock.tick(frames)
        var made = [
            Track(events: [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: UInt32(clock.tempo)))] + words(clock), endTick: last)
        ]
        for (part, events) in tracks.sorted(by: { $0.key < $1.key }) {
            let sorted = events.enumerated().sorted { a, b in
                let (first, second) = (a.element, b.element)
                if first.tick != second.tick { return first.tick < second.tick }
                return first.order != second.order ? first.order < second.order : a.offset < b.offset
            }
            let name = parts.first { $0.channel == part + 1 }?.programs.first?.found?.name ?? ""
            made.append(
                Track(
                    name: name, port: UInt8(part / 16),
                    events: sorted.map { SongEvent(tick: $0.element.tick, .message($0.element.message)) }, endTick: last))
        }
        return Song(format: .simultaneous, division: .ticksPerQuarter(clock.ticksPerQuarter), tracks: made)
    }

    /// Markers and lyrics, in their order.
    private func words(_ clock: TickClock) -> [SongEvent] {
        let words =
            marks.markers.map { (clock.tick($0.frame), SongText(.marker, $0.text)) }
            + marks.lyrics.map { (clock.tick($0.frame), SongText(.lyric, $0.text)) }
        return words.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map {
            SongEvent(tick: $0.element.0, .text($0.element.1))
        }
    }
}

/// Ticks of a MIDI file that are frames: so many to a quarter, and a tempo of whole microseconds that makes them last as long.
struct TickClock {
    let ticksPerQuarter: Int
    /// Microseconds per quarter.
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
        // Where no whole numbers will do, a tick is a hundredth of a millisecond or two, and onsets are rounded to it.
        (ticksPerQuarter, tempo) = times > 0 ? (ticks * times, microseconds * times) : (25_000, 500_000)
    }

    /// The tick nearest a frame.
    func tick(_ frame: Int64) -> Int64 {
        let numerator = Int128(frame) * Int128(ticksPerQuarter) * 1_000_000
        let denominator = Int128(sampleRate) * Int128(tempo)
        return Int64((numerator * 2 + denominator) / (denominator * 2))
    }
}
