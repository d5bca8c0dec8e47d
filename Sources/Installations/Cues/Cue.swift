import Carillon

/// Something that an installation plays, or does, when it is asked to: a button, a time of day, a file in a folder.
public struct Cue: Hashable, Sendable {
    /// The content that a cue plays.
    public enum Content: Hashable, Sendable {
        /// A recorded sound, over the music.
        case sound(path: String)
        /// A song in the place of the music, which goes on afterwards where it was.
        case song(InstallationSong)
        /// A scene of the patch.
        case scene(String)
        /// A layer, from the next bar on.
        case layer(String)
        /// Commands as a surface could give them, one after the other: the next song, a tempo, a mute.
        case commands([ControlCommand])

        /// False if the content is done at once, no matter what else plays.
        var lasts: Bool {
            switch self {
            case .sound, .song, .layer: true
            case .scene, .commands: false
            }
        }
    }

    /// The mode of a cue, which decides how long it plays.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Plays to its end.
        case once
        /// Plays as long as it is held: a key, a foot switch.
        case hold
        /// Plays until it is requested again; a sound is played again and again meanwhile.
        case toggle
    }

    /// The switch of a keyboard that asks for a cue.
    public typealias Trigger = Session.Button.Control

    /// The name of the cue.
    public var name: String
    public var content: Content
    public var mode = Mode.once
    /// The level of a sound, in decibels, and what the music loses meanwhile.
    public var level = 0.0
    public var duck = 0.0
    /// The priority, 0...100: a cue ends those of lower priority, and is not disturbed by them.
    public var priority = 0
    /// Seconds after its end during which it cannot be requested again.
    public var coolDown = 0.0
    /// Times of day at which it plays. Unit: seconds since midnight.
    public var times: [Int] = []
    /// The triggers on a keyboard that ask for the cue, on one channel, from 1, or on any.
    public var triggers: [Trigger] = []
    public var channel: Int?
    /// The cue at the end of which it plays.
    public var after: String?

    /// Creates a cue without triggers and times.
    public init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }
}
