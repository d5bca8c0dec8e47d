import AudioFiles
import DSP
import Graphs
import Reports
import Sequencer
import UnitAPI

/// The sound of a song in figures, found by rendering it and dropping the sound: its loudness, its cost, its unheard notes.
///
/// The level is the song's own, as with `--loudness off`.
package struct SongMeasurement: Sendable {
    /// Its loudness, range and peaks.
    package let level: RenderLevel
    /// Seconds of sound, tail included.
    package let duration: Double
    /// Seconds of one processor for a second of sound. The only figure that is not the same each time.
    package let load: Double
    /// The most voices at once, as the instruments count them.
    package let voices: Int
    /// Notes that make no sound, and the remarks on the sounds and of the render.
    package let unheardNotes: Int
    package let reasons: [Remark]

    /// Renders a song, and measures it.
    ///
    /// - Parameters:
    ///   - isGoing: called after every block; false stops it.
    ///   - processorTime: seconds of the calling thread so far.
    /// - Throws: as `SongRenderer`.
    package init(
        _ song: Song, options: RenderOptions, processorTime: () -> Double, isGoing: () -> Bool = { true }
    ) throws(Fault) {
        let start = processorTime()
        let renderer = try SongRenderer(song, options: options), layout = renderer.layout
        let programme = try ProgrammeLoudness.measuring(layout, sampleRate: options.sampleRate)
        let scan = TruePeakScan(channels: layout.channels, window: 0)
        let instruments = renderer.engine.graph.nodes.filter { renderer.graph.instruments.contains($0.id) }.map(\.instance)
        var most = 0
        let report = try renderer.render { (samples, frames) throws(AudioFileError) in
            programme.add(samples, frames: frames)
            scan.add(samples, frames: frames)
        } progress: { _ in
            let voices = instruments.compactMap { $0.readout("active-voices") ?? $0.readout("voices") }.reduce(0, +)
            most = max(most, Int(voices))
            return isGoing()
        }
        scan.finish()
        var level = RenderLevel(
            loudness: programme.integrated(), range: programme.range(), samplePeak: scan.samplePeak)
        if scan.highest > 0 { level.truePeak = Double(Decibels.level(ofAmplitude: scan.highest)) }
        self.level = level
        duration = report.duration
        load = duration > 0 ? (processorTime() - start) / duration : 0
        voices = most
        let unplayable = ["unplayable-notes", "unanswered-notes"].flatMap { name in
            instruments.compactMap { $0.readout(name) }
        }.reduce(0, +)
        let isSilent = report.summary.noteCount > 0 && scan.samplePeak == 0
        unheardNotes = isSilent ? report.summary.noteCount : Int(unplayable) + report.counters.unheardEvents
        let silence = Remark(.missing, "song", "\(Fault.unheard(notes: report.summary.noteCount))")
        reasons = renderer.graph.remarks + report.remarks + (isSilent ? [silence] : [])
    }
}

extension SongMeasurement: Fielded {
    package static let fields: [Field<SongMeasurement>] =
        RenderLevel.measuredFields.map { $0.of(\.level) } + [
            Field("duration", \.duration, in: "seconds", "The length of the sound, tail included."),
            Field(
                "load", \.load, to: 3, column: "load",
                "Seconds of one processor for a second of sound: the only value that is not the same each time."),
            Field("voices", \.voices, column: "voices", "The most voices at once."),
            Field("unheardNotes", \.unheardNotes, column: "unheard", "Notes that make no sound."),
            .list("reasons", \.reasons, "Remarks on the sounds and of the render.", Remark.fields),
            Field(column: "reasons") { $0.reasons.map(\.description).joined(separator: "; ") },
        ]
}
