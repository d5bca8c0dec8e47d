internal import Sequencer

/// Makes an empty sequence: no track but the tempo track.
@_cdecl("NewMusicSequence") @discardableResult
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>) -> OSStatus {
    outSequence.pointee = Handles.add(SequenceObject())
    return noErr
}

/// Disposes of a sequence and its tracks; not while a player has it.
@_cdecl("DisposeMusicSequence") @discardableResult public func DisposeMusicSequence(_ inSequence: MusicSequence) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        if !sequence.players.isEmpty { throw Refusal(kAudioToolboxErr_CannotDoInCurrentContext) }
        _ = Handles.remove(inSequence, SequenceObject.self)
        for track in sequence.tracks + [sequence.tempoTrack] { _ = Handles.remove(track.ownHandle, TrackObject.self) }
    }
}

/// Adds an empty track after the others.
@_cdecl("MusicSequenceNewTrack") @discardableResult public func MusicSequenceNewTrack(
    _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        outTrack.pointee = sequence.addTrack().ownHandle
        sequence.changed()
    }
}

/// Removes a track: its notes end.
@_cdecl("MusicSequenceDisposeTrack") @discardableResult
public func MusicSequenceDisposeTrack(_ inSequence: MusicSequence, _ inTrack: MusicTrack) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        sequence.tracks.remove(at: try sequence.place(of: inTrack))
        _ = Handles.remove(inTrack, TrackObject.self)
        sequence.changed()
    }
}

/// The number of tracks, the tempo track left out.
@_cdecl("MusicSequenceGetTrackCount") @discardableResult public func MusicSequenceGetTrackCount(
    _ inSequence: MusicSequence, _ outNumberOfTracks: UnsafeMutablePointer<UInt32>
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { outNumberOfTracks.pointee = UInt32($0.tracks.count) } }

/// The track at a place, counted from 0.
@_cdecl("MusicSequenceGetIndTrack") @discardableResult public func MusicSequenceGetIndTrack(
    _ inSequence: MusicSequence, _ inTrackIndex: UInt32, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        outTrack.pointee = sequence.track(Int(inTrackIndex))?.ownHandle
        if outTrack.pointee == nil { throw Refusal(kAudioToolboxErr_TrackIndexError) }
    }
}

/// The place of a track, counted from 0.
@_cdecl("MusicSequenceGetTrackIndex") @discardableResult public func MusicSequenceGetTrackIndex(
    _ inSequence: MusicSequence, _ inTrack: MusicTrack, _ outTrackIndex: UnsafeMutablePointer<UInt32>
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { outTrackIndex.pointee = UInt32(try $0.place(of: inTrack)) } }

/// The track of tempos and time signatures.
@_cdecl("MusicSequenceGetTempoTrack") @discardableResult public func MusicSequenceGetTempoTrack(
    _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { outTrack.pointee = $0.tempoTrack.ownHandle } }

/// The graph whose units play the tracks; nil: the SoundFont that `carillon` would choose.
@_cdecl("MusicSequenceSetAUGraph") @discardableResult
public func MusicSequenceSetAUGraph(_ inSequence: MusicSequence, _ inGraph: AUGraph?) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        if let inGraph, Handles.find(inGraph, GraphObject.self) == nil { throw Refusal(kAudio_ParamError) }
        if sequence.isPlayed { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        sequence.graph = inGraph
        for track in sequence.tracks { (track.node, track.endpoint) = (nil, nil) }
        for player in sequence.players { player.release() }
    }
}

/// The graph that was set; nil if none was.
@_cdecl("MusicSequenceGetAUGraph") @discardableResult public func MusicSequenceGetAUGraph(
    _ inSequence: MusicSequence, _ outGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { outGraph.pointee = $0.graph } }

/// Sends all tracks to a MIDI endpoint.
@_cdecl("MusicSequenceSetMIDIEndpoint") @discardableResult public func MusicSequenceSetMIDIEndpoint(
    _ inSequence: MusicSequence, _ inEndpoint: MIDIEndpointRef
) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        if sequence.isPlayed { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        for track in sequence.tracks { (track.node, track.endpoint) = (nil, inEndpoint) }
        sequence.changed()
    }
}

/// What the time stamps of a sequence count, before it has events. Samples are not supported.
@_cdecl("MusicSequenceSetSequenceType") @discardableResult
public func MusicSequenceSetSequenceType(_ inSequence: MusicSequence, _ inType: MusicSequenceType)
    -> OSStatus
{
    Handles.run(inSequence, SequenceObject.self) { sequence in
        if inType == sequence.type { return }
        let isEmpty = sequence.tempoTrack.music.events.allSatisfy { if case .tempo = $0.kind { false } else { true } }
        switch inType {
        case .beats: sequence.tempoTrack.music.clear(0..<1e-9)
        case .seconds:
            if !isEmpty { throw Refusal(kAudioToolboxErr_InvalidSequenceType) }
            sequence.tempoTrack.music.add(EngineEvent(0, .tempo(60)))
        case .samples: throw Refusal(kAudio_UnimplementedError)
        @unknown default: throw Refusal(kAudioToolboxErr_InvalidSequenceType)
        }
        sequence.type = inType
        sequence.changed()
    }
}

/// What the time stamps of a sequence count.
@_cdecl("MusicSequenceGetSequenceType") @discardableResult public func MusicSequenceGetSequenceType(
    _ inSequence: MusicSequence, _ outType: UnsafeMutablePointer<MusicSequenceType>
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { outType.pointee = $0.type } }

