import EngineCore
import Patches
import RealtimeCore
import Sequencer
import SongFiles

/// A recorder that never stops: it keeps the last minutes of playing and writes them on request.
final class RecorderPart: SessionPart {
    private let core: SessionCore
    private(set) var recording: MIDIRecorder
    /// The music that instruments heard.
    private var notes: MIDIRecorder
    private var marks: [RecordedSong.Mark] = []

    static let verbs = [Verb.saveRecording] + RecordedMusic.allCases.map(Verb.saveRecording)

    /// - Parameter patch: the graph's structure at the beginning.
    init(_ core: SessionCore, patch: Patch) {
        self.core = core
        let seconds = core.options.recording.minutes * 60
        let rate = core.options.sampleRate
        recording = MIDIRecorder(frames: Int(seconds * Double(rate)), patch: patch, sampleRate: rate)
        notes = recording
        core.mark = { [unowned self] in marks.append(RecordedSong.Mark(time: $1, text: $0)) }
    }

    /// Takes in the events up to now, and forgets those that are too old.
    func hear(_ performance: Performance) {
        for entry in performance.entries { recording.record(entry) }
        for entry in performance.played { notes.record(entry) }
        for edit in performance.edits {
            recording.record(edit)
            notes.record(edit)
        }
        let start = SampleTime(core.now.rawValue - Int64(recording.frames))
        recording.forget(before: start)
        notes.forget(before: start)
        marks.removeAll { $0.time < start }
    }

    func save(_ path: String?, _ music: RecordedMusic? = nil) throws(Fault) -> String {
        let path = SavingFolder.song(path, orAs: "carillon-\(NumberedName.now)")
        let setup = Journal.Setup(sampleRate: core.options.sampleRate), title = "Played on \(NumberedName.now)"
        var journal = recording.journal(setup, end: core.now)
        if core.unrecorded > 0 { journal.isComplete = false }
        let song: Song? =
            switch music ?? core.options.recording.music {
            case .keys: RecordedSong.song(journal, marks: marks, title: title)
            case .notes:
                RecordedSong.song(
                    notes.journal(setup, end: core.now), ofPlayers: true, times: journal.entries, marks: marks, title: title)
            }
        guard let song else { throw .nothingPlayed }
        do { try SongWriter.write(song, path: path) } catch { throw Fault(error) }
        try journal.write(path: SavingFolder.journal(of: path))
        return path
    }

    /// Carries out a surface's request: as `save`, or in the session's own folder.
    func save(asked: String?, _ music: RecordedMusic? = nil) throws(Fault) -> String {
        try core.save(.recording, as: asked) { (path) throws(Fault) in try save(path, music) }
    }
}

extension Session {
    /// Writes the last minutes of playing as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameters:
    ///   - path: the file; without an ending it gets `.mid`. nil means `carillon-YYYYMMDD-HHMMSS.mid` here, or the next free
    ///     name.
    ///   - music: the music of the song; nil means `LiveOptions.recording`. The journal is of the keys.
    /// - Returns: the song's path.
    @discardableResult
    public func saveRecording(_ path: String?, _ music: RecordedMusic? = nil) throws(Fault) -> String {
        try part(RecorderPart.self).save(path, music)
    }
}

extension Verb {
    static let saveRecording = Verb(
        "save-recording", [.file], help: "Writes what was played as a song.", "save-recording evening.mid",
        saves: { (recorder: RecorderPart, values) throws(Fault) in try recorder.save(asked: values.optionalText(0)) })
    static func saveRecording(of music: RecordedMusic) -> Verb {
        let help =
            switch music {
            case .keys: "Writes the keys that were played as a song."
            case .notes: "Writes the notes that instruments received as a song, such as those of an arpeggiator."
            }
        return Verb(
            "save-recording \(music.rawValue)", [.file], help: help, "save-recording \(music.rawValue) evening.mid",
            saves: { (recorder: RecorderPart, values) throws(Fault) in
                try recorder.save(asked: values.optionalText(0), music)
            })
    }
}

extension ControlCommand {
    /// Writes the last minutes of playing as a .mid and as a journal beside it; a path of nil chooses a name by the calendar in
    /// the current folder, music of nil is `LiveOptions.recording`.
    public static func saveRecording(path: String?, _ music: RecordedMusic? = nil) -> ControlCommand {
        (music.map(Verb.saveRecording) ?? Verb.saveRecording)(path)
    }
}
