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

    /// What came of it.
    struct Result {
        let songPath: String
        let outputPath: String
        let file: SongFile
        let report: RenderReport
        let soundFonts: [String]
        let remarks: [String]
        let format: AudioFileFormat
        /// Linear, full scale 1.
        let peak: Float
        /// LUFS; nil for silence, and for sound too short to measure.
        let loudness: Double?
        let clippedSamples: Int64
        let byteCount: Int64
        let elapsed: Double

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
        let path = output ?? Self.defaultOutput(song: song, format: format)
        let target: AudioFileFormat
        do { target = try AudioFileFormat(path: path, name: format, bits: bits) } catch { throw .audioFile(error) }
        do { try target.requireSupport(channels: 2, sampleRate: options.sampleRate) } catch { throw .audioFile(error) }
        let file: SongFile
        do { file = try SongReader.read(path: song, strict: isStrict) } catch { throw .song(error) }
        // Making the instruments reads SoundFonts through a library, so the watchdog looks on from here.
        let loading = Watchdog(over: song, unfinished: nil)
        loading.start()
        let renderer = try SongRenderer(file.song, options: options)
        loading.stop()
        let writer: AudioFileWriter
        do {
            writer = try AudioFileWriter(
                path: path, format: target, channels: 2, sampleRate: options.sampleRate, length: length(of: renderer))
        } catch { throw .audioFile(error) }
        guard let meter = LoudnessMeter(channels: 2, sampleRate: options.sampleRate, boundsMemory: true) else {
            throw .option(name: "--rate", value: "\(options.sampleRate)", remedy: "libebur128 cannot measure at this rate")
        }
        let report = try render(renderer, into: writer, meter)
        let elapsed = ProgressBar.seconds(ContinuousClock().now - start)
        return Result(
            songPath: song, outputPath: path, file: file, report: report, soundFonts: renderer.graph.soundFonts,
            remarks: remarks(file, report, renderer), format: target, peak: meter.samplePeak,
            loudness: meter.integratedLoudness, clippedSamples: writer.clippedSamples, byteCount: writer.byteCount,
            elapsed: elapsed)
    }

    /// The exit code for an error of `run`.
    func exitCode(of error: RenderError) -> Int32 {
        if case .interrupted = error { return Interruption.exitCode }
        return error.exitCode
    }

    private func render(
        _ renderer: SongRenderer, into writer: AudioFileWriter, _ meter: LoudnessMeter
    ) throws(RenderError) -> RenderReport {
        let watchdog = Watchdog(over: song, unfinished: writer.unfinishedPath)
        watchdog.start()
        defer { watchdog.stop() }
        var bar = ProgressBar(name: Self.name(of: song), sampleRate: options.sampleRate)
        defer { bar.clear() }
        let report: RenderReport
        do {
            report = try renderer.render { (samples, frames) throws(AudioFileError) in
                meter.add(samples, frames: frames)
                try writer.write(samples, frames: frames)
            } progress: { progress in
                watchdog.beat()
                if showsProgress { bar.update(progress) }
                return !Interruption.isRequested
            }
        } catch {
            writer.abandon()
            throw error
        }
        watchdog.stop()
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

    /// Everything that was not as asked for, as sentences.
    private func remarks(_ file: SongFile, _ report: RenderReport, _ renderer: SongRenderer) -> [String] {
        var lines = file.repairs.prefix(10).map { "\(song): \($0)" }
        if file.repairCount > 10 { lines.append("\(song): \(file.repairCount - 10) more repairs; carillon inspect lists them") }
        lines += renderer.graph.remarks
        switch report.cut {
        case .maximumDuration?: lines.append("\(song): cut at --max-duration")
        case .longestTail?:
            lines.append("\(song): still sounding \(Int(options.longestTail)) s after its end; cut there (--tail SECONDS chooses)")
        case nil: break
        }
        return lines
    }

    /// The song's name with the format's ending, in the current folder.
    static func defaultOutput(song: String, format: String?) -> String {
        var name = Self.name(of: song)
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
        return "\(name.isEmpty ? "song" : name).\(format?.lowercased() ?? "wav")"
    }

    /// The last part of a path.
    static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "song") }

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
