import ALSA
import JACK
import PipeWire
import RemoteIO

/// The sound systems whose devices can be named beside ALSA's. None is loaded before one of its devices is.
package enum SoundSystems {
    /// All of them.
    package static var all: [any PullSystem] { [JACKSystem(), PipeWireSystem()] }
}

extension ALSAPort {
    /// A port for devices of every system: those that ALSA knows, `jack`, `jack:CLIENT`, `pipewire` and
    /// `pipewire:NODE`. A list may mix them.
    public static func ofEverySystem() -> ALSAPort { ALSAPort(systems: SoundSystems.all) }
}
