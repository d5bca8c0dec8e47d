// Universal MIDI packets of the MIDI 1.0 protocol. Names and values are Apple's and the MIDI Association's.
#pragma once

#include <CoreMIDI/MIDIServices.h>

#pragma clang assume_nonnull begin

typedef UInt32 MIDIMessage_32;

typedef struct MIDIMessage_64 {
    UInt32 word0, word1;
} MIDIMessage_64;

typedef CF_ENUM(UInt32, MIDIMessageType) {
    kMIDIMessageTypeUtility = 0,
    kMIDIMessageTypeSystem = 1,
    kMIDIMessageTypeChannelVoice1 = 2,
    kMIDIMessageTypeSysEx = 3,
    kMIDIMessageTypeChannelVoice2 = 4,
    kMIDIMessageTypeData128 = 5,
};

typedef CF_ENUM(UInt32, MIDICVStatus) {
    kMIDICVStatusNoteOff = 8,
    kMIDICVStatusNoteOn = 9,
    kMIDICVStatusPolyPressure = 10,
    kMIDICVStatusControlChange = 11,
    kMIDICVStatusProgramChange = 12,
    kMIDICVStatusChannelPressure = 13,
    kMIDICVStatusPitchBend = 14,
};

typedef CF_ENUM(UInt32, MIDISysExStatus) {
    kMIDISysExStatusComplete = 0,
    kMIDISysExStatusStart = 1,
    kMIDISysExStatusContinue = 2,
    kMIDISysExStatusEnd = 3,
};

static inline MIDIMessageType MIDIMessageTypeForUPWord(UInt32 word) { return (MIDIMessageType)(word >> 28); }

static inline MIDIMessage_32 MIDI1UPChannelVoiceMessage(UInt8 group, UInt8 status, UInt8 channel, UInt8 data1, UInt8 data2) {
    return 2u << 28 | (group & 15u) << 24 | (status & 15u) << 20 | (channel & 15u) << 16 | (data1 & 127u) << 8 | (data2 & 127u);
}

static inline MIDIMessage_32 MIDI1UPNoteOff(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 velocity) {
    return MIDI1UPChannelVoiceMessage(group, 8, channel, noteNumber, velocity);
}

static inline MIDIMessage_32 MIDI1UPNoteOn(UInt8 group, UInt8 channel, UInt8 noteNumber, UInt8 velocity) {
    return MIDI1UPChannelVoiceMessage(group, 9, channel, noteNumber, velocity);
}

static inline MIDIMessage_32 MIDI1UPControlChange(UInt8 group, UInt8 channel, UInt8 index, UInt8 data) {
    return MIDI1UPChannelVoiceMessage(group, 11, channel, index, data);
}

static inline MIDIMessage_32 MIDI1UPPitchBend(UInt8 group, UInt8 channel, UInt8 lsb, UInt8 msb) {
    return MIDI1UPChannelVoiceMessage(group, 14, channel, lsb, msb);
}

static inline MIDIMessage_32 MIDI1UPSystemCommon(UInt8 group, UInt8 status, UInt8 byte1, UInt8 byte2) {
    return 1u << 28 | (group & 15u) << 24 | (UInt32)status << 16 | (byte1 & 127u) << 8 | (byte2 & 127u);
}

static inline MIDIMessage_64 MIDI1UPSysEx(
    UInt8 group, UInt8 status, UInt8 bytesUsed, UInt8 byte1, UInt8 byte2, UInt8 byte3, UInt8 byte4, UInt8 byte5, UInt8 byte6) {
    MIDIMessage_64 message = {
        3u << 28 | (group & 15u) << 24 | (status & 15u) << 20 | (bytesUsed & 15u) << 16 | (byte1 & 127u) << 8 | (byte2 & 127u),
        (byte3 & 127u) << 24 | (byte4 & 127u) << 16 | (byte5 & 127u) << 8 | (byte6 & 127u),
    };
    return message;
}

#pragma clang assume_nonnull end
