import MIDI

/// An event that came to one of our ports, in our own words.
struct MIDIPortEvent: Sendable {
    enum Body: Sendable {
        /// Channel messages, mostly one: a 14-bit controller or a registered parameter is several. Port 0.
        case messages([MIDIMessage])
        /// A System Exclusive message or a piece of one.
        case systemExclusive([UInt8])
        /// FE: the source is there; from now on its silence means that it has gone.
        case activeSensing
        /// FF: the source starts over.
        case reset
        case clientChanged(client: UInt8)
        case clientGone(client: UInt8)
        case portChanged(MIDIPortAddress)
        case portGone(MIDIPortAddress)
        case subscribed(from: MIDIPortAddress, to: MIDIPortAddress)
        case unsubscribed(from: MIDIPortAddress, to: MIDIPortAddress)
        case clock(ClockMessage)
        /// Tuning requests and the like: messages that instruments do not get.
        case other

        var isMusic: Bool {
            switch self {
            case .messages, .systemExclusive, .activeSensing, .reset: true
            default: false
            }
        }
    }

    let body: Body
    let source: MIDIPortAddress
    /// The number of our port.
    let destination: UInt8
    /// The queue's real time in nanoseconds at which the kernel took it; nil when it bears no stamp.
    let stamp: Int64?
}
