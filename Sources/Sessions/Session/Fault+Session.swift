import EngineCore
import RemoteIO
import Reports
import Sequencer
import SongRendering

/// Kinds of a session's faults.
extension Fault.Kind {
    /// The graph has no such channel.
    package static let unknownChannel = Self("unknownChannel", .usage)
    /// The session does not have the part that would carry out the command.
    public static let noPart = Self("noPart", .usage)
    /// A command for a song was given, but none is loaded.
    public static let noSong = Self("noSong", .usage)
    /// A request that would change the set-up of a session that is locked.
    public static let locked = Self("locked", .usage)
    /// Nothing is played in a song.
    public static let songWithoutNotes = Self("songWithoutNotes", .usage)
    /// There is nothing to write: nothing was played.
    public static let nothingPlayed = Self("nothingPlayed", .data)
    /// A kept preset has this name.
    package static let presetExists = Self("presetExists", .cannotCreate)
    /// A source other than a keyboard was to play live while keyboards do.
    package static let keyboardsPlay = Self("keyboardsPlay", .software)
}

extension Fault {
    /// The audio device or the sequencer, or both, are not available.
    package static func unavailable(device: DeviceError?, sequencer: MIDIInletError?) -> Fault {
        Fault(all: [device.map { Fault($0) }, sequencer.map { Fault($0) }].compactMap(\.self)) ?? .noPart("device")
    }
    /// None of the `known` of a kind has this name.
    package static func unknown(_ kind: String, _ name: String, known: [String], none: String? = nil) -> Fault {
        if known.isEmpty, let none { return Fault(none, .usage) }
        return Fault("there is no \(kind) \(name)", .usage, remedy: "there are \(known.joined(separator: ", "))")
    }
    package static func unknownChannel(_ channel: Int, known: [Int]) -> Fault {
        var fault = unknown("channel", "\(channel)", known: known.map(String.init))
        if !known.isEmpty { fault.kind = .unknownChannel }
        return fault
    }
    package static func unknownUnit(_ name: String, known: [String]) -> Fault { unknown("unit", name, known: known) }
    static func journalUnit(_ unit: String, known: [String]) -> Fault {
        Fault(
            "the journal names the unit \(unit), which its graph lacks", .data,
            remedy: "known are \(known.joined(separator: ", "))")
    }
    static func captureGaps(path: String, frames: Int, events: Int) -> Fault {
        Fault(
            "\(frames) frames and \(events) events are missing, this computer did not keep up", .io, of: path,
            remedy: "write to a faster disk, or choose a longer period")
    }
    package static let nothingPlayed = Fault(
        "nothing has been played yet", .nothingPlayed, remedy: "play something, then save again")
    package static func noPart(_ name: String) -> Fault {
        Fault("the session has no \(name)", .noPart, remedy: "list it among its parts")
    }
    static let locked = Fault("the session is locked against changes of its set-up", .locked, remedy: "request lock off first")
    package static let noSong = Fault("no song is played here", .noSong, remedy: "name songs when the session is started")
    static func unknownSource(_ name: String, known: [String]) -> Fault {
        Fault(
            "no MIDI source is called \(name)", .usage,
            remedy: "there are \(known.isEmpty ? "none" : known.joined(separator: ", "))")
    }
    package static func outOfRange(name: String, value: String, remedy: String) -> Fault {
        Fault("\(value): \(remedy)", .usage, of: name)
    }
    static let noPresets = Fault(
        "this instrument has no presets to choose from", .usage, remedy: "play it through a SoundFont")
    static let presetsOfSongs = Fault(
        "the songs choose their sounds themselves", .usage, remedy: "play live to choose others")
    static func unknownPreset(bank: Int, program: Int) -> Fault {
        let preset = bank == 128 ? "drum kit \(program)" : "bank \(bank) program \(program)"
        return Fault("no SoundFont in use has \(preset)", .usage, remedy: "choose one of its presets")
    }
    static func unknownSound(_ name: String, known: [String]) -> Fault {
        Fault(
            "no sound is called \(name)\(NearName.question(name, among: known))", .usage,
            remedy: "sounds lists all \(known.count)")
    }
    static func bankOutOfReach(_ bank: Int) -> Fault {
        Fault(
            "bank \(bank) cannot be reached after GM System On, which has no banks", .usage,
            remedy: "send GM System Off or GS Reset")
    }
    static func unknownScene(_ name: String, known: [String]) -> Fault {
        unknown("scene", name, known: known, none: "the patch has no scenes; write some into its file")
    }
    static func unknownZone(_ name: String, known: [String]) -> Fault {
        unknown("zone", name, known: known, none: "the patch has no zones; program sets the sound of a channel")
    }
    static func zoneWithoutPart(_ name: String) -> Fault {
        Fault(
            "the zone \(name) plays no unit and no channel of its own", .usage, remedy: "set the sound of a channel: program")
    }
    static func notLearned(_ parameter: String, known: [String]) -> Fault {
        Fault(
            "no controller moves \(parameter)", .usage,
            remedy: known.isEmpty ? "none has been learned" : "those there are move \(known.joined(separator: ", "))")
    }
    static func presetExists(path: String, remedy: String) -> Fault {
        Fault("already exists", .presetExists, of: path, remedy: "choose another name, or \(remedy)")
    }
    static func presetNotKept(_ name: String, unit: String, known: [String], remedy: String) -> Fault {
        Fault(
            "you have no preset of \(unit) called \(name)", .usage,
            remedy: "\(remedy) creates one\(NearName.question(name, among: known))")
    }
    static let noPatchList = Fault("there is no set list", .noPart, remedy: "name several patches at the start")
    package static let longText = Fault(
        "the text has more than \(ChordSheet.mostBytes) bytes or \(ChordSheet.mostLines) lines", .data, remedy: "shorten it")
    static func entriesDecide(_ request: String) -> Fault {
        Fault(
            "the entries of the set list choose the songs", .usage, of: request, remedy: "go to an entry: patch next, patch NAME")
    }
    static let noSongOfEntry = Fault(
        "this entry has no song", .usage, remedy: "go to one that has: patch next, patch NAME")
    static let noParts = Fault("this entry has no parts", .usage, remedy: "give it text or parts in its list")
    static func unknownPatch(_ name: String, known: [String]) -> Fault {
        Fault("no patch is called \(name)", .usage, remedy: "there are \(known.joined(separator: ", "))")
    }
    static let keyboardsPlay = Fault(
        "keyboards are connected, and they alone play live", .keyboardsPlay, remedy: "send it through the engine's own midi")
    static let nothingPlaysOut = Fault(
        "the session was started without MIDI ports, and the patch plays out", .configuration, remedy: "start again with it")
    static func unknownSong(_ name: String, known: [String]) -> Fault {
        Fault(
            "the list has no song \(name)\(NearName.question(name, among: known))", .usage,
            remedy: "songs lists all \(known.count)")
    }
    package static func songRefused(_ name: String, reason: String) -> Fault { Fault("\(name) is not played: \(reason)", .usage) }
    static func songWithoutNotes(path: String) -> Fault {
        Fault("has no note to be played", .songWithoutNotes, of: path, remedy: "replace the file")
    }
    static func unknownLayer(_ name: String, known: [String]) -> Fault {
        unknown("layer", name, known: known, none: "there are no layers; name some at the start")
    }
    static let noBeat = Fault(
        "neither a song nor the metronome plays, so there is no beat to wait for", .usage, remedy: "metronome on starts one")
    static func nothingFollows(_ boundary: TransportBoundary) -> Fault {
        Fault("no \(boundary.rawValue) follows in this song", .usage)
    }
    static let noNextSong = Fault("this is the last song", .usage, remedy: "repeat all goes on with the first")
    static let noMeasure = Fault(
        "this song counts film frames and has no tempo in quarter notes", .usage, remedy: "set the tempo as a factor")
    static func followsClock(_ port: String) -> Fault {
        Fault("the songs follow the clock of \(port), which sets the tempo", .usage, remedy: "change it there")
    }
}
