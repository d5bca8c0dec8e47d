import MIDI
import RealtimeCore

/// A plan in notes and pieces, to report what was played when.
extension SongPlan {
    /// A note that instruments are sent.
    package struct SentNote: Sendable, Hashable {
        /// The note-on, with the key as the song has it.
        package let message: MIDIMessage
        /// The frame of the clock on which it is sent.
        package let time: Int64
        /// Semitones by which it is shifted, if it is not a drum.
        package let transpose: Int
        /// The event in the song; nil for one that a beginning in its middle strikes anew.
        package let event: Int?
    }

    /// Goes through the notes that are sent, repeats included, in their order.
    package func forEachNote(_ body: (SentNote) -> Void) {
        forEachMessage { message, time, stretch, place in
            guard message.beginsNote, let place else { return }
            // The events of a beginning in the middle come after the song's.
            let isOwn = place >= events.count - own, first = events.count - repeated.count
            let event = isOwn ? place >= first ? repeated.lowerBound + place - first : nil : place
            body(SentNote(message: message, time: time, transpose: stretches[stretch].transpose, event: event))
        }
    }

    /// Calls `body` with every message that is sent: frame of the clock, stretch, index of the event; nil for messages that
    /// set the state at the start of a stretch.
    package func forEachMessage(_ body: (MIDIMessage, Int64, Int, Int?) -> Void) {
        for (index, stretch) in stretches.enumerated() {
            let next = end(ofStretch: index)
            for event in stretch.prologue {
                if case .message(let message) = event { body(message, stretch.start.rawValue, index, nil) }
            }
            for place in stretch.events {
                guard case .message(let message) = events[place].event else { continue }
                let time = stretch.time(of: events[place].time).rawValue
                if time < next { body(message, time, index, place) }
            }
        }
    }

    /// A piece of a song that is heard in one go. Its times are counted from the first frame that is heard.
    package struct Piece: Sendable, Hashable {
        /// The frame of the song with which it begins.
        package let position: Int64
        /// The times at which it begins and ends.
        package let times: Range<Int64>
        fileprivate let stretch: ScoreStretch
        fileprivate let origin: Int64

        /// The time of a frame of the song; nil if it is not in the piece.
        package func time(of frame: Int64) -> Int64? {
            guard frame >= position else { return nil }
            let time = stretch.time(of: SampleTime(frame)).rawValue - origin
            return times.contains(time) ? time : nil
        }
    }

    /// The pieces of the song that are heard, one for each round of a loop, in their order.
    package var pieces: [Piece] {
        stretches.indices.compactMap { index in
            let stretch = stretches[index]
            let begin = max(stretch.start.rawValue, start), next = min(end(ofStretch: index), max(end, begin))
            // The last may be nothing but an end.
            if begin >= next || (stretch.releases && stretch.events.isEmpty) { return nil }
            return Piece(
                position: stretch.position + stretch.rate.scoreFrames(ofClock: begin - stretch.start.rawValue),
                times: begin - start..<next - start, stretch: stretch, origin: start)
        }
    }

    private func end(ofStretch index: Int) -> Int64 {
        index + 1 < stretches.count ? stretches[index + 1].start.rawValue : .max
    }
}
