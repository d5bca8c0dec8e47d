import MIDI
import Sequencer

extension SongLabels {
    /// The text of `SONG.notes.tsv`: a line for each note with a pitch that is heard, onset and release in seconds and the pitch
    /// in hertz, as `mir_eval.io.load_valued_intervals` reads it.
    ///
    /// A release that nobody tells is the key's, or the end of the audio. No interval is shorter than a frame.
    public var notesTable: String { LabelText.table(notes, sampleRate: sampleRate, frames: frames) }

    /// The song as it was heard, for a MIDI file: a track for each channel, on ticks that are the frames of the audio wherever
    /// the rate allows it (`tick`), with programs, controllers and bends.
    ///
    /// Notes that were not heard are left out; a key that went up with nobody telling does so at the end of the audio. Meters
    /// and tempos are none here: one tempo makes ticks frames.
    public var song: Song {
        var words = marks.markers.map { (frame: $0.frame, text: SongText(.marker, $0.text)) }
        words += marks.lyrics.map { (frame: $0.frame, text: SongText(.lyric, $0.text)) }
        var names: [Int: String] = [:]
        for part in parts { names[part.channel - 1] = part.programs.first?.found?.name }
        return Song(notes, controls, words: words, names: names, sampleRate: sampleRate, frames: frames)
    }
}
