import EngineCore
import MIDI
import Reports
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

/// The contents and demands of a song, as `carillon inspect` shows them: made from the timeline, nothing is rendered.
public struct SongInspection: Encodable, Sendable {
    /// The length of a tick of the file.
    public struct Tick: Encodable, Sendable {
        /// This many to a quarter note; nil in an SMPTE division.
        public let ticksPerQuarter: Int?
        /// This many to a film frame in an SMPTE division, otherwise nil.
        public let ticksPerFrame: Int?
        /// Film frames in a second, 29.97 as 30000/1001; nil with quarter notes.
        public let framesPerSecond: Double?

        init(_ division: Division) {
            switch division {
            case .ticksPerQuarter(let ticks): (ticksPerQuarter, ticksPerFrame, framesPerSecond) = (ticks, nil, nil)
            case .smpte(let rate, let ticks):
                let film = rate.framesPerSecond
                (ticksPerQuarter, ticksPerFrame) = (nil, ticks)
                framesPerSecond = Double(film.numerator) / Double(film.denominator)
            }
        }
    }

    /// One track of the file.
    public struct Track: Encodable, Sendable {
        public let name: String
        public let port: Int
        public let events: Int
        /// `as it stands` if its bytes need no repair, else `recovered`.
        public let reading: String
        /// Offset of its first repair in the file, bytes; nil in a track that needs none.
        public let recoveredFrom: Int?

        init(_ track: Sequencer.Track, _ reading: TrackReading) {
            (name, port, events) = (track.name, Int(track.port), track.events.count)
            switch reading {
            case .asItStands: (self.reading, recoveredFrom) = ("as it stands", nil)
            case .recovered(let byteOffset): (self.reading, recoveredFrom) = ("recovered", byteOffset)
            }
        }
    }

    /// A preset that a port's notes need, and what answers.
    public struct Preset: Encodable, Sendable {
        public let port: Int
        /// Bank and program after the rules of the song's standard: `bank 0 program 40`, `drum kit 0`.
        public let asked: String
        /// The sound that plays; nil when nothing does.
        public let found: Sound?
        /// The reason why it is not the requested one; nil if it is.
        public let substitution: String?
    }

    /// A preset of a SoundFont.
    public struct Sound: Encodable, Sendable {
        /// 0...127 melodic, 128 drum kits.
        public let bank: Int
        public let program: Int
        public let name: String
    }

    /// A bank and a program that a channel asks for.
    public struct Program: Encodable, Sendable {
        public let bankMSB: Int
        public let bankLSB: Int
        public let program: Int
        public let isDrums: Bool
    }

    /// The sounds that one channel plays.
    public struct Part: Encodable, Sendable {
        public let port: Int
        /// 1...16.
        public let channel: Int
        public let notes: Int
        public let polyphony: Int
        public let programs: [Program]
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
        /// The custom that it follows: `markers`, `emidi`, `xmidi`, `hmi`, `rpg-maker`, `zun`.
        public let custom: String
    }

    /// A kind of message of which nothing would be heard: names, displays, inquiries, messages to other models.
    public struct Silent: Encodable, Sendable {
        public let name: String
        /// The address in hexadecimal; empty where it has none.
        public let address: String
        public let count: Int

        init(_ entry: UnfollowedMusic.Entry) { (name, address, count) = (entry.name, entry.address, entry.count) }
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

    /// The SoundFont inside the song file.
    public struct Bank: Encodable, Sendable {
        public let title: String
        public let format: String
        /// The space that it takes in the file.
        public let bytes: Int
        /// The number of banks by which the song moves its melodic banks up.
        public let bankOffset: Int
        /// The presets, in the bank's own numbering.
        public let presets: [Sound]

        /// The bank as a report shows it.
        public init(_ bank: SongBank) {
            (title, format, bytes, bankOffset) = (bank.title, bank.format.rawValue, bank.byteCount, bank.source.bankOffset)
            presets = bank.presets.map { Sound(bank: $0.bank, program: $0.program, name: $0.name) }
        }
    }

