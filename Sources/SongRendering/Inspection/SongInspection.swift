import EngineCore
import MIDI
import Reports
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

/// The contents and demands of a song, as `carillon inspect` shows them: made from the timeline, nothing is rendered.
package struct SongInspection: Encodable, Sendable {
    /// The length of a tick of the file.
    package struct Tick: Encodable, Sendable {
        /// This many to a quarter note; nil in an SMPTE division.
        package let ticksPerQuarter: Int?
        /// This many to a film frame in an SMPTE division, otherwise nil.
        package let ticksPerFrame: Int?
        /// Film frames in a second, 29.97 as 30000/1001; nil with quarter notes.
        package let framesPerSecond: Double?

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
    package struct Track: Encodable, Sendable {
        package let name: String
        package let port: Int
        package let events: Int
        /// `as it stands` if its bytes need no repair, else `recovered`.
        package let reading: String
        /// Offset of its first repair in the file, bytes; nil in a track that needs none.
        package let recoveredFrom: Int?

        init(_ track: Sequencer.Track, _ reading: TrackReading) {
            (name, port, events) = (track.name, Int(track.port), track.events.count)
            switch reading {
            case .asItStands: (self.reading, recoveredFrom) = ("as it stands", nil)
            case .recovered(let byteOffset): (self.reading, recoveredFrom) = ("recovered", byteOffset)
            }
        }
    }

    /// A preset that a port's notes need, and what answers.
    package struct Preset: Encodable, Sendable {
        package let port: Int
        /// Bank and program after the rules of the song's standard: `bank 0 program 40`, `drum kit 0`.
        package let asked: String
        /// The sound that plays; nil when nothing does.
        package let found: Sound?
        /// The reason why it is not the requested one; nil if it is.
        package let substitution: String?
    }

    /// A preset of a SoundFont.
    package struct Sound: Encodable, Sendable {
        /// 0...127 melodic, 128 drum kits.
        package let bank: Int
        package let program: Int
        package let name: String
    }

    /// A bank and a program that a channel asks for.
    package struct Program: Encodable, Sendable {
        package let bankMSB: Int
        package let bankLSB: Int
        package let program: Int
        package let isDrums: Bool
    }

    /// The sounds that one channel plays.
    package struct Part: Encodable, Sendable {
        package let port: Int
        /// 1...16.
        package let channel: Int
        package let notes: Int
        package let polyphony: Int
        package let programs: [Program]
    }

    /// A System Exclusive reset.
    package struct Reset: Encodable, Sendable {
        package let time: Double
        package let standard: String
        package let port: Int
    }

    /// The range that the song itself asks to be looped, in seconds.
    package struct Loop: Encodable, Sendable {
        package let start: Double
        package let end: Double
        /// The custom that it follows: `markers`, `emidi`, `xmidi`, `hmi`, `rpg-maker`, `zun`.
        package let custom: String
    }

    /// A kind of message of which nothing would be heard: names, displays, inquiries, messages to other models.
    package struct Silent: Encodable, Sendable {
        package let name: String
        /// The address in hexadecimal; empty where it has none.
        package let address: String
        package let count: Int

        init(_ entry: UnfollowedMusic.Entry) { (name, address, count) = (entry.name, entry.address, entry.count) }
    }

    /// A repair.
    package struct Repair: Encodable, Sendable {
        package let byteOffset: Int
        package let fault: String
        package let remedy: String

        /// Creates a repair as a report shows it.
        package init(_ repair: SongRepair) {
            byteOffset = repair.byteOffset
            fault = "\(repair.fault)"
            remedy = repair.fault.remedy
        }
    }

    /// The SoundFont inside the song file.
    package struct Bank: Encodable, Sendable {
        package let title: String
        package let format: String
        /// The space that it takes in the file.
        package let bytes: Int
        /// The number of banks by which the song moves its melodic banks up.
        package let bankOffset: Int
        /// The presets, in the bank's own numbering.
        package let presets: [Sound]

        /// The bank as a report shows it.
        package init(_ bank: SongBank) {
            (title, format, bytes, bankOffset) = (bank.title, bank.format.rawValue, bank.byteCount, bank.source.bankOffset)
            presets = bank.presets.map { Sound(bank: $0.bank, program: $0.program, name: $0.name) }
        }
    }

    /// The file, as it was named.
    package let song: String
    package let bytes: Int
    package let container: String
    package let format: Int
    package let division: Tick
    package let title: String?
    /// Seconds to the song's end.
    package let duration: Double
    package let bars: Int64?
    package let tempoChanges: Int
    package let tempos: [SongNotation.Tempo]
    package let timeSignatures: [SongNotation.TimeSignature]
    package let keys: [SongNotation.Key]
    package let markers: [SongNotation.Line]
    /// One entry for each line that is sung.
    package let lyrics: [SongNotation.Line]
    package let texts: [SongNotation.Text]
    /// The part that `carillon play --loop` repeats; nil means all of it.
    package let loop: Loop?
    package let tracks: [Track]
    package let parts: [Part]
    package let notes: Int
    package let peakPolyphony: Int
    package let unendedNotes: Int
    package let resets: [Reset]
    package let soundFonts: [String]
    /// The reason for these SoundFonts: `named`, `environment`, `system` or `embedded`.
    package let soundFontOrigin: String
    /// The SoundFont that the song brings, if it is played; it lies on top of the others.
    package let bank: Bank?
    /// The reason why the SoundFont in the song is not played.
    package let bankFault: String?
    package let presets: [Preset]
    package let repairs: [Repair]
    package let repairCount: Int
    /// Remarks on the song, and on the SoundFonts that play it: repairs, missing sounds, and messages without effect.
    package let remarks: [Remark]
    /// Messages of which nothing would be heard.
    package let notSound: [Silent]

    /// The rate at which a song is laid out here; a second is exact in it.
    private static let sampleRate = 48_000

    /// Reads the song at `path` and looks its presets up in `soundFonts`, or in the default one.
    ///
    /// - Parameter playsBank: whether a SoundFont inside the song answers first.
    package init(
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
