private func answer(_ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>) -> PropertyAnswer {
    let address = address.pointee
    if object == kAudioObjectSystemObject {
        switch address.mSelector {
        case kAudioHardwarePropertyDevices: return .array(AudioDevices.all().map(\.id))
        case kAudioHardwarePropertyDefaultInputDevice:
            return .value(AudioDevices.isThere(capturing: true) ? AudioDevices.usual : kAudioObjectUnknown)
        case kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultSystemOutputDevice:
            return .value(AudioDevices.isThere(capturing: false) ? AudioDevices.usual : kAudioObjectUnknown)
        default: return .status(kAudioHardwareUnknownPropertyError)
        }
    }
    guard let device = AudioDevices.all().first(where: { $0.id == object }) else { return .status(kAudioHardwareBadObjectError) }
    let channels = address.mScope == kAudioObjectPropertyScopeInput ? device.inputs : device.outputs
    switch address.mSelector {
    case kAudioObjectPropertyName: return .text(device.title)
    case kAudioObjectPropertyManufacturer: return .text("ALSA")
    case kAudioDevicePropertyDeviceUID: return .text(device.name)
    case kAudioDevicePropertyNominalSampleRate: return .value(device.rate)
    case kAudioDevicePropertyAvailableNominalSampleRates:
        return .value(AudioValueRange(mMinimum: Double(device.rates.lowerBound), mMaximum: Double(device.rates.upperBound)))
    case kAudioDevicePropertyBufferFrameSize: return .value(UInt32(256))
    case kAudioDevicePropertyDeviceIsAlive: return .value(UInt32(1))
    case kAudioDevicePropertyStreamConfiguration:
        if channels == 0 { return .value(UInt64(0)) }
        return .value(
            AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: UInt32(channels), mDataByteSize: 0, mData: nil)))
    default: return .status(kAudioHardwareUnknownPropertyError)
    }
}

/// Answers whether an object has a property.
@_cdecl("AudioObjectHasProperty")
public func AudioObjectHasProperty(_ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>) -> Bool {
    answer(inObjectID, inAddress).giveSize(nil) == noErr
}

/// Answers whether a property can be set: none can.
@_cdecl("AudioObjectIsPropertySettable") @discardableResult public func AudioObjectIsPropertySettable(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ outIsSettable: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    outIsSettable.pointee = false
    return answer(inObjectID, inAddress).giveSize(nil)
}

/// Answers the size of a property.
@_cdecl("AudioObjectGetPropertyDataSize") @discardableResult public func AudioObjectGetPropertyDataSize(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus { answer(inObjectID, inAddress).giveSize(outDataSize) }

/// Reads a property; of a list, as much as there is room for.
@_cdecl("AudioObjectGetPropertyData") @discardableResult public func AudioObjectGetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus { answer(inObjectID, inAddress).give(ioDataSize, outData, tooSmall: kAudioHardwareBadPropertySizeError) }

/// Sets a property: none can be set, devices are chosen by `CARILLON_OUTPUT` and `CARILLON_INPUT`.
@_cdecl("AudioObjectSetPropertyData") @discardableResult public func AudioObjectSetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
    let status = answer(inObjectID, inAddress).giveSize(nil)
    return status == noErr ? kAudioHardwareUnsupportedOperationError : status
}

/// Devices that come and go are not reported.
@_cdecl("AudioObjectAddPropertyListener") @discardableResult public func AudioObjectAddPropertyListener(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus { kAudio_UnimplementedError }
