import ALSA
import AudioFiles
import EngineCore
import Patches
import RemoteIO
import Reports
import Sequencer
import SongFiles
import SongRendering
import UnitAPI

/// The reason why a live session could not start, or could not carry out a command.
public enum LiveError: Error, Sendable, CustomStringConvertible {
    /// The graph or its parts: SoundFonts, settings.
    case sound(RenderError)
    case engine(EngineError)
    case song(SongError)
    case journal(JournalError)
    case audioFile(AudioFileError)
    /// The audio device or the sequencer, or both, are not available.
    case unavailable(device: DeviceError?, sequencer: MIDIInletError?)
    /// The volume of the sound card is not available.
    case hardwareVolume(HardwareVolumeError)
    /// The graph has no such channel.
    case unknownChannel(Int, known: [Int])
    /// A setting of the engine is impossible.
    case setting(ParameterError)
    /// A setting that is not a number has an invalid value.
    case option(name: String, value: String, remedy: String)
    /// A journal names a unit that its graph does not have.
    case journalUnit(String, known: [String])
    /// The graph has no such unit.
    case unknownUnit(String, known: [String])
    /// A capture lacks frames or events: this computer did not keep up.
    case captureGaps(path: String, frames: Int, events: Int)
    /// There is nothing to write: nothing was played.
    case nothingPlayed
    /// A command for a song, but none is loaded.
    case noSong
    /// A command for a part that the session does not have.
    case noPart(String)
    /// A source that a panic names is not there.
    case unknownSource(String, known: [String])
    /// A command's number is out of range.
    case outOfRange(name: String, value: String, remedy: String)
    /// The instrument that plays has no presets to choose from.
    case noPresets
    /// The session plays songs alone, which choose their own sounds.
    case presetsOfSongs
    /// No SoundFont in use has this preset.
    case unknownPreset(bank: Int, program: Int)
    /// A reset that was played has taken the banks away.
    case bankOutOfReach(Int)
    /// The patch has no such scene.
    case unknownScene(String, known: [String])
    /// No controller moves this parameter.
    case notLearned(String, known: [String])
    /// The patch file cannot be written, or cannot express the current patch.
    case patchFile(PatchFileError)
    /// A kept preset has this name; its path, and what would replace it.
    case presetExists(path: String, remedy: String)
    /// No kept preset of this unit has this name; what would keep it.
    case presetNotKept(String, unit: String, known: [String], remedy: String)
    /// A command for a set list, but one patch plays, or none.
    case noPatchList
    /// The set list has no such patch.
    case unknownPatch(String, known: [String])
    /// A source other than a keyboard was to play live while keyboards do.
    case keyboardsPlay
    /// A patch is to play out of a session that was started without MIDI.
    case nothingPlaysOut
    /// The list has no song of this name or number.
    case unknownSong(String, known: [String])
    /// A song that cannot be played, and why.
    case songRefused(String, reason: String)
    /// A refusal of a part that belongs to another module.
    case part(any Error & Sendable)
    /// A song in which nothing is played.
    case songWithoutNotes(path: String)
    /// The session has no such layer.
    case unknownLayer(String, known: [String])
    /// A layer cannot lie over the song that plays, or over none.
    case layer(String, SongLayerError)
    /// A tempo was requested, but the songs follow the clock of this port.
    case followsClock(String)
    /// The caller asked to stop.
    case interrupted

    public var description: String {
        switch self {
        case .sound(let error): error.description
        case .engine(let error): error.description
        case .song(let error): error.description
        case .journal(let error): error.description
        case .audioFile(let error): error.description
        case .hardwareVolume(let error): error.description
        case .unavailable: sentences.joined(separator: "; ")
        case .unknownChannel(let channel, let known):
            "there is no channel \(channel); there are \(known.map(String.init).joined(separator: ", "))"
        case .setting(let error): error.description
        case .option(let name, let value, let remedy): "\(name): \(value): \(remedy)"
        case .journalUnit(let unit, let known):
            "the journal names the unit \(unit), which its graph lacks; known are \(known.joined(separator: ", "))"
        case .unknownUnit(let unit, let known):
            "there is no unit \(unit); there are \(known.joined(separator: ", "))"
        case .captureGaps(let path, let frames, let events):
            "\(path): \(frames) frames and \(events) events are missing, this computer did not keep up; write to a "
                + "faster disk, or choose a longer period"
        case .nothingPlayed: "nothing has been played yet; play something, then save again"
        case .noPart(let name): "the session has no \(name); list it among its parts"
        case .noSong: "no song is played here; name songs when the session is started"
        case .unknownSource(let name, let known):
            "no MIDI source is called \(name); there are \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .outOfRange(let name, let value, let remedy): "\(name): \(value): \(remedy)"
        case .noPresets: "this instrument has no presets to choose from; play it through a SoundFont"
        case .presetsOfSongs: "the songs choose their sounds themselves; play live to choose others"
        case .unknownPreset(let bank, let program):
            "no SoundFont in use has \(bank == 128 ? "drum kit \(program)" : "bank \(bank) program \(program)"); choose one "
                + "of its presets"
        case .bankOutOfReach(let bank):
            "bank \(bank) cannot be reached after GM System On, which has no banks; send GM System Off or GS Reset"
        case .unknownScene(let name, let known):
            known.isEmpty
                ? "the patch has no scenes; write some into its file"
                : "there is no scene \(name); there are \(known.joined(separator: ", "))"
        case .notLearned(let parameter, let known):
            "no controller moves \(parameter)"
                + (known.isEmpty ? "; none has been learned" : "; those there are move \(known.joined(separator: ", "))")
        case .patchFile(let error): error.description
        case .presetExists(let path, let remedy): "\(path): already exists; choose another name, or \(remedy)"
        case .presetNotKept(let name, let unit, let known, let remedy):
            "you have no preset of \(unit) called \(name); \(remedy) creates one\(NearName.question(name, among: known))"
        case .noPatchList: "there is no set list; name several patches at the start"
        case .unknownPatch(let name, let known): "no patch is called \(name); there are \(known.joined(separator: ", "))"
        case .keyboardsPlay: "keyboards are connected, and they alone play live; send it through the engine's own midi"
        case .nothingPlaysOut: "the session was started without MIDI ports, and the patch plays out; start again with it"
        case .unknownSong(let name, let known):
            "the list has no song \(name)\(NearName.question(name, among: known)); songs lists all \(known.count)"
        case .songRefused(let name, let reason): "\(name) is not played: \(reason)"
        case .part(let error): "\(error)"
        case .songWithoutNotes(let path): "\(path): has no note to be played; replace the file"
        case .unknownLayer(let name, let known):
            known.isEmpty
                ? "there are no layers; name some at the start"
                : "there is no layer \(name); there are \(known.joined(separator: ", "))"
        case .layer(let name, let error): "\(name): \(error)"
        case .followsClock(let port): "the songs follow the clock of \(port), which sets the tempo; change it there"
        case .interrupted: "interrupted; nothing was written"
        }
    }

    /// The error as text for the user: one sentence for each thing that is missing.
    public var sentences: [String] {
        guard case .unavailable(let device, let sequencer) = self else { return [description] }
        return [device?.description, sequencer?.description].compactMap { $0 }
    }
}
