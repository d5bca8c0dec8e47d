/// An audio unit: an instance of an audio component.
public typealias AudioUnit = AudioComponentInstance

/// The instrument of a sampler: a file, and the preset in it.
public struct AUSamplerInstrumentData {
    public var fileURL: Unmanaged<CFURL>
    public var instrumentType: UInt8
    public var bankMSB: UInt8
    public var bankLSB: UInt8
    public var presetID: UInt8

    public init(fileURL: Unmanaged<CFURL>, instrumentType: UInt8, bankMSB: UInt8, bankLSB: UInt8, presetID: UInt8) {
        (self.fileURL, self.instrumentType, self.bankMSB) = (fileURL, instrumentType, bankMSB)
        (self.bankLSB, self.presetID) = (bankLSB, presetID)
    }
}

/// Makes a unit ready to render: formats and properties are fixed.
@_cdecl("AudioUnitInitialize") @discardableResult public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus {
    UnitCalls.on(inUnit) { $0.initialize() }
}

/// Releases what a unit needs to render; its settings stay.
@_cdecl("AudioUnitUninitialize") @discardableResult public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus {
    UnitCalls.on(inUnit) { $0.uninitialize() }
}

private func on(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ body: (UnitObject, UnitProperty, UnitProperty.Place) throws -> Void
) -> OSStatus { UnitCalls.run(unit) { try body($0, $0.find(id, scope, element), (scope, Int(element))) } }

/// Answers the size of a property, and whether it can be set.
@_cdecl("AudioUnitGetPropertyInfo") @discardableResult public func AudioUnitGetPropertyInfo(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    on(inUnit, inID, inScope, inElement) { unit, row, place in
        outDataSize?.pointee = UInt32(row.size == 0 ? row.get?(unit, place).count ?? 0 : row.size)
        outWritable?.pointee = DarwinBoolean(row.set != nil)
    }
}

/// Reads a property.
@_cdecl("AudioUnitGetProperty") @discardableResult public func AudioUnitGetProperty(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outData: UnsafeMutableRawPointer, _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    on(inUnit, inID, inScope, inElement) { unit, row, place in
        guard let get = row.get else { throw Refusal(kAudioUnitErr_InvalidProperty) }
        try UnitFaults.check(PropertyAnswer.bytes(get(unit, place)).give(ioDataSize, outData, tooSmall: kAudio_ParamError))
    }
}

/// Sets a property; no data takes away a callback or a connection.
@_cdecl("AudioUnitSetProperty") @discardableResult public func AudioUnitSetProperty(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
    on(inUnit, inID, inScope, inElement) { unit, row, place in
        guard let set = row.set else { throw Refusal(kAudioUnitErr_PropertyNotWritable) }
        if row.isFixed, unit.isInitialized { throw Refusal(kAudioUnitErr_Initialized) }
        let isSource = inID == kAudioUnitProperty_MakeConnection || inID == kAudioUnitProperty_SetRenderCallback
        if inData == nil, inDataSize == 0, isSource {
            try UnitFaults.check(unit.setSource(.none, of: place.element))
        } else {
            guard let inData, Int(inDataSize) >= row.size else { throw Refusal(kAudioUnitErr_InvalidPropertyValue) }
            try UnitFaults.check(set(unit, place, inData, inDataSize))
        }
        unit.tell(inID, inScope, inElement)
    }
}

