import AudioFiles
import Carillon
import DSP
import Reports
import SongFiles
import UnitAPI

/// The outcome of one song: measured, and as lines of text.
struct RenderResult: Sendable {
    let songPath: String
    private(set) var outputPath: String
    private(set) var facts: JobFacts
    let report: RenderReport
    let format: AudioFileFormat
    /// The level of what is in the file, as far as it was measured.
    let sound: RenderLevel
    let clippedSamples: Int64
    let byteCount: Int64
    /// The output took the place of a file that was there before.
    let hasReplaced: Bool
    private(set) var pictures: [String]
    private(set) var labels: [String]
    /// As asked for.
    let options: RenderOptions
    let elapsed: Double

    var gain: Float { options.gain }

    /// The result with its files moved to another folder.
    func moved(from folder: String, to other: String) -> RenderResult {
        func path(_ path: String) -> String {
            path.hasPrefix(folder + "/") ? other + path.dropFirst(folder.count) : path
        }
        var result = self
        result.outputPath = path(outputPath)
        (result.pictures, result.labels) = (pictures.map(path), labels.map(path))
        for index in facts.stems.indices { result.facts.stems[index].path = facts.stems[index].path.map(path) }
        return result
    }

    /// Tracks that do not read by the letter, from 1.
    var recoveredTracks: [Int] { facts.readings.indices.filter { facts.readings[$0] != .asItStands }.map { $0 + 1 } }

    /// Notes to print before the summary, one line each: remarks, and what was chosen.
    var notes: [String] {
        RemarkReport.lines(facts.remarks, soundFonts: facts.soundFonts, other: "--json lists them") {
            facts.known.isSuperset(of: $0)
        }
            + chosenSoundFonts
            + facts.stems.filter { $0.path != nil && $0.silence == nil }.map(\.line)
    }

    /// The SoundFonts that play, and why these.
    var chosenSoundFonts: [String] {
        if facts.soundFonts.isEmpty { return [] }
        return SoundFontLines(facts.soundFonts, facts.soundFontOrigin).lines
            + (facts.songBank.map { ["SoundFont in the song: \($0.summary)"] } ?? [])
    }

    var summary: String {
        let room = report.level == nil ? RoomLine(peak: sound.samplePeak, gain: gain).map { [$0.text] } ?? [] : []
        let drawn = pictures.isEmpty ? [] : ["drawn in \(pictures.joined(separator: ", "))"]
        let labelled = labels.isEmpty ? [] : ["labels in \(labels.joined(separator: ", "))"]
        return ([outputPath + ": " + length] + figures + room + drawn + labelled).joined(separator: ", ")
    }

    /// Remarks on anything but repairs, which are counted by themselves.
    var otherRemarks: Int { facts.remarks.count { $0.kind != .repaired } }

    /// One line among those of other songs, with the number of its notes.
    var row: String {
        var parts = ["\(SongList.shown(songPath)) -> \(outputPath): \(length)"] + figures
        if facts.repairCount > 0 { parts.append("\(facts.repairCount) repair\(facts.repairCount == 1 ? "" : "s")") }
        if !facts.stems.isEmpty { parts.append("\(facts.stems.count { $0.silence == nil }) stems") }
        if otherRemarks > 0 { parts.append(CountedNoun.text(otherRemarks, "remark")) }
        return parts.joined(separator: ", ")
    }

    private var length: String {
        "\(RenderJob.fixed(report.duration, 2)) s" + (facts.layout == .stereo ? "" : " in \(facts.layout.rawValue)")
            + (hasReplaced ? " (replaced)" : "")
    }

    private var figures: [String] {
        let speed = elapsed > 0 ? Int((report.duration / elapsed).rounded()) : 0
        let limit =
            switch report.level?.limit {
            case .peaks?: " (as its peaks allow)"
            case .gain?: " (no more is added)"
            case .short?: " (under 3 s: left as it is)"
            // Silence is reported elsewhere, with its reason.
            case .silence?, nil: ""
            }
        var parts = [RenderLevel.loudness.phrase(of: sound).map { $0 + limit } ?? "loudness not measurable"]
        if let level = report.level {
            parts.append("gain \(level.gain < 0 ? "" : "+")\(RenderJob.fixed(level.gain, 2)) dB")
            parts += [RenderLevel.truePeak, RenderLevel.range].compactMap { $0.phrase(of: level) }
        } else {
            parts.insert(RenderLevel.peak.phrase(of: sound) ?? "peak -inf dBFS", at: 0)
        }
        parts.append(CountedNoun.text(clippedSamples, "clipped sample"))
        if let line = LimiterLine(report.limiter, seconds: report.duration, gain: report.level == nil ? gain : nil) {
            parts.append(line.text)
        }
        parts += ["\(byteCount) bytes", "\(speed)x real time"]
        if report.counters.faults > 0 {
            parts.append("\(CountedNoun.text(report.counters.faults, "slice")) muted: a unit produced invalid samples")
        }
        if report.counters.lateEvents > 0 { parts.append(CountedNoun.text(report.counters.lateEvents, "late event")) }
        return parts
    }
}

/// The reason why a song became no file.
struct RenderFailure: Error, Sendable {
    let song: String
    /// One sentence, with its remedy.
    let reason: String
    let exitCode: Int32
    /// The file that is there already and was to be kept: then nothing has failed.
    private(set) var keptPath: String?

    init(song: String, reason: String, exitCode: Int32) {
        (self.song, self.reason, self.exitCode) = (song, reason, exitCode)
    }

    /// `existing` was to become of a file that is there.
    init(_ song: String, _ error: Fault, existing: ExistingFile) {
        self.init(song: song, reason: error.commandSentence, exitCode: error.exitCode)
        if existing == .skipped, case AudioFileError.exists(let path)? = error.origin { keptPath = path }
    }

    /// The reason, with the song's name if it does not begin with a file's.
    var row: String {
        let name = SongList.shown(song)
        if let keptPath { return "\(name): skipped; \(keptPath) already exists" }
        return reason.hasPrefix(name) ? reason : "\(name): \(reason)"
    }
}
