/// The components that can be found: the units of the table, in its order.
enum Components {
    static func handle(_ index: Int) -> AudioComponent? { AudioComponent(bitPattern: UInt(index + 1) << 4) }

    static func kind(_ component: AudioComponent?) -> UnitKind? {
        let number = UInt(bitPattern: component)
        guard number & 15 == 0, number > 0, number >> 4 <= UnitKind.all.count else { return nil }
        return UnitKind.all[Int(number >> 4) - 1]
    }

    static func matches(_ kind: UnitKind, _ wanted: AudioComponentDescription) -> Bool {
        func isMet(_ wanted: OSType, _ has: OSType) -> Bool { wanted == 0 || wanted == has }
        return isMet(wanted.componentType, kind.type) && isMet(wanted.componentSubType, kind.subtype)
            && isMet(wanted.componentManufacturer, kAudioUnitManufacturer_Apple)
            // No component here has a flag.
            && wanted.componentFlags & wanted.componentFlagsMask == 0
    }
}

/// Finds the first component after a given one that a description asks for; zeros match any.
public func AudioComponentFindNext(
    _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
    let first =
        inComponent == nil
        ? 0 : Components.kind(inComponent) == nil ? UnitKind.all.count : Int(UInt(bitPattern: inComponent) >> 4)
    return (first..<max(first, UnitKind.all.count)).first { Components.matches(UnitKind.all[$0], inDesc.pointee) }.flatMap(
        Components.handle)
}

/// Counts the components that a description asks for.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    UInt32(UnitKind.all.count { Components.matches($0, inDesc.pointee) })
}

/// Answers a component's name: its maker, a colon, and what it is.
@discardableResult public func AudioComponentCopyName(
    _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    guard let kind = Components.kind(inComponent) else { return kAudio_ParamError }
    outName.pointee = Unmanaged.passRetained(kind.name as NSString)
    return noErr
}

/// Answers a component's description.
@discardableResult public func AudioComponentGetDescription(
    _ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
    guard let kind = Components.kind(inComponent) else { return kAudio_ParamError }
    outDesc.pointee = kind.description
    return noErr
}

/// Answers a component's version.
@discardableResult public func AudioComponentGetVersion(
    _ inComponent: AudioComponent, _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    guard Components.kind(inComponent) != nil else { return kAudio_ParamError }
    outVersion.pointee = 0x0001_0000
    return noErr
}

/// Makes an instance of a component.
@discardableResult public func AudioComponentInstanceNew(
    _ inComponent: AudioComponent, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
    outInstance.pointee = nil
    guard let kind = Components.kind(inComponent) else { return kAudio_ParamError }
    let unit = UnitObject(kind, inComponent)
    unit.handle = UnitHandles.add(unit)
    guard let handle = unit.handle else { return kAudioComponentErr_TooManyInstances }
    outInstance.pointee = handle
    return noErr
}

/// Ends an instance, whatever it does.
@discardableResult public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
    UnitCalls.alone {
        if RenderContext.current != nil { return kAudioUnitErr_CannotDoInCurrentContext }
        guard let unit = UnitHandles.find(inInstance) else { return kAudioComponentErr_InstanceInvalidated }
        // A graph disposes of its own units.
        if unit.isOfGraph { return kAudioUnitErr_CannotDoInCurrentContext }
        return unit.dispose()
    }
}

/// Answers the component that an instance was made of.
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance) -> AudioComponent? {
    UnitHandles.find(inInstance)?.component
}

extension UnitObject {
    func dispose() -> OSStatus {
        guard let handle, UnitHandles.remove(handle) != nil else { return kAudioComponentErr_InstanceInvalidated }
        let status = uninitialize()
        // Units that listen to it listen to nothing.
        host?.forget(self)
        self.handle = nil
        return status
    }
}
