import Carillon

/// The part of a running session that the terminal needs.
struct SessionControl {
    /// The sounds that may be chosen; others with another patch.
    let presets: () -> [SoundPreset]
    let names: (NameChoice.Purpose) -> [NameChoice.Item]
    let snapshot: () -> SessionSnapshot
    /// Returns the message for it.
    let perform: (ControlCommand) -> String?
    /// Descriptors that become readable when a command has come from elsewhere, for which `maintain` is not to be late.
    let arrivals: [Int32]
    /// Returns true while `maintain` is to be called every 20 ms.
    let isHurried: () -> Bool
    /// Does the session's own work on this thread, ten times a second. Returns the messages to report.
    let maintain: () -> [String]
    /// Returns true if the session has come to its end by itself, as after the last song, or was asked to quit.
    let hasEnded: () -> Bool
}
