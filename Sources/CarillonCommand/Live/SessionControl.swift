import Carillon

/// The part of a running session that the terminal needs.
struct SessionControl {
    /// The sounds that may be chosen; others with another patch.
    let presets: () -> [SoundPreset]
    /// The names that may be chosen for a purpose.
    let names: (NameChoice.Purpose) -> [String]
    /// Returns how things stand.
    let snapshot: () -> SessionSnapshot
    /// Does what a key asks for; returns what there is to say of it.
    let perform: (ControlCommand) -> String?
    /// Becomes readable when a command has come from elsewhere, for which `maintain` is not to be late; negative: nothing does.
    let arrivals: Int32
    /// Ten times a second: the session's own work on this thread. Returns what it has to tell.
    let maintain: () -> [String]
    /// Tells whether the session has come to its end by itself, as after the last song, or was told to quit.
    let hasEnded: () -> Bool
}
