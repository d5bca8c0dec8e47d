/// The meaning of a name such as `pipewire` or `pipewire:alsa_output.usb`.
enum PipeWireName: Equatable {
    case session
    /// The node of that name or serial number.
    case node(String)
    /// None: other programs link it, or it stays unlinked.
    case nothing

    /// nil for a name that is not a device of PipeWire's.
    init?(_ name: String) {
        if name == "pipewire" || name == "pipewire:" {
            self = .session
        } else if name.hasPrefix("pipewire:") {
            let node = String(name.dropFirst("pipewire:".count))
            self = node == "none" ? .nothing : .node(node)
        } else {
            return nil
        }
    }

    /// nil for the session's choice, empty for none.
    var target: String? {
        switch self {
        case .session: nil
        case .node(let name): name
        case .nothing: ""
        }
    }
}
