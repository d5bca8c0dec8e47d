internal import ALSA
internal import EngineCore
import Synchronization

/// The machine's devices by the numbers that programs know them by. The first is the one that `CARILLON_OUTPUT` and
/// `CARILLON_INPUT` name, or else `default`.
package enum AudioDevices {
    package static let usual: AudioDeviceID = 2
    private static let names = Mutex<[String]>([])

    package static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name that an engine starts on; nil for a number that was never given.
    package static func name(of device: AudioDeviceID, capturing: Bool) -> String? {
        if device == usual { return environment(capturing ? "CARILLON_INPUT" : "CARILLON_OUTPUT") ?? "default" }
        return names.withLock { names in
            let index = Int(device) - Int(usual) - 1
            return names.indices.contains(index) ? names[index] : nil
        }
    }

    struct Device {
        let id: AudioDeviceID
        let name: String
        let title: String
        /// Channels of the device: 0 where it has no such side.
        var inputs = 0
        var outputs = 0
        var rates = 48_000...48_000

        /// The engine's rate, or the nearest that the device has.
        var rate: Double { Double(min(max(48_000, rates.lowerBound), rates.upperBound)) }
    }

    static func isThere(capturing: Bool) -> Bool {
        environment(capturing ? "CARILLON_INPUT" : "CARILLON_OUTPUT") != nil
            || SoundSystems.isThere("default", capturing: capturing)
    }

    static func all() -> [Device] {
        var devices: [Device] = []
        if isThere(capturing: false) || isThere(capturing: true) {
            devices.append(
                Device(
                    id: usual, name: name(of: usual, capturing: false) ?? "default", title: "Default Device",
                    inputs: isThere(capturing: true) ? 2 : 0, outputs: isThere(capturing: false) ? 2 : 0))
        }
        for description in PCMDirectory.devices() {
            let id = number(description.name), channels = min(description.capabilities?.channels.upperBound ?? 2, 64)
            var device =
                devices.first { $0.id == id }
                ?? Device(id: id, name: description.name, title: "\(description.card), \(description.deviceName)")
            if description.isCapture { device.inputs = channels } else { device.outputs = channels }
            device.rates = description.capabilities?.rates ?? device.rates
            devices.removeAll { $0.id == id }
            devices.append(device)
        }
        return devices
    }

    /// The number of a device that there is now.
    package static func number(named name: String) -> AudioDeviceID? { all().first { $0.name == name }?.id }

    static func number(_ name: String) -> AudioDeviceID {
        names.withLock { names in
            let index = names.firstIndex(of: name) ?? names.count
            if index == names.count { names.append(name) }
            return usual + 1 + AudioDeviceID(index)
        }
    }
}
