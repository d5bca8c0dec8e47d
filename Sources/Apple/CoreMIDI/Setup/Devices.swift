extension Studio {
    /// The list of a kind at this moment; empty where there is no sequencer.
    fileprivate func list<Object>(_ objects: (Studio) -> [Object]) -> [Object] { open() == noErr ? sync { objects(self) } : [] }

    fileprivate func endpoints(_ entity: MIDIEntityRef, isSource: Bool) -> [EndpointObject] {
        list { $0.find(entity, EntityObject.self)?.endpoints.filter { $0.isSource == isSource } ?? [] }
    }
}

extension [SetupObject] {
    fileprivate subscript(number index: Int) -> MIDIObjectRef { indices.contains(index) ? self[index].ref : 0 }
}

/// The number of sources: of devices, of other programs, and the virtual ones of this program.
public func MIDIGetNumberOfSources() -> Int { Studio.shared.list { $0.endpoints(isSource: true) }.count }

/// A source by its place; 0 where there is none.
public func MIDIGetSource(_ sourceIndex0: Int) -> MIDIEndpointRef {
    Studio.shared.list { $0.endpoints(isSource: true) as [SetupObject] }[number: sourceIndex0]
}

/// The number of destinations: of devices, of other programs, and the virtual ones of this program.
public func MIDIGetNumberOfDestinations() -> Int { Studio.shared.list { $0.endpoints(isSource: false) }.count }

/// A destination by its place; 0 where there is none.
public func MIDIGetDestination(_ destIndex0: Int) -> MIDIEndpointRef {
    Studio.shared.list { $0.endpoints(isSource: false) as [SetupObject] }[number: destIndex0]
}

/// The number of devices, those that are away included: their property `kMIDIPropertyOffline` says so.
public func MIDIGetNumberOfDevices() -> Int { Studio.shared.list { $0.devices.filter(\.isListed) }.count }

/// A device by its place; 0 where there is none.
public func MIDIGetDevice(_ deviceIndex0: Int) -> MIDIDeviceRef {
    Studio.shared.list { $0.devices.filter(\.isListed) as [SetupObject] }[number: deviceIndex0]
}

/// 0: what hangs on a cable is not known here.
public func MIDIGetNumberOfExternalDevices() -> Int { 0 }

/// 0: there is none.
public func MIDIGetExternalDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { 0 }

/// The number of a device's entities.
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int {
    Studio.shared.list { $0.find(device, DeviceObject.self)?.entities ?? [] }.count
}

/// An entity of a device by its place; 0 where there is none.
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ entityIndex0: Int) -> MIDIEntityRef {
    Studio.shared.list { ($0.find(device, DeviceObject.self)?.entities ?? []) as [SetupObject] }[number: entityIndex0]
}

/// The number of an entity's sources.
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int {
    Studio.shared.endpoints(entity, isSource: true).count
}

/// A source of an entity by its place; 0 where there is none.
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ sourceIndex0: Int) -> MIDIEndpointRef {
    (Studio.shared.endpoints(entity, isSource: true) as [SetupObject])[number: sourceIndex0]
}

/// The number of an entity's destinations.
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int {
    Studio.shared.endpoints(entity, isSource: false).count
}

/// A destination of an entity by its place; 0 where there is none.
public func MIDIEntityGetDestination(_ entity: MIDIEntityRef, _ destIndex0: Int) -> MIDIEndpointRef {
    (Studio.shared.endpoints(entity, isSource: false) as [SetupObject])[number: destIndex0]
}

/// The device of an entity.
@discardableResult
public func MIDIEntityGetDevice(_ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?) -> OSStatus {
    Studio.shared.sync {
        guard let entity = Studio.shared.find(inEntity, EntityObject.self) else { return kMIDIObjectNotFound }
        outDevice?.pointee = entity.device.ref
        return noErr
    }
}

/// The entity of an endpoint; virtual ones, and those of other programs, have none.
@discardableResult
public func MIDIEndpointGetEntity(_ inEndpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?) -> OSStatus {
    Studio.shared.sync {
        guard let endpoint = Studio.shared.find(inEndpoint, EndpointObject.self) else { return kMIDIUnknownEndpoint }
        guard let entity = endpoint.entity, entity.device.isListed else { return kMIDIObjectNotFound }
        outEntity?.pointee = entity.ref
        return noErr
    }
}
