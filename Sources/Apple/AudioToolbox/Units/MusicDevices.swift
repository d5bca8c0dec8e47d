/// Sends a channel message to a music device, so many frames after the start of the next slice.
@discardableResult public func MusicDeviceMIDIEvent(
    _ inUnit: MusicDeviceComponent, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32, _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    UnitCalls.on(inUnit) { unit in
        guard unit.kind.isMusicDevice else { return kAudioUnitErr_InvalidProperty }
        return unit.send(status: inStatus, inData1, inData2, after: Int(min(inOffsetSampleFrame, 1 << 20)))
    }
}
