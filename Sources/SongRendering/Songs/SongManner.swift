import SongFiles

/// The manner in which a song of a list is played: the settings of the list, in addition to those of the song itself.
public struct SongManner: Hashable, Sendable {
    /// Factor of the tempo, 0.1...10.
    public var tempo = 1.0
    /// Semitones, -48...48; drums stay.
    public var transpose = 0
    /// The number of times that its loop is played, its loop points or all of it, 1...1000 (`SongPlan`).
    public var loops = 1
    /// Seconds in which it fades after the last loop, while it goes on, 0...3600; nil means it goes on to its own end.
    public var fade: Double?
    /// The level beside the others, in decibels, -120...12. Only in a session with a fader (`LiveOptions.faderLevel`).
    public var level = 0.0
    /// Seconds of silence before it, 0...86 400.
    public var pause = 0.0
    /// The encoding of texts in its file that do not name theirs; nil means UTF-8 where they are that, else Latin-1.
    public var textEncoding: TextEncoding?

    /// Layers of the session that come with it, from its beginning to its end.
    public var layers: [String] = []
    /// True if layers that were requested lie over it.
    public var takesLayers = true

    /// The song as it is written.
    public init() {}

    /// True if its loop is played otherwise than the song is written.
    package var countsLoops: Bool { loops > 1 || fade != nil }
}
