// [render]
import MIDI
import RealtimeCore

/// The event that starts a player by itself, on its frame: a song's beginning, or a key.
///
/// A song's beginning is found from its position messages. The song sends its position when it begins, resumes, jumps and
/// loops, and when its speed changes; each is compared with the position that was expected.
struct PlayerStart: BitwiseCopyable {
    enum Mode: UInt8, BitwiseCopyable {
        /// The first slice, or the owner of the feed.
        case patch
        case song, key
    }

    enum Action: BitwiseCopyable {
        case nothing
        /// The file's first frame is the next, at a level.
        case begin(Float)
        /// The file goes to this frame of the song.
        case seek(Int32)
        case resume
        case pause
        case stop
    }

    let mode: Mode
    /// True if the file plays again and again, and so for as long as its key is held.
    private let loops: Bool
    private let sampleRate: Double
    private var clock = MusicClock()
    /// The beat of the song before the messages being sent, below 0 for none; whether messages are being sent; and the frame
    /// of the song that was sent with them, below 0 for none.
    private var expected: Double = -1
    private var isSaid = false
    private var frame: Int32 = -1
    /// The beat at which the song stands still; below 0 for none.
    private var held: Double = -1
    /// The key that it plays for: its part and its number; below 0 for none.
    private var key = -1

    init(_ mode: Mode, loops: Bool, sampleRate: Double) {
        (self.mode, self.loops, self.sampleRate) = (mode, loops, sampleRate)
    }

    var restsBetweenKeys: Bool { @_noLocks get { mode == .key } }

    /// Plays for no key. The song's position is not the unit's, and stays.
    @_noLocks mutating func reset() { key = -1 }

    @_noLocks mutating func hear(_ event: MusicEvent, at now: SampleTime) -> Action {
        switch event {
        case .time(let said): mode == .song ? follow(said, at: now) : .nothing
        case .message(let message): mode == .key ? play(message) : .nothing
        case .reset: mode == .key ? .stop : .nothing
        default: .nothing
        }
    }

    @_noLocks private mutating func follow(_ said: MusicalTime, at now: SampleTime) -> Action {
        if !isSaid { (expected, isSaid, frame) = (beats(at: now), true, -1) }
        clock.follow(said, at: now, sampleRate: sampleRate)
        switch said {
        case .tempo, .meter, .beat: return .nothing
        case .frame(let frame):
            self.frame = max(frame, 0)
            return .nothing
        case .place:
            isSaid = false
            // A change within the song sends no frame.
            return frame < 0 ? .nothing : place(at: now)
        case .stopped:
            isSaid = false
            if expected >= 0 { held = expected }
            return .pause
        }
    }

    @_noLocks private mutating func place(at now: SampleTime) -> Action {
        let before = expected >= 0 ? expected : held, wasHeld = expected < 0
        held = -1
        if frame == 0 { return .begin(1) }
        // At another speed the same beat is at another frame.
        if before >= 0, (beats(at: now) - before).magnitude < 1.0 / 32 { return wasHeld ? .resume : .nothing }
        return .seek(frame)
    }

    /// The song's beat, from its beginning on; below 0 while it stands still.
    @_noLocks private func beats(at now: SampleTime) -> Double {
        guard let place = clock.place(at: now, sampleRate: sampleRate) else { return -1 }
        return Double(clock.beat) + Double(place) / Double(clock.meter.partsPerBeat)
    }

    @_noLocks private mutating func play(_ message: MIDIMessage) -> Action {
        let key = message.part &* 128 &+ Int(message.data1 & 127)
        switch message.kind {
        case .noteOn where message.data2 > 0:
            self.key = key
            let force = Float(message.data2 & 127) / 127
            return .begin(force * force)
        case .noteOn, .noteOff: return self.key == key ? release() : .nothing
        case .controlChange where self.key >> 7 == message.part:
            // All sound off; all notes off, and what counts as that.
            if message.data1 == 120 { return .stop }
            return message.data1 >= 123 ? release() : .nothing
        default: return .nothing
        }
    }

    /// Handles the release of the key: a loop ends, and a file that plays once plays to its end.
    @_noLocks private mutating func release() -> Action {
        if !loops { return .nothing }
        key = -1
        return .stop
    }
}
