/// A node of a daemon's graph: a sink, a source, a stream of some program.
struct PipeWireNode: Equatable {
    let name: String
    /// What people call it.
    let description: String
    /// `Audio/Sink`, `Audio/Source`, `Stream/Output/Audio` and so on; empty where the node does not say.
    let mediaClass: String
    /// Its number, which no other node ever gets.
    let serial: String

    /// Whether a machine plays on it: what `pipewire:NODE` is meant for.
    var isSink: Bool { mediaClass == "Audio/Sink" || mediaClass == "Audio/Duplex" }
    /// Whether a machine captures from it.
    var isSource: Bool { mediaClass.hasPrefix("Audio/Source") || mediaClass == "Audio/Duplex" }
    /// Whether sound can be sent there. What does not say what it is may well take some.
    var takesSound: Bool { isSink || mediaClass == "Stream/Input/Audio" || mediaClass.isEmpty }
    /// Whether sound comes from there.
    var givesSound: Bool { isSource || mediaClass == "Stream/Output/Audio" || mediaClass.isEmpty }

    /// Whether somebody who says `text` means it.
    func isMeant(by text: String) -> Bool { name == text || serial == text }
}
