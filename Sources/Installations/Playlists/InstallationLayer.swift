import Carillon

/// A song of an installation that can play over others.
public struct InstallationLayer: Hashable, Sendable {
    /// The name that playlists, cues and surfaces use.
    public var name: String
    /// The file.
    public var path: String
    /// The level of the layer, in decibels, -120...0.
    public var level = 0.0
    /// The MIDI port that it plays on, 1...16; nil means one of its own.
    public var port: Int?
    /// The number of times that the loop is played; nil means until a request ends it.
    public var rounds: Int?

    /// Creates a layer that is played again and again.
    public init(_ name: String, path: String) { (self.name, self.path) = (name, path) }

    /// A file that cannot be read does not silence the others.
    var layer: SessionLayer {
        var layer = SessionLayer(name, SessionSong(name: name, path: path))
        (layer.level, layer.port, layer.rounds, layer.isOptional) = (level, port, rounds, true)
        return layer
    }
}
