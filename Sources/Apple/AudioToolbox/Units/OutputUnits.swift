/// Starts an output unit: its device pulls it from then on. Without a card it answers `kAudioHardwareBadDeviceError`, and one line
/// names the remedy.
@_cdecl("AudioOutputUnitStart") @discardableResult
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus { UnitCalls.on(ci) { $0.startOutput() } }

/// Stops an output unit.
@_cdecl("AudioOutputUnitStop") @discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus { UnitCalls.on(ci) { $0.stopOutput() } }

extension UnitObject {
    func startOutput() -> OSStatus {
        guard kind.isOutput else { return kAudio_ParamError }
        guard isInitialized, let own else { return kAudioUnitErr_Uninitialized }
        if RenderContext.current != nil { return kAudioUnitErr_CannotDoInCurrentContext }
        guard kind.hasDevice else { return noErr }
        let wasRunning = isRunning
        let status = own.start()
        if status == noErr, !wasRunning { tell(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0) }
        return status
    }

    func stopOutput() -> OSStatus {
        guard kind.isOutput else { return kAudio_ParamError }
        if RenderContext.current != nil { return kAudioUnitErr_CannotDoInCurrentContext }
        guard let own, isRunning else { return noErr }
        own.output.stop(own.engine)
        tell(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
        return noErr
    }
}
