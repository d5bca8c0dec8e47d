/// Where a sequencer port is at the moment: client and port number, `24:0`. Client numbers change at every plug, so an
/// address says nothing about which device it is (`DeviceIdentity` does).
public struct MIDIPortAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0...191.
    public let client: UInt8
    /// 0...253.
    public let port: UInt8

    public init(client: UInt8, port: UInt8) {
        self.client = client
        self.port = port
    }

    /// The announce port of the system's client, which announces ports that come and go.
    static let announce = MIDIPortAddress(client: 0, port: 1)

    public static func < (a: MIDIPortAddress, b: MIDIPortAddress) -> Bool {
        (a.client, a.port) < (b.client, b.port)
    }

    /// The address as `aconnect` writes it.
    public var description: String { "\(client):\(port)" }
}
