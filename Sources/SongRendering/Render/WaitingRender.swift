import AudioFiles
import Reports

/// A song that is rendered, whose frames wait for their gain: `SongRenderer.waiting(for:)` makes one, `write(_:into:)` gives
/// the sound on. Control side, one thread at a time.
package final class WaitingRender {
    /// The report so far; level and limiter are known once it is written.
    package let report: RenderReport
    fileprivate let stage: LoudnessStage
    private let last: RenderProgress

    init(_ report: RenderReport, _ stage: LoudnessStage, expectedFrames: Int64) {
        (self.report, self.stage) = (report, stage)
        last = RenderProgress(frames: report.frames, expectedFrames: expectedFrames, stage: .writing)
    }

    /// True if no sample is heard.
    package var isSilent: Bool { stage.isSilent }

    /// Gives the whole sound on with its gain, and returns the report with the level that it has come to.
    ///
    /// - Parameters:
    ///   - sink: gets one pointer per channel, valid during the call, and a number of frames.
    ///   - progress: called now and then with the last progress; false ends it with `interrupted`.
    ///   - stemSink: gets the channels of each stem, with the same gain and without the limiter, in steps of its own.
    package func write(
        _ plan: LevelPlan, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        progress: (RenderProgress) -> Bool = { _ in true },
        stems stemSink: (([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void)? = nil
    ) throws(Fault) -> RenderReport {
        var report = report, goesOn = true
        let (level, work) = try stage.finish(plan, into: sink, stems: stemSink) { goesOn = progress(last) && goesOn }
        if !goesOn { throw .interrupted }
        (report.level, report.limiter) = (level, work)
        return report
    }
}

/// The gain that renders get, decided once all of their sound is known.
package struct LevelPlan: Sendable, Hashable {
    /// Decibels, in steps of 0.05.
    package var gain = 0.0
    /// The reason why it is not the gain that the target asks for.
    package var limit: RenderLevel.Limit?

    init(gain: Double = 0, limit: RenderLevel.Limit? = nil) { (self.gain, self.limit) = (gain, limit) }

    /// The gain that brings one render to its target, or several as of one album: the loudness of all together, gated as that
    /// of one programme (EBU R 128), with the limits of whichever allows the least.
    package init(for renders: [WaitingRender]) {
        self = LoudnessStage.plan(renders.map(\.stage))
    }
}
