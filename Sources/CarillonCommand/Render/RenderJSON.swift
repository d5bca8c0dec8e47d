import AudioFiles
import Carillon
import DSP
import Reports

/// The object that `carillon render --json` prints for one song. Its keys are documented in the guide "Reports as JSON".
struct RenderJSON: Encodable {
    private let file: RenderedFileJSON
    private let sound: RenderedSoundJSON

    init(_ result: RenderResult) { (file, sound) = (RenderedFileJSON(result), RenderedSoundJSON(result)) }

    func encode(to encoder: any Encoder) throws {
        try file.encode(to: encoder)
        try sound.encode(to: encoder)
    }
}

/// The file in a render's report.
private struct RenderedFileJSON: Encodable {
    let output: String
    let format: String
    let sampleRate: Int
    let channels: Int
    let layout: String
    let bytes: Int64
    let replaced: Bool
    let tags: [String: String]
    let cues: Int
    let pictures: [String]
    let labels: [String]

    init(_ result: RenderResult) {
        output = result.outputPath
        format = "\(result.format)"
        sampleRate = result.report.sampleRate
        (channels, layout) = (result.facts.layout.channels, result.facts.layout.rawValue)
        replaced = result.hasReplaced
        bytes = result.byteCount
        let texts = result.facts.tags.texts.filter { !$0.value.isEmpty }
        tags = Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
        cues = min(result.facts.tags.cues.count, AudioTags.mostCues)
        (pictures, labels) = (result.pictures, result.labels)
    }
}

/// The song and its sound in a render's report.
private struct RenderedSoundJSON: Encodable {
    let song: String
    let frames: Int64
    let duration: Double
    let peak: Double?
    let fittingGain: Int?
    let loudness: Double?
    let level: LevelJSON?
    let clippedSamples: Int64
    let limiter: LimiterJSON
    let seconds: Double
    let soundFonts: [String]
    let soundFontOrigin: String?
    let bank: SongInspection.Bank?
    let recoveredTracks: [Int]
    let repairs: [SongInspection.Repair]
    let repairCount: Int
    let remarks: [Remark]
    let cut: String?
    let fade: Double?
    let notes: Int
    let lateEvents: Int, mutedSlices: Int
    let passage: PassageJSON?

    init(_ result: RenderResult) {
        song = result.songPath
        frames = result.report.frames
        duration = result.report.duration
        peak = result.peak > 0 ? Double(Decibels.level(ofAmplitude: result.peak)) : nil
        level = result.report.level.map(LevelJSON.init)
        fittingGain = level == nil ? RoomLine.fittingGain(peak: result.peak, gain: result.gain) : nil
        loudness = result.loudness.flatMap { $0.isFinite ? $0 : nil }
        clippedSamples = result.clippedSamples
        limiter = LimiterJSON(result.report.limiter, seconds: result.report.duration, gain: level == nil ? result.gain : nil)
        seconds = result.elapsed
        soundFonts = result.facts.soundFonts
        soundFontOrigin = result.facts.soundFontOrigin.map { "\($0)" }
        bank = result.facts.songBank.map(SongInspection.Bank.init)
        recoveredTracks = result.recoveredTracks
        repairs = result.facts.repairs.map(SongInspection.Repair.init)
        repairCount = result.facts.repairCount
        remarks = result.facts.remarks.sortedByKind
        cut = result.report.cut?.rawValue
        fade = result.report.cut.map { _ in result.report.fade }
        notes = result.report.notesPlayed
        lateEvents = result.report.counters.lateEvents
        mutedSlices = result.report.counters.faults
        passage = PassageJSON(result.report)
    }
}

struct RenderObject: Encodable {
    private let report: RenderJSON
    private let stems: [StemJSON]

    private enum Key: String, CodingKey { case stems }

    init(_ result: RenderResult) { (report, stems) = (RenderJSON(result), result.facts.stems.map(StemJSON.init)) }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        if stems.isEmpty { return }
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(stems, forKey: .stems)
    }
}

struct StemJSON: Encodable {
    let number: Int
    let name: String
    let kind: String
    let channels: [Int]
    let output: String?
    let fileChannels: [Int]?
    let peak: Double?
    let loudness: Double?
    let clippedSamples: Int64
    let replaced: Bool
    let silence: String?

    init(_ result: StemResult) {
        (number, name, kind) = (result.number, result.stem.name, result.stem.kind.rawValue)
        (channels, output, silence) = (result.stem.channels, result.path, result.silence)
        fileChannels = result.path.map { _ in result.fileChannels }
        peak = result.peak > 0 ? Double(Decibels.level(ofAmplitude: result.peak)) : nil
        (loudness, clippedSamples, replaced) = (result.loudness, result.clippedSamples, result.hasReplaced)
    }
}

struct LevelJSON: Encodable {
    let gain: Double
    let limit: String?
    let range: Double?
    let shortTermMaximum: Double?
    let truePeak: Double?

    init(_ level: RenderLevel) {
        (gain, limit, range) = (level.gain, level.limit?.rawValue, level.range)
        (shortTermMaximum, truePeak) = (level.shortTermMaximum, level.truePeak)
    }
}

struct LimiterJSON: Encodable {
    let reduction: Double
    let reducedShare: Double
    let pressedShare: Double
    let idleGain: Int?

    init(_ work: LimiterWork, seconds: Double, gain: Float?) {
        reduction = work.most
        reducedShare = work.reducedShare(of: seconds)
        pressedShare = work.pressedShare(of: seconds)
        idleGain = gain.flatMap { work.idleGain(insteadOf: $0) }
    }
}

/// The object that `carillon render --json` prints for several songs.
struct BatchJSON: Encodable {
    enum Entry: Encodable {
        case done(RenderObject)
        case failed(song: String, error: String, exitCode: Int32)
        case skipped(song: String, output: String)

        private enum Key: String, CodingKey { case song, error, exitCode, output, skipped }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .done(let report): try report.encode(to: encoder)
            case .failed(let song, let error, let exitCode):
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(song, forKey: .song)
                try object.encode(error, forKey: .error)
                try object.encode(exitCode, forKey: .exitCode)
            case .skipped(let song, let output):
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(song, forKey: .song)
                try object.encode(output, forKey: .output)
                try object.encode(true, forKey: .skipped)
            }
        }
    }

    let songs: [Entry]
    let failed: Int
    let skipped: Int
    let seconds: Double
}
