internal import MIDI

/// Sends a channel message to a music device, so many frames after the start of the next slice.
@discardableResult public func MusicDeviceMIDIEvent(
    _ inUnit: MusicDeviceComponent, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32, _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    let frames = Int(min(inOffsetSampleFrame, 1 << 20))
    // What is no channel message means nothing here.
    guard (0x80...0xEF).contains(inStatus), inData1 < 128, inData2 < 128 else { return noErr }
    let message = MIDIMessage(status: UInt8(inStatus), data1: UInt8(inData1), data2: UInt8(inData2))
    if let context = RenderContext.current, let unit = UnitHandles.find(inUnit), unit.kind.isMusicDevice,
        let status = unit.live.send(message, context.pointee, after: frames)
    {
        return status
    }
    return UnitCalls.on(inUnit) { unit in
        unit.kind.isMusicDevice ? unit.send(message, after: frames) : kAudioUnitErr_InvalidProperty
    }
}

/// Sends a System Exclusive message to a music device.
@discardableResult public func MusicDeviceSysEx(
    _ inUnit: MusicDeviceComponent, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
    UnitCalls.on(inUnit) { unit in
        guard unit.kind.isMusicDevice else { return kAudioUnitErr_InvalidProperty }
        let bytes = Array(UnsafeBufferPointer(start: inData, count: Int(inLength)))
        for event in unit.sounds.exclusive.events(from: bytes, port: 0) {
            let status = unit.send(event)
            if status != noErr { return status }
        }
        return noErr
    }
}
