import DSP
import Patches
import RealtimeCore
import Reports

/// A file that the sound is written to, and beside it the journal that gives the same sound.
///
/// Its first failure ends it, and is reported once when it happens and once more by `finish`.
final class CapturePart: SessionPart {
    private let core: SessionCore
    /// The queue that the device's thread puts every slice into.
    let queue: CaptureQueue
    /// The file: the one that was requested, or a free name beside it.
    let path: String
    /// The reason why it ended before the session.
    private(set) var fault: Fault?
    let remarks: [Remark]
    private var files: LiveCapture?

    static let fields: [PartField<CapturePart>] = [
        PartField(\.capture, "capture", "The file that the output is recorded to.") { $0.fault == nil ? $0.path : nil },
        PartField(\.captureFault, "captureFault", "The reason why the output is no longer captured.") { $0.fault?.description },
    ]

    /// A queue for some seconds of sound. A slice is a block or several, and may be short: so are the blocks.
    static func makeQueue(channels: Int, sampleRate: Int) -> CaptureQueue {
        CaptureQueue(channels: channels, frames: sampleRate * 6, blockFrames: 64)
    }

    /// Creates both files. `patch` is the graph's structure at the beginning.
    init(_ core: SessionCore, _ wanted: String, from queue: CaptureQueue, layout: SpeakerLayout, patch: Patch) throws(Fault) {
        (self.core, self.queue) = (core, queue)
        let sampleRate = core.options.sampleRate, setup = Journal.Setup(sampleRate: sampleRate, patch: patch)
        let files = try LiveCapture(path: wanted, layout: layout, setup: setup, sampleRate: sampleRate)
        if files.path != wanted {
            remarks = [
                Remark(.substituted, wanted, "it or its journal already exists, and the recording goes to \(files.path)")
            ]
        } else if files.journal.path != wanted + ".journal" {
            remarks = [
                Remark(.substituted, "\(wanted).journal", "it already exists, and the journal goes to \(files.journal.path)")
            ]
        } else {
            remarks = []
        }
        path = files.path
        self.files = files
    }

    func hear(_ performance: Performance) throws(Fault) {
        guard let files else { return }
        do throws(Fault) {
            try files.drain(queue)
            try files.journal.append(performance.entries, performance.edits)
        } catch {
            fault = error
            self.files = nil
            throw error
        }
    }

    func makeWhole() throws(Fault) {
        guard let files else { return }
        do throws(Fault) { try files.makeWhole() } catch {
            fault = error
            self.files = nil
            throw error
        }
    }

    func finish() throws(Fault) {
        let unrecorded = core.unrecorded
        if let fault { throw fault }
        guard let files else { return }
        let isComplete = queue.droppedFrames == 0 && unrecorded == 0
        do throws(Fault) { try files.finish(queue, end: core.now, isComplete: isComplete) } catch {
            fault = error
            throw error
        }
        if !isComplete {
            throw .captureGaps(path: files.journal.path, frames: queue.droppedFrames, events: unrecorded)
        }
    }
}

extension SnapshotKeys {
    /// The file that the sound is recorded to; nil while none is.
    public var capture: SnapshotKey<String?> { SnapshotKey(nil) }
    /// The reason why the sound is no longer captured.
    public var captureFault: SnapshotKey<String?> { SnapshotKey(nil) }
}

extension Session {
    /// The file that the sound is written to: the one that the options name, or a free name beside it.
    public var capturePath: String? { self[CapturePart.self]?.path }
    /// The reason why the capture ended before the session.
    public var captureFault: Fault? { self[CapturePart.self]?.fault }
}
