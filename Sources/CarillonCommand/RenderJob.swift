import AudioFiles
import Carillon
import DSP
import SongFiles

/// One song on its way into one audio file: what `carillon render` does between its arguments and its report.
struct RenderJob {
    let song: String
    let output: String?
    let options: RenderOptions
    let format: String?
    let bits: AudioFileFormat.Encoding?
    let isStrict: Bool
    let showsProgress: Bool
    /// Whether peak and loudness are wanted: without a report nobody reads them, and loudness costs as much as a voice.
    let measures: Bool

    /// What came of it.
    struct Result {
        let songPath: String
        let outputPath: String
        let file: SongFile
        let report: RenderReport
        let soundFonts: [String]
        let soundFontOrigin: SoundFontLocator.Origin?
        let remarks: [String]
        let format: AudioFileFormat
        /// Linear, full scale 1.
        let peak: Float
        /// LUFS; nil for silence, and for sound too short to measure.
        let loudness: Double?
        let clippedSamples: Int64
        let byteCount: Int64
        let elapsed: Double

        /// What a person should know before the summary, each on one line: repairs and substitutions, of which ten are
        /// listed, and what was chosen.
        var notes: [String] {
            let repairs = file.repairs.prefix(file.repairCount).map { "\(songPath): \($0)" }
            return Self.firstTen(repairs, of: file.repairCount, rest: "more repairs; carillon inspect lists them")
                + Self.firstTen(remarks, of: remarks.count, rest: "more remarks; --json lists them") + chosenSoundFonts
        }

        private var chosenSoundFonts: [String] {
            if soundFonts.isEmpty { return [] }
            let names = (soundFonts.count == 1 ? "SoundFont: " : "SoundFonts: ") + soundFonts.joined(separator: ", ")
            guard let soundFontOrigin, soundFontOrigin != .named else { return [names] }
            return ["\(names) (\(soundFontOrigin.rawValue))"]
        }

        private static func firstTen(_ lines: [String], of count: Int, rest: String) -> [String] {
            count <= 10 ? lines : lines.prefix(10) + ["\(count - 10) \(rest)"]
        }

        /// One line for a person.
        var summary: String {
            let speed = elapsed > 0 ? Int((report.duration / elapsed).rounded()) : 0
            var parts = [
                "\(outputPath): \(RenderJob.fixed(report.duration, 2)) s", "peak \(RenderJob.decibels(peak)) dBFS",
                loudness.map { "loudness \(RenderJob.fixed($0, 1)) LUFS" } ?? "loudness not measurable",
                "\(clippedSamples) clipped samples", "\(byteCount) bytes", "\(speed)x real time",
            ]
            if report.counters.faults > 0 { parts.append("\(report.counters.faults) slices muted: a unit gave no numbers") }
            if report.counters.lateEvents > 0 { parts.append("\(report.counters.lateEvents) late events") }
            return parts.joined(separator: ", ")
        }
    }

    /// Renders.
    func run() throws(RenderError) -> Result {
        let start = ContinuousClock().now
        let target = try RenderOutput(
            of: song, path: output, format: format, bits: bits, sampleRate: options.sampleRate)
        // The song goes through one library, and the SoundFonts of its instruments through another.
        let loading = StuckCall(over: song, patience: StuckCall.loadPatience)
        let file: SongFile
        do { file = try SongReader.read(path: song, strict: isStrict) } catch { throw .song(error) }
        let renderer = try SongRenderer(file.song, options: options)
        loading.stop()
        let writer = try target.open(length: length(of: renderer))
        let meter = try measures ? loudnessMeter() : nil
        let report = try render(renderer, into: writer, meter)
        let elapsed = ProgressBar.seconds(ContinuousClock().now - start)
        return Result(
            songPath: song, outputPath: target.path, file: file, report: report, soundFonts: renderer.graph.soundFonts,
            soundFontOrigin: renderer.graph.soundFontOrigin,
            remarks: remarks(report, renderer, isSilent: meter?.samplePeak == 0), format: target.format,
            peak: meter?.samplePeak ?? 0, loudness: meter?.integratedLoudness, clippedSamples: writer.clippedSamples,
            byteCount: writer.byteCount,
            elapsed: elapsed)
    }

    private func loudnessMeter() throws(RenderError) -> LoudnessMeter {
        guard let meter = LoudnessMeter(channels: 2, sampleRate: options.sampleRate, boundsMemory: true) else {
            throw .option(name: "rate", value: "\(options.sampleRate)", remedy: "libebur128 cannot measure at this rate")
        }
        return meter
    }

    private func render(
        _ renderer: SongRenderer, into writer: AudioFileWriter, _ meter: LoudnessMeter?
    ) throws(RenderError) -> RenderReport {
        let watchdog = StuckCall(over: song, patience: StuckCall.renderPatience)
        defer { watchdog.stop() }
        var bar = ProgressBar(name: RenderOutput.name(of: song), sampleRate: options.sampleRate)
        defer { bar.clear() }
        let report: RenderReport
        do {
            report = try renderer.render { (samples, frames) throws(AudioFileError) in
                meter?.add(samples, frames: frames)
                try writer.write(samples, frames: frames)
            } progress: { progress in
                watchdog.beat()
                if showsProgress { bar.update(progress) }
                return true
            }
        } catch {
            writer.abandon()
            UnfinishedOutput.isFinished()
            throw error
        }
        defer { UnfinishedOutput.isFinished() }
        do { try writer.finish() } catch { throw .audioFile(error) }
        return report
    }

    /// What a stream's header may promise: the length is known before only when the tail is not automatic.
    private func length(of renderer: SongRenderer) -> AudioFileLength {
        switch options.tail {
        case .auto: .atMost(renderer.longestFrames)
        case .exact, .seconds: .exactly(renderer.expectedFrames)
        }
    }

    /// Everything but repairs that was not as asked for, as sentences.
    private func remarks(_ report: RenderReport, _ renderer: SongRenderer, isSilent: Bool) -> [String] {
        var lines = renderer.graph.remarks + report.remarks
        if report.summary.noteCount == 0 {
            lines.append("\(song): has no notes; the sound is silence")
        } else if isSilent {
            lines.append(
                "\(song): none of its \(report.summary.noteCount) notes can be heard; look at --instrument, --track, --set "
                    + "and --gain")
        }
        switch report.cut {
        case .maximumDuration?: lines.append("\(song): cut at --max-duration")
        case .longestTail?:
            lines.append(
                "\(song): still sounding \(Int(options.longestTail)) s after its end; cut there (--tail SECONDS chooses)")
        case nil: break
        }
        return lines
    }

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
