internal import Sequencer

/// Adds a note with its length.
@_cdecl("MusicTrackNewMIDINoteEvent") @discardableResult public func MusicTrackNewMIDINoteEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMessage: UnsafePointer<MIDINoteMessage>
) -> OSStatus { add(kMusicEventType_MIDINoteMessage, inMessage, to: inTrack, inTimeStamp) }

/// Adds a message of a channel.
@_cdecl("MusicTrackNewMIDIChannelEvent") @discardableResult public func MusicTrackNewMIDIChannelEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMessage: UnsafePointer<MIDIChannelMessage>
) -> OSStatus { add(kMusicEventType_MIDIChannelMessage, inMessage, to: inTrack, inTimeStamp) }

/// Adds System Exclusive; raw bytes of other kinds are kept and not sent.
@_cdecl("MusicTrackNewMIDIRawDataEvent") @discardableResult public func MusicTrackNewMIDIRawDataEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inRawData: UnsafePointer<MIDIRawData>
) -> OSStatus { add(kMusicEventType_MIDIRawData, inRawData, to: inTrack, inTimeStamp) }

/// Adds a note of any pitch, which plays the key next to it.
@_cdecl("MusicTrackNewExtendedNoteEvent") @discardableResult public func MusicTrackNewExtendedNoteEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ExtendedNoteOnEvent>
) -> OSStatus { add(kMusicEventType_ExtendedNote, inInfo, to: inTrack, inTimeStamp) }

/// Adds a value of a parameter of the unit that plays the track.
@_cdecl("MusicTrackNewParameterEvent") @discardableResult public func MusicTrackNewParameterEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ParameterEvent>
) -> OSStatus { add(kMusicEventType_Parameter, inInfo, to: inTrack, inTimeStamp) }

/// Adds a tempo to a tempo track, in beats a minute.
@_cdecl("MusicTrackNewExtendedTempoEvent") @discardableResult public func MusicTrackNewExtendedTempoEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inBPM: Float64
) -> OSStatus {
    var event = ExtendedTempoEvent(bpm: inBPM)
    return add(kMusicEventType_ExtendedTempo, &event, to: inTrack, inTimeStamp)
}

/// Adds a meta event; `0x2F`, a track's end, is the track's length and no event.
@_cdecl("MusicTrackNewMetaEvent") @discardableResult public func MusicTrackNewMetaEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMetaEvent: UnsafePointer<MIDIMetaEvent>
) -> OSStatus { add(kMusicEventType_Meta, inMetaEvent, to: inTrack, inTimeStamp) }

/// Adds an event that calls the sequence's user callback.
@_cdecl("MusicTrackNewUserEvent") @discardableResult public func MusicTrackNewUserEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inUserData: UnsafePointer<MusicEventUserData>
) -> OSStatus { add(kMusicEventType_User, inUserData, to: inTrack, inTimeStamp) }

/// Presets at beats are not supported.
@_cdecl("MusicTrackNewAUPresetEvent") @discardableResult public func MusicTrackNewAUPresetEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inPresetEvent: UnsafePointer<AUPresetEvent>
) -> OSStatus { kAudio_UnimplementedError }

private func add(
    _ type: MusicEventType, _ data: UnsafeRawPointer, to track: MusicTrack, _ beat: MusicTimeStamp
) -> OSStatus {
    Handles.run(track, TrackObject.self) { track in
        track.music.add(EngineEvent(try MusicEventData.beat(beat), try track.kind(type, data)))
        track.sequence?.changed()
    }
}

extension TrackObject {
    /// An event's struct as an event. Tempos stand in the tempo track, and music does not.
    func kind(_ type: MusicEventType, _ data: UnsafeRawPointer?) throws -> EngineEvent.Kind {
        let isTempoTrack = self === sequence?.tempoTrack, kind = MusicEventData.kind(type, data)
        let isHere =
            switch kind {
            case .tempo?: isTempoTrack && sequence?.type == .beats
            case .note?, .message?, .systemExclusive?: !isTempoTrack
            case .meter?, .cue?, .silent?: true
            case nil: false
            }
        guard let kind, isHere else { throw Refusal(kAudioToolboxErr_InvalidEventType) }
        return kind
    }
}
