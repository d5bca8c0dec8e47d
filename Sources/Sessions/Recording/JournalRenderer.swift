import AudioFiles
import DSP
import EngineCore
import Graphs
import Patches
import RealtimeCore
import RemoteIO
import Reports
import SongRendering

/// Plays a journal once more, offline: the samples that were heard live.
///
/// Control side, one thread.
package final class JournalRenderer {
    /// The journal that it plays.
    package let journal: Journal
    /// The engine that plays it; its graph begins as the journal's set-up says.
    package let engine: Engine
    private let output: OfflineOutput
    private var next = 0, nextEdit = 0
    private let blockFrames: Int

    /// Builds the graph; SoundFonts are read here.
    ///
    /// - Parameters:
    ///   - threads: the number that render together; changes no sample.
    ///   - blockFrames: the most frames that are rendered at once, 1...4096; changes no sample.
    ///   - layout: the loudspeakers that the sink gets a channel for each; sound that is made for others is folded.
    package init(
        _ journal: Journal, threads: Int = 1, blockFrames: Int = 512, layout: SpeakerLayout = .stereo
    ) throws(Fault) {
        self.blockFrames = blockFrames
        // The time that was not kept is skipped; the grid of the instruments stays where it was.
        self.journal = journal.begin == .zero ? journal : journal.shifted(by: journal.begin.rawValue / 4096 * 4096)
        let setup = journal.setup
        let patch = try setup.song.map { song throws(Fault) in try song.patch(sampleRate: setup.sampleRate) }
        engine = try Engine(
            patch: patch ?? setup.patch, sampleRate: Double(setup.sampleRate), maximumFrames: PatchStage.maximumFrames,
            recordsScore: true)
        output = try engine.offlineOutput(layout: layout, threads: threads)
    }

    /// Frames that will be rendered.
    package var frames: Int64 { max(journal.end - journal.begin, 0) == 0 ? 0 : Int64(journal.end - journal.begin) }

    /// Renders from the journal's beginning to its end into `sink`, which gets one pointer per channel and a number of
    /// frames. `progress` false stops it with `interrupted`.
    package func render(
        into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        progress: (Int64) -> Bool = { _ in true }
    ) throws(Fault) {
        let channels = output.buffer.planes.map { UnsafePointer($0) }
        var time = SampleTime.zero
        while time < journal.end {
            // The time before the journal begins is silent, and passes in large steps.
            let stop = time < journal.begin ? journal.begin : journal.end
            let block = time < journal.begin ? engine.maximumFrames : blockFrames
            try edit(at: time)
            // An edit takes effect between two pulls.
            let limit = nextEdit < journal.edits.count ? max(journal.edits[nextEdit].time - time, 1) : block
            let frames = min(stop - time, min(block, limit))
            try send(before: time + frames)
            engine.companionService.attend()
            output.pull(frames)
            if time >= journal.begin {
                do { try sink(channels, frames) } catch { throw Fault(error) }
            }
            time = time + frames
            if !progress(Int64(max(time - journal.begin, 0))) { throw .interrupted }
        }
    }

    private func edit(at time: SampleTime) throws(Fault) {
        while nextEdit < journal.edits.count, journal.edits[nextEdit].time <= time {
            try engine.restructure(journal.edits[nextEdit].difference)
            nextEdit += 1
        }
    }

    /// Sends what takes effect before `time`.
    private func send(before time: SampleTime) throws(Fault) {
        while next < journal.entries.count, journal.entries[next].time < time {
            let entry = journal.entries[next]
            var node: NodeID?
            if let unit = entry.unit {
                guard let found = engine.graph.nodes.first(where: { $0.name == unit }) else {
                    throw .journalUnit(unit, known: engine.graph.nodes.map(\.name))
                }
                node = found.id
            }
            if !engine.renderer.send(RenderCommand(time: entry.time, node: node, event: entry.event)) {
                // More at one moment than the queue holds: let some frames pass, as they did live.
                return
            }
            next += 1
        }
    }
}
