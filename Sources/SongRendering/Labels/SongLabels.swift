import MIDI
import Sequencer

/// The labels of a render: every note-on of the song with what became of it, and the music's time, all in frames of the audio.
///
/// They come from the performance itself, after all repairs, not from a second reading of the file. `SongRenderer.labels(of:)`
/// makes them.
public struct SongLabels: Sendable {
    /// An instrument of the render.
    public struct Instrument: Sendable, Hashable {
        public let name: String
        /// True if it logs the outcome of its notes; if not, releases and ends are unknown.
        public let tells: Bool
    }

    /// A channel with notes, and the sounds that it asked for.
    public struct Part: Sendable, Hashable {
        /// A sound that was requested.
        public struct Program: Sendable, Hashable {
            public let request: PresetRequest
            /// The sound that plays; nil if none does, or if sounds have no names.
            public let found: SoundPreset?
            /// Notes of the whole song.
            public let notes: Int
        }

        /// Counted from 1; those of the second port are 17 to 32.
        public let channel: Int
        public let programs: [Program]
    }

    /// Frames per second.
    public let sampleRate: Int
    /// Frames of the audio.
    public private(set) var frames: Int64
    /// A row for each note-on that was sent, in their order, followed by those that were not.
    public private(set) var notes: [NoteLabel]
    /// Tempos, beats, meters, keys, words.
    package private(set) var marks: LabelMarks
    /// The channels that play, and their sounds.
    public let parts: [Part]
    public let instruments: [Instrument]
    /// The controllers, programs, bends and pressures that were sent, each at its frame.
    private(set) var controls: [SongPlan.SentControl]

    init(
        sampleRate: Int, frames: Int64, notes: [NoteLabel], marks: LabelMarks, parts: [Part], instruments: [Instrument],
        controls: [SongPlan.SentControl]
    ) {
        (self.sampleRate, self.frames, self.notes, self.marks) = (sampleRate, frames, notes, marks)
        (self.parts, self.instruments, self.controls) = (parts, instruments, controls)
    }

    /// Notes with an outcome.
    public func count(_ outcome: NoteLabel.Outcome) -> Int { NoteLabel.counts(notes)[outcome] ?? 0 }

    /// The text of `SONG.notes.tsv`: a line for each note with a pitch that is heard, onset and release in seconds and the pitch
    /// in hertz, as `mir_eval.io.load_valued_intervals` reads it.
    ///
    /// A missing release is replaced by the end of the sound, or by that of the audio. `instants` are left out.
    public var notesTable: String { LabelText.table(notes, sampleRate: sampleRate, frames: frames) }

    /// Notes with a pitch that are heard and are over on the frame on which they begin.
    public var instants: Int {
        notes.count { note in note.isHeard && note.pitch != nil && note.onset.map { note.offset(frames) <= $0 } ?? false }
    }

    /// Releases each note when its key is struck again while a pedal holds it, as data sets of recorded pianos have it. Its
    /// `end` stays at the end of its sound.
    public mutating func cutRestrikes() {
        /// The next two frames on which each key is struck, by channel and key.
        var next: [Int: (onset: Int64, following: Int64?)] = [:]
        for index in notes.indices.reversed() where notes[index].isHeard {
            guard let onset = notes[index].onset else { continue }
            let place = notes[index].channel * 128 + (notes[index].soundingKey ?? notes[index].key), former = next[place]
            let strike = former.flatMap { $0.onset > onset ? $0.onset : $0.following }
            next[place] = (onset, strike)
            if let strike, strike < notes[index].offset(frames) { notes[index].release = strike }
        }
    }

    /// Leaves frames out before and after, as `SilenceTrim` did: notes that began before begin with the first frame.
    public mutating func trim(_ report: RenderReport) {
        let before = report.silenceBefore
        frames = report.frames
        if before == 0, report.silenceBehind == 0 { return }
        // A sound that goes on below -90 dB in omitted silence is over at the end of the file.
        for index in notes.indices { notes[index].shift { min(max($0 - before, 0), report.frames) } }
        marks.shift(by: before, frames: frames)
        for index in controls.indices { controls[index].frame = min(max(controls[index].frame - before, 0), report.frames) }
    }
}
