internal import Sequencer

/// The sequence that a track belongs to.
@discardableResult public func MusicTrackGetSequence(
    _ inTrack: MusicTrack, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        outSequence.pointee = track.sequence?.handle
        return outSequence.pointee == nil ? kAudioToolboxErr_NoSequence : noErr
    }
}

/// Plays a track by the unit of a node of the sequence's graph; not while a player plays it.
@discardableResult public func MusicTrackSetDestNode(_ inTrack: MusicTrack, _ inNode: AUNode) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        guard GraphMusic.plays(track.sequence?.graph, inNode) else { return kAudioToolboxErr_IllegalTrackDestination }
        if track.isPlayed { return kAudioToolboxErr_InvalidPlayerState }
        (track.node, track.endpoint) = (inNode, nil)
        return changed(track)
    }
}

/// Sends a track to a MIDI endpoint; not while a player plays it.
@discardableResult public func MusicTrackSetDestMIDIEndpoint(_ inTrack: MusicTrack, _ inEndpoint: MIDIEndpointRef) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        if track.isPlayed { return kAudioToolboxErr_InvalidPlayerState }
        (track.node, track.endpoint) = (nil, inEndpoint)
        return changed(track)
    }
}

/// The node that plays a track.
@discardableResult public func MusicTrackGetDestNode(_ inTrack: MusicTrack, _ outNode: UnsafeMutablePointer<AUNode>) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        guard let node = track.node else {
            return track.endpoint == nil ? kAudioToolboxError_NoTrackDestination : kAudioToolboxErr_IllegalTrackDestination
        }
        outNode.pointee = node
        return noErr
    }
}

/// The endpoint that a track is sent to.
@discardableResult public func MusicTrackGetDestMIDIEndpoint(
    _ inTrack: MusicTrack, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        guard let endpoint = track.endpoint else {
            return track.node == nil ? kAudioToolboxError_NoTrackDestination : kAudioToolboxErr_IllegalTrackDestination
        }
        outEndpoint.pointee = endpoint
        return noErr
    }
}

/// Sets a property of a track: loop, offset, mute, solo, length, resolution.
@discardableResult public func MusicTrackSetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ inData: UnsafeMutableRawPointer, _ inLength: UInt32
) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        let isOfTempoTrack = [kSequenceTrackProperty_TrackLength, kSequenceTrackProperty_TimeResolution].contains(inPropertyID)
        if track === track.sequence?.tempoTrack, !isOfTempoTrack { return kAudio_ParamError }
        // Programs pass 0 here, which Apple's takes for the size of the value.
        func take<Value>(_ type: Value.Type) -> Value? {
            PropertyMemory.take(type, inLength == 0 ? UInt32(MemoryLayout<Value>.size) : inLength, inData)
        }
        switch inPropertyID {
        case kSequenceTrackProperty_LoopInfo:
            guard let loop = take(MusicTrackLoopInfo.self), loop.loopDuration.isFinite else { return kAudio_ParamError }
            track.loop = loop
        case kSequenceTrackProperty_OffsetTime:
            guard let offset = take(MusicTimeStamp.self), offset.isFinite else { return kAudio_ParamError }
            track.music.offset = offset
        case kSequenceTrackProperty_MuteStatus:
            guard let mute = take(UInt8.self) else { return kAudio_ParamError }
            track.music.isMuted = mute != 0
        case kSequenceTrackProperty_SoloStatus:
            guard let solo = take(UInt8.self) else { return kAudio_ParamError }
            track.music.isSoloed = solo != 0
        case kSequenceTrackProperty_TrackLength:
            guard let length = take(MusicTimeStamp.self), length.isFinite, length >= 0 else { return kAudio_ParamError }
            track.music.leastLength = length
        case kSequenceTrackProperty_TimeResolution:
            guard let resolution = take(Int16.self), resolution > 0 else { return kAudio_ParamError }
            track.resolution = resolution
        case kSequenceTrackProperty_AutomatedParameters: return kAudio_UnimplementedError
        default: return kAudio_ParamError
        }
        return changed(track)
    }
}

