// MIDI over the network is not here: the names exist, and every call answers that nothing is connected.

/// The hosts of the session have changed; never posted.
public let MIDINetworkNotificationContactsDidChange = "MIDINetworkNotificationContactsDidChange"
/// The session has changed; never posted.
public let MIDINetworkNotificationSessionDidChange = "MIDINetworkNotificationSessionDidChange"

/// Who may connect to the session.
public enum MIDINetworkConnectionPolicy: UInt, Sendable {
    case noOne = 0
    case hostsInContactList = 1
    case anyone = 2
}

/// A host by its address.
public final class MIDINetworkHost: Sendable {
    public let name: String
    public let address: String
    public let port: Int

    /// A host with a name of the program's.
    public init(name: String, address: String, port: Int) { (self.name, self.address, self.port) = (name, address, port) }
}

/// A connection of the session to a host.
public final class MIDINetworkConnection: Sendable {
    public let host: MIDINetworkHost

    /// A connection to a host, which cannot be added.
    public init(host: MIDINetworkHost) { self.host = host }
}

/// The session of MIDI over the network, which is never enabled, whatever is set.
public final class MIDINetworkSession: Sendable {
    private static let session = MIDINetworkSession()

    /// The one session.
    public class func `default`() -> MIDINetworkSession { session }

    /// False. Setting true writes one line with the remedy.
    public var isEnabled: Bool {
        get { false }
        set { if newValue { report("Core MIDI: MIDI over the network is not available; connect the device by USB or a cable") } }
    }
    /// `noOne`. Setting another writes one line with the remedy.
    public var connectionPolicy: MIDINetworkConnectionPolicy {
        get { .noOne }
        set { if newValue != .noOne { isEnabled = true } }
    }
    /// 0: it listens on none.
    public var networkPort: Int { 0 }
    /// The machine's name.
    public var networkName: String { ProcessInfo.processInfo.hostName }
    public var localName: String { ProcessInfo.processInfo.hostName }
    /// Empty.
    public func contacts() -> Set<AnyHashable> { [] }
    /// Empty.
    public func connections() -> Set<AnyHashable> { [] }
    /// False: nothing is kept.
    @discardableResult public func addContact(_ contact: MIDINetworkHost) -> Bool { false }
    /// False: there is none.
    @discardableResult public func removeContact(_ contact: MIDINetworkHost) -> Bool { false }
    /// False: it cannot be connected.
    @discardableResult public func addConnection(_ connection: MIDINetworkConnection) -> Bool { false }
    /// False: there is none.
    @discardableResult public func removeConnection(_ connection: MIDINetworkConnection) -> Bool { false }
    /// 0: there is none.
    public func sourceEndpoint() -> MIDIEndpointRef { 0 }
    /// 0: there is none.
    public func destinationEndpoint() -> MIDIEndpointRef { 0 }
}
