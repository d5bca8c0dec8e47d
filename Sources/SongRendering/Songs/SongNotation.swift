import RealtimeCore
import Sequencer

/// The things that a song's file writes beside its notes, each at its place: tempos, time signatures, keys, markers, words.
package struct SongNotation: Sendable {
    /// A tempo, in force until the next.
    package struct Tempo: Sendable {
        /// The time at which it begins, counted from the start of the song. Unit: seconds.
        package let time: Double
        /// The bar, counted from 1; nil in an SMPTE division, which has no bars. So it is below.
        package let bar: Int64?
        /// Quarter notes per minute.
        package let beatsPerMinute: Double
    }

    /// A time signature, in force until the next.
    package struct TimeSignature: Sendable {
        package let time: Double
        package let bar: Int64?
        package let numerator: Int
        /// 1, 2, 4, ... 128.
        package let denominator: Int
    }

    /// A key signature.
    package struct Key: Sendable {
        package let time: Double
        package let bar: Int64?
        /// `E flat major`.
        package let key: String
        /// -7 (seven flats) ... 7 (seven sharps).
        package let sharps: Int
        package let isMinor: Bool
    }

    /// A marker, or a line of the lyrics at its first syllable.
    package struct Line: Sendable {
        package let time: Double
        package let bar: Int64?
        package let text: String
    }

    /// Any other text.
    package struct Text: Sendable {
        package let time: Double
        /// Counted from 1.
        package let track: Int
        /// `text`, `copyright`, `instrument`, `cue`, `program` or `device`.
        package let kind: String
        package let text: String
    }

    /// The karaoke header's title, or else the first track's name; nil where there is neither.
    package let title: String?
    /// The karaoke header's second title, or the composer or artist that a text names; nil if none does.
    package let artist: String?
    /// The bars to the song's end; nil in an SMPTE division.
    package let bars: Int64?
    /// Every change of speed, with the 120 that hold before the first; empty in an SMPTE division, in which tempos have no
    /// meaning.
    package let tempos: [Tempo]
    /// Every change of meter, with the 4/4 that holds before the first; empty in an SMPTE division.
    package let timeSignatures: [TimeSignature]
    package let keys: [Key]
    package let markers: [Line]
    package let lyrics: [Line]
    package let texts: [Text]

    /// - Parameter timeline: the song's.
    package init(_ song: Song, _ timeline: Timeline) {
        let clock = Clock(map: timeline.tempoMap)
        let tracks = Self.endToEnd(song)
        var tempos: [(tick: Int64, value: UInt32)] = []
        var signatures: [(tick: Int64, value: Fraction)] = []
        var keys: [(tick: Int64, value: KeySignature)] = []
        var texts: [Text] = []
        for (index, track) in tracks.enumerated() {
            if index == 0 || song.format == .sequential {
                tempos.append((track.start, 500_000))
                signatures.append((track.start, Fraction(numerator: 4, denominator: 4)))
            }
            for event in track.events {
                switch event.kind {
                case .tempo(let microseconds): tempos.append((event.tick, microseconds))
                case .timeSignature(let meter):
                    let fraction = Fraction(numerator: Int(meter.numerator), denominator: meter.denominator)
                    signatures.append((event.tick, fraction))
                case .key(let key): keys.append((event.tick, key))
                case .text(let text) where !track.isSung || text.kind != .text:
                    guard let kind = Self.name(of: text.kind) else { continue }
                    texts.append(
                        Text(time: clock.seconds(event.tick), track: index + 1, kind: kind, text: text.string))
                case .message, .systemExclusive, .escape, .port, .meta, .text: break
                }
            }
        }
        let hasBeats = timeline.tempoMap.position(ofTick: 0) != nil
        self.tempos = (hasBeats ? Self.changes(tempos) : []).map { tempo in
            Tempo(
                time: clock.seconds(tempo.tick), bar: clock.bar(tempo.tick),
                beatsPerMinute: (60_000_000_000 / Double(tempo.value)).rounded() / 1000)
        }
        timeSignatures = (hasBeats ? Self.changes(signatures) : []).map { signature in
            TimeSignature(
                time: clock.seconds(signature.tick), bar: clock.bar(signature.tick),
                numerator: signature.value.numerator, denominator: signature.value.denominator)
        }
        self.keys = Self.changes(keys).map { key in
            Key(
                time: clock.seconds(key.tick), bar: clock.bar(key.tick), key: Self.name(of: key.value),
                sharps: Int(key.value.sharps), isMinor: key.value.isMinor)
        }
        markers = timeline.markers.map { Line(time: clock.seconds($0.tick), bar: clock.bar($0.tick), text: $0.text) }
        self.texts = texts
        let words = Lyrics(
            Song(
                format: song.format, division: song.division,
                tracks: tracks.enumerated().map { index, track in
                    Track(name: song.tracks[index].name, events: track.events)
                }))
        lyrics = Self.lines(of: words, clock)
        bars = clock.bar(song.endTick)
        title = words.titles.first ?? song.title
        artist = words.titles.dropFirst().first ?? Self.artist(in: texts)
    }

    private struct Fraction: Equatable {
        var numerator: Int
        var denominator: Int
    }

    private struct Clock {
        let map: TempoMap

        func seconds(_ tick: Int64) -> Double { Double(map.time(ofTick: tick).rawValue) / Double(map.sampleRate) }

        func bar(_ tick: Int64) -> Int64? { map.position(ofTick: tick)?.bar }
    }

    /// A track on the timeline's ticks.
    private struct Placed {
        var start: Int64
        var events: [SongEvent]
        /// The texts are lyrics (`Lyrics`).
        var isSung: Bool
    }

    /// The tracks of format 2 come one after the other.
    private static func endToEnd(_ song: Song) -> [Placed] {
        var start: Int64 = 0
        return song.tracks.map { track in
            var placed = Placed(start: start, events: track.events, isSung: track.name == "Words")
            for index in placed.events.indices {
                placed.events[index].tick += start
                if case .text(let text) = placed.events[index].kind, text.kind == .text,
                    text.bytes.first == UInt8(ascii: "@")
                {
                    placed.isSung = true
                }
            }
            if song.format == .sequential { start += max(track.endTick, track.events.last?.tick ?? 0) }
            return placed
        }
    }

    /// The values in order of time; at one tick the last holds, and what changes nothing is left out.
    private static func changes<Value: Equatable>(
        _ values: [(tick: Int64, value: Value)]
    ) -> [(tick: Int64, value: Value)] {
        let sorted = values.enumerated().sorted { a, b in
            a.element.tick != b.element.tick ? a.element.tick < b.element.tick : a.offset < b.offset
        }.map(\.element)
        var changes: [(tick: Int64, value: Value)] = []
        for (index, element) in sorted.enumerated() {
            let isLast = index + 1 == sorted.count || sorted[index + 1].tick > element.tick
            if isLast, changes.last?.value != element.value { changes.append(element) }
        }
        return changes
    }

    private static func lines(of words: Lyrics, _ clock: Clock) -> [Line] {
        var lines: [Line] = []
        var text = ""
        var tick: Int64?
        for syllable in words.syllables {
            if syllable.begins != .nothing, let start = tick {
                lines.append(Line(time: clock.seconds(start), bar: clock.bar(start), text: text))
                (text, tick) = ("", nil)
            }
            text += syllable.text
            tick = tick ?? syllable.tick
        }
        if let tick { lines.append(Line(time: clock.seconds(tick), bar: clock.bar(tick), text: text)) }
        return lines
    }

    private static let tonics = [
        "C flat", "G flat", "D flat", "A flat", "E flat", "B flat", "F", "C", "G", "D", "A", "E", "B", "F sharp",
        "C sharp", "G sharp", "D sharp", "A sharp",
    ]

    private static func name(of key: KeySignature) -> String {
        let place = min(max(Int(key.sharps), -7), 7) + (key.isMinor ? 10 : 7)
        return "\(tonics[place]) \(key.isMinor ? "minor" : "major")"
    }

    /// Names, lyrics and markers have a place of their own.
    private static func name(of kind: SongText.Kind) -> String? {
        switch kind {
        case .text: "text"
        case .copyright: "copyright"
        case .instrument: "instrument"
        case .cue: "cue"
        case .program: "program"
        case .device: "device"
        case .trackName, .lyric, .marker: nil
        }
    }
}
