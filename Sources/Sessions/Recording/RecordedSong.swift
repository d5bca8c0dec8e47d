import MIDI
import Patches
import RealtimeCore
import Sequencer

/// Everything that was played, as a song: in the bars and tempos to which it was played. Where no tempo ran, one tick is one frame,
/// and it begins with the first note.
///
/// What instruments were set to before the first note comes at its beginning; keys, pedals and bends that are still held at the
/// end are released there.
enum RecordedSong {
    /// Something that began: a patch, a scene.
    struct Mark: Hashable {
        let time: SampleTime
        let text: String
    }

    /// A track's place in the song: the port, and the MIDI unit that plays; nil for music from outside.
    private struct Place: Hashable, Comparable {
        let port: UInt8
        let player: String?

        static func < (one: Place, other: Place) -> Bool { (one.port, one.player ?? "") < (other.port, other.player ?? "") }
    }

    /// The song of a journal; nil when it holds no music.
    ///
    /// - Parameter hasPlayers: true for a journal of the music that instruments heard, in which the unit of an entry is the one
    ///   that plays: each has a track of its own, and its held keys end when it is taken out of the graph or plays for another.
    ///   - times: the entries that say the musical time; nil means those of the journal.
    ///   - marks: what began when, such as scenes.
    static func song(
        _ journal: Journal, ofPlayers hasPlayers: Bool = false, times: [Journal.Entry]? = nil, marks: [Mark] = [], title: String
    ) -> Song? {
        var tracks: [Place: [TimedMusicEvent]] = [:]
        for entry in journal.entries {
            guard case .music(let music) = entry.event else { continue }
            let place = Place(port: music.port, player: hasPlayers ? entry.unit : nil)
            tracks[place, default: []].append(TimedMusicEvent(time: entry.time, event: music))
        }
        let starts = tracks.values.compactMap { $0.first(where: \.event.beginsNote)?.time }
        guard let first = starts.min() ?? tracks.values.compactMap(\.first?.time).min() else { return nil }
        let rate = journal.setup.sampleRate, clock = Self.clock(rate)
        let time = RecordedTime(times ?? journal.entries, from: first, to: journal.end, sampleRate: rate)
        let tick = { (at: SampleTime) in time?.tick(of: at) ?? max(at.rawValue - first.rawValue, 0) }
        var events =
            time?.events ?? [
                SongEvent(tick: 0, .tempo(microsecondsPerQuarter: clock.microseconds)),
                SongEvent(tick: 0, .text(SongText(.text, "no tempo ran: a tick is a frame"))),
            ]
        let marks = marks.filter { $0.time <= journal.end }.sorted { $0.time < $1.time }
        // What began before the first note stands at its beginning.
        for mark in marks {
            events.append(SongEvent(tick: tick(mark.time), .text(SongText(.marker, mark.text))))
        }
        let head = Track(name: title, events: events.enumerated().sorted { ($0.1.tick, $0.0) < ($1.1.tick, $1.0) }.map(\.1))
        let hasPorts = Set(tracks.keys.map(\.port)).count > 1
        let played = tracks.sorted { $0.key < $1.key }.map { place, events in
            let name = [place.player, hasPorts ? "Port \(place.port + 1)" : nil].compactMap { $0 }.joined(separator: ", ")
            var track = Track(name: name.isEmpty ? "Played" : name, port: place.port)
            let endings = place.player.map { player in journal.edits.filter { $0.difference.parts(player) }.map(\.time) } ?? []
            fill(&track, settled(events, before: first, at: time?.start ?? first), endings, to: journal.end, tick)
            return track
        }
        let ticks = time == nil ? clock.ticks : Int(MusicalTime.partsPerQuarter)
        return Song(division: .ticksPerQuarter(ticks), tracks: [head] + played)
    }

    /// What instruments were set to before the first note, once, and the rest.
    private static func settled(
        _ events: [TimedMusicEvent], before first: SampleTime, at start: SampleTime
    ) -> [TimedMusicEvent] {
        let before = Array(events.prefix { $0.time < first })
        if before.isEmpty { return events }
        let settings = Chase(before).prologue(at: before.count, from: nil).filter { event in
            // The reset with which a session begins: a song begins so, too.
            if case .reset(.generalMIDIOff, _) = event { false } else { true }
        }
        return settings.map { TimedMusicEvent(time: start, event: $0) } + events.dropFirst(before.count)
    }

    /// Ticks per quarter and a quarter's length, so that ticks are frames: 24 000 at 120 for 48 kHz.
    static func clock(_ sampleRate: Int) -> (ticks: Int, microseconds: UInt32) {
        var halves = 1
        // A quarter is 1/2, 1/4, 1/8 s ...: the first in which the frames are few enough, and a whole number.
        while sampleRate / (2 * halves) > 32_767 || (sampleRate % (2 * halves) != 0 && halves < 64) { halves *= 2 }
        if sampleRate % (2 * halves) == 0, 500_000 % halves == 0 {
            return (sampleRate / (2 * halves), UInt32(500_000 / halves))
        }
        // An odd rate: a quarter of one second, or the finest there is.
        return sampleRate <= 32_767 ? (sampleRate, 1_000_000) : (32_767, UInt32(32_767_000_000 / Int64(sampleRate)))
    }

