/// Makes a player without a sequence.
@_cdecl("NewMusicPlayer") @discardableResult
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>) -> OSStatus {
    outPlayer.pointee = Handles.add(PlayerObject())
    return noErr
}

/// Stops a player, and disposes of it.
@_cdecl("DisposeMusicPlayer") @discardableResult public func DisposeMusicPlayer(_ inPlayer: MusicPlayer) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        _ = Handles.remove(inPlayer, PlayerObject.self)
        player.set(nil)
    }
}

/// Gives a player its sequence, at beat 0; nil takes it away.
@_cdecl("MusicPlayerSetSequence") @discardableResult
public func MusicPlayerSetSequence(_ inPlayer: MusicPlayer, _ inSequence: MusicSequence?) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        let sequence = Handles.find(inSequence, SequenceObject.self)
        if inSequence != nil, sequence == nil { throw Refusal(kAudio_ParamError) }
        if player.isPlaying { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        player.set(sequence)
    }
}

/// The player's sequence.
@_cdecl("MusicPlayerGetSequence") @discardableResult public func MusicPlayerGetSequence(
    _ inPlayer: MusicPlayer, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        outSequence.pointee = player.sequence?.ownHandle
        if player.sequence == nil { throw Refusal(kAudioToolboxErr_NoSequence) }
    }
}

/// Goes to a beat, playing on if it plays.
@_cdecl("MusicPlayerSetTime") @discardableResult
public func MusicPlayerSetTime(_ inPlayer: MusicPlayer, _ inTime: MusicTimeStamp) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        guard inTime.isFinite, inTime >= 0 else { throw Refusal(kAudio_ParamError) }
        if player.sequence == nil { throw Refusal(kAudioToolboxErr_NoSequence) }
        try player.seek(inTime)
    }
}

/// The beat at which the player is.
@_cdecl("MusicPlayerGetTime") @discardableResult public func MusicPlayerGetTime(
    _ inPlayer: MusicPlayer, _ outTime: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus { Handles.run(inPlayer, PlayerObject.self) { outTime.pointee = $0.beat } }

/// The host time at which a beat is heard, on a device while it plays.
@_cdecl("MusicPlayerGetHostTimeForBeats") @discardableResult public func MusicPlayerGetHostTimeForBeats(
    _ inPlayer: MusicPlayer, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>
) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        guard inBeats.isFinite, inBeats >= 0 else { throw Refusal(kAudio_ParamError) }
        guard let time = player.hostTime(ofBeat: inBeats) else { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        outHostTime.pointee = time
    }
}

/// The beat that is heard at a host time, on a device while it plays.
@_cdecl("MusicPlayerGetBeatsForHostTime") @discardableResult public func MusicPlayerGetBeatsForHostTime(
    _ inPlayer: MusicPlayer, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        guard let beat = player.beat(atHostTime: inHostTime) else { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        outBeats.pointee = beat
    }
}

/// Loads what the sequence needs, so that it starts at once.
@_cdecl("MusicPlayerPreroll") @discardableResult public func MusicPlayerPreroll(_ inPlayer: MusicPlayer) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { _ = try $0.prepare() }
}

/// Plays on, through the sequence's graph, or without one through a SoundFont on `CARILLON_OUTPUT`. It plays until it is
/// stopped, beyond the end too.
@_cdecl("MusicPlayerStart") @discardableResult public func MusicPlayerStart(_ inPlayer: MusicPlayer) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { try $0.start() }
}

/// Ends all notes, and stays at its beat.
@_cdecl("MusicPlayerStop") @discardableResult public func MusicPlayerStop(_ inPlayer: MusicPlayer) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { try $0.stop() }
}

/// Whether it was started and not stopped.
@_cdecl("MusicPlayerIsPlaying") @discardableResult public func MusicPlayerIsPlaying(
    _ inPlayer: MusicPlayer, _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { Handles.run(inPlayer, PlayerObject.self) { outIsPlaying.pointee = DarwinBoolean($0.isPlaying) } }

/// Scales the tempo: 2 is twice as fast. Beyond 0.001...1000 it is brought to the bound.
@_cdecl("MusicPlayerSetPlayRateScalar") @discardableResult
public func MusicPlayerSetPlayRateScalar(_ inPlayer: MusicPlayer, _ inScaleRate: Float64) -> OSStatus {
    Handles.run(inPlayer, PlayerObject.self) { player in
        guard inScaleRate.isFinite, inScaleRate > 0 else { throw Refusal(kAudio_ParamError) }
        try player.setRate(min(max(inScaleRate, 0.001), 1000))
    }
}

/// The factor of the tempo.
@_cdecl("MusicPlayerGetPlayRateScalar") @discardableResult public func MusicPlayerGetPlayRateScalar(
    _ inPlayer: MusicPlayer, _ outScaleRate: UnsafeMutablePointer<Float64>
) -> OSStatus { Handles.run(inPlayer, PlayerObject.self) { outScaleRate.pointee = $0.rate } }
