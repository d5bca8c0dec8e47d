import MIDI
import RealtimeCore
import Sequencer

/// A row for each note of a plan: those that are sent, in their order, then those of the song that are not.
struct NoteRows {
    var labels: [NoteLabel] = []
    /// The notes that are sent; the row of each has its place.
    private(set) var sent: [SongPlan.SentNote] = []

    /// `timeline` was made of `song`; `track` is the one that is played, nil means all are; `stems` has each part's stem.
    init(_ plan: SongPlan, _ timeline: Timeline, _ song: Song, track: Int?, stems: [Int: Int]) {
        let tracks = timeline.tracksOfNotes(song, track: track)
        var own: [NoteLabel] = [], rows = [Int32](repeating: -1, count: timeline.events.count)
        own.reserveCapacity(tracks.count)
        for (event, timed) in timeline.events.enumerated() {
            guard case .message(let message) = timed.event, message.beginsNote else { continue }
            rows[event] = Int32(truncatingIfNeeded: own.count)
            own.append(NoteLabel(message, track: tracks[own.count]))
        }
        var isSent = [Bool](repeating: false, count: own.count)
        labels.reserveCapacity(own.count)
        plan.forEachNote { note in
            if note.time < plan.start { return }
            let event = note.event ?? Self.origin(of: note.message, in: timeline, before: plan.part.lowerBound)
            let row = event.map { Int(rows[$0]) }
            if let row { isSent[row] = true }
            labels.append(row.map { own[$0] } ?? NoteLabel(note.message, track: nil))
            labels[labels.count - 1].stem = stems[note.message.part]
            sent.append(note)
        }
        for (row, label) in own.enumerated() where !isSent[row] { labels.append(label) }
    }

    /// The number of notes that are sent before a frame of the clock.
    func count(before frame: Int64) -> Int { sent.firstIndex { $0.time >= frame } ?? sent.count }

    /// The note of the song that a beginning in its middle strikes anew.
    private static func origin(of message: MIDIMessage, in timeline: Timeline, before frame: Int64) -> Int? {
        timeline.events.lastIndex { timed in
            guard timed.time.rawValue < frame, case .message(let other) = timed.event else { return false }
            return other.beginsNote && other.part == message.part && other.data1 == message.data1
        }
    }
}

extension NoteLabel {
    fileprivate init(_ message: MIDIMessage, track: Int?) {
        self.init(track: track, channel: message.part + 1, key: Int(message.data1), velocity: Int(message.data2))
    }
}

extension SongPlan {
    /// A message beside notes that is sent.
    struct SentControl: Sendable, Hashable {
        /// The frame, counted from the first that is heard, which events sent before it get.
        var frame: Int64
        let message: MIDIMessage
    }

    /// Returns the controllers, programs, bends and pressures that are sent before a frame, counted from the first that is heard.
    /// - Parameter silent: parts, port * 16 + channel, whose messages are left out.
    func controls(before frame: Int64, silencing silent: Set<Int>) -> [SentControl] {
        var controls: [SentControl] = []
        forEachMessage { message, time, _, _ in
            if message.kind == .noteOn || message.kind == .noteOff || silent.contains(message.part) { return }
            if time - start < frame { controls.append(SentControl(frame: max(time - start, 0), message: message)) }
        }
        return controls
    }
}
