/// A note-on of a song, and what became of it. Times are frames of the audio file that it is heard in.
public struct NoteLabel: Sendable, Hashable {
    /// The outcome of a note-on.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        case played
        /// Sent to an instrument that does not log its notes.
        case sent
        /// The channel has no sound.
        case noPreset = "no-preset"
        /// Nothing of its channel's sound answers the key at this velocity.
        case noSample = "no-sample"
        /// Newer notes took its voices before they sounded.
        case stolen
        /// The level never reached `NoteLabel.quietest`, or its voices were too quiet to be played.
        case inaudible
        /// Played, but the strip of its channel is muted, or others are soloed.
        case muted
        /// The channel was left out.
        case leftOut = "left-out"
        /// Transposed, its key would be none.
        case offKeyboard = "off-keyboard"
        /// No instrument hears its channel.
        case unheard
        /// The patch made something else of it.
        case changed
        /// Not in the part that was rendered.
        case outside
    }

    /// The level below which a note is inaudible. Unit: dBFS.
    public static let quietest = -90.0

    /// A change of its pitch while it sounds.
    public struct Bend: Sendable, Hashable {
        public package(set) var frame: Int64
        /// Hertz from this frame on.
        public let pitch: Double

        init(frame: Int64, pitch: Double) { (self.frame, self.pitch) = (frame, pitch) }
    }

    /// The track, counted from 1; nil for a note of what lies over the song.
    public let track: Int?
    /// Counted from 1; those of the second port are 17 to 32.
    public let channel: Int
    /// The key as the song has it, 0...127.
    public let key: Int
    /// The key that was sent to its instrument, `key` with the transposition; nil means none was.
    public package(set) var soundingKey: Int?
    /// 1...127.
    public let velocity: Int
    /// The frame on which it was struck; nil means it was not.
    public package(set) var onset: Int64?
    /// The frame on which its key went up; nil means it did not.
    public package(set) var keyUp: Int64?
    /// The frame on which it was released, by its key, a pedal or another note; nil means it was not, or its instrument does
    /// not log releases.
    public package(set) var release: Int64?
    /// The frame from which on no voice of it is heard, at most 64 frames late; nil means one sounds on, or its instrument does
    /// not log ends.
    public package(set) var end: Int64?
    /// The pitch when it was struck, with tuning, bend and transposition, in hertz; nil for a drum.
    public package(set) var pitch: Double?
    /// The peak of the louder side of its own voices together, after strip and mixer and before effects, limiter and the gain
    /// of a loudness; nil means it made no sound, or its instrument does not log levels. Unit: dBFS.
    public package(set) var level: Double?
    /// The changes of its pitch by bends and tuning until its end, in their order; none if its instrument does not log them.
    public package(set) var bends: [Bend] = []
    /// The stem that it is heard in, counted from 1; nil where there are none.
    public package(set) var stem: Int?
    /// The outcome.
    public package(set) var outcome = Outcome.outside

    /// True if it is heard, as far as the instrument's log shows.
    public var isHeard: Bool { outcome == .played || outcome == .sent }

    init(track: Int?, channel: Int, key: Int, velocity: Int) {
        (self.track, self.channel, self.key, self.velocity) = (track, channel, key, velocity)
    }

    /// Returns the frame at which a comparison of notes takes it to be over: its release; else the end of its sound, or the
    /// frame on which its key goes up if its instrument has no log; else the end of the audio.
    func offset(_ frames: Int64) -> Int64 { min(release ?? end ?? (outcome == .sent ? keyUp : nil) ?? frames, frames) }

    static func counts(_ notes: [NoteLabel]) -> [Outcome: Int] {
        var counts: [Outcome: Int] = [:]
        for note in notes { counts[note.outcome, default: 0] += 1 }
        return counts
    }

    mutating func shift(_ change: (Int64) -> Int64) {
        (onset, keyUp, release, end) = (onset.map(change), keyUp.map(change), release.map(change), end.map(change))
        if bends.isEmpty { return }
        let moved = bends.map { Bend(frame: change($0.frame), pitch: $0.pitch) }
        // Of those that fall on one frame the last holds.
        bends = moved.indices.filter { $0 + 1 == moved.count || moved[$0].frame < moved[$0 + 1].frame }.map { moved[$0] }
    }
}