    /// The file, as it was named.
    public let song: String
    public let bytes: Int
    public let container: String
    public let format: Int
    public let division: Tick
    public let title: String?
    /// Seconds to the song's end.
    public let duration: Double
    public let bars: Int64?
    public let tempoChanges: Int
    public let tempos: [SongNotation.Tempo]
    public let timeSignatures: [SongNotation.TimeSignature]
    public let keys: [SongNotation.Key]
    public let markers: [SongNotation.Line]
    /// One entry for each line that is sung.
    public let lyrics: [SongNotation.Line]
    public let texts: [SongNotation.Text]
    /// The part that `carillon play --loop` repeats; nil: all of it.
    public let loop: Loop?
    public let tracks: [Track]
    public let parts: [Part]
    public let notes: Int
    public let peakPolyphony: Int
    public let unendedNotes: Int
    public let resets: [Reset]
    public let soundFonts: [String]
    /// The reason for these SoundFonts: `named`, `environment`, `system` or `embedded`.
    public let soundFontOrigin: String
    /// The SoundFont that the song brings, if it is played; it lies on top of the others.
    public let bank: Bank?
    /// The reason why the SoundFont in the song is not played.
    public let bankFault: String?
    public let presets: [Preset]
    public let repairs: [Repair]
    public let repairCount: Int
    /// Remarks on the song, and on the SoundFonts that play it: repairs, missing sounds, and messages without effect.
    public let remarks: [Remark]
    /// Messages of which nothing would be heard.
    public let notSound: [Silent]

    /// The rate at which a song is laid out here; a second is exact in it.
    private static let sampleRate = 48_000

    /// Reads the song at `path` and looks its presets up in `soundFonts`, or in the default one.
    ///
    /// - Parameter playsBank: whether a SoundFont inside the song answers first.
    public init(
        path: String, soundFonts names: [String] = [], isStrict: Bool = false, playsBank: Bool = true
    ) throws(RenderError) {
        let file: SongFile, timeline: Timeline
        do { file = try SongReader.read(path: path, strict: isStrict) } catch { throw .song(error) }
        do { timeline = try Timeline(file.song, sampleRate: Self.sampleRate) } catch { throw .timeline(error) }
        let summary = timeline.summary
        song = path
        bytes = file.byteCount
        container = file.container.rawValue
        format = Int(file.song.format.rawValue)
        division = Tick(file.song.division)
        let notation = SongNotation(file.song, timeline)
        title = notation.title
        (tempos, timeSignatures, keys) = (notation.tempos, notation.timeSignatures, notation.keys)
        (markers, lyrics, texts) = (notation.markers, notation.lyrics, notation.texts)
        duration = Double(summary.end.rawValue) / Double(Self.sampleRate)
        bars = timeline.tempoMap.position(ofTick: file.song.endTick).map(\.bar)
        tempoChanges = timeline.tempoMap.tempoChanges
        loop = LoopPoints(timeline).map { points in
            func seconds(_ frame: Int64) -> Double { Double(frame) / Double(Self.sampleRate) }
            return Loop(
                start: seconds(points.frames.lowerBound), end: seconds(points.frames.upperBound),
                custom: points.custom.rawValue)
        }
        tracks = zip(file.song.tracks, file.readings).map { Track($0, $1) }
        parts = summary.parts.map { part in
            Part(
                port: Int(part.port), channel: Int(part.channel) + 1, notes: part.noteCount, polyphony: part.peakPolyphony,
                programs: part.presets.map {
                    Program(
                        bankMSB: Int($0.bankMSB), bankLSB: Int($0.bankLSB), program: Int($0.program),
                        isDrums: $0.isDrums)
                })
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
            let found = SongBank.bank(in: file, path: path, isWanted: playsBank)
            (bank, bankFault) = (found.bank.map(Bank.init), found.remark)
            let facts = SongRemarks(file, timeline, name: path, bankFault: found.remark)
            notSound = facts.silent.map(Silent.init)
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
        let remarks = all.compactMap { library.resolve($0).remark(on: place) } + library.remarks(for: all)
        let presets = scans.keys.sorted().flatMap { port in
            (scans[port]?.requests ?? []).map { request in
                let choice = library.resolve(request)
                let found = choice.found.map {
                    Sound(bank: Int($0.preset.bank), program: Int($0.preset.program), name: $0.preset.name)
                }
                return Preset(
                    port: port, asked: "\(request)", found: found,
                    substitution: choice.substitution == .exact ? nil : choice.substitution.rawValue)
            }
        }
        return (presets, remarks)
    }
}
