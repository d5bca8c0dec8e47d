internal import Sequencer

/// The sequence that a track belongs to.
@_cdecl("MusicTrackGetSequence") @discardableResult public func MusicTrackGetSequence(
    _ inTrack: MusicTrack, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    Handles.run(inTrack, TrackObject.self) { track in
        outSequence.pointee = track.sequence?.ownHandle
        if outSequence.pointee == nil { throw Refusal(kAudioToolboxErr_NoSequence) }
    }
}

/// Plays a track by the unit of a node of the sequence's graph; not while a player plays it.
@_cdecl("MusicTrackSetDestNode") @discardableResult
public func MusicTrackSetDestNode(_ inTrack: MusicTrack, _ inNode: AUNode) -> OSStatus {
    Handles.run(inTrack, TrackObject.self) { track in
        guard GraphMusic.plays(track.sequence?.graph, inNode) else { throw Refusal(kAudioToolboxErr_IllegalTrackDestination) }
        try track.lead(to: inNode, nil)
    }
}

/// Sends a track to a MIDI endpoint; not while a player plays it.
@_cdecl("MusicTrackSetDestMIDIEndpoint") @discardableResult
public func MusicTrackSetDestMIDIEndpoint(_ inTrack: MusicTrack, _ inEndpoint: MIDIEndpointRef) -> OSStatus {
    Handles.run(inTrack, TrackObject.self) { try $0.lead(to: nil, inEndpoint) }
}

extension TrackObject {
    fileprivate func lead(to node: AUNode?, _ endpoint: MIDIEndpointRef?) throws {
        if isPlayed { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        (self.node, self.endpoint) = (node, endpoint)
        sequence?.changed()
    }

    /// One of its destinations; the code says whether it has the other.
    fileprivate func destination<Value>(_ value: Value?) throws -> Value {
        let hasNone = node == nil && endpoint == nil
        guard let value else {
            throw Refusal(hasNone ? kAudioToolboxError_NoTrackDestination : kAudioToolboxErr_IllegalTrackDestination)
        }
        return value
    }
}

/// The node that plays a track.
@_cdecl("MusicTrackGetDestNode") @discardableResult
public func MusicTrackGetDestNode(_ inTrack: MusicTrack, _ outNode: UnsafeMutablePointer<AUNode>)
    -> OSStatus
{ Handles.run(inTrack, TrackObject.self) { outNode.pointee = try $0.destination($0.node) } }

/// The endpoint that a track is sent to.
@_cdecl("MusicTrackGetDestMIDIEndpoint") @discardableResult public func MusicTrackGetDestMIDIEndpoint(
    _ inTrack: MusicTrack, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus { Handles.run(inTrack, TrackObject.self) { outEndpoint.pointee = try $0.destination($0.endpoint) } }

private struct TrackProperty: Sendable {
    let size: UInt32
    let get: @Sendable (TrackObject) -> [UInt8]
    /// False for a value that cannot be.
    let set: @Sendable (TrackObject, UInt32, UnsafeRawPointer) -> Bool

    init<Value>(
        _ get: @escaping @Sendable (TrackObject) -> Value, _ isSound: @escaping @Sendable (Value) -> Bool = { _ in true },
        _ set: @escaping @Sendable (TrackObject, Value) -> Void
    ) {
        size = UInt32(MemoryLayout<Value>.size)
        self.get = { track in withUnsafeBytes(of: get(track), Array.init) }
        self.set = { track, size, data in
            guard let value = PropertyMemory.take(Value.self, size, data), isSound(value) else { return false }
            set(track, value)
            return true
        }
    }

    private static let all: [UInt32: TrackProperty] = [
        kSequenceTrackProperty_LoopInfo: TrackProperty(\.loop, \.loopDuration.isFinite) { $0.loop = $1 },
        kSequenceTrackProperty_OffsetTime: TrackProperty(\.music.offset, \.isFinite) { $0.music.offset = $1 },
        kSequenceTrackProperty_MuteStatus: TrackProperty({ $0.music.isMuted ? 1 : 0 as UInt8 }) { $0.music.isMuted = $1 != 0 },
        kSequenceTrackProperty_SoloStatus: TrackProperty({ $0.music.isSoloed ? 1 : 0 as UInt8 }) { $0.music.isSoloed = $1 != 0 },
        kSequenceTrackProperty_TrackLength: TrackProperty(\.music.length, { $0.isFinite && $0 >= 0 }) {
            $0.music.leastLength = $1
        },
        kSequenceTrackProperty_TimeResolution: TrackProperty(\.resolution, { $0 > 0 }) { $0.resolution = $1 },
    ]

    static func find(_ id: UInt32) throws -> TrackProperty {
        if id == kSequenceTrackProperty_AutomatedParameters { throw Refusal(kAudio_UnimplementedError) }
        guard let property = all[id] else { throw Refusal(kAudio_ParamError) }
        return property
    }
}

/// Sets a property of a track: loop, offset, mute, solo, length, resolution.
@_cdecl("MusicTrackSetProperty") @discardableResult public func MusicTrackSetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ inData: UnsafeMutableRawPointer, _ inLength: UInt32
) -> OSStatus {
    Handles.run(inTrack, TrackObject.self) { track in
        let isOfTempoTrack = [kSequenceTrackProperty_TrackLength, kSequenceTrackProperty_TimeResolution].contains(inPropertyID)
        if track === track.sequence?.tempoTrack, !isOfTempoTrack { throw Refusal(kAudio_ParamError) }
        let property = try TrackProperty.find(inPropertyID)
        // Programs pass 0 here, which Apple's takes for the size of the value.
        let size = inLength == 0 ? property.size : inLength
        if !property.set(track, size, inData) { throw Refusal(kAudio_ParamError) }
        track.sequence?.changed()
    }
}

/// Reads a property of a track; with no memory for it, its size.
@_cdecl("MusicTrackGetProperty") @discardableResult public func MusicTrackGetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ outData: UnsafeMutableRawPointer?, _ ioLength: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    Handles.run(inTrack, TrackObject.self) { track in
        let property = try TrackProperty.find(inPropertyID)
        // Programs pass 0 here, which Apple's takes for the size of what is asked for.
        if outData == nil || ioLength.pointee == 0 { ioLength.pointee = property.size }
        guard let outData else { return }
        try UnitFaults.check(PropertyAnswer.bytes(property.get(track)).give(ioLength, outData, tooSmall: kAudio_ParamError))
    }
}

