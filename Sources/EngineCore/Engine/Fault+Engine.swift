import AudioFiles
import Graphs
import SampleRate
import UnitAPI

/// Kinds of an engine's faults.
extension Fault.Kind {
    /// Thousands of commands wait for the renderer: it does not run, or gets too many between two slices.
    public static let queueFull = Self("queueFull", .software)
    /// Another output, of a session perhaps, pulls this engine.
    public static let alreadyPulled = Self("alreadyPulled", .software)
    /// The engine runs on a device.
    public static let alreadyRunning = Self("alreadyRunning", .software)
    /// The engine does not run.
    public static let notRunning = Self("notRunning", .software)
    /// A device pulls this engine in its own time.
    public static let notOffline = Self("notOffline", .software)
    /// Another song or timeline plays on this engine.
    public static let songReplaced = Self("songReplaced", .software)
    /// The graph has more of a unit that hears the device than one device can serve.
    package static let tooManyFeeds = Self("tooManyFeeds", .software)
}

extension Fault {
    package static let queueFull = Fault(
        "the engine's queue of commands is full", .queueFull, remedy: "try again once it has rendered some frames")
    package static let alreadyPulled = Fault(PullError.alreadyPulled.description, .alreadyPulled)
    package static func alreadyRunning(on device: String) -> Fault {
        Fault("the engine runs on \(device) already", .alreadyRunning, remedy: "call stop() before it starts elsewhere")
    }
    package static let notRunning = Fault("the engine does not run", .notRunning, remedy: "call start(on:) first")
    package static func notOffline(on device: String) -> Fault {
        Fault(
            "\(device) pulls the engine in its own time", .notOffline,
            remedy: "call stop(), then start(on: .offline), to pull it yourself")
    }
    package static func severalInputs(count: Int) -> Fault {
        Fault(
            "the graph has \(count) inputs, and a device's sound goes to one", .tooManyFeeds,
            remedy: "connect that one to all that hear it")
    }
    package static func severalVoiceProcessors(count: Int) -> Fault {
        Fault(
            "\(count) voice-processors listen to the device, and one can", .tooManyFeeds,
            remedy: "set playback of the others to input and connect that")
    }
    package static let noHostTime = Fault(
        "no device plays, and so no moment of its clock is known", .notRunning, remedy: "call start(on: .device()) first")
    package static let songReplaced = Fault(
        "another song or timeline plays on this engine since", .songReplaced,
        remedy: "call play(song:) again to have this one back")

    /// Refuses a number out of range.
    static func check(_ number: Int, _ name: String, _ range: ClosedRange<Int>) throws(Fault) {
        if range.contains(number) { return }
        throw Fault(
            ParameterError.outOfRange(
                parameter: name, text: "\(number)", low: "\(range.lowerBound)", high: "\(range.upperBound)"))
    }
}

/// Files that cannot be played.
extension Fault {
    static func rate(path: String, _ error: SampleRateError) -> Fault { Fault("\(error)", .data, of: path, origin: error) }
    static func channels(path: String, count: Int) -> Fault {
        Fault("has \(count) channels", .data, of: path, remedy: "convert it to a file of at most 8")
    }
    static func speakers(path: String, count: Int, width: Int) -> Fault {
        Fault(
            "has \(count) channels for loudspeakers that no layout has, and cannot be folded down to \(width)", .data,
            of: path, remedy: "play it on \(count) channels, or convert it to a mono or stereo file")
    }
    static func notSeekable(path: String) -> Fault {
        Fault("cannot be read out of order", .data, of: path, remedy: "copy it to a file on a disk")
    }
    static func outside(path: String, start: Int64, frames: Int64) -> Fault {
        Fault("frame \(start) is not in it", .usage, of: path, remedy: "choose one of 0 to \(max(frames - 1, 0))")
    }
    static func passes(path: String, count: Int) -> Fault {
        Fault("cannot be played \(count) times", .usage, of: path, remedy: "choose 1 or more")
    }

    /// The fault of a file as that of the unit that would have played it.
    func ofUnit(_ name: String = "file-player") -> Fault { Fault(of(unit: name)) }
}
