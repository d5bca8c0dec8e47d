import AudioFiles
import DSP
import EngineCore
import Glibc
import RealtimeCore
import SoundFonts

/// `--capture`: writes the sound into an audio file, and beside it the journal that gives the same sound.
///
/// A recording replaces nothing: if there is such a file, or the journal of a session that crashed, it gets the next free name,
/// `evening-2.wav` after `evening.wav`.
///
/// Control side, one thread.
final class LiveCapture {
    let path: String
    /// `PATH.journal`, or beside a pipe the next free name.
    let journal: JournalFile
    private let writer: AudioFileWriter
    private var next = SampleTime.zero
    private let silence: [Float]
    /// The next time at which the file is made whole: once a second.
    private var checkpoint: SampleTime
    private let sampleRate: Int

    /// Creates both files. Floating point if the format has it.
    init(path wanted: String, layout: SpeakerLayout, setup: Journal.Setup, sampleRate: Int) throws(Fault) {
        let format: AudioFileFormat
        do throws(AudioFileError) {
            let named = try AudioFileFormat(path: wanted, name: nil, bits: nil)
            let holdsFloats = named.encoding != nil && named.container != .flac
            format = holdsFloats ? try AudioFileFormat(path: wanted, name: nil, bits: .float32) : named
        } catch { throw Fault(error) }
        var start = Journal()
        start.setup = setup
        // A pipe has its name for good; its journal has one of its own each time.
        let isStream = AudioFileWriter.isStream(path: wanted)
        var names = NumberedName(wanted)
        while true {
            do {
                let path = isStream ? wanted : names.text
                (writer, journal) = try Self.create(path, journal: names.text + ".journal", format, layout, sampleRate, start)
                self.path = path
                break
            } catch {
                guard error.saysThatNameIsTaken, names.advance() else { throw error }
            }
        }
        silence = [Float](repeating: 0, count: 4096)
        self.sampleRate = sampleRate
        checkpoint = SampleTime(Int64(sampleRate))
    }

    deinit {
        // Nothing was heard: a journal alone would only be in the way.
        if next == .zero { journal.remove() }
    }

    /// Both files under names that were free, or neither.
    private static func create(
        _ path: String, journal: String, _ format: AudioFileFormat, _ layout: SpeakerLayout, _ sampleRate: Int,
        _ start: Journal
    ) throws(Fault) -> (AudioFileWriter, JournalFile) {
        let file: JournalFile
        do { file = try JournalFile(path: journal, start, mustBeNew: true) } catch {
            // An error about a missing folder names the path that was given.
            guard case .cannotCreate(_, let fault)? = error.origin as? AudioFileError else { throw error }
            throw Fault(AudioFileError.cannotCreate(path: path, fault))
        }
        do {
            return (
                try AudioFileWriter(
                    path: path, format: format, channels: layout.channels, layout: layout, sampleRate: sampleRate,
                    isRecording: true), file
            )
        } catch {
            file.remove()
            throw Fault(error)
        }
    }

    /// Writes the sound rendered since the last time.
    func drain(_ queue: CaptureQueue) throws(Fault) {
        var isEmpty = false
        while !isEmpty {
            do throws(AudioFileError) {
                isEmpty = try !queue.drain { (time, samples, frames) throws(AudioFileError) in
                    try fill(to: time)
                    try writer.write((0..<queue.channels).map { samples + $0 * queue.blockFrames }, frames: frames)
                    next = next + frames
                }
            } catch { throw Fault(error) }
        }
        if next >= checkpoint { try makeWhole() }
    }

    /// Makes the file whole as it is so far, header and all.
    func makeWhole() throws(Fault) {
        do { try writer.makeCheckpoint() } catch { throw Fault(error) }
        checkpoint = next + sampleRate
    }

    /// Frames that found no room in the queue are silent, so that later frames keep their time.
    private func fill(to time: SampleTime) throws(AudioFileError) {
        while next < time {
            let frames = min(time - next, silence.count)
            try silence.withUnsafeBufferPointer { (zeros) throws(AudioFileError) in
                guard let base = zeros.baseAddress else { return }
                try writer.write(Array(repeating: base, count: writer.channels), frames: frames)
            }
            next = next + frames
        }
    }

    func finish(_ queue: CaptureQueue, end: SampleTime, isComplete: Bool) throws(Fault) {
        try drain(queue)
        do throws(AudioFileError) {
            try fill(to: end)
            try writer.finish()
        } catch { throw Fault(error) }
        if !isComplete { try journal.markIncomplete() }
        try journal.finish(end)
    }
}

extension Fault {
    fileprivate var saysThatNameIsTaken: Bool {
        if case .exists? = origin as? AudioFileError { true } else { kind == .journalExists }
    }
}