/// Calls a function when a property is set, on the thread that sets it.
@_cdecl("AudioUnitAddPropertyListener") @discardableResult public func AudioUnitAddPropertyListener(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus { UnitCalls.run(inUnit) { $0.listeners.append(UnitObject.Listener(id: inID, proc: inProc, data: inProcUserData)) } }

/// Ends the calls of a function for a property.
@_cdecl("AudioUnitRemovePropertyListenerWithUserData") @discardableResult public func AudioUnitRemovePropertyListenerWithUserData(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    UnitCalls.run(inUnit) { unit in
        unit.listeners.removeAll {
            $0.id == inID && unsafeBitCast($0.proc, to: UInt.self) == unsafeBitCast(inProc, to: UInt.self)
                && $0.data == inProcUserData
        }
    }
}

/// Calls a function before and after each slice of the plan that the unit is part of, on the render thread.
@_cdecl("AudioUnitAddRenderNotify") @discardableResult public func AudioUnitAddRenderNotify(
    _ inUnit: AudioUnit, _ inProc: AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    UnitCalls.run(inUnit) { unit in
        unit.notifies.append(AURenderCallbackStruct(inputProc: inProc, inputProcRefCon: inProcUserData))
        unit.host?.tellNotifies()
    }
}

/// Ends the calls of a function before and after slices.
@_cdecl("AudioUnitRemoveRenderNotify") @discardableResult public func AudioUnitRemoveRenderNotify(
    _ inUnit: AudioUnit, _ inProc: AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    UnitCalls.run(inUnit) { unit in
        let former = AURenderCallbackStruct(inputProc: inProc, inputProcRefCon: inProcUserData)
        unit.notifies.removeAll { $0.isSame(as: former) }
        unit.host?.tellNotifies()
    }
}

/// Reads a parameter.
@_cdecl("AudioUnitGetParameter") @discardableResult public func AudioUnitGetParameter(
    _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
    UnitCalls.run(inUnit) { outValue.pointee = try $0.find(.init(id: inID, scope: inScope, element: inElement)).value }
}

/// Sets a parameter, so many frames after the start of the next slice.
@_cdecl("AudioUnitSetParameter") @discardableResult public func AudioUnitSetParameter(
    _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
    UnitCalls.on(inUnit) {
        let frames = Int(min(inBufferOffsetInFrames, 1 << 20))
        return $0.setParameter(.init(id: inID, scope: inScope, element: inElement), inValue, after: frames)
    }
}

/// Sets parameters so many frames after the start of the next slice, or leads them from one value to another from there on.
@_cdecl("AudioUnitScheduleParameters") @discardableResult public func AudioUnitScheduleParameters(
    _ inUnit: AudioUnit, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>, _ inNumParamEvents: UInt32
) -> OSStatus {
    UnitCalls.run(inUnit) { unit in
        for event in UnsafeBufferPointer(start: inParameterEvent, count: Int(inNumParamEvents)) {
            let place = UnitObject.ParameterPlace(id: event.parameter, scope: event.scope, element: event.element)
            let ramp = event.eventValues.ramp, value = event.eventValues.immediate
            try UnitFaults.check(
                event.eventType == .parameterEvent_Ramped
                    ? unit.ramp(
                        place, ramp.startValue, ramp.endValue, after: Int(min(max(ramp.startBufferOffset, 0), 1 << 20)),
                        over: Int(min(max(ramp.durationInFrames, 1), 1 << 24)))
                    : unit.setParameter(place, value.value, after: Int(min(value.bufferOffset, 1 << 20))))
        }
    }
}

/// Forgets what a unit holds of past sound.
@_cdecl("AudioUnitReset") @discardableResult
public func AudioUnitReset(_ inUnit: AudioUnit, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement)
    -> OSStatus
{
    UnitCalls.on(inUnit) { unit in
        if unit.kind.isFilePlayer { unit.scheduledFiles.clear() }
        return unit.host?.send(.reset, to: unit, after: 0) ?? noErr
    }
}

/// Renders a unit with all that leads to it, where no other plan does; of an output unit's element 1, copies the frames that were
/// captured for this slice. From a callback it neither locks nor allocates.
@_cdecl("AudioUnitRender") @discardableResult public func AudioUnitRender(
    _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32, _ inNumberFrames: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    guard let context = RenderContext.current else {
        return UnitCalls.on(inUnit) { unit in
            guard unit.isInitialized else { return kAudioUnitErr_Uninitialized }
            if inOutputBusNumber != 0 {
                return inOutputBusNumber < unit.outputs.count
                    ? kAudioUnitErr_CannotDoInCurrentContext : kAudioUnitErr_InvalidElement
            }
            let status = unit.prepare()
            if status != noErr { return status }
            return unit.render(inTimeStamp.pointee, Int(inNumberFrames), ioData)
        }
    }
    guard let unit = UnitHandles.find(inUnit) else { return kAudioComponentErr_InstanceInvalidated }
    let host = context.pointee.host
    if unit.kind.captures, inOutputBusNumber == 1 {
        guard unit.live.hostAddress == UInt(bitPattern: host.toOpaque()) else { return kAudioUnitErr_CannotDoInCurrentContext }
        return host._withUnsafeGuaranteedRef { $0.giveCaptured(context.pointee, Int(inNumberFrames), ioData) }
    }
    guard inOutputBusNumber == 0 else { return kAudioUnitErr_InvalidElement }
    return unit.render(inTimeStamp.pointee, Int(inNumberFrames), ioData)
}
