import Reports

extension Fault.Kind {
    /// The song cannot be a layer of another one, or cannot have layers.
    public static let layer = Self("layer", .data)
}

/// Songs that cannot be layers, or have any.
extension Fault {
    package static let countsFilmFrames = Fault(
        "it counts film frames and has no bars", .layer, remedy: "save it with ticks per quarter note")
    package static let playsPatterns = Fault(
        "its tracks play one after another (format 2)", .layer, remedy: "save it as format 1")
    package static let tooManyPorts = Fault(
        "it uses more MIDI ports than are left of the 16", .layer, remedy: "give it a lower port")
    package static let tooManyEvents = Fault(
        "so many notes come together that they do not fit in memory", .layer, remedy: "choose a longer loop")
    static let levelIsNoNumber = Fault("its level is no number", .layer, remedy: "choose 0 to 1")

    /// The fault of a layer with its name.
    package func of(layer name: String) -> Fault { Fault("\(self)", kind, of: name) }
}
