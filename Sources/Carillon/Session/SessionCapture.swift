import DSP
import Patch
import RealtimeCore

/// The part of a session that writes what sounds into a file, and beside it the journal that sounds the same.
///
/// It ends at its first failure, which is told once when it happens and once more by `finish`. Control side.
final class SessionCapture {
    /// The queue that the device's thread puts every slice into.
    let queue: CaptureQueue
    /// The file: the one that was asked for, or a free name beside it.
    let path: String
    /// The reason why it ended before the session.
    private(set) var fault: LiveError?
    /// Sentences on what is not as it was asked for.
    let remarks: [String]
    private var files: LiveCapture?

    /// A queue for some seconds of sound. A slice is a block or several, and may be short: so are the blocks.
    static func makeQueue(channels: Int, sampleRate: Int) -> CaptureQueue {
        CaptureQueue(channels: channels, frames: sampleRate * 6, blockFrames: 64)
    }

    /// Creates both files.
    ///
    /// - Parameter patch: the graph's structure at the beginning.
    init(
        _ wanted: String, from queue: CaptureQueue, layout: SpeakerLayout, sampleRate: Int, patch: Patch
    ) throws(LiveError) {
        self.queue = queue
        let setup = Journal.Setup(sampleRate: sampleRate, patch: patch)
        let files = try LiveCapture(path: wanted, layout: layout, setup: setup, sampleRate: sampleRate)
        if files.path != wanted {
            remarks = ["\(wanted) or its journal is there already; what sounds is written to \(files.path)"]
        } else if files.journal.path != wanted + ".journal" {
            remarks = ["\(wanted).journal is there already; the journal is written to \(files.journal.path)"]
        } else {
            remarks = []
        }
        path = files.path
        self.files = files
    }

    /// Writes what was rendered and performed since the last time.
    func take(_ performance: Performance) throws(LiveError) {
        guard let files else { return }
        do throws(LiveError) {
            try files.drain(queue)
            do { try files.journal.append(performance.entries, performance.edits) } catch { throw .journal(error) }
        } catch {
            fault = error
            self.files = nil
            throw error
        }
    }

    /// Makes what was written so far a whole file.
    func makeWhole() throws(LiveError) {
        guard let files else { return }
        do throws(LiveError) { try files.makeWhole() } catch {
            fault = error
            self.files = nil
            throw error
        }
    }

    /// Writes the rest and gives both files their end.
    ///
    /// - Parameter unrecorded: events that the journal lacks.
    func finish(end: SampleTime, unrecorded: Int) throws(LiveError) {
        if let fault { throw fault }
        guard let files else { return }
        let isComplete = queue.droppedFrames == 0 && unrecorded == 0
        do throws(LiveError) { try files.finish(queue, end: end, isComplete: isComplete) } catch {
            fault = error
            throw error
        }
        if !isComplete {
            throw .captureGaps(path: files.journal.path, frames: queue.droppedFrames, events: unrecorded)
        }
    }
}
