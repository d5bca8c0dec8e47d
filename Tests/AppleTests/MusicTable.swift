import AudioToolbox

/// Constants of Music Player Services with the values that two public bindings have.
enum MusicTable {
    static func forEach(_ check: (String, UInt32, UInt32) -> Void) {
        check("kMusicEventType_NULL", kMusicEventType_NULL, 0x0)
        check("kMusicEventType_ExtendedNote", kMusicEventType_ExtendedNote, 0x1)
        check("kMusicEventType_ExtendedTempo", kMusicEventType_ExtendedTempo, 0x3)
        check("kMusicEventType_User", kMusicEventType_User, 0x4)
        check("kMusicEventType_Meta", kMusicEventType_Meta, 0x5)
        check("kMusicEventType_MIDINoteMessage", kMusicEventType_MIDINoteMessage, 0x6)
        check("kMusicEventType_MIDIChannelMessage", kMusicEventType_MIDIChannelMessage, 0x7)
        check("kMusicEventType_MIDIRawData", kMusicEventType_MIDIRawData, 0x8)
        check("kMusicEventType_Parameter", kMusicEventType_Parameter, 0x9)
        check("kMusicEventType_AUPreset", kMusicEventType_AUPreset, 0xA)
        check("kMusicSequenceLoadSMF_ChannelsToTracks", MusicSequenceLoadFlags.smf_ChannelsToTracks.rawValue, 0x1)
        check("kMusicSequenceType_Beats", MusicSequenceType.beats.rawValue, 0x6265_6174)
        check("kMusicSequenceType_Seconds", MusicSequenceType.seconds.rawValue, 0x7365_6373)
        check("kMusicSequenceType_Samples", MusicSequenceType.samples.rawValue, 0x7361_6D70)
        check("kMusicSequenceFile_AnyType", MusicSequenceFileTypeID.anyType.rawValue, 0x0)
        check("kMusicSequenceFile_MIDIType", MusicSequenceFileTypeID.midiType.rawValue, 0x6D69_6469)
        check("kMusicSequenceFile_iMelodyType", MusicSequenceFileTypeID.iMelodyType.rawValue, 0x696D_656C)
        check("kMusicSequenceFileFlags_EraseFile", MusicSequenceFileFlags.eraseFile.rawValue, 0x1)
        check("kSequenceTrackProperty_LoopInfo", kSequenceTrackProperty_LoopInfo, 0x0)
        check("kSequenceTrackProperty_OffsetTime", kSequenceTrackProperty_OffsetTime, 0x1)
        check("kSequenceTrackProperty_MuteStatus", kSequenceTrackProperty_MuteStatus, 0x2)
        check("kSequenceTrackProperty_SoloStatus", kSequenceTrackProperty_SoloStatus, 0x3)
        check("kSequenceTrackProperty_AutomatedParameters", kSequenceTrackProperty_AutomatedParameters, 0x4)
        check("kSequenceTrackProperty_TrackLength", kSequenceTrackProperty_TrackLength, 0x5)
        check("kSequenceTrackProperty_TimeResolution", kSequenceTrackProperty_TimeResolution, 0x6)
        check("kAudioToolboxErr_InvalidSequenceType", UInt32(bitPattern: kAudioToolboxErr_InvalidSequenceType), 0xFFFF_D5A2)
        check("kAudioToolboxErr_TrackIndexError", UInt32(bitPattern: kAudioToolboxErr_TrackIndexError), 0xFFFF_D595)
        check("kAudioToolboxErr_TrackNotFound", UInt32(bitPattern: kAudioToolboxErr_TrackNotFound), 0xFFFF_D596)
        check("kAudioToolboxErr_EndOfTrack", UInt32(bitPattern: kAudioToolboxErr_EndOfTrack), 0xFFFF_D597)
        check("kAudioToolboxErr_StartOfTrack", UInt32(bitPattern: kAudioToolboxErr_StartOfTrack), 0xFFFF_D598)
        check(
            "kAudioToolboxErr_IllegalTrackDestination", UInt32(bitPattern: kAudioToolboxErr_IllegalTrackDestination), 0xFFFF_D599)
        check("kAudioToolboxErr_NoSequence", UInt32(bitPattern: kAudioToolboxErr_NoSequence), 0xFFFF_D59A)
        check("kAudioToolboxErr_InvalidEventType", UInt32(bitPattern: kAudioToolboxErr_InvalidEventType), 0xFFFF_D59B)
        check("kAudioToolboxErr_InvalidPlayerState", UInt32(bitPattern: kAudioToolboxErr_InvalidPlayerState), 0xFFFF_D59C)
        check(
            "kAudioToolboxErr_CannotDoInCurrentContext", UInt32(bitPattern: kAudioToolboxErr_CannotDoInCurrentContext),
            0xFFFF_D591)
        check("kAudioToolboxError_NoTrackDestination", UInt32(bitPattern: kAudioToolboxError_NoTrackDestination), 0xFFFE_FB60)
    }
}
