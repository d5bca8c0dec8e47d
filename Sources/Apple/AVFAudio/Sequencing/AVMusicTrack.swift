/// Beats: quarter notes.
public typealias AVMusicTimeStamp = Double

/// Beyond every event.
public let AVMusicTimeStampEndOfTrack: AVMusicTimeStamp = .greatestFiniteMagnitude

/// A range of beats.
public struct AVBeatRange: Hashable, Sendable {
    public var start: AVMusicTimeStamp
    public var length: AVMusicTimeStamp

    public init() { self.init(start: 0, length: 0) }
    public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) { (self.start, self.length) = (start, length) }
}

/// A range of beats.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// A number of rounds.
public enum AVMusicTrackLoopCount: Int, Sendable { case forever = -1 }

/// Gets each event of a range with its beat. An event that it changes is changed in the track, a beat that it sets moves the
/// event, and the flag removes it.
public typealias AVMusicEventEnumerationBlock = (
    AVMusicEvent, UnsafeMutablePointer<AVMusicTimeStamp>, UnsafeMutablePointer<ObjCBool>
) -> Void

/// A track of a sequencer. Changes take effect while it sounds, and no key stays down.
open class AVMusicTrack: NSObject {
    let handle: MusicTrack
    private weak var sequencer: AVAudioSequencer?
    // Guarded by the lock of `Control`.
    private var state = State()

    private struct State {
        var unit: AVAudioUnit?
        var loopRange: AVBeatRange?
        var isLooping = false
        var rounds = AVMusicTrackLoopCount.forever.rawValue
    }

    init(_ handle: MusicTrack, of sequencer: AVAudioSequencer) { (self.handle, self.sequencer) = (handle, sequencer) }

    // MARK: - Where it is heard

    /// The unit that plays it; nil: the engine's first `AVAudioUnitMIDIInstrument`, or its endpoint.
    open var destinationAudioUnit: AVAudioUnit? {
        get { Control.run { state.unit } }
        set {
            let number = newValue.flatMap { sequencer?.number(of: $0) }
            Control.run { state.unit = newValue }
            refuse(MusicAccess.setDestination(number, nil, of: handle), "destinationAudioUnit")
        }
    }

    /// The MIDI endpoint that it is sent to; 0: none.
    open var destinationMIDIEndpoint: MIDIEndpointRef {
        get {
            var endpoint: MIDIEndpointRef = 0
            MusicTrackGetDestMIDIEndpoint(handle, &endpoint)
            return endpoint
        }
        set {
            Control.run { state.unit = nil }
            refuse(MusicAccess.setDestination(nil, newValue == 0 ? nil : newValue, of: handle), "destinationMIDIEndpoint")
        }
    }

    // MARK: - How it is played

    /// The beats that are repeated; the whole track until it is set.
    open var loopRange: AVBeatRange {
        get { Control.run { state.loopRange } ?? AVMakeBeatRange(0, lengthInBeats) }
        set { setLoop { $0.loopRange = newValue } }
    }

    /// True if the loop's range is repeated.
    open var isLoopingEnabled: Bool {
        get { Control.run { state.isLooping } }
        set { setLoop { $0.isLooping = newValue } }
    }

    /// Rounds of the loop, from 1; `AVMusicTrackLoopCount.forever` by default.
    open var numberOfLoops: Int {
        get { Control.run { state.rounds } }
        set { setLoop { $0.rounds = newValue } }
    }

    private func setLoop(_ change: (inout State) -> Void) {
        let next = Control.run { () -> State in
            change(&state)
            return state
        }
        guard let beats = (next.loopRange ?? loopRange).range, next.rounds == -1 || next.rounds > 0 else {
            return Refusal.write("AVMusicTrack: such a loop cannot be")
        }
        refuse(
            MusicAccess.setLoop(next.isLooping ? beats : nil, rounds: next.rounds > 0 ? next.rounds : nil, of: handle), "loop")
    }

    /// The beat at which it begins.
    open var offsetTime: AVMusicTimeStamp {
        get { property(kSequenceTrackProperty_OffsetTime, 0.0) }
        set { set(kSequenceTrackProperty_OffsetTime, newValue) }
    }

    /// True if it is not heard.
    open var isMuted: Bool {
        get { property(kSequenceTrackProperty_MuteStatus, UInt8(0)) != 0 }
        set { set(kSequenceTrackProperty_MuteStatus, UInt8(newValue ? 1 : 0)) }
    }

    /// True if only it and others of that kind are heard.
    open var isSoloed: Bool {
        get { property(kSequenceTrackProperty_SoloStatus, UInt8(0)) != 0 }
        set { set(kSequenceTrackProperty_SoloStatus, UInt8(newValue ? 1 : 0)) }
    }

