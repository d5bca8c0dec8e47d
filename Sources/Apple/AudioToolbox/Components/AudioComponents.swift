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
@_cdecl("AudioComponentFindNext") public func AudioComponentFindNext(
    _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
    if inComponent != nil, Components.kind(inComponent) == nil { return nil }
    return UnitKind.all.indices.dropFirst(Int(UInt(bitPattern: inComponent) >> 4))
        .first { Components.matches(UnitKind.all[$0], inDesc.pointee) }.flatMap(Components.handle)
}

/// Counts the components that a description asks for.
@_cdecl("AudioComponentCount") public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    UInt32(UnitKind.all.count { Components.matches($0, inDesc.pointee) })
}

private func on(_ component: AudioComponent, _ body: (UnitKind) -> Void) -> OSStatus {
    guard let kind = Components.kind(component) else { return kAudio_ParamError }
    body(kind)
    return noErr
}

/// Answers a component's name: its maker, a colon, and what it is.
@discardableResult public func AudioComponentCopyName(
    _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus { on(inComponent) { outName.pointee = Unmanaged.passRetained($0.name as NSString) } }

/// Answers a component's description.
@_cdecl("AudioComponentGetDescription") @discardableResult public func AudioComponentGetDescription(
    _ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus { on(inComponent) { outDesc.pointee = $0.description } }

/// Answers a component's version.
@_cdecl("AudioComponentGetVersion") @discardableResult public func AudioComponentGetVersion(
    _ inComponent: AudioComponent, _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus { on(inComponent) { _ in outVersion.pointee = 0x0001_0000 } }

/// Makes an instance of a component.
@_cdecl("AudioComponentInstanceNew") @discardableResult public func AudioComponentInstanceNew(
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
@_cdecl("AudioComponentInstanceDispose") @discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
    UnitCalls.alone {
        if RenderContext.current != nil { return kAudioUnitErr_CannotDoInCurrentContext }
        guard let unit = UnitHandles.find(inInstance) else { return kAudioComponentErr_InstanceInvalidated }
        // A graph disposes of its own units.
        if unit.isOfGraph { return kAudioUnitErr_CannotDoInCurrentContext }
        return unit.dispose()
    }
}

/// Answers the component that an instance was made of.
@_cdecl("AudioComponentInstanceGetComponent")
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
