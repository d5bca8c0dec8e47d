import CoreMIDI
import Testing

/// The constants of MIDI Services. Each was compared with PyObjC's metadata and, but for Universal MIDI Packets, `kMIDINotPermitted`
/// and `kMIDIUnknownError`, with WinObjC's headers (`tools/apple-constants`).
@Suite struct CoreMIDITable {
    @Test func errors() {
        let codes = [
            kMIDIInvalidClient, kMIDIInvalidPort, kMIDIWrongEndpointType, kMIDINoConnection, kMIDIUnknownEndpoint,
            kMIDIUnknownProperty, kMIDIWrongPropertyType, kMIDINoCurrentSetup, kMIDIMessageSendErr, kMIDIServerStartErr,
            kMIDISetupFormatErr, kMIDIWrongThread, kMIDIObjectNotFound, kMIDIIDNotUnique, kMIDINotPermitted, kMIDIUnknownError,
        ]
        #expect(codes == Array(stride(from: -10_830, through: -10_845, by: -1)))
    }

    @Test func enumerations() {
        let types: [MIDIObjectType] = [
            .other, .device, .entity, .source, .destination, .externalDevice, .externalEntity, .externalSource,
            .externalDestination,
        ]
        #expect(types.map(\.rawValue) == [-1, 0, 1, 2, 3, 16, 17, 18, 19])
        let messages: [MIDINotificationMessageID] = [
            .msgSetupChanged, .msgObjectAdded, .msgObjectRemoved, .msgPropertyChanged, .msgThruConnectionsChanged,
            .msgSerialPortOwnerChanged, .msgIOError,
        ]
        #expect(messages.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
        #expect(MIDIProtocolID._1_0.rawValue == 1 && MIDIProtocolID._2_0.rawValue == 2 && kMIDIInvalidUniqueID == 0)
        let kinds: [MIDIMessageType] = [.utility, .system, .channelVoice1, .sysEx, .channelVoice2, .data128]
        #expect(kinds.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let statuses: [MIDICVStatus] = [
            .noteOff, .noteOn, .polyPressure, .controlChange, .programChange, .channelPressure, .pitchBend,
        ]
        #expect(statuses.map(\.rawValue) == [8, 9, 10, 11, 12, 13, 14])
        let pieces: [MIDISysExStatus] = [.complete, .start, .continue, .end]
        #expect(pieces.map(\.rawValue) == [0, 1, 2, 3])
        let transforms: [MIDITransformType] = [.none, .filterOut, .mapControl, .add, .scale, .minValue, .maxValue, .mapValue]
        #expect(transforms.map(\.rawValue) == [0, 1, 2, 8, 9, 10, 11, 12])
        let controls: [MIDITransformControlType] = [
            .controlType_7Bit, .controlType_14Bit, .controlType_7BitRPN, .controlType_14BitRPN, .controlType_7BitNRPN,
            .controlType_14BitNRPN,
        ]
        #expect(controls.map(\.rawValue) == [0, 1, 2, 3, 4, 5] && kMIDIThruConnection_MaxEndpoints == 8)
    }

    @Test func messagesAreWords() {
        #expect(MIDIMessageTypeForUPWord(0x4090_0000) == .channelVoice2)
        #expect(MIDI1UPChannelVoiceMessage(1, 9, 2, 60, 64) == 0x2192_3C40 && MIDI1UPPitchBend(0, 3, 1, 2) == 0x20E3_0102)
        #expect(MIDI1UPSystemCommon(0, 0xF2, 1, 2) == 0x10F2_0102)
        let exclusive = MIDI1UPSysEx(0, 1, 6, 1, 2, 3, 4, 5, 6)
        #expect(exclusive.word0 == 0x3016_0102 && exclusive.word1 == 0x0304_0506)
    }
}