    /// The end of its last event, or a later beat that was set.
    open var lengthInBeats: AVMusicTimeStamp {
        get { property(kSequenceTrackProperty_TrackLength, 0.0) }
        set { set(kSequenceTrackProperty_TrackLength, newValue) }
    }

    /// The same in seconds, by the tempo track.
    open var lengthInSeconds: TimeInterval {
        get { sequencer?.seconds(forBeats: lengthInBeats) ?? 0 }
        set { lengthInBeats = sequencer?.beats(forSeconds: newValue) ?? 0 }
    }

    /// Ticks of a beat in the file that it came from.
    open var timeResolution: Int { Int(property(kSequenceTrackProperty_TimeResolution, Int16(0))) }

    /// False: `kAudio_UnimplementedError`.
    open var usesAutomatedParameters: Bool {
        get { false }
        set { if newValue { refuse(kAudio_UnimplementedError, "usesAutomatedParameters") } }
    }

    private func property<Value: BitwiseCopyable>(_ id: UInt32, _ usual: Value) -> Value {
        var value = usual, size = UInt32(MemoryLayout<Value>.size)
        MusicTrackGetProperty(handle, id, &value, &size)
        return value
    }

    private func set<Value: BitwiseCopyable>(_ id: UInt32, _ value: Value) {
        var value = value
        refuse(MusicTrackSetProperty(handle, id, &value, UInt32(MemoryLayout<Value>.size)), "property \(id)")
    }

    private func refuse(_ status: OSStatus, _ call: String) { Refusal.write(status, "AVMusicTrack \(call)") }

    // MARK: - Events

    /// Adds an event at a beat. Tempos stand in the tempo track alone, and music does not.
    open func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
        let added = MusicAccess.Event(beat, event.type, event.bytes)
        refuse(MusicAccess.replaceEvents(of: handle, in: 0..<0, with: [added]), "addEvent")
    }

    /// Moves what begins in a range.
    open func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
        refuse(MusicTrackMoveEvents(handle, range.start, range.end, beatAmount), "moveEvents")
    }

    /// Removes what begins in a range; what follows stays.
    open func clearEvents(in range: AVBeatRange) { refuse(MusicTrackClear(handle, range.start, range.end), "clearEvents") }

    /// Removes what begins in a range, and the range.
    open func cutEvents(in range: AVBeatRange) { refuse(MusicTrackCut(handle, range.start, range.end), "cutEvents") }

    /// Inserts a copy of a range of a track; what follows comes later.
    open func copyEvents(in range: AVBeatRange, from sourceTrack: AVMusicTrack, insertAt insertStartBeat: AVMusicTimeStamp) {
        refuse(MusicTrackCopyInsert(sourceTrack.handle, range.start, range.end, handle, insertStartBeat), "copyEvents")
    }

    /// Adds a copy of a range of a track to what is there.
    open func copyAndMergeEvents(
        in range: AVBeatRange, from sourceTrack: AVMusicTrack, mergeAt mergeStartBeat: AVMusicTimeStamp
    ) {
        refuse(MusicTrackMerge(sourceTrack.handle, range.start, range.end, handle, mergeStartBeat), "copyAndMergeEvents")
    }

    /// Gives each event of a range to a block, in the order of their beats, and changes the track afterwards.
    open func enumerateEvents(in range: AVBeatRange, using block: AVMusicEventEnumerationBlock) {
        guard let beats = range.range else { return refuse(kAudio_ParamError, "enumerateEvents") }
        var hasChanged = false, kept: [MusicAccess.Event] = []
        for var event in MusicAccess.events(of: handle, in: beats) {
            guard let object = AVMusicEvent.made(of: event) else {
                kept.append(event)
                continue
            }
            var beat = event.beat, isRemoved = ObjCBool(false)
            block(object, &beat, &isRemoved)
            hasChanged = hasChanged || isRemoved.boolValue || beat != event.beat || object.bytes != event.bytes
            (event.beat, event.bytes) = (beat, object.bytes)
            if !isRemoved.boolValue { kept.append(event) }
        }
        if hasChanged { refuse(MusicAccess.replaceEvents(of: handle, in: beats, with: kept), "enumerateEvents") }
    }
}

extension AVBeatRange {
    /// Core Audio's end of a track is nearer than AVFAudio's.
    fileprivate var end: AVMusicTimeStamp { min(start + length, kMusicTimeStamp_EndOfTrack) }
    fileprivate var range: Range<Double>? { start.isFinite && start <= end ? start..<end : nil }
}
