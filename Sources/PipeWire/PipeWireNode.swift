/// A node of a daemon's graph: a sink, a source, a stream of some program.
struct PipeWireNode: Equatable {
    let name: String
    /// The node's name for display.
    let description: String
    /// `Audio/Sink`, `Audio/Source`, `Stream/Output/Audio` and so on; empty for none.
    let mediaClass: String
    /// No other node ever gets it.
    let serial: String

    /// A machine plays on it: what `pipewire:NODE` is meant for.
    var isSink: Bool { mediaClass == "Audio/Sink" || mediaClass == "Audio/Duplex" }
    var isSource: Bool { mediaClass.hasPrefix("Audio/Source") || mediaClass == "Audio/Duplex" }
    /// A node without a class may well take some.
    var takesSound: Bool { isSink || mediaClass == "Stream/Input/Audio" || mediaClass.isEmpty }
    var givesSound: Bool { isSource || mediaClass == "Stream/Output/Audio" || mediaClass.isEmpty }

    func isMeant(by text: String) -> Bool { name == text || serial == text }
}
