import MIDI
import RealtimeCore
import Sequencer

/// The music's own time in a render: tempos, meters, beats, keys and words, each at its frame of the audio.
package struct LabelMarks: Sendable, Hashable {
    /// A beat.
    package struct Beat: Sendable, Hashable {
        package var frame: Int64
        /// The bar of the song, counted from 1.
        package let bar: Int64
        /// Counted from 1, a downbeat.
        package let beat: Int
        /// The part of a whole note, as the meter has it: 4 is a quarter, 8 an eighth, six of which are a bar of 6/8.
        package let unit: Int
    }

    /// A tempo, in force until the next.
    package struct Tempo: Sendable, Hashable {
        package var frame: Int64
        /// Quarter notes per minute, as they are heard.
        package let quartersPerMinute: Double
    }

    /// A time signature, in force until the next.
    package struct Meter: Sendable, Hashable {
        package var frame: Int64
        package let numerator: Int
        package let denominator: Int
    }

    /// A key signature, a marker, or a line of the lyrics.
    package struct Text: Sendable, Hashable {
        package var frame: Int64
        package let text: String
    }

    /// Beats in their order; and what else there is, each kind in its own.
    package private(set) var beats: [Beat] = []
    package private(set) var tempos: [Tempo] = []
    package private(set) var meters: [Meter] = []
    package private(set) var keys: [Text] = []
    package private(set) var markers: [Text] = []
    package private(set) var lyrics: [Text] = []

    /// The marks of the part of a song that a plan plays, before frame `frames` of the audio.
    init(_ notation: SongNotation, _ timeline: Timeline, _ plan: SongPlan, tempo: Double, frames: Int64) {
        let rate = Double(timeline.sampleRate)
        func frame(_ seconds: Double) -> Int64 { Int64((seconds * rate).rounded()) }
        /// Marks that hold until the next are repeated at the beginning of each piece.
        func lasting<Mark>(_ marks: [Mark], _ time: (Mark) -> Double, _ body: (Mark, Int64) -> Void) {
            for piece in plan.pieces {
                let begin = marks.lastIndex { frame(time($0)) <= piece.position }
                if let begin, piece.times.lowerBound < frames { body(marks[begin], piece.times.lowerBound) }
                for mark in marks[(begin.map { $0 + 1 } ?? 0)...] {
                    if let place = piece.time(of: frame(time(mark))), place < frames { body(mark, place) }
                }
            }
        }
        func passing<Mark>(_ marks: [Mark], _ time: (Mark) -> Double, _ body: (Mark, Int64) -> Void) {
            for piece in plan.pieces {
                for mark in marks { if let place = piece.time(of: frame(time(mark))), place < frames { body(mark, place) } }
            }
        }
        lasting(notation.tempos, \.time) {
            tempos.append(Tempo(frame: $1, quartersPerMinute: ($0.beatsPerMinute * tempo * 1000).rounded() / 1000))
        }
        lasting(notation.timeSignatures, \.time) {
            meters.append(Meter(frame: $1, numerator: $0.numerator, denominator: $0.denominator))
        }
        lasting(notation.keys, \.time) { keys.append(Text(frame: $1, text: $0.key)) }
        passing(notation.markers, \.time) { markers.append(Text(frame: $1, text: $0.text)) }
        passing(notation.lyrics, \.time) { lyrics.append(Text(frame: $1, text: $0.text)) }
        for piece in plan.pieces { addBeats(piece, timeline, before: frames) }
    }

    /// The beats of a piece, up to the song's end.
    private mutating func addBeats(_ piece: SongPlan.Piece, _ timeline: Timeline, before frames: Int64) {
        let map = timeline.tempoMap, last = timeline.summary.end
        guard case .ticksPerQuarter(let ticks) = map.division,
            var bar = map.position(ofTick: map.tick(at: SampleTime(piece.position)))?.bar
        else { return }
        while let first = map.tick(ofBar: bar), let next = map.tick(ofBar: bar + 1), next > first {
            // The denominator of the bar, by its beats.
            let place = map.position(ofTick: first)
            guard let place, place.bar == bar else { return }
            let length = map.beatTicks(atTick: first, ticks)
            for beat in 0..<Int64(256) {
                let tick = first + (beat * length.numerator + length.denominator - 1) / length.denominator
                if tick >= next { break }
                let time = map.time(ofTick: tick)
                if time > last { return }
                if time.rawValue < piece.position { continue }
                guard let frame = piece.time(of: time.rawValue), frame < frames else { return }
                beats.append(Beat(frame: frame, bar: bar, beat: Int(beat) + 1, unit: Int(length.denominator)))
            }
            bar += 1
        }
    }

    mutating func shift(by before: Int64, frames: Int64) {
        func shifted<Mark>(_ marks: [Mark], _ path: WritableKeyPath<Mark, Int64>, lasting: Bool = false) -> [Mark] {
            marks.compactMap { mark in
                var mark = mark
                mark[keyPath: path] -= before
                if lasting { mark[keyPath: path] = max(mark[keyPath: path], 0) }
                return (0..<frames).contains(mark[keyPath: path]) ? mark : nil
            }
        }
        beats = shifted(beats, \.frame)
        tempos = shifted(tempos, \.frame, lasting: true)
        meters = shifted(meters, \.frame, lasting: true)
        keys = shifted(keys, \.frame, lasting: true)
        markers = shifted(markers, \.frame)
        lyrics = shifted(lyrics, \.frame)
    }
}
