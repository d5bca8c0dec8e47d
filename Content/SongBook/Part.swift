/// One player: a channel, its sound and place on the stage, and what is played.
public struct Part: Sendable {
    /// The track's name.
    public var name: String
    /// 0...15; 9 is the drums.
    public var channel: UInt8
    /// GM program, 0...127.
    public var program: UInt8
    /// Controllers 7, 10, 91 and 93, 0...127.
    public var volume: UInt8
    public var pan: UInt8
    public var reverb: UInt8
    public var chorus: UInt8
    /// The manner in which written notes become played ones.
    public var touch: Touch
    /// The part's notes as written, in any order.
    public var notes: [ScoreNote]
    /// Controllers, bends, pressures, program changes, by tick.
    public var gestures: [Gesture]
    /// Sung syllables (FF 05), by tick.
    public var lyrics: [(tick: Int, syllable: String)]

    public init(
        _ name: String, channel: UInt8, program: UInt8, volume: UInt8 = 100, pan: UInt8 = 64,
        reverb: UInt8 = 40, chorus: UInt8 = 0, touch: Touch = Touch(), notes: [ScoreNote] = [],
        gestures: [Gesture] = [], lyrics: [(tick: Int, syllable: String)] = []
    ) {
        self.name = name
        self.channel = channel
        self.program = program
        self.volume = volume
        self.pan = pan
        self.reverb = reverb
        self.chorus = chorus
        self.touch = touch
        self.notes = notes
        self.gestures = gestures
        self.lyrics = lyrics
    }
}
