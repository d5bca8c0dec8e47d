/// Makes a player without a sequence.
@discardableResult public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>) -> OSStatus {
    let player = PlayerObject()
    player.handle = Handles.add(player)
    outPlayer.pointee = player.handle
    return player.handle == nil ? kAudio_MemFullError : noErr
}

/// Stops a player, and disposes of it.
@discardableResult public func DisposeMusicPlayer(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        guard Handles.remove(inPlayer, PlayerObject.self) != nil else { return kAudio_ParamError }
        player.set(nil)
        return noErr
    }
}

/// Gives a player its sequence, at beat 0; nil takes it away.
@discardableResult public func MusicPlayerSetSequence(_ inPlayer: MusicPlayer, _ inSequence: MusicSequence?) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        let sequence = Handles.find(inSequence, SequenceObject.self)
        if inSequence != nil, sequence == nil { return kAudio_ParamError }
        if player.isPlaying { return kAudioToolboxErr_InvalidPlayerState }
        player.set(sequence)
        return noErr
    }
}

/// The player's sequence.
@discardableResult public func MusicPlayerGetSequence(
    _ inPlayer: MusicPlayer, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        outSequence.pointee = player.sequence?.handle
        return player.sequence == nil ? kAudioToolboxErr_NoSequence : noErr
    }
}

/// Goes to a beat, playing on if it plays.
@discardableResult public func MusicPlayerSetTime(_ inPlayer: MusicPlayer, _ inTime: MusicTimeStamp) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        guard inTime.isFinite, inTime >= 0 else { return kAudio_ParamError }
        return player.sequence == nil ? kAudioToolboxErr_NoSequence : player.seek(inTime)
    }
}

/// The beat at which the player is.
@discardableResult public func MusicPlayerGetTime(
    _ inPlayer: MusicPlayer, _ outTime: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        outTime.pointee = player.beat
        return noErr
    }
}

/// The host time at which a beat is heard, on a device while it plays.
@discardableResult public func MusicPlayerGetHostTimeForBeats(
    _ inPlayer: MusicPlayer, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        guard inBeats.isFinite, inBeats >= 0 else { return kAudio_ParamError }
        guard let time = player.hostTime(ofBeat: inBeats) else { return kAudioToolboxErr_InvalidPlayerState }
        outHostTime.pointee = time
        return noErr
    }
}

/// The beat that is heard at a host time, on a device while it plays.
@discardableResult public func MusicPlayerGetBeatsForHostTime(
    _ inPlayer: MusicPlayer, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        guard let beat = player.beat(atHostTime: inHostTime) else { return kAudioToolboxErr_InvalidPlayerState }
        outBeats.pointee = beat
        return noErr
    }
}

/// Loads what the sequence needs, so that it starts at once.
@discardableResult public func MusicPlayerPreroll(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { $0.prepare() }
}

/// Plays on, through the sequence's graph, or without one through a SoundFont on `CARILLON_OUTPUT`. It plays until it is
/// stopped, beyond the end too.
@discardableResult public func MusicPlayerStart(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { $0.start() }
}

/// Ends all notes, and stays at its beat.
@discardableResult public func MusicPlayerStop(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { $0.stop() }
}

/// Whether it was started and not stopped.
@discardableResult public func MusicPlayerIsPlaying(
    _ inPlayer: MusicPlayer, _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        outIsPlaying.pointee = DarwinBoolean(player.isPlaying)
        return noErr
    }
}

/// Scales the tempo: 2 is twice as fast. Beyond 0.001...1000 it is brought to the bound.
@discardableResult public func MusicPlayerSetPlayRateScalar(_ inPlayer: MusicPlayer, _ inScaleRate: Float64) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        guard inScaleRate.isFinite, inScaleRate > 0 else { return kAudio_ParamError }
        return player.setRate(min(max(inScaleRate, 0.001), 1000))
    }
}

/// The factor of the tempo.
@discardableResult public func MusicPlayerGetPlayRateScalar(
    _ inPlayer: MusicPlayer, _ outScaleRate: UnsafeMutablePointer<Float64>
) -> OSStatus {
    MusicCalls.use(inPlayer, PlayerObject.self) { player in
        outScaleRate.pointee = player.rate
        return noErr
    }
}
