import EngineCore

/// A recorded sound that a session may play over everything else: an announcement, a bell.
package struct SessionSound: Hashable, Sendable {
    /// The name of the sound; letters, digits and hyphens, as units have.
    package var name: String
    /// The file, of any kind that `FilePlayer` plays.
    package var path: String
    /// The level, in decibels, -120...12.
    package var level: Double

    /// Creates a sound.
    package init(name: String, path: String, level: Double = 0) { (self.name, self.path, self.level) = (name, path, level) }

    /// The names of its units in the graph: the player, and what turns it up or down.
    var player: String { ReservedNames.sound(name) }
    var fader: String { ReservedNames.level(ofSound: name) }
}
