internal import Sequencer

/// What stands behind a MusicEventIterator: a place in a track, before, at or after its events.
final class IteratorObject: HandledObject, @unchecked Sendable {
    private weak var track: TrackObject?
    var place = 0
    /// The struct of the event that was asked for last: its address is the program's until the next call.
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)

    init(_ track: TrackObject) {
        self.track = track
        super.init(using: MusicCalls.shared)
    }

    deinit { memory.deallocate() }

    /// The track; nil once it is disposed of.
    var music: TrackObject? { track?.handle.flatMap { Handles.find($0, TrackObject.self) } }

    var event: EngineEvent? {
        guard let events = music?.music.events, events.indices.contains(place) else { return nil }
        return events[place]
    }

    func keep(_ bytes: [UInt8]) -> UnsafeRawPointer? {
        memory.deallocate()
        // A struct with one byte of data has room for it.
        memory = .allocate(byteCount: bytes.count + 8, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        memory.copyBytes(from: bytes)
        return UnsafeRawPointer(memory.baseAddress)
    }
}

/// Makes an iterator that stands at the first event of a track.
@discardableResult public func NewMusicEventIterator(
    _ inTrack: MusicTrack, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>
) -> OSStatus {
    outIterator.pointee = nil
    return MusicCalls.use(inTrack, TrackObject.self) { track in
        outIterator.pointee = Handles.add(IteratorObject(track))
        return noErr
    }
}

/// Disposes of an iterator.
@discardableResult public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator) -> OSStatus {
    Handles.remove(inIterator, IteratorObject.self) == nil ? kAudio_ParamError : noErr
}

/// Goes to the first event at a beat or later; `kMusicTimeStamp_EndOfTrack`: after the last one.
@discardableResult public func MusicEventIteratorSeek(_ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp) -> OSStatus
{
    use(inIterator) { iterator, track in
        if inTimeStamp.isNaN { return kAudio_ParamError }
        iterator.place = track.music.places(in: -1e9..<max(inTimeStamp, -1e9)).upperBound
        return noErr
    }
}

/// Goes to the next event, or after the last one.
@discardableResult public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        guard iterator.place < track.music.events.count else { return kAudioToolboxErr_EndOfTrack }
        iterator.place += 1
        return noErr
    }
}

/// Goes to the event before.
@discardableResult public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        iterator.place = min(iterator.place, track.music.events.count)
        guard iterator.place > 0 else { return kAudioToolboxErr_StartOfTrack }
        iterator.place -= 1
        return noErr
    }
}

/// The beat, the type and the struct of the event; the struct is valid until the next call on this iterator.
@discardableResult public func MusicEventIteratorGetEventInfo(
    _ inIterator: MusicEventIterator, _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>,
    _ outEventType: UnsafeMutablePointer<MusicEventType>, _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>,
    _ outEventDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    use(inIterator) { iterator, _ in
        guard let event = iterator.event else { return kAudioToolboxErr_EndOfTrack }
        let (type, bytes) = MusicEventData.data(event.kind)
        (outTimeStamp.pointee, outEventType.pointee) = (event.beat, type)
        outEventData.pointee = iterator.keep(bytes)
        outEventDataSize.pointee = UInt32(bytes.count)
        return noErr
    }
}

/// Puts another event at the beat of the one.
@discardableResult public func MusicEventIteratorSetEventInfo(
    _ inIterator: MusicEventIterator, _ inEventType: MusicEventType, _ inEventData: UnsafeRawPointer
) -> OSStatus {
    use(inIterator) { iterator, track in
        guard let event = iterator.event else { return kAudioToolboxErr_EndOfTrack }
        guard let kind = MusicEventData.kind(inEventType, inEventData), track.holds(kind) else {
            return kAudioToolboxErr_InvalidEventType
        }
        track.music.replace(at: iterator.place, with: EngineEvent(event.beat, kind))
        return changed(track)
    }
}

/// Moves the event to another beat; the iterator goes with it.
@discardableResult public func MusicEventIteratorSetEventTime(
    _ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
    use(inIterator) { iterator, track in
        guard let event = iterator.event else { return kAudioToolboxErr_EndOfTrack }
        guard inTimeStamp.isFinite, inTimeStamp >= 0, inTimeStamp < kMusicTimeStamp_EndOfTrack else { return kAudio_ParamError }
        iterator.place = track.music.replace(at: iterator.place, with: EngineEvent(inTimeStamp, event.kind)) ?? iterator.place
        return changed(track)
    }
}

/// Removes the event; the iterator stands at the one after it.
@discardableResult public func MusicEventIteratorDeleteEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        guard iterator.event != nil else { return kAudioToolboxErr_EndOfTrack }
        track.music.remove(at: iterator.place)
        return changed(track)
    }
}

/// Whether there is an event before.
@discardableResult public func MusicEventIteratorHasPreviousEvent(
    _ inIterator: MusicEventIterator, _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    use(inIterator) { iterator, track in
        outHasPrevEvent.pointee = DarwinBoolean(iterator.place > 0 && !track.music.events.isEmpty)
        return noErr
    }
}

/// Whether there is an event after the one.
@discardableResult public func MusicEventIteratorHasNextEvent(
    _ inIterator: MusicEventIterator, _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    use(inIterator) { iterator, track in
        outHasNextEvent.pointee = DarwinBoolean(iterator.place + 1 < track.music.events.count)
        return noErr
    }
}

/// Whether the iterator stands at an event.
@discardableResult public func MusicEventIteratorHasCurrentEvent(
    _ inIterator: MusicEventIterator, _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    use(inIterator) { iterator, _ in
        outHasCurEvent.pointee = DarwinBoolean(iterator.event != nil)
        return noErr
    }
}

private func use(_ handle: MusicEventIterator, _ body: (IteratorObject, TrackObject) -> OSStatus) -> OSStatus {
    MusicCalls.use(handle, IteratorObject.self) { iterator in
        guard let track = iterator.music else { return kAudioToolboxErr_TrackNotFound }
        return body(iterator, track)
    }
}
