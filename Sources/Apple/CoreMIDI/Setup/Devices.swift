extension Studio {
    /// A list at this moment; empty where there is no sequencer.
    private func list(_ objects: () -> [SetupObject]?) -> [SetupObject] { open() == noErr ? sync { objects() ?? [] } : [] }

    fileprivate var sources: [SetupObject] { list { endpoints(isSource: true) } }
    fileprivate var destinations: [SetupObject] { list { endpoints(isSource: false) } }
    fileprivate var listed: [SetupObject] { list { devices.filter(\.isListed) } }
    fileprivate func entities(_ device: MIDIDeviceRef) -> [SetupObject] { list { find(device, DeviceObject.self)?.entities } }

    fileprivate func endpoints(_ entity: MIDIEntityRef, isSource: Bool) -> [SetupObject] {
        list { find(entity, EntityObject.self)?.endpoints.filter { $0.isSource == isSource } }
    }
}

extension [SetupObject] {
    fileprivate subscript(number index: Int) -> MIDIObjectRef { indices.contains(index) ? self[index].ref : 0 }
}

/// The number of sources: of devices, of other programs, and the virtual ones of this program.
public func MIDIGetNumberOfSources() -> Int { studio.sources.count }

/// A source by its place; 0 where there is none.
public func MIDIGetSource(_ sourceIndex0: Int) -> MIDIEndpointRef { studio.sources[number: sourceIndex0] }

/// The number of destinations: of devices, of other programs, and the virtual ones of this program.
public func MIDIGetNumberOfDestinations() -> Int { studio.destinations.count }

/// A destination by its place; 0 where there is none.
public func MIDIGetDestination(_ destIndex0: Int) -> MIDIEndpointRef { studio.destinations[number: destIndex0] }

/// The number of devices, those that are away included: their property `kMIDIPropertyOffline` says so.
public func MIDIGetNumberOfDevices() -> Int { studio.listed.count }

/// A device by its place; 0 where there is none.
public func MIDIGetDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { studio.listed[number: deviceIndex0] }

/// 0: what hangs on a cable is not known here.
public func MIDIGetNumberOfExternalDevices() -> Int { 0 }

/// 0: there is none.
public func MIDIGetExternalDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { 0 }

/// The number of a device's entities.
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int { studio.entities(device).count }

/// An entity of a device by its place; 0 where there is none.
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ entityIndex0: Int) -> MIDIEntityRef {
    studio.entities(device)[number: entityIndex0]
}

/// The number of an entity's sources.
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int { studio.endpoints(entity, isSource: true).count }

/// A source of an entity by its place; 0 where there is none.
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ sourceIndex0: Int) -> MIDIEndpointRef {
    studio.endpoints(entity, isSource: true)[number: sourceIndex0]
}

/// The number of an entity's destinations.
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int { studio.endpoints(entity, isSource: false).count }

/// A destination of an entity by its place; 0 where there is none.
public func MIDIEntityGetDestination(_ entity: MIDIEntityRef, _ destIndex0: Int) -> MIDIEndpointRef {
    studio.endpoints(entity, isSource: false)[number: destIndex0]
}

/// The device of an entity.
@discardableResult public func MIDIEntityGetDevice(_ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?)
    -> OSStatus
{ Studio.use(inEntity, EntityObject.self, else: kMIDIObjectNotFound) { outDevice?.pointee = $1.device.ref } }

/// The entity of an endpoint; virtual ones, and those of other programs, have none.
@discardableResult public func MIDIEndpointGetEntity(
    _ inEndpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
    Studio.on(inEndpoint, EndpointObject.self, else: kMIDIUnknownEndpoint) { _, endpoint in
        guard let entity = endpoint.entity, entity.device.isListed else { return kMIDIObjectNotFound }
        outEntity?.pointee = entity.ref
        return noErr
    }
}
