/// A node of a daemon's graph: a sink, a source, a stream of some program.
struct PipeWireNode: Equatable {
    let name: String
    /// The node's name for display.
    let description: String
    /// `Audio/Sink`, `Audio/Source`, `Stream/Output/Audio` and so on; empty if the node has none.
    let mediaClass: String
    /// Its number, which no other node ever gets.
    let serial: String

    /// True if a machine plays on the node: what `pipewire:NODE` is meant for.
    var isSink: Bool { mediaClass == "Audio/Sink" || mediaClass == "Audio/Duplex" }
    /// True if a machine captures from the node.
    var isSource: Bool { mediaClass.hasPrefix("Audio/Source") || mediaClass == "Audio/Duplex" }
    /// True if sound can be sent to the node. A node without a class may well take some.
    var takesSound: Bool { isSink || mediaClass == "Stream/Input/Audio" || mediaClass.isEmpty }
    /// True if sound comes from the node.
    var givesSound: Bool { isSource || mediaClass == "Stream/Output/Audio" || mediaClass.isEmpty }

    /// Returns true if `text` names this node.
    func isMeant(by text: String) -> Bool { name == text || serial == text }
}
