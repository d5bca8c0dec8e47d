import EngineCore
import MIDI
import RealtimeCore
import Reports
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

/// The contents and demands of a song, as `carillon inspect` shows them: made from the timeline, nothing is rendered.
package struct SongInspection: Sendable {
    /// One track of the file.
    package struct Track: Sendable {
        package let name: String
        package let port: Int
        package let events: Int
        /// Its reading: as it stands, or recovered.
        package let reading: TrackReading
    }

    /// A preset that a port's notes need, and what answers.
    package struct Preset: Sendable {
        package let port: Int
        /// Bank and program after the rules of the song's standard: `bank 0 program 40`, `drum kit 0`.
        package let asked: String
        /// The sound that plays; nil when nothing does.
        package let found: SoundFontFile.Preset?
        /// The reason why it is not the requested one; nil if it is.
        package let substitution: String?
    }

    /// The file, as it was named.
    package let song: String
    package let bytes: Int
    package let container: SongFile.Container
    package let format: Song.Format
    package let division: Division
    package let tracks: [Track]
    /// Title, tempos, time signatures, keys, markers and words.
    package let notation: SongNotation
    /// Notes, presets and resets, channel by channel.
    package let summary: TimelineSummary
    package let tempoChanges: Int
    /// The part that `carillon play --loop` repeats; nil: all of it.
    package let loop: LoopPoints?
    package let soundFonts: [String]
    /// The reason for these SoundFonts.
    package let soundFontOrigin: SoundFontLocator.Origin
    /// The SoundFont that the song brings, if it is played; it lies on top of the others.
    package let bank: SongBank?
    /// The reason why the SoundFont in the song is not played.
    package let bankFault: String?
    package let presets: [Preset]
    package let repairs: [SongRepair]
    package let repairCount: Int
    /// Remarks on the song, and on the SoundFonts that play it: repairs, missing sounds, and messages without effect.
    package let remarks: [Remark]
    /// Messages of which nothing would be heard: names, displays, inquiries, messages to other models.
    package let notSound: [UnfollowedMusic.Entry]
    /// Its sound, if that was measured.
    package var measurement: SongMeasurement?

    /// The rate at which a song is laid out here; a second is exact in it.
    private static let sampleRate = 48_000

    /// Seconds to the song's end.
    package var duration: Double { Self.seconds(summary.end) }

    static func seconds(_ time: SampleTime) -> Double { Double(time.rawValue) / Double(sampleRate) }

    /// Reads the song at `path` and looks its presets up in `soundFonts`, or in the default one.
    ///
    /// - Parameter playsBank: whether a SoundFont inside the song answers first.
    package init(
        path: String, soundFonts names: [String] = [], isStrict: Bool = false, playsBank: Bool = true,
        textEncoding: TextEncoding? = nil
    ) throws(Fault) {
        let file: SongFile, timeline: Timeline
        do { file = try SongReader.read(path: path, strict: isStrict, textEncoding: textEncoding) } catch { throw Fault(error) }
        timeline = try Timeline(file.song, sampleRate: Self.sampleRate)
        (song, bytes, container, format) = (path, file.byteCount, file.container, file.song.format)
        (division, notation, summary) = (file.song.division, SongNotation(file.song, timeline), timeline.summary)
        tracks = zip(file.song.tracks, file.readings).map { track, reading in
            Track(name: track.name, port: Int(track.port), events: track.events.count, reading: reading)
        }
        (tempoChanges, loop) = (timeline.tempoMap.tempoChanges, LoopPoints(timeline))
        (repairs, repairCount) = (file.repairs, file.repairCount)
        do throws(SoundFontError) {
            let sources: [SoundFontLibrary.Source]
            (sources, soundFontOrigin) = try SoundFontSources.locate(names)
            soundFonts = sources.map(\.path)
            let found = SongBank.bank(in: file, path: path, isWanted: playsBank)
            (bank, bankFault) = (found.bank, found.remark)
            let facts = SongRemarks(file, timeline, name: path, bankFault: found.remark)
            notSound = facts.silent
            let sound: [Remark]
            (presets, sound) = try Self.presets(timeline, sources + (found.bank.map { [$0.source] } ?? []))
            remarks = (facts.remarks + sound).sortedByKind
        } catch {
            throw .unit(.resource(unit: "soundfont", reason: error.description, fault: error.fault))
        }
    }

    private static func presets(
        _ timeline: Timeline, _ sources: [SoundFontLibrary.Source]
    ) throws(SoundFontError) -> (presets: [Preset], remarks: [Remark]) {
        let scans = SongDemand([timeline]).scans(with: nil)
        let library = try SoundFontLibrary(sources)
        let place = sources.map(\.path).joined(separator: ", "), all = Set(scans.values.flatMap(\.requests)).sorted()
        let remarks = library.remarks(answering: all, on: place)
        let presets = scans.keys.sorted().flatMap { port in
            library.answers(scans[port]?.requests ?? []).map { choice in
                Preset(
                    port: port, asked: "\(choice.request)", found: choice.found?.preset,
                    substitution: choice.substitution == .exact ? nil : choice.substitution.rawValue)
            }
        }
        return (presets, remarks)
    }
}
