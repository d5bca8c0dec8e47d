/// The bytes of a property, or the code of why there is none.
private func answer(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
) throws(HardwareFault) -> [UInt8] {
    func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }
    func text(_ text: String) -> [UInt8] { bytes(Unmanaged.passRetained(text as NSString).toOpaque()) }
    if object == kAudioObjectSystemObject {
        switch address.mSelector {
        case kAudioHardwarePropertyDevices: return AudioDevices.all().flatMap { bytes($0.id) }
        case kAudioHardwarePropertyDefaultInputDevice:
            return bytes(AudioDevices.isThere(capturing: true) ? AudioDevices.usual : kAudioObjectUnknown)
        case kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultSystemOutputDevice:
            return bytes(AudioDevices.isThere(capturing: false) ? AudioDevices.usual : kAudioObjectUnknown)
        default: throw HardwareFault(kAudioHardwareUnknownPropertyError)
        }
    }
    guard let device = AudioDevices.all().first(where: { $0.id == object }) else {
        throw HardwareFault(kAudioHardwareBadObjectError)
    }
    let channels = address.mScope == kAudioObjectPropertyScopeInput ? device.inputs : device.outputs
    switch address.mSelector {
    case kAudioObjectPropertyName: return text(device.title)
    case kAudioObjectPropertyManufacturer: return text("ALSA")
    case kAudioDevicePropertyDeviceUID: return text(device.name)
    case kAudioDevicePropertyNominalSampleRate: return bytes(device.rate)
    case kAudioDevicePropertyAvailableNominalSampleRates:
        return bytes(AudioValueRange(mMinimum: Double(device.rates.lowerBound), mMaximum: Double(device.rates.upperBound)))
    case kAudioDevicePropertyBufferFrameSize: return bytes(UInt32(256))
    case kAudioDevicePropertyDeviceIsAlive: return bytes(UInt32(1))
    case kAudioDevicePropertyStreamConfiguration:
        if channels == 0 { return bytes(UInt64(0)) }
        return bytes(
            AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: UInt32(channels), mDataByteSize: 0, mData: nil)))
    default: throw HardwareFault(kAudioHardwareUnknownPropertyError)
    }
}

private struct HardwareFault: Error {
    let status: OSStatus
    init(_ status: OSStatus) { self.status = status }
}

private func on(
    _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ body: ([UInt8]) -> OSStatus? = { _ in nil }
) -> OSStatus {
    do { return body(try answer(object, address.pointee)) ?? noErr } catch { return error.status }
}

/// Answers whether an object has a property.
@c public func AudioObjectHasProperty(_ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>) -> Bool
{ on(inObjectID, inAddress) == noErr }

/// Answers whether a property can be set: none can.
@c @discardableResult public func AudioObjectIsPropertySettable(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ outIsSettable: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    outIsSettable.pointee = false
    return on(inObjectID, inAddress)
}

/// Answers the size of a property.
@c @discardableResult public func AudioObjectGetPropertyDataSize(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    on(inObjectID, inAddress) { bytes in
        outDataSize.pointee = UInt32(bytes.count)
        return noErr
    }
}

/// Reads a property; of a list, as much as there is room for.
@c @discardableResult public func AudioObjectGetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
    on(inObjectID, inAddress) { bytes in
        let isList = inAddress.pointee.mSelector == kAudioHardwarePropertyDevices
        guard isList || Int(ioDataSize.pointee) >= bytes.count else { return kAudioHardwareBadPropertySizeError }
        let count = min(bytes.count, Int(ioDataSize.pointee))
        bytes.withUnsafeBytes { if let base = $0.baseAddress { outData.copyMemory(from: base, byteCount: count) } }
        ioDataSize.pointee = UInt32(count)
        return noErr
    }
}

/// Sets a property: none can be set, devices are chosen by `CARILLON_OUTPUT` and `CARILLON_INPUT`.
@c @discardableResult public func AudioObjectSetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus { on(inObjectID, inAddress) { _ in kAudioHardwareUnsupportedOperationError } }

/// Devices that come and go are not reported.
@c @discardableResult public func AudioObjectAddPropertyListener(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inListener: AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus { kAudio_UnimplementedError }
