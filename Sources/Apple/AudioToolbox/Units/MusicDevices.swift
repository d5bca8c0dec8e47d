internal import MIDI

/// Sends a channel message to a music device, so many frames after the start of the next slice.
@_cdecl("MusicDeviceMIDIEvent") @discardableResult public func MusicDeviceMIDIEvent(
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

/// Starts a note: the key next to its pitch, on the channel of its group, by the instrument that the group has.
@_cdecl("MusicDeviceStartNote") @discardableResult public func MusicDeviceStartNote(
    _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID, _ inGroupID: MusicDeviceGroupID,
    _ outNoteInstanceID: UnsafeMutablePointer<NoteInstanceID>, _ inOffsetSampleFrame: UInt32,
    _ inParams: UnsafePointer<MusicDeviceNoteParams>
) -> OSStatus {
    let params = inParams.pointee
    guard inInstrument == kMusicNoteEvent_UseGroupInstrument else { return kAudio_UnimplementedError }
    guard inGroupID < 16, (0..<127.5).contains(params.mPitch), (0..<127.5).contains(params.mVelocity) else {
        return kAudio_ParamError
    }
    let key = UInt32(params.mPitch.rounded()), velocity = max(1, UInt32(params.mVelocity.rounded()))
    outNoteInstanceID.pointee = inGroupID << 8 | key
    return MusicDeviceMIDIEvent(inUnit, 0x90 | inGroupID, key, velocity, inOffsetSampleFrame)
}

/// Ends a note.
@_cdecl("MusicDeviceStopNote") @discardableResult public func MusicDeviceStopNote(
    _ inUnit: MusicDeviceComponent, _ inGroupID: MusicDeviceGroupID, _ inNoteInstanceID: NoteInstanceID,
    _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    guard inGroupID < 16, inNoteInstanceID >> 8 == inGroupID, inNoteInstanceID & 255 < 128 else { return kAudio_ParamError }
    return MusicDeviceMIDIEvent(inUnit, 0x80 | inGroupID, inNoteInstanceID & 127, 64, inOffsetSampleFrame)
}

/// Sends a System Exclusive message to a music device.
@_cdecl("MusicDeviceSysEx") @discardableResult public func MusicDeviceSysEx(
    _ inUnit: MusicDeviceComponent, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
    UnitCalls.run(inUnit) { unit in
        guard unit.kind.isMusicDevice else { throw Refusal(kAudioUnitErr_InvalidProperty) }
        let bytes = Array(UnsafeBufferPointer(start: inData, count: Int(inLength)))
        for event in unit.sounds.exclusive.events(from: bytes, port: 0) { try UnitFaults.check(unit.send(event)) }
    }
}
