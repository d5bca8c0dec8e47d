/// A port of the ALSA sequencer, ours or another's, as it is now.
public struct MIDIPort: Hashable, Sendable {
    /// The kind of client that a port belongs to.
    public enum Kind: Hashable, Sendable {
        /// The kernel's timer and announcements.
        case system
        /// `Midi Through`: what is written to it can be read from it.
        case through
        /// A sound card's MIDI port.
        case hardware
        /// Another program.
        case program
        /// Ours.
        case own
    }

    /// Where it is at the moment.
    public let address: MIDIPortAddress
    public let clientName: String
    public let portName: String
    public let kind: Kind
    /// The identity of the device, at any address of the port.
    public let identity: DeviceIdentity
    /// True if others may subscribe to what it sends.
    public let isReadable: Bool
    /// True if others may subscribe it to what they send.
    public let isWritable: Bool
    /// The kernel does not list its card yet, so its identity is not whole.
    var awaitsCard = false

    /// The name that a player knows the port by: its own, with the client's if it does not begin with that.
    public var name: String {
        portName.hasPrefix(clientName) || clientName.isEmpty ? portName : "\(clientName): \(portName)"
    }
}
