import AudioFiles
import Carillon
import DSP
import SongFiles

/// A song's part of the report beside its sound: kept while the sound waits, without what has made it.
struct JobFacts {
    let readings: [TrackReading]
    let repairs: [SongRepair]
    let repairCount: Int
    let soundFonts: [String]
    let soundFontOrigin: SoundFontLocator.Origin?
    let songBank: SongBank?
    var remarks: [String]
    let layout: SpeakerLayout
    let length: AudioFileLength
    let tags: AudioTags
    let pictures: RenderPictures?
    /// LUFS, where it was measured on the way.
    let loudness: Double?
    /// The stems, with the file of each.
    var stems: [StemResult] = []
}

/// A song of an album: rendered, while its sound waits for the gain that all of them get.
///
/// Sendable by use: the thread that renders it makes it, the one that writes it takes it, one after the other.
final class WaitingJob: @unchecked Sendable {
    let job: RenderJob
    let render: WaitingRender
    let facts: JobFacts
    let elapsed: Duration

    init(job: RenderJob, render: WaitingRender, facts: JobFacts, elapsed: Duration) {
        (self.job, self.render, self.facts, self.elapsed) = (job, render, facts, elapsed)
    }
}