    /// - Parameter endings: the times at which all sounding notes end, before the notes that begin then.
    private static func fill(
        _ track: inout Track, _ events: [TimedMusicEvent], _ endings: [SampleTime], to: SampleTime,
        _ place: (SampleTime) -> Int64
    ) {
        var ledger = SourceLedger()
        let player = SourceLedger.Source(rawValue: 0)
        var tunings = ScaleTunings(), tuned: Int64?, endings = endings[...]
        func release(at tick: Int64) {
            for case .message(let ending) in ledger.release(player) {
                track.events.append(SongEvent(tick: tick, .message(ending)))
            }
        }
        for timed in events {
            let tick = place(timed.time)
            while let ending = endings.first, ending <= timed.time {
                release(at: place(ending))
                endings.removeFirst()
            }
            ledger.take(timed.event, from: player) { _ in }
            var isScale = false
            if case .scaleTuning = timed.event { isScale = true }
            if let last = tuned, !isScale || last != tick {
                track.events += tunings.messages().map { SongEvent(tick: last, .systemExclusive($0)) }
                tuned = nil
            }
            tunings.take(timed.event)
            if isScale {
                tuned = tick
                continue
            }
            switch timed.event {
            case .message(let message): track.events.append(SongEvent(tick: tick, .message(message)))
            default:
                track.events += bytes(timed.event).map { SongEvent(tick: tick, .systemExclusive($0)) }
            }
        }
        track.events += tunings.messages().map { SongEvent(tick: tuned ?? 0, .systemExclusive($0)) }
        release(at: max(place(endings.first ?? to), track.events.last?.tick ?? 0))
        track.endTick = track.events.last?.tick ?? 0
    }

    /// System Exclusive messages that mean `event`.
    static func bytes(_ event: MusicEvent) -> [[UInt8]] {
        switch event {
        case .message: return []
        // Devices know no reset after which notes ring on, so the recording has a plain reset.
        case .standard(let standard, let port): return bytes(.reset(standard, port: port))
        case .reset(.generalMIDI, _): return [[0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]]
        case .reset(.generalMIDIOff, _): return [[0xF0, 0x7E, 0x7F, 0x09, 0x02, 0xF7]]
        case .reset(.generalMIDI2, _): return [[0xF0, 0x7E, 0x7F, 0x09, 0x03, 0xF7]]
        case .reset(.gs, _): return [RolandMessage.bytes([0x40, 0x00, 0x7F, 0x00])]
        case .reset(.xg, _): return [[0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7]]
        case .partMode(let mode, _, let channel):
            return [RolandMessage.bytes([0x40, 0x10 | PartMode.block(ofChannel: channel), 0x15, mode == .drums ? 1 : 0])]
        case .masterVolume(let amplitude, _):
            let value = Int((min(max(amplitude, 0), 1).squareRoot() * 16_383).rounded())
            return [[0xF0, 0x7F, 0x7F, 0x04, 0x01, UInt8(value & 127), UInt8(value >> 7), 0xF7]]
        case .masterBalance(let balance, _):
            let value = min(max(Int((balance * 8_191).rounded()) + 8_192, 0), 16_383)
            return [[0xF0, 0x7F, 0x7F, 0x04, 0x02, UInt8(value & 127), UInt8(value >> 7), 0xF7]]
        case .scaleTuning(let channels, let step, let hundredths, _):
            // Alone, all other steps are where they are in equal temperament: a track says the twelve together.
            var tunings = ScaleTunings()
            tunings.take(.scaleTuning(channels: channels, step: step, hundredths: hundredths, port: 0))
            return tunings.messages()
        // A tuning of the session is that of its instruments, and not of what was played.
        case .keyTuning(let change) where change.isOfSession: return []
        case .keyTuning(let change):
            let place = [change.key, change.semitone, UInt8(change.fraction >> 7), UInt8(change.fraction & 127)]
            return [[0xF0, 0x7F, 0x7F, 0x08, 0x07, change.bank, change.program, 1] + place + [0xF7]]
        case .effect(let value, let parameter, _):
            return parameter.message(value).map { [$0] } ?? []
        case .part(let parameter, let value, let key, let part):
            return ExclusiveParameter.message(parameter, value, key: key, channel: part & 15).map { [$0] } ?? []
        case .insertion, .time: return []
        case .masterTuning(let cents, _):
            // Coarse tuning, and the rest as fine tuning.
            let semitones = min(max((cents / 100).rounded(), -64), 63)
            let fine = Int(((cents - semitones * 100) * 81.92).rounded()) + 8_192
            let value = min(max(fine, 0), 16_383)
            return [
                [0xF0, 0x7F, 0x7F, 0x04, 0x03, UInt8(value & 127), UInt8(value >> 7), 0xF7],
                [0xF0, 0x7F, 0x7F, 0x04, 0x04, 0, UInt8(Int(semitones) + 64), 0xF7],
            ]
        }
    }
}

extension PatchDifference {
    /// Returns true if the unit of that name is taken out, or plays for another no more.
    fileprivate func parts(_ unit: String) -> Bool {
        gone.contains(unit) || connections.removed.contains { $0.from.unit == unit }
    }
}