/// Calls a function for each user event that is played; nil: none.
@_cdecl("MusicSequenceSetUserCallback") @discardableResult public func MusicSequenceSetUserCallback(
    _ inSequence: MusicSequence, _ inCallback: MusicSequenceUserCallback?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus { Handles.run(inSequence, SequenceObject.self) { $0.callback = inCallback.map { ($0, inClientData) } } }

/// Seconds from the beginning to a beat, by the tempo track.
@_cdecl("MusicSequenceGetSecondsForBeats") @discardableResult public func MusicSequenceGetSecondsForBeats(
    _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp, _ outSeconds: UnsafeMutablePointer<Float64>
) -> OSStatus {
    guard inBeats.isFinite else { return kAudio_ParamError }
    return Handles.run(inSequence, SequenceObject.self) { outSeconds.pointee = $0.map.seconds(ofBeat: inBeats) }
}

/// The beat after so many seconds, by the tempo track.
@_cdecl("MusicSequenceGetBeatsForSeconds") @discardableResult public func MusicSequenceGetBeatsForSeconds(
    _ inSequence: MusicSequence, _ inSeconds: Float64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    guard inSeconds.isFinite else { return kAudio_ParamError }
    return Handles.run(inSequence, SequenceObject.self) { outBeats.pointee = $0.map.beat(atSeconds: inSeconds) }
}

/// Bar, beat and part of a beat, counted from 1, by the time signatures of the tempo track.
@_cdecl("MusicSequenceBeatsToBarBeatTime") @discardableResult public func MusicSequenceBeatsToBarBeatTime(
    _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp, _ inSubbeatDivisor: UInt32,
    _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>
) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        guard inBeats.isFinite, inBeats >= 0, (1...65_535).contains(inSubbeatDivisor) else { throw Refusal(kAudio_ParamError) }
        let place = sequence.map.bar(atBeat: inBeats), whole = (place.beat + 1e-9).rounded(.down)
        let part = max(place.beat - whole, 0) * Double(inSubbeatDivisor)
        outBarBeatTime.pointee = CABarBeatTime(
            bar: Int32(clamping: place.bar), beat: UInt16(whole), subbeat: UInt16(min((part + 1e-6), 65_535)),
            subbeatDivisor: UInt16(inSubbeatDivisor), reserved: 0)
    }
}

/// The beat of a bar, a beat and a part of it.
@_cdecl("MusicSequenceBarBeatTimeToBeats") @discardableResult public func MusicSequenceBarBeatTimeToBeats(
    _ inSequence: MusicSequence, _ inBarBeatTime: UnsafePointer<CABarBeatTime>, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        let time = inBarBeatTime.pointee
        let isSound = time.bar >= 1 && time.beat >= 1 && (time.subbeatDivisor > 0 || time.subbeat == 0)
        guard isSound else { throw Refusal(kAudio_ParamError) }
        let bar = sequence.map.beat(ofBar: Int64(time.bar)), part = Double(time.subbeat) / Double(max(time.subbeatDivisor, 1))
        outBeats.pointee = bar.beat + (Double(time.beat) - 1 + part) * 4 / Double(bar.meter.denominator)
    }
}

/// Turns all events round, so that the end becomes the beginning.
@_cdecl("MusicSequenceReverse") @discardableResult public func MusicSequenceReverse(_ inSequence: MusicSequence) -> OSStatus {
    Handles.run(inSequence, SequenceObject.self) { sequence in
        let end = sequence.tracks.reduce(sequence.tempoTrack.music.length) { max($0, $1.music.length) }
        for track in sequence.tracks { track.music.reverse(end) { event, _ in end - event.end } }
        // A tempo holds up to the next one: turned round it begins there.
        sequence.tempoTrack.music.reverse(end) { event, next in
            if case .tempo = event.kind { end - (next ?? end) } else { end - event.beat }
        }
        sequence.changed()
    }
}

extension EngineTrack {
    fileprivate mutating func reverse(_ end: Double, _ place: (EngineEvent, Double?) -> Double) {
        let old = events, tempos = old.indices.filter { if case .tempo = old[$0].kind { true } else { false } }
        clear(-1e9..<2e9)
        for (index, event) in old.enumerated().reversed() {
            let next = tempos.first { $0 > index }.map { old[$0].beat }
            add(EngineEvent(max(place(event, next), 0), event.kind))
        }
        leastLength = end
    }
}

/// What a sequence says of itself: its title, as the name of its first track.
public func MusicSequenceGetInfoDictionary(_ inSequence: MusicSequence) -> CFDictionary {
    var info: [String: Any] = [:]
    _ = Handles.run(inSequence, SequenceObject.self) { sequence in
        let names = ([sequence.tempoTrack] + sequence.tracks).map(\.music.name)
        if let title = names.first(where: { !$0.isEmpty }) { info["title"] = title }
        info["tempo"] = sequence.map.tempo(atBeat: 0)
    }
    return NSDictionary(dictionary: info)
}

/// A division of frames of film for `MusicSequenceFileCreate`: the negative rate above the ticks.
@_cdecl("MusicSequenceSetSMPTEResolution") public func MusicSequenceSetSMPTEResolution(_ fps: Int8, _ ticks: UInt8) -> Int16 {
    Int16(truncatingIfNeeded: Int(0 &- fps) << 8 | Int(ticks))
}

/// Takes such a division apart.
@_cdecl("MusicSequenceGetSMPTEResolution") public func MusicSequenceGetSMPTEResolution(
    _ inRes: Int16, _ fps: UnsafeMutablePointer<Int8>, _ ticks: UnsafeMutablePointer<UInt8>
) {
    fps.pointee = Int8(truncatingIfNeeded: inRes >> 8)
    ticks.pointee = UInt8(truncatingIfNeeded: inRes)
}
