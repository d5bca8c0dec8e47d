import AudioFiles
import Carillon
import DSP

/// A journal on its way into an audio file: what `carillon render` does when it is given one.
struct JournalJob: Sendable {
    let journal: String
    let output: OutputChoice
    let threads: Int
    /// The loudspeakers of the file; nil for those of the journal's patch.
    let layout: SpeakerLayout?

    /// Returns the summary line.
    func run() throws(Fault) -> String {
        let read: Journal
        read = try Journal(path: journal)
        let rate = read.setup.sampleRate, layout = layout ?? read.setup.patch.outputLayout.heard
        var output = output
        output.layout = layout
        let target: RenderOutput, renderer: JournalRenderer
        let writer: AudioFileWriter, unfinished: UnfinishedOutput
        target = try RenderOutput(of: journal, output, sampleRate: rate)
        try target.requireFree()
        renderer = try JournalRenderer(read, threads: threads, layout: layout)
        (writer, unfinished) = try target.open(
            length: .exactly(renderer.frames), layout: layout, tags: AudioTags(target.tags.given))
        defer { unfinished.isFinished() }
        let watchdog = StuckCall(over: journal, patience: StuckCall.renderPatience)
        defer { watchdog.stop() }
        do throws(Fault) {
            let sink: FrameSink
            sink = try FrameSink(threads: threads, channels: layout.channels) {
                (_, samples, frames) throws(AudioFileError) in try writer.write(samples, frames: frames)
            }
            try renderer.render { (samples, frames) throws(AudioFileError) in
                try sink.give(.mix, samples, frames: frames)
            } progress: { _ in
                watchdog.beat()
                return !Interruption.isAsked
            }
            do { try sink.finish() } catch { throw Fault(error) }
        } catch {
            unfinished.finishing { writer.abandon() }
            throw error
        }
        do { try unfinished.finishing(writer.finish) } catch { throw Fault(error) }
        let seconds = RenderJob.fixed(Double(renderer.frames) / Double(rate), 2)
        let events = read.entries.count
        var note = read.isComplete ? "" : "; it begins in the middle of the playing, so what sounded then is missing"
        if events == 0 { note += "; nothing was played" }
        if !read.hasEnd { note += "; it was cut off" + (events > 0 ? ", so it ends five seconds after its last event" : "") }
        if writer.hasReplaced { note += "; it replaced the file that was there" }
        return "\(target.path): \(seconds) s from a journal of \(events) events, \(writer.byteCount) bytes\(note)"
    }
}
