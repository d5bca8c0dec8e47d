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

    var music: TrackObject? { track?.ownHandle == nil ? nil : track }

    var isAtEvent: Bool { music?.music.events.indices.contains(place) ?? false }

    func event() throws -> EngineEvent {
        guard let music, isAtEvent else { throw Refusal(kAudioToolboxErr_EndOfTrack) }
        return music.music.events[place]
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
@_cdecl("NewMusicEventIterator") @discardableResult public func NewMusicEventIterator(
    _ inTrack: MusicTrack, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>
) -> OSStatus {
    outIterator.pointee = nil
    return Handles.run(inTrack, TrackObject.self) { outIterator.pointee = Handles.add(IteratorObject($0)) }
}

/// Disposes of an iterator.
@_cdecl("DisposeMusicEventIterator") @discardableResult
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator) -> OSStatus {
    Handles.remove(inIterator, IteratorObject.self) == nil ? kAudio_ParamError : noErr
}

/// Goes to the first event at a beat or later; `kMusicTimeStamp_EndOfTrack`: after the last one.
@_cdecl("MusicEventIteratorSeek") @discardableResult
public func MusicEventIteratorSeek(_ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp)
    -> OSStatus
{
    use(inIterator) { iterator, track in
        if inTimeStamp.isNaN { throw Refusal(kAudio_ParamError) }
        iterator.place = track.music.places(in: -1e9..<max(inTimeStamp, -1e9)).upperBound
    }
}

/// Goes to the next event, or after the last one.
@_cdecl("MusicEventIteratorNextEvent") @discardableResult
public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        guard iterator.place < track.music.events.count else { throw Refusal(kAudioToolboxErr_EndOfTrack) }
        iterator.place += 1
    }
}

/// Goes to the event before.
@_cdecl("MusicEventIteratorPreviousEvent") @discardableResult
public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        iterator.place = min(iterator.place, track.music.events.count)
        guard iterator.place > 0 else { throw Refusal(kAudioToolboxErr_StartOfTrack) }
        iterator.place -= 1
    }
}

/// The beat, the type and the struct of the event; the struct is valid until the next call on this iterator.
@_cdecl("MusicEventIteratorGetEventInfo") @discardableResult public func MusicEventIteratorGetEventInfo(
    _ inIterator: MusicEventIterator, _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>,
    _ outEventType: UnsafeMutablePointer<MusicEventType>, _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>,
    _ outEventDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    use(inIterator) { iterator, _ in
        let event = try iterator.event(), (type, bytes) = MusicEventData.data(event.kind)
        (outTimeStamp.pointee, outEventType.pointee) = (event.beat, type)
        outEventData.pointee = iterator.keep(bytes)
        outEventDataSize.pointee = UInt32(bytes.count)
    }
}

/// Puts another event at the beat of the one.
@_cdecl("MusicEventIteratorSetEventInfo") @discardableResult public func MusicEventIteratorSetEventInfo(
    _ inIterator: MusicEventIterator, _ inEventType: MusicEventType, _ inEventData: UnsafeRawPointer
) -> OSStatus {
    use(inIterator) { iterator, track in
        let beat = try iterator.event().beat
        track.music.replace(at: iterator.place, with: EngineEvent(beat, try track.kind(inEventType, inEventData)))
        track.sequence?.changed()
    }
}

/// Moves the event to another beat; the iterator goes with it.
@_cdecl("MusicEventIteratorSetEventTime") @discardableResult public func MusicEventIteratorSetEventTime(
    _ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
    use(inIterator) { iterator, track in
        let kind = try iterator.event().kind, event = EngineEvent(try MusicEventData.beat(inTimeStamp), kind)
        iterator.place = track.music.replace(at: iterator.place, with: event) ?? iterator.place
        track.sequence?.changed()
    }
}

/// Removes the event; the iterator stands at the one after it.
@_cdecl("MusicEventIteratorDeleteEvent") @discardableResult
public func MusicEventIteratorDeleteEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    use(inIterator) { iterator, track in
        _ = try iterator.event()
        track.music.remove(at: iterator.place)
        track.sequence?.changed()
    }
}

/// Whether there is an event before.
@_cdecl("MusicEventIteratorHasPreviousEvent") @discardableResult public func MusicEventIteratorHasPreviousEvent(
    _ inIterator: MusicEventIterator, _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { use(inIterator) { outHasPrevEvent.pointee = DarwinBoolean($0.place > 0 && !$1.music.events.isEmpty) } }

/// Whether there is an event after the one.
@_cdecl("MusicEventIteratorHasNextEvent") @discardableResult public func MusicEventIteratorHasNextEvent(
    _ inIterator: MusicEventIterator, _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { use(inIterator) { outHasNextEvent.pointee = DarwinBoolean($0.place + 1 < $1.music.events.count) } }

/// Whether the iterator stands at an event.
@_cdecl("MusicEventIteratorHasCurrentEvent") @discardableResult public func MusicEventIteratorHasCurrentEvent(
    _ inIterator: MusicEventIterator, _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { use(inIterator) { iterator, _ in outHasCurEvent.pointee = DarwinBoolean(iterator.isAtEvent) } }

private func use(_ handle: MusicEventIterator, _ body: (IteratorObject, TrackObject) throws -> Void) -> OSStatus {
    Handles.run(handle, IteratorObject.self) { iterator in
        guard let track = iterator.music else { throw Refusal(kAudioToolboxErr_TrackNotFound) }
        try body(iterator, track)
    }
}
