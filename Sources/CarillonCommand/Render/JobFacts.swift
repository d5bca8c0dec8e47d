import AudioFiles
import Carillon
import DSP
import Reports
import SongFiles

/// A song's part of the report beside its sound: what was read, what plays it, and the remarks.
struct JobFacts: Sendable {
    let readings: [TrackReading]
    /// The first of them, and how many there were.
    let repairs: [SongRepair]
    let repairCount: Int
    let soundFonts: [String]
    let soundFontOrigin: SoundFontLocator.Origin?
    /// The SoundFont that the song brings, if it is played.
    let songBank: SongBank?
    /// Everything that was not as asked for.
    var remarks: [Remark]
    /// The remarks that `carillon inspect` finds without rendering.
    let known: Set<Remark>
    let layout: SpeakerLayout
    /// The length that a stream's header may promise.
    let length: AudioFileLength
    let tags: AudioTags
    /// LUFS, if it was measured on the way.
    let loudness: Double?
    var stems: [StemResult] = []
    var labels: SongLabels?
}
