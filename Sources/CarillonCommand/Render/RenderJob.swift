import AudioFiles
import Carillon
import DSP
import SongFiles

/// One song on its way into one audio file: what `carillon render` does between its arguments and its report.
struct RenderJob: Sendable {
    let song: String
    let target: RenderOutput
    let options: RenderOptions
    /// The loudness that the file is brought to; nil: the level is left as it is.
    let loudness: LoudnessTarget?
    let isStrict: Bool
    /// True where a SoundFont inside the song plays it.
    let playsBank: Bool
    /// True where peak and loudness are wanted: without a report nobody reads them, and loudness costs as much as a voice.
    let measures: Bool

    /// Renders. `progress` is called after every block.
    func run(_ progress: (RenderProgress) -> Void = { _ in }) throws(RenderError) -> RenderResult {
        let start = ContinuousClock().now
        // The song goes through one library, and the SoundFonts of its instruments through another.
        let loading = StuckCall(over: song, patience: StuckCall.loadPatience)
        defer { loading.stop() }
        let file: SongFile
        do { file = try SongReader.read(path: song, strict: isStrict) } catch { throw .song(error) }
        var options = options
        let found = SongBank.bank(in: file, path: song, isWanted: playsBank)
        options.songBank = found.bank
        let renderer = try SongRenderer(file.song, options: options)
        loading.stop()
        let (writer, unfinished) = try target.open(length: length(of: renderer), layout: renderer.layout)
        let meter = try measures && loudness == nil ? loudnessMeter(renderer.layout) : nil
        var peak: Float = 0
        let report = try render(renderer, into: writer, unfinished, meter, progress, &peak)
        let elapsed = ProgressBar.seconds(ContinuousClock().now - start)
        return RenderResult(
            songPath: song, outputPath: target.path, readings: file.readings, repairs: file.repairs,
            repairCount: file.repairCount, report: report, soundFonts: renderer.graph.soundFonts,
            soundFontOrigin: renderer.graph.soundFontOrigin, songBank: renderer.graph.songBank,
            remarks: (found.remark.map { ["\(song): \($0)"] } ?? [])
                + remarks(report, renderer, isSilent: isMeasured && peak == 0),
            format: target.format, layout: renderer.layout,
            peak: peak, loudness: report.level.map(\.loudness) ?? meter?.integratedLoudness,
            clippedSamples: writer.clippedSamples,
            byteCount: writer.byteCount, hasReplaced: writer.hasReplaced, gain: options.gain, elapsed: elapsed)
    }

    /// True where the highest sample is known.
    private var isMeasured: Bool { measures || loudness != nil }

    private func loudnessMeter(_ layout: SpeakerLayout) throws(RenderError) -> LoudnessMeter {
        let meter = LoudnessMeter(
            channels: layout.channels, layout: layout, sampleRate: options.sampleRate, boundsMemory: true)
        guard let meter else {
            throw .option(name: "rate", value: "\(options.sampleRate)", remedy: "libebur128 cannot measure at this rate")
        }
        return meter
    }

    private func render(
        _ renderer: SongRenderer, into writer: AudioFileWriter, _ unfinished: UnfinishedOutput, _ meter: LoudnessMeter?,
        _ progress: (RenderProgress) -> Void, _ peak: inout Float
    ) throws(RenderError) -> RenderReport {
        let watchdog = StuckCall(over: song, patience: StuckCall.renderPatience)
        defer { watchdog.stop() }
        let report: RenderReport
        do {
            func told(_ now: RenderProgress) -> Bool {
                watchdog.beat()
                progress(now)
                return true
            }
            if let loudness {
                report = try renderer.render(
                    at: loudness, measuresRange: measures, folder: target.spoolFolder,
                    into: { (samples, frames) throws(AudioFileError) in try writer.write(samples, frames: frames) },
                    progress: told)
                peak = report.level?.samplePeak ?? 0
            } else {
                report = try renderer.render { (samples, frames) throws(AudioFileError) in
                    meter?.add(samples, frames: frames)
                    try writer.write(samples, frames: frames)
                } progress: {
                    told($0)
                }
                peak = meter?.samplePeak ?? 0
            }
        } catch {
            writer.abandon()
            unfinished.isFinished()
            throw error
        }
        if isStrict, isMeasured, report.summary.noteCount > 0, peak == 0 {
            writer.abandon()
            unfinished.isFinished()
            throw .unheard(notes: report.summary.noteCount)
        }
        do { try unfinished.finishing(writer.finish) } catch { throw .audioFile(error) }
        return report
    }

    /// Returns the length that a stream's header may promise: it is known before only when the tail is not automatic.
    private func length(of renderer: SongRenderer) -> AudioFileLength {
        switch options.tail {
        case .auto: .atMost(renderer.longestFrames)
        case .exact, .seconds: .exactly(renderer.expectedFrames)
        }
    }

    /// Everything but repairs that was not as asked for, as sentences.
    private func remarks(_ report: RenderReport, _ renderer: SongRenderer, isSilent: Bool) -> [String] {
        var lines = renderer.graph.remarks + report.remarks
        let layout = renderer.layout
        if let made = renderer.foldedLayout {
            let bass = made.speakers.contains(.lowFrequency) && !layout.speakers.contains(.lowFrequency)
            lines.append(
                "\(song): the patch plays on \(made.rawValue) and was folded down to \(layout.rawValue)"
                    + (bass ? ", without the low-frequency channel" : ""))
        }
        if !target.format.container.tells(layout) {
            let order = layout.rawValue
            lines.append(
                "\(target.path): \(target.format.container.rawValue) does not say which speaker a channel of \(order) is for; "
                    + "they stand in the order of WAVE (wav, rf64 and flac say it)")
        }
        if report.summary.noteCount == 0 {
            lines.append("\(song): has no notes; the sound is silence")
        } else if isSilent {
            lines.append("\(song): \(RenderError.unheard(notes: report.summary.noteCount).commandSentence)")
        }
        switch report.cut {
        case .maximumDuration?: lines.append("\(song): cut at --max-duration, faded out over \(fade(report))")
        case .longestTail?:
            lines.append(
                "\(song): still sounding \(Int(options.longestTail)) s after its end; cut there, faded out over "
                    + "\(fade(report)) (--tail SECONDS chooses)")
        case nil: break
        }
        return lines
    }

    private func fade(_ report: RenderReport) -> String { "\(Self.fixed(report.fade * 1000, 0)) ms" }

    static func decibels(_ amplitude: Float) -> String {
        amplitude > 0 ? fixed(Double(Decibels.level(ofAmplitude: amplitude)), 1) : "-inf"
    }

    /// `value` with so many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value < 0 ? "-inf" : "inf" }
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((abs(value) * Double(scale)).rounded())
        var fraction = String(scaled % scale)
        while fraction.count < decimals { fraction = "0" + fraction }
        return (value < 0 && scaled > 0 ? "-" : "") + String(scaled / scale) + (decimals > 0 ? ".\(fraction)" : "")
    }
}
