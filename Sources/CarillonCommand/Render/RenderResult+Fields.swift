import AudioFiles
import Carillon
import Reports

extension RenderResult: Fielded {
    /// The facts in the object of `carillon render --json` and in the rows of a batch; the summary takes its words from them.
    static let fields: [Field<RenderResult>] = [
        Field("song", \.songPath, "The song, as it was named; `/dev/stdin` for `-`."),
        Field("output", \.outputPath, "The file."),
        Field("format", { "\($0.format)" }, "Its format."),
        Field("sampleRate", \.report.sampleRate, in: "Hz", "Its sample rate."),
        Field("channels", \.facts.layout.channels, "Its channels."),
        Field("layout", \.facts.layout.rawValue, "Its loudspeakers: <doc:Loudspeakers>."),
        Field("bytes", \.byteCount, in: "bytes", "Its length."),
        Field("replaced", \.hasReplaced, "True if it took the place of another file."),
        Field("tags", \.tagTexts, "Its tags by name."),
        Field("cues", { min($0.facts.tags.cues.count, AudioTags.mostCues) }, "The number of its cue points."),
        Field("pictures", \.pictures, "The paths of the drawings."),
        Field("labels", \.labels, "The paths of the label files: <doc:LabelWhatWasPlayed>."),
        Field("frames", \.report.frames, "The length of the sound in frames."),
        Field("duration", \.report.duration, in: "seconds", "The same length."),
        RenderLevel.peak.of(\.sound), RenderLevel.loudness.of(\.sound),
        Field("level", \.report.level, "The loudness adjustment, if there was one."),
        Field(
            "fittingGain", { $0.report.level == nil ? RoomLine.fittingGain(peak: $0.sound.samplePeak, gain: $0.gain) : nil },
            in: "dB",
            "With `--gain` or `--loudness off`, the `--gain` that would bring the peak to about 2 dB below full scale."),
        Field("clippedSamples", \.clippedSamples, "Samples beyond full scale in an integer or lossy format."),
        .group(
            "limiter", "The work of the limiter.",
            [
                Field("reduction", \.report.limiter.most, in: "dB", "The most that it took away."),
                Field(
                    "reducedShare", { $0.report.limiter.reducedShare(of: $0.report.duration) },
                    "The share of the time above 0.1 dB, 0 to 1."),
                Field(
                    "pressedShare", { $0.report.limiter.pressedShare(of: $0.report.duration) },
                    "The share of the time above 1 dB, 0 to 1."),
                Field(
                    "idleGain", { $0.report.level == nil ? $0.report.limiter.idleGain(insteadOf: $0.gain) : nil }, in: "dB",
                    "The `--gain` at which it would be idle."),
            ]),
        Field("seconds", \.elapsed, in: "seconds", "The wall time of the render."),
        Field("soundFonts", \.facts.soundFonts, SongFacts.soundFonts),
        Field(
            "sampleMemory", { _ in SampleMemory.process.limit }, in: "bytes",
            "The memory that samples were allowed: `--sample-memory`."),
        Field("soundFontOrigin", { $0.facts.soundFontOrigin.map { "\($0)" } }, SongFacts.soundFontOrigin),
        SongFacts.bank(\.facts.songBank),
        Field("recoveredTracks", \.recoveredTracks, "The tracks that needed recovery, from 1: <doc:OddSongs>."),
        SongFacts.repairs(\.facts.repairs),
        Field("repairCount", \.facts.repairCount, SongFacts.repairCount),
        .list(
            "remarks", \.facts.remarks.sortedByKind, "What is not as asked, repairs too: <doc:Remarks>.", Remark.fields),
        Field("cut", \.report.cut?.rawValue, "`max-duration` or `longest-tail` if the sound was cut."),
        Field("fade", { $0.report.cut == nil ? nil : $0.report.fade }, in: "seconds", "The length of the fade before the cut."),
        Field(
            "notes", \.report.notesPlayed,
            "The note-ons played: those of one track with `--track`, those before the cut with `--max-duration`."),
        Field("lateEvents", \.report.counters.lateEvents, "0 in a good render."),
        Field("mutedSlices", \.report.counters.faults, "0 in a good render."),
        .group(
            "passage", "With `--from`, `--to`, `--loop-file` and `--trim`, the part of the song.",
            [
                Field("from", \.report.part?.lowerBound, "Its start in frames of the song at its own tempo."),
                Field("to", \.report.part?.upperBound, "Its end."),
                Field("silenceBefore", { $0.isTrimmed ? $0.report.silenceBefore : nil }, "Frames removed before it."),
                Field("silenceBehind", { $0.isTrimmed ? $0.report.silenceBehind : nil }, "Frames removed after it."),
            ]),
        .list(
            "stems", { $0.facts.stems.isEmpty ? nil : $0.facts.stems }, "With `--stems`, the stems in order.", StemResult.fields),
    ]

    private var tagTexts: [String: String] {
        let texts = facts.tags.texts.filter { !$0.value.isEmpty }
        return Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
    }

    private var isTrimmed: Bool { report.silenceBefore + report.silenceBehind > 0 }
}

extension StemResult {
    static let fields: [Field<StemResult>] = [
        Field("number", \.number, "Its number, from 1."), Field("name", \.stem.name, "Its name."),
        Field("kind", \.stem.kind.rawValue, "`dry`, `wet` or `effect`."),
        Field("channels", \.stem.channels, "Its channels, from 1; 17 is the first of the second port."),
        Field("output", \.path, "Its file."),
        Field("fileChannels", { $0.path == nil ? nil : $0.fileChannels }, "Its channels of the file."),
        RenderLevel.peak.of(\.level), RenderLevel.loudness.of(\.level),
        Field("clippedSamples", \.clippedSamples, "Samples beyond full scale, of a file of its own."),
        Field("replaced", \.hasReplaced, "True if it took the place of another file."),
        Field("silence", \.silence, "The reason for its silence."),
    ]
}

extension Field {
    /// `true peak -1.0 dBTP`; nil without a value.
    func phrase(of subject: Subject) -> String? {
        guard case .number(let number) = read(subject), let name, let decimals else { return nil }
        let words = name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
        return "\(words) \(RenderJob.fixed(number, decimals)) \(unit)"
    }
}