/// Moves the events of a range of beats.
@_cdecl("MusicTrackMoveEvents") @discardableResult public func MusicTrackMoveEvents(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp, _ inMoveTime: MusicTimeStamp
) -> OSStatus {
    edit(inTrack, inStartTime, inEndTime) { music, range in
        guard inMoveTime.isFinite, range.lowerBound + inMoveTime >= 0 else { throw Refusal(kAudio_ParamError) }
        music.move(range, by: inMoveTime)
    }
}

/// Removes the events of a range; what follows stays.
@_cdecl("MusicTrackClear") @discardableResult public func MusicTrackClear(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus { edit(inTrack, inStartTime, inEndTime) { $0.clear($1) } }

/// Removes the events of a range, and the range.
@_cdecl("MusicTrackCut") @discardableResult public func MusicTrackCut(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus { edit(inTrack, inStartTime, inEndTime) { $0.cut($1) } }

/// Inserts a copy of a range of a track into another; what follows there comes later.
@_cdecl("MusicTrackCopyInsert") @discardableResult public func MusicTrackCopyInsert(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, inSourceStartTime, inSourceEndTime, inDestTrack, inDestInsertTime) { $0.insert($1, of: $2, at: $3) }
}

/// Adds a copy of a range of a track to what another has.
@_cdecl("MusicTrackMerge") @discardableResult public func MusicTrackMerge(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, inSourceStartTime, inSourceEndTime, inDestTrack, inDestInsertTime) { $0.merge($1, of: $2, at: $3) }
}

private func copy(
    _ source: MusicTrack, _ from: MusicTimeStamp, _ to: MusicTimeStamp, _ target: MusicTrack, _ beat: MusicTimeStamp,
    _ change: (inout EngineTrack, Range<Double>, EngineTrack, Double) -> Void
) -> OSStatus {
    Handles.run(source, TrackObject.self) { source in
        let range = try range(from, to)
        guard beat.isFinite, beat >= 0 else { throw Refusal(kAudio_ParamError) }
        guard let target = Handles.find(target, TrackObject.self) else { throw Refusal(kAudioToolboxErr_TrackNotFound) }
        let music = source.music
        change(&target.music, range, music, beat)
        target.sequence?.changed()
    }
}

private func edit(
    _ track: MusicTrack, _ from: MusicTimeStamp, _ to: MusicTimeStamp,
    _ change: (inout EngineTrack, Range<Double>) throws -> Void
) -> OSStatus {
    Handles.run(track, TrackObject.self) { track in
        try change(&track.music, range(from, to))
        track.sequence?.changed()
    }
}

private func range(_ from: MusicTimeStamp, _ to: MusicTimeStamp) throws -> Range<Double> {
    guard from.isFinite, to.isFinite, from <= to else { throw Refusal(kAudio_ParamError) }
    return from..<to
}
