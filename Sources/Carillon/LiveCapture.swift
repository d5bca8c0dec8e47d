import AudioFiles
import RealtimeCore
import RemoteIO

/// `--capture`: what sounds on its way into an audio file, and beside it the journal that sounds the same.
///
/// Control side, one thread.
final class LiveCapture {
    /// `FILE.journal`.
    let journal: JournalFile
    private let writer: AudioFileWriter
    /// The sample time of the next frame to be written.
    private var next = SampleTime.zero
    private let silence: [Float]
    /// When what is written becomes a whole file the next time: once a second.
    private var checkpoint: SampleTime
    private let sampleRate: Int

    /// Creates both files. Floating point where the format has it.
    init(path: String, setup: Journal.Setup, sampleRate: Int) throws(LiveError) {
        do throws(AudioFileError) {
            var format = try AudioFileFormat(path: path, name: nil, bits: nil)
            if format.encoding != nil, format.container != .flac {
                format = try AudioFileFormat(path: path, name: nil, bits: .float32)
            }
            writer = try AudioFileWriter(
                path: path, format: format, channels: 2, sampleRate: sampleRate, keepsUnfinished: true)
        } catch { throw .audioFile(error) }
        var start = Journal()
        start.setup = setup
        do { journal = try JournalFile(path: path + ".journal", start) } catch { throw .journal(error) }
        silence = [Float](repeating: 0, count: 4096)
        self.sampleRate = sampleRate
        checkpoint = SampleTime(Int64(sampleRate))
    }

    /// Writes what has been rendered since the last time.
    func drain(_ queue: CaptureQueue) throws(LiveError) {
        var isEmpty = false
        while !isEmpty {
            do throws(AudioFileError) {
                isEmpty = try !queue.drain { (time, samples, frames) throws(AudioFileError) in
                    try fill(to: time)
                    try writer.write([samples, samples + queue.blockFrames], frames: frames)
                    next = next + frames
                }
            } catch { throw .audioFile(error) }
        }
        if next >= checkpoint {
            do { try writer.makeCheckpoint() } catch { throw .audioFile(error) }
            checkpoint = next + sampleRate
        }
    }

    /// Frames that found no room in the queue are silent, so that what follows keeps its time.
    private func fill(to time: SampleTime) throws(AudioFileError) {
        while next < time {
            let frames = min(time - next, silence.count)
            try silence.withUnsafeBufferPointer { (zeros) throws(AudioFileError) in
                guard let base = zeros.baseAddress else { return }
                try writer.write([base, base], frames: frames)
            }
            next = next + frames
        }
    }

    /// Writes the rest and gives both files their end.
    func finish(_ queue: CaptureQueue, end: SampleTime, isComplete: Bool) throws(LiveError) {
        try drain(queue)
        do throws(AudioFileError) {
            try fill(to: end)
            try writer.finish()
        } catch { throw .audioFile(error) }
        do throws(JournalError) {
            if !isComplete { try journal.markIncomplete() }
            try journal.finish(end)
        } catch { throw .journal(error) }
    }
}