/// Reads a property of a track; with no memory for it, its size.
@discardableResult public func MusicTrackGetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ outData: UnsafeMutableRawPointer?, _ ioLength: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    MusicCalls.use(inTrack, TrackObject.self) { track in
        func give<Value>(_ value: Value) -> OSStatus {
            guard let outData else {
                ioLength.pointee = UInt32(MemoryLayout<Value>.size)
                return noErr
            }
            // Programs pass 0 here, which Apple's takes for the size of what is asked for.
            if ioLength.pointee == 0 { ioLength.pointee = UInt32(MemoryLayout<Value>.size) }
            return PropertyMemory.give(value, ioLength, outData, tooSmall: kAudio_ParamError)
        }
        switch inPropertyID {
        case kSequenceTrackProperty_LoopInfo: return give(track.loop)
        case kSequenceTrackProperty_OffsetTime: return give(track.music.offset)
        case kSequenceTrackProperty_MuteStatus: return give(UInt8(track.music.isMuted ? 1 : 0))
        case kSequenceTrackProperty_SoloStatus: return give(UInt8(track.music.isSoloed ? 1 : 0))
        case kSequenceTrackProperty_TrackLength: return give(track.music.length)
        case kSequenceTrackProperty_TimeResolution: return give(track.resolution)
        case kSequenceTrackProperty_AutomatedParameters: return kAudio_UnimplementedError
        default: return kAudio_ParamError
        }
    }
}

/// Moves the events of a range of beats.
@discardableResult public func MusicTrackMoveEvents(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp, _ inMoveTime: MusicTimeStamp
) -> OSStatus {
    edit(inTrack, inStartTime, inEndTime) { music, range in
        guard inMoveTime.isFinite, range.lowerBound + inMoveTime >= 0 else { return false }
        music.move(range, by: inMoveTime)
        return true
    }
}

/// Removes the events of a range; what follows stays.
@discardableResult public func MusicTrackClear(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
    edit(inTrack, inStartTime, inEndTime) { music, range in
        music.clear(range)
        return true
    }
}

/// Removes the events of a range, and the range.
@discardableResult public func MusicTrackCut(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
    edit(inTrack, inStartTime, inEndTime) { music, range in
        music.cut(range)
        return true
    }
}

/// Inserts a copy of a range of a track into another; what follows there comes later.
@discardableResult public func MusicTrackCopyInsert(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, inSourceStartTime, inSourceEndTime, inDestTrack, inDestInsertTime) { $0.insert($1, of: $2, at: $3) }
}

/// Adds a copy of a range of a track to what another has.
@discardableResult public func MusicTrackMerge(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, inSourceStartTime, inSourceEndTime, inDestTrack, inDestInsertTime) { $0.merge($1, of: $2, at: $3) }
}

private func copy(
    _ source: MusicTrack, _ from: MusicTimeStamp, _ to: MusicTimeStamp, _ target: MusicTrack, _ beat: MusicTimeStamp,
    _ change: (inout EngineTrack, Range<Double>, EngineTrack, Double) -> Void
) -> OSStatus {
    MusicCalls.use(source, TrackObject.self) { source in
        guard let range = range(from, to), beat.isFinite, beat >= 0 else { return kAudio_ParamError }
        guard let target = Handles.find(target, TrackObject.self) else { return kAudioToolboxErr_TrackNotFound }
        let music = source.music
        change(&target.music, range, music, beat)
        return changed(target)
    }
}

private func edit(
    _ track: MusicTrack, _ from: MusicTimeStamp, _ to: MusicTimeStamp, _ change: (inout EngineTrack, Range<Double>) -> Bool
) -> OSStatus {
    MusicCalls.use(track, TrackObject.self) { track in
        guard let range = range(from, to), change(&track.music, range) else { return kAudio_ParamError }
        return changed(track)
    }
}

private func range(_ from: MusicTimeStamp, _ to: MusicTimeStamp) -> Range<Double>? {
    from.isFinite && to.isFinite && from <= to ? from..<to : nil
}

/// Players go on with what the track has become.
func changed(_ track: TrackObject) -> OSStatus {
    track.sequence?.changed()
    return noErr
}
