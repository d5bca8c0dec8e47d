import MIDI
import Sequencer
import SongFiles
import SoundFontUnit
import UnitAPI

/// What a song holds and asks for, as `carillon inspect` shows it: made from the timeline, nothing is rendered.
public struct SongInspection: Encodable, Sendable {
    /// One track of the file.
    public struct Track: Encodable, Sendable {
        public let name: String
        public let port: Int
        public let events: Int
    }

    /// A preset that a port's notes need, and what answers.
    public struct Preset: Encodable, Sendable {
        public let port: Int
        /// Bank and program after the rules of the song's standard: `bank 0 program 40`, `drum kit 0`.
        public let asked: String
        /// Bank, program and name of what plays; nil when nothing does.
        public let found: String?
        /// Why it is not what was asked for; nil when it is.
        public let substitution: String?
    }

    /// What one channel plays.
    public struct Part: Encodable, Sendable {
        public let port: Int
        /// 1...16.
        public let channel: Int
        public let notes: Int
        public let polyphony: Int
        public let programs: [String]
    }

    /// A System Exclusive reset.
    public struct Reset: Encodable, Sendable {
        public let time: Double
        public let standard: String
        public let port: Int
    }

    /// The range that the song itself asks to be looped, in seconds.
    public struct Loop: Encodable, Sendable {
        public let start: Double
        public let end: Double
        /// The custom that it follows: `markers`, `emidi`, `xmidi`, `hmi`, `rpg-maker`.
        public let custom: String
    }

    /// A repair.
    public struct Repair: Encodable, Sendable {
        public let byteOffset: Int
        public let fault: String
        public let remedy: String

        /// A repair as a report shows it.
        public init(_ repair: SongRepair) {
            byteOffset = repair.byteOffset
            fault = "\(repair.fault)"
            remedy = repair.fault.remedy
        }
    }

    /// The file, as it was named.
    public let song: String
    public let bytes: Int
    public let container: String
    public let format: Int
    public let division: String
    public let title: String?
    /// Seconds to the song's end.
    public let duration: Double
    public let bars: Int64?
    public let tempoChanges: Int
    /// What `carillon play --loop` repeats; nil: all of it.
    public let loop: Loop?
    public let tracks: [Track]
    public let parts: [Part]
    public let notes: Int
    public let peakPolyphony: Int
    public let unendedNotes: Int
    public let resets: [Reset]
    public let soundFonts: [String]
    /// Why these: `named`, `environment`, `system` or `embedded`.
    public let soundFontOrigin: String
    public let presets: [Preset]
    public let repairs: [Repair]
    public let repairCount: Int

    /// The rate at which a song is laid out here; a second is exact in it.
    private static let sampleRate = 48_000

    /// Reads the song at `path` and looks its presets up in `soundFonts`, or in the default one.
    public init(path: String, soundFonts names: [String] = [], isStrict: Bool = false) throws(RenderError) {
        let file: SongFile, timeline: Timeline
        do { file = try SongReader.read(path: path, strict: isStrict) } catch { throw .song(error) }
        do { timeline = try Timeline(file.song, sampleRate: Self.sampleRate) } catch { throw .timeline(error) }
        let summary = timeline.summary
        song = path
        bytes = file.byteCount
        container = file.container.rawValue
        format = Int(file.song.format.rawValue)
        division = "\(file.song.division)"
        title = file.song.title
        duration = Double(summary.end.rawValue) / Double(Self.sampleRate)
        bars = timeline.tempoMap.position(ofTick: file.song.endTick).map(\.bar)
        tempoChanges = timeline.tempoMap.tempoChanges
        loop = LoopPoints(timeline).map { points in
            func seconds(_ frame: Int64) -> Double { Double(frame) / Double(Self.sampleRate) }
            return Loop(
                start: seconds(points.frames.lowerBound), end: seconds(points.frames.upperBound),
                custom: points.custom.rawValue)
        }
        tracks = file.song.tracks.map { Track(name: $0.name, port: Int($0.port), events: $0.events.count) }
        parts = summary.parts.map { part in
            Part(
                port: Int(part.port), channel: Int(part.channel) + 1, notes: part.noteCount, polyphony: part.peakPolyphony,
                programs: part.presets.map { "\($0.bankMSB):\($0.bankLSB):\($0.program)" + ($0.isDrums ? " drums" : "") })
        }
        notes = summary.noteCount
        peakPolyphony = summary.peakPolyphony
        unendedNotes = summary.unendedNotes
        resets = summary.resets.map {
            Reset(
                time: Double($0.time.rawValue) / Double(Self.sampleRate), standard: "\($0.standard)", port: Int($0.port))
        }
        repairs = file.repairs.map(Repair.init)
        repairCount = file.repairCount
        do throws(SoundFontError) {
            let (sources, origin) = try SoundFontSources.locate(names)
            soundFontOrigin = "\(origin)"
            soundFonts = sources.map(\.path)
            presets = try Self.presets(timeline, sources)
        } catch {
            throw .unit(.resource(unit: "soundfont", reason: error.description, fault: error.fault))
        }
    }

    private static func presets(
        _ timeline: Timeline, _ sources: [SoundFontLibrary.Source]
    ) throws(SoundFontError) -> [Preset] {
        let scans = InstrumentBank.scan([timeline])
        let library = try SoundFontLibrary(sources)
        return scans.keys.sorted().flatMap { port in
            (scans[port]?.requests ?? []).map { request in
                let choice = library.resolve(request)
                let found = choice.found.map { "\($0.preset.bank):\($0.preset.program) \($0.preset.name)" }
                return Preset(
                    port: port, asked: "\(request)", found: found,
                    substitution: choice.substitution == .exact ? nil : choice.substitution.rawValue)
            }
        }
    }

    /// For a terminal. Names are as the file has them: whatever shows them must take out control characters.
    public var lines: [String] {
        var lines: [String] = []
        lines.append("\(song): \(title ?? "untitled"), format \(format), \(division), \(bytes) bytes, \(container)")
        let whole = Int((duration * 1000).rounded())
        let seconds = "\(whole / 1000).\(String(whole % 1000 + 1000).dropFirst())"
        lines.append(
            "\(seconds) s, \(bars.map { "\($0) bars, " } ?? "")\(tempoChanges) tempo changes, \(tracks.count) tracks, "
                + "\(notes) notes, at most \(peakPolyphony) at once")
        if let loop { lines.append("loops from \(loop.start) s to \(loop.end) s (\(loop.custom))") }
        if unendedNotes > 0 { lines.append("\(unendedNotes) notes never end") }
        for part in parts where part.notes > 0 {
            let port = part.port > 0 ? "port \(part.port) " : ""
            lines.append(
                "  \(port)channel \(part.channel): \(part.notes) notes, at most \(part.polyphony) at once, "
                    + "bank:program \(part.programs.joined(separator: ", "))")
        }
        for reset in resets { lines.append("  \(reset.standard) reset at \(reset.time) s") }
        lines.append("SoundFonts: \(soundFonts.joined(separator: ", "))")
        for preset in presets {
            let note = preset.substitution.map { " (substitute: \($0))" } ?? ""
            lines.append("  \(preset.asked): \(preset.found ?? "nothing, silent")\(note)")
        }
        lines.append(repairCount == 0 ? "no repairs" : "\(repairCount) repairs:")
        for repair in repairs { lines.append("  byte \(repair.byteOffset): \(repair.fault): \(repair.remedy)") }
        return lines
    }
}
