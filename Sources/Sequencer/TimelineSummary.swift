import MIDI
import RealtimeCore

/// The demands of a song on its instruments: made while the timeline is built, read by `inspect`, by the loader of presets and
/// by the renderer's bounds.
package struct TimelineSummary: Hashable, Sendable {
    /// Channels with at least one message, in the order of port and channel.
    package var parts: [PartUsage] = []
    /// Note-ons.
    package var noteCount = 0
    /// The most keys down at once, over all channels.
    package var peakPolyphony = 0
    /// Notes that no note-off, all-notes-off, all-sound-off or reset ends. They sound until the render's tail bound.
    package var unendedNotes = 0
    /// GM, GM2, GS and XG resets, in the order of time.
    package var resets: [Reset] = []
    /// The first note-on; nil for a song without notes.
    package var firstNote: SampleTime?
    /// The last note-off that ended a note, or the last note-on if that is later.
    package var lastNoteEnd: SampleTime = .zero
    /// The last event of the timeline.
    package var lastEvent: SampleTime = .zero
    /// The end of the longest track: never before `lastEvent`, often a bar later, in odd files days later.
    package var end: SampleTime = .zero

    /// The summary of a song without events.
    package init() {}

    /// A System Exclusive reset that the song carries.
    package struct Reset: Hashable, Sendable {
        package var time: SampleTime
        package var standard: SystemReset
        package var port: UInt8

        package init(time: SampleTime, standard: SystemReset, port: UInt8) {
            (self.time, self.standard, self.port) = (time, standard, port)
        }
    }
}

/// The presets and notes that one channel of one port plays.
package struct PartUsage: Hashable, Sendable {
    /// 0...15.
    package var port: UInt8
    /// 0...15; channel 10 of the textbooks is 9.
    package var channel: UInt8
    package var noteCount = 0
    /// The most keys down at once.
    package var peakPolyphony = 0
    /// Presets asked for, in the order of their first use. A channel that plays without asking has program 0 of bank 0.
    package var presets: [PresetUse] = []

    package init(port: UInt8, channel: UInt8) {
        self.port = port
        self.channel = channel
    }
}

/// A preset that a song asks for, by its messages; the meaning of the bank depends on the standard in force.
package struct PresetUse: Hashable, Sendable {
    /// CC 0 when the program change came, 0...127.
    package var bankMSB: UInt8
    /// CC 32 when the program change came, 0...127.
    package var bankLSB: UInt8
    /// 0...127.
    package var program: UInt8
    /// True if the channel was a drum part when the preset was requested: channel 9, or made one by GS or XG System
    /// Exclusive.
    package var isDrums: Bool
    /// Notes played with it; 0 for one that was requested only.
    package var noteCount: Int

    package init(bankMSB: UInt8, bankLSB: UInt8, program: UInt8, isDrums: Bool, noteCount: Int) {
        (self.bankMSB, self.bankLSB, self.program) = (bankMSB, bankLSB, program)
        (self.isDrums, self.noteCount) = (isDrums, noteCount)
    }
}
