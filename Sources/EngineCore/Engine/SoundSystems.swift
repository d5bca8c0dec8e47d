import ALSA
import JACK
import PipeWire
import RemoteIO

/// The sound systems whose devices can be named beside ALSA's. None is loaded before one of its devices is.
package enum SoundSystems {
    /// All of them.
    package static var all: [any PullSystem] { [JACKSystem(), PipeWireSystem()] }

    /// A port for devices of every system.
    package static var port: any DevicePort { ALSAPort.ofEverySystem() }

    /// The system's MIDI ports.
    package static var midi: any MIDISystem { ALSASequencer() }

    /// Returns whether a device of that name belongs to one of the sound systems.
    package static func claim(_ name: String) -> Bool { all.contains { $0.claims(name) } }

    /// Returns whether a device of that name is there now, even if it is in use. It may ask a server, or open a card for a
    /// moment.
    package static func isThere(_ name: String, capturing: Bool) -> Bool {
        guard let system = all.first(where: { $0.claims(name) }) else {
            return PCMDirectory.isThere(name, isCapture: capturing)
        }
        return system.isThere(name, DeviceRequest(devices: [name], playback: !capturing, capture: capturing))
    }

    /// The volume of a device's card. - Throws: `noDevice`, `ofServer`, and what `HardwareVolume` does.
    package static func hardwareVolume(of device: String, control: String? = nil) throws(Fault) -> HardwareVolume {
        if device == "null" { throw .noDevice }
        if claim(device) { throw .ofServer(device: device) }
        return try HardwareVolume(of: device, control: control)
    }
}

extension ALSAPort {
    /// Returns a port for devices of every system: those that ALSA knows, `jack`, `jack:CLIENT`, `pipewire` and
    /// `pipewire:NODE`. A list may mix them.
    public static func ofEverySystem() -> ALSAPort { ALSAPort(systems: SoundSystems.all) }
}
