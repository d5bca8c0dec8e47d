import EngineCore
import MIDI

/// Plays nothing: for keyboards whose buttons alone are heard.
struct SilentFilter: MIDIFilter {
    func events(for event: MusicEvent) -> [MusicEvent] { [] }
}
