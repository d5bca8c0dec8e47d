internal import ALSA

/// An object that programs hold by its number. The lock of `Studio` guards it.
class SetupObject: @unchecked Sendable {
    let ref: MIDIObjectRef
    /// What the program has set.
    var properties: [String: NSObject] = [:]

    fileprivate init(_ ref: MIDIObjectRef) { self.ref = ref }

    var type: MIDIObjectType { .other }
    /// The object whose properties are this one's too.
    var parent: SetupObject? { nil }
    /// What it has by itself.
    var own: [String: NSObject] { [:] }

    /// Its own and those of its parents; a set one wins.
    func value(_ key: String) -> NSObject? { properties[key] ?? own[key] ?? parent?.value(key) }

    var uniqueID: MIDIUniqueID { (value("uniqueID") as? NSNumber)?.int32Value ?? 0 }
}

/// A client of this program's.
final class ClientObject: SetupObject, @unchecked Sendable {
    let notifier: Notifier?
    private let name: String

    init(_ ref: MIDIObjectRef, name: String, notifier: Notifier?) {
        (self.name, self.notifier) = (name, notifier)
        super.init(ref)
    }

    override var own: [String: NSObject] { ["name": name as NSString] }
}

/// An input or output port of a client.
final class PortObject: SetupObject, @unchecked Sendable {
    let client: ClientObject
    /// nil for an output.
    let receiver: Receiver?
    /// The sources that it is connected to, with what the program connected them with.
    var sources: [MIDIObjectRef: Context] = [:]
    private let name: String

    init(_ ref: MIDIObjectRef, _ client: ClientObject, name: String, receiver: Receiver?) {
        (self.client, self.name, self.receiver) = (client, name, receiver)
        super.init(ref)
    }

    override var own: [String: NSObject] { ["name": name as NSString] }
}

/// A sound card's MIDI, or a program's: a client of the sequencer.
final class DeviceObject: SetupObject, @unchecked Sendable {
    /// Made of the client's name: the same at each plug.
    let key: String
    let name: String
    /// A program's endpoints belong to no device.
    let isListed: Bool
    var entities: [EntityObject] = []
    /// The client's number while it is there.
    var client: UInt8?
    var identity: DeviceIdentity
    private let id: MIDIUniqueID

    init(_ ref: MIDIObjectRef, key: String, id: MIDIUniqueID, port: MIDIPort) {
        (self.key, self.id, identity, name) = (key, id, port.identity, port.clientName)
        isListed = port.kind != .program
        super.init(ref)
    }

    override var type: MIDIObjectType { .device }

    override var own: [String: NSObject] {
        // A card's long name begins with its maker: `Roland Digital Piano at usb-…`.
        let start = identity.cardName.flatMap { long in long.range(of: name).map { String(long[..<$0.lowerBound]) } } ?? ""
        let maker = start.trimmingCharacters(in: .whitespaces)
        return [
            "name": name as NSString, "model": name as NSString, "driver": "ALSA" as NSString,
            "manufacturer": (maker.isEmpty ? "ALSA" : maker) as NSString,
            "uniqueID": NSNumber(value: id), "offline": NSNumber(value: client == nil ? 1 : 0),
        ]
    }
}

/// A port of a device: its source, its destination, or both.
final class EntityObject: SetupObject, @unchecked Sendable {
    unowned let device: DeviceObject
    let key: String
    let name: String
    var endpoints: [EndpointObject] = []
    private let id: MIDIUniqueID

    init(_ ref: MIDIObjectRef, _ device: DeviceObject, key: String, id: MIDIUniqueID, name: String) {
        (self.device, self.key, self.id, self.name) = (device, key, id, name)
        super.init(ref)
    }

    override var type: MIDIObjectType { .entity }
    override var parent: SetupObject? { device }
    override var own: [String: NSObject] {
        ["name": name as NSString, "uniqueID": NSNumber(value: id), "embedded": NSNumber(value: 0)]
    }
}

/// A source or a destination, of a device, of another program, or a virtual one of this program's.
final class EndpointObject: SetupObject, @unchecked Sendable {
    let isSource: Bool
    /// nil for a virtual one.
    let entity: EntityObject?
    /// The owner of a virtual one.
    let client: ClientObject?
    /// nil but for a virtual destination.
    let receiver: Receiver?
    /// Another's port, while it is there.
    var address: MIDIPortAddress?
    /// The port of a virtual one, where there is a sequencer.
    var port: UInt8?
    private let name: String
    private let id: MIDIUniqueID

    init(_ ref: MIDIObjectRef, _ entity: EntityObject, id: MIDIUniqueID, isSource: Bool) {
        (self.entity, self.id, self.isSource, name) = (entity, id, isSource, entity.name)
        (client, receiver) = (nil, nil)
        super.init(ref)
    }

    init(_ ref: MIDIObjectRef, _ client: ClientObject, name: String, id: MIDIUniqueID, receiver: Receiver?) {
        (self.client, self.name, self.id, self.receiver) = (client, name, id, receiver)
        (entity, isSource) = (nil, receiver == nil)
        super.init(ref)
    }

    var isThere: Bool { client != nil || address != nil }
    override var type: MIDIObjectType { isSource ? .source : .destination }
    override var parent: SetupObject? { entity.map { $0.device.isListed ? $0 : $0.device } }

    override var own: [String: NSObject] {
        let device = entity?.device.name ?? "", isWhole = device.isEmpty || name.hasPrefix(device)
        return [
            "name": name as NSString, "displayName": (isWhole ? name : "\(device) \(name)") as NSString,
            "uniqueID": NSNumber(value: id), "offline": NSNumber(value: isThere ? 0 : 1), "private": NSNumber(value: 0),
            "maxSysExSpeed": NSNumber(value: 3_125), "scheduleAheadMuSec": NSNumber(value: 0),
            "protocol": NSNumber(value: 1),
            isSource ? "transmitChannels" : "receiveChannels": NSNumber(value: 0xFFFF),
        ]
    }
}

/// The number of a thru connection.
final class ThruObject: SetupObject, @unchecked Sendable {
    override init(_ ref: MIDIObjectRef) { super.init(ref) }
}
