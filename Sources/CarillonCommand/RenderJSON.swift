import Carillon
import DSP

/// The object that `carillon render --json` prints. Its keys are documented in the guide "Reports as JSON".
struct RenderJSON: Encodable {
    let song: String
    let output: String
    let format: String
    let sampleRate: Int
    let channels = 2
    let frames: Int64
    let duration: Double
    let peak: Double?
    let loudness: Double?
    let clippedSamples: Int64
    let bytes: Int64
    let seconds: Double
    let soundFonts: [String]
    let soundFontOrigin: String?
    let repairs: [SongInspection.Repair]
    let repairCount: Int
    let remarks: [String]
    let cut: String?
    let notes: Int
    let lateEvents: Int
    let mutedSlices: Int

    init(_ result: RenderJob.Result) {
        song = result.songPath
        output = result.outputPath
        format = "\(result.format)"
        sampleRate = result.report.sampleRate
        frames = result.report.frames
        duration = result.report.duration
        peak = result.peak > 0 ? Double(Decibels.level(ofAmplitude: result.peak)) : nil
        loudness = result.loudness.flatMap { $0.isFinite ? $0 : nil }
        clippedSamples = result.clippedSamples
        bytes = result.byteCount
        seconds = result.elapsed
        soundFonts = result.soundFonts
        soundFontOrigin = result.soundFontOrigin.map { "\($0)" }
        repairs = result.file.repairs.map(SongInspection.Repair.init)
        repairCount = result.file.repairCount
        remarks = result.remarks
        cut = result.report.cut?.rawValue
        notes = result.report.notes
        lateEvents = result.report.counters.lateEvents
        mutedSlices = result.report.counters.faults
    }
}
