import MIDI
import RealtimeCore

/// The demands of a song on its instruments: made while the timeline is built, read by `inspect`, by the loader of presets and
/// by the renderer's bounds.
public struct TimelineSummary: Hashable, Sendable {
    /// Channels with at least one message, in the order of port and channel.
    public var parts: [PartUsage] = []
    /// Note-ons.
    public var noteCount = 0
    /// The most keys down at once, over all channels.
    public var peakPolyphony = 0
    /// Notes that no note-off, all-notes-off, all-sound-off or reset ends. They sound until the render's tail bound.
    public var unendedNotes = 0
    /// GM, GM2, GS and XG resets, in the order of time.
    public var resets: [Reset] = []
    /// The first note-on; nil for a song without notes.
    public var firstNote: SampleTime?
    /// The last note-off that ended a note, or the last note-on if that is later.
    public var lastNoteEnd: SampleTime = .zero
    /// The last event of the timeline.
    public var lastEvent: SampleTime = .zero
    /// The end of the longest track: never before `lastEvent`, often a bar later, in odd files days later.
    public var end: SampleTime = .zero

    /// The summary of a song without events.
    public init() {}

    /// A System Exclusive reset that the song carries.
    public struct Reset: Hashable, Sendable {
        public var time: SampleTime
        public var standard: SystemReset
        public var port: UInt8

        public init(time: SampleTime, standard: SystemReset, port: UInt8) {
            (self.time, self.standard, self.port) = (time, standard, port)
        }
    }
}

/// The presets and notes that one channel of one port plays.
public struct PartUsage: Hashable, Sendable {
    /// 0...15.
    public var port: UInt8
    /// 0...15; channel 10 of the textbooks is 9.
    public var channel: UInt8
    public var noteCount = 0
    /// The most keys down at once.
    public var peakPolyphony = 0
    /// Presets asked for, in the order of their first use. A channel that plays without asking has program 0 of bank 0.
    public var presets: [PresetUse] = []

    public init(port: UInt8, channel: UInt8) {
        self.port = port
        self.channel = channel
    }
}

/// A preset that a song asks for, by its messages; the meaning of the bank depends on the standard in force.
public struct PresetUse: Hashable, Sendable {
    /// CC 0 when the program change came, 0...127.
    public var bankMSB: UInt8
    /// CC 32 when the program change came, 0...127.
    public var bankLSB: UInt8
    /// 0...127.
    public var program: UInt8
    /// True if the channel was a drum part when the preset was asked for: channel 9, or made one by GS or XG System
    /// Exclusive.
    public var isDrums: Bool
    /// Notes played with it; 0 for one that was asked for only.
    public var noteCount: Int

    public init(bankMSB: UInt8, bankLSB: UInt8, program: UInt8, isDrums: Bool, noteCount: Int) {
        (self.bankMSB, self.bankLSB, self.program) = (bankMSB, bankLSB, program)
        (self.isDrums, self.noteCount) = (isDrums, noteCount)
    }
}
