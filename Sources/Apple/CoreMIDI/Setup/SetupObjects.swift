internal import ALSA

/// An object that programs hold by its number. The lock of `Studio` guards it.
class SetupObject: @unchecked Sendable {
    let ref: MIDIObjectRef
    /// What the program has set.
    var properties: [String: NSObject] = [:]
    private let fixed: [String: NSObject]

    fileprivate init(_ ref: MIDIObjectRef, _ properties: [String: Any] = [:]) {
        self.ref = ref
        fixed = properties.mapValues { value in
            (value as? String).map { NSString(string: $0) } ?? NSNumber(value: value as? Int32 ?? 0)
        }
    }

    var type: MIDIObjectType { .other }
    /// The object whose properties are this one's too.
    var parent: SetupObject? { nil }
    /// Nil for what cannot be away.
    var isThere: Bool? { nil }
    /// What it has by itself.
    var own: [String: NSObject] {
        isThere.map { isThere in fixed.merging(["offline": NSNumber(value: isThere ? 0 : 1)]) { $1 } } ?? fixed
    }

    /// Its own and those of its parents; a set one wins.
    func value(_ key: String) -> NSObject? { properties[key] ?? own[key] ?? parent?.value(key) }

    var uniqueID: MIDIUniqueID { (value("uniqueID") as? NSNumber)?.int32Value ?? 0 }
}

final class ClientObject: SetupObject, @unchecked Sendable {
    let notifier: Notifier?

    init(_ ref: MIDIObjectRef, name: String, notifier: Notifier?) {
        self.notifier = notifier
        super.init(ref, ["name": name])
    }
}

final class PortObject: SetupObject, @unchecked Sendable {
    let client: ClientObject
    /// nil for an output.
    let receiver: Receiver?
    /// The sources that it is connected to, with what the program connected them with.
    var sources: [MIDIObjectRef: Context] = [:]

    init(_ ref: MIDIObjectRef, _ client: ClientObject, name: String, receiver: Receiver?) {
        (self.client, self.receiver) = (client, receiver)
        super.init(ref, ["name": name])
    }
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

    init(_ ref: MIDIObjectRef, key: String, id: MIDIUniqueID, port: MIDIPort) {
        (self.key, identity, name, isListed) = (key, port.identity, port.clientName, port.kind != .program)
        // A card's long name begins with its maker: `Roland Digital Piano at usb-…`.
        let start = identity.cardName.flatMap { [name] long in long.range(of: name).map { long[..<$0.lowerBound] } } ?? ""
        let maker = start.trimmingCharacters(in: .whitespaces)
        super.init(
            ref,
            ["name": name, "model": name, "driver": "ALSA", "manufacturer": maker.isEmpty ? "ALSA" : maker, "uniqueID": id])
    }

    override var type: MIDIObjectType { .device }
    override var isThere: Bool? { client != nil }
}

/// A port of a device: its source, its destination, or both.
final class EntityObject: SetupObject, @unchecked Sendable {
    unowned let device: DeviceObject
    let key: String
    let name: String
    var endpoints: [EndpointObject] = []

    init(_ ref: MIDIObjectRef, _ device: DeviceObject, key: String, id: MIDIUniqueID, name: String) {
        (self.device, self.key, self.name) = (device, key, name)
        super.init(ref, ["name": name, "uniqueID": id, "embedded": 0 as Int32])
    }

    override var type: MIDIObjectType { .entity }
    override var parent: SetupObject? { device }
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

    init(
        _ ref: MIDIObjectRef, of entity: EntityObject? = nil, _ client: ClientObject? = nil, name: String, id: MIDIUniqueID,
        isSource: Bool, receiver: Receiver? = nil
    ) {
        (self.entity, self.client, self.isSource, self.receiver) = (entity, client, isSource, receiver)
        let device = entity?.device.name ?? "", isWhole = device.isEmpty || name.hasPrefix(device)
        let numbers: [String: Int32] = [
            "uniqueID": id, "private": 0, "maxSysExSpeed": 3_125, "scheduleAheadMuSec": 0, "protocol": 1,
            isSource ? "transmitChannels" : "receiveChannels": 0xFFFF,
        ]
        super.init(
            ref, ["name": name, "displayName": isWhole ? name : "\(device) \(name)"].merging(numbers as [String: Any]) { $1 })
    }

    override var type: MIDIObjectType { isSource ? .source : .destination }
    override var parent: SetupObject? { entity.map { $0.device.isListed ? $0 : $0.device } }
    override var isThere: Bool? { client != nil || address != nil }
}

final class ThruObject: SetupObject, @unchecked Sendable {
    let owner: String?
    var connection: ThruConnection

    init(_ ref: MIDIObjectRef, owner: String?, _ connection: ThruConnection) {
        (self.owner, self.connection) = (owner, connection)
        super.init(ref)
    }
}
