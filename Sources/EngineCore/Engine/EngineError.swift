import AudioFiles
import Graphs
import Patches
import RemoteIO
import Sequencer
import SongFiles
import UnitAPI

/// The reason why an engine could not carry out a request.
public enum EngineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Thousands of commands wait for the renderer: it does not run, or gets too many between two slices.
    case queueFull
    /// The patch is wrong in itself.
    case patch(PatchError)
    /// A preset, or its file, is not there or cannot be.
    case patchFile(PatchFileError)
    /// The graph was refused.
    case graph(GraphError)
    /// The parameter or its value is wrong.
    case parameter(ParameterError)
    /// The device is not available with the wanted settings.
    case device(DeviceError)
    /// Another output, of a session perhaps, pulls this engine.
    case alreadyPulled
    /// The engine already runs on the device of this name.
    case alreadyRunning(on: String)
    /// The engine does not run, so that it cannot be stopped or asked for sound.
    case notRunning
    /// A device pulls this engine in its own time; the device's name.
    case notOffline(on: String)
    /// The graph has several inputs, and a device's sound goes to one.
    case severalInputs(count: Int)
    /// The graph has several voice processors that listen to the device, and its sound goes to one.
    case severalVoiceProcessors(count: Int)
    /// The file cannot be written as it was wanted.
    case audioFile(AudioFileError)
    /// The song's file cannot be read.
    case song(SongError)
    /// The song cannot be laid out in time.
    case timeline(TimelineError)
    /// MIDI ports are not available.
    case midi(MIDIInletError)
    /// Something else plays on this engine since.
    case songReplaced

    /// Refuses a number out of range. Throws `parameter`.
    static func check(_ number: Int, _ name: String, _ range: ClosedRange<Int>) throws(EngineError) {
        if range.contains(number) { return }
        throw .parameter(
            .outOfRange(parameter: name, text: "\(number)", low: "\(range.lowerBound)", high: "\(range.upperBound)"))
    }

    public var description: String {
        switch self {
        case .queueFull: "the engine's queue of commands is full; try again once it has rendered some frames"
        case .patch(let error): error.description
        case .patchFile(let error): error.description
        case .graph(let error): error.description
        case .parameter(let error): error.description
        case .device(let error): error.description
        case .alreadyPulled: PullError.alreadyPulled.description
        case .alreadyRunning(let device): "the engine runs on \(device) already; call stop() before it starts elsewhere"
        case .notRunning: "the engine does not run; call start(on:) first"
        case .notOffline(let device):
            "\(device) pulls the engine in its own time; call stop(), then start(on: .offline), to pull it yourself"
        case .severalInputs(let count):
            "the graph has \(count) inputs, and a device's sound goes to one; connect that one to all that hear it"
        case .severalVoiceProcessors(let count):
            "\(count) voice-processors listen to the device, and one can; set playback of the others to input and connect that"
        case .audioFile(let error): error.description
        case .song(let error): error.description
        case .timeline(let error): error.description
        case .midi(let error): error.description
        case .songReplaced: "another song or timeline plays on this engine since; call play(song:) again to have this one back"
        }
    }
}
