import AudioFiles
import DSP
import Graphs
import Reports
import Sequencer
import UnitAPI

/// The sound of a song in figures, found by rendering it and dropping the sound: its loudness, its cost, its unheard notes.
///
/// The level is the song's own, as with `--loudness off`.
package struct SongMeasurement: Encodable, Sendable {
    /// Integrated loudness, LUFS; nil for silence and for sound too short to measure.
    package let loudness: Double?
    /// Loudness range, LU; nil where it has none.
    package let range: Double?
    /// Highest sample, dBFS, and true peak, dBTP; nil for silence.
    package let peak: Double?
    package let truePeak: Double?
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
    ) throws(RenderError) {
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
        (loudness, range) = (programme.integrated(), programme.range())
        peak = scan.samplePeak > 0 ? Double(Decibels.level(ofAmplitude: scan.samplePeak)) : nil
        truePeak = scan.highest > 0 ? Double(Decibels.level(ofAmplitude: scan.highest)) : nil
        duration = report.duration
        load = duration > 0 ? (processorTime() - start) / duration : 0
        voices = most
        let unplayable = ["unplayable-notes", "unanswered-notes"].flatMap { name in
            instruments.compactMap { $0.readout(name) }
        }.reduce(0, +)
        let isSilent = report.summary.noteCount > 0 && scan.samplePeak == 0
        unheardNotes = isSilent ? report.summary.noteCount : Int(unplayable) + report.counters.unheardEvents
        let silence = Remark(.missing, "song", "\(RenderError.unheard(notes: report.summary.noteCount))")
        reasons = renderer.graph.remarks + report.remarks + (isSilent ? [silence] : [])
    }
}
