// [render]
import RealtimeCore

/// The position of the music at any time, after the last message about it.
@frozen public struct MusicClock: BitwiseCopyable, Sendable {
    /// Quarter notes a minute, as fast as it is played.
    public private(set) var tempo: Float = 120
    /// The meter, and the numbers of the bar and of the beat at place 0.
    public private(set) var meter = Meter.common
    public private(set) var bar: Int32 = 0, beat: Int32 = 0
    /// The number of messages so far.
    public private(set) var timesSaid: UInt32 = 0
    /// The place at `time`, in parts of a quarter note; below 0 while the music stands still.
    private var place: Double = -1
    private var time = SampleTime.zero
    /// The sample time at which the music's own frame would have been 0.
    private var origin = SampleTime.zero

    /// Creates a clock before the first message.
    @_noLocks public init() {}

    /// Takes in a message that takes effect at `time`, never before the last one.
    @_noLocks public mutating func follow(_ said: MusicalTime, at time: SampleTime, sampleRate: Double) {
        place = parts(at: time, sampleRate: sampleRate)
        self.time = time
        timesSaid &+= 1
        switch said {
        case .tempo(let tempo): if tempo > 0 { self.tempo = tempo }
        case .meter(let bar, let meter): (self.bar, self.meter) = (bar, meter)
        case .beat(let beat): self.beat = beat
        case .frame(let frame): origin = time + (0 &- Int(frame))
        case .place(let place): self.place = Double(max(place, 0))
        case .stopped: place = -1
        }
    }

    /// Returns the place at a time not before the last message's; nil while the music stands still.
    @_noLocks public func place(at time: SampleTime, sampleRate: Double) -> Int32? {
        let parts = parts(at: time, sampleRate: sampleRate)
        return parts < 0 ? nil : Int32(truncatingIfNeeded: Int64(parts + 0.5) % MusicalTime.partsPerRound)
    }

    /// Returns the number of frames from the beginning of the music to a time, which may not be before the last message's.
    @_noLocks public func frame(at time: SampleTime) -> Int { max(time - origin, 0) }

    /// The number of messages of `saying`.
    public static var sayings: Int { @_noLocks get { 5 } }

    /// Returns the messages, one after the other, for a follower that has had none of them, for a time not before the last
    /// message's.
    @_noLocks public func saying(_ number: Int, at time: SampleTime, sampleRate: Double) -> MusicalTime {
        switch number {
        case 0: return .tempo(tempo)
        case 1: return .meter(bar: bar, meter)
        case 2: return .beat(beat)
        case 3: return .frame(Int32(truncatingIfNeeded: min(frame(at: time), Int(Int32.max))))
        default:
            if let place = place(at: time, sampleRate: sampleRate) { return .place(place) }
            return .stopped
        }
    }

    @_noLocks private func parts(at time: SampleTime, sampleRate: Double) -> Double {
        if place < 0 { return -1 }
        let perFrame = Double(tempo) / 60 * Double(MusicalTime.partsPerQuarter) / sampleRate
        let parts = place + Double(time - self.time) * perFrame
        // What no song reaches.
        return parts < 1e15 ? parts : 0
    }
}
