// [render]
import MIDI
import RealtimeCore

/// The position of the music that a unit follows, as far as it was sent.
///
/// It belongs to the music and not to the unit: a reset of the unit leaves it alone.
struct SongPlace: BitwiseCopyable {
    /// The sample time at which the place would have been 0 at the tempo of now; nil while the unit counts alone.
    private(set) var origin: Double?
    /// The meter that was sent last, and the number of the bar at place 0, from 0 on.
    private(set) var meter = Meter.common
    private(set) var bar: Int32 = 0
    /// The place that was sent last and is to be counted from with the next frame; below 0 for none.
    private var received: Int32 = -1

    @_noLocks init() {}

    /// Takes in a message, which holds from the next frame on.
    @_noLocks mutating func follow(_ time: MusicalTime) {
        switch time {
        case .tempo, .beat, .frame: break
        case .meter(let bar, let meter): (self.bar, self.meter) = (bar, meter)
        case .place(let place): received = max(place, 0)
        case .stopped:
            received = -1
            origin = nil
        }
    }

    /// Returns true if a position was sent since the last call: it counts from `now` on. A quarter note takes `quarter` frames.
    @_noLocks mutating func begins(at now: SampleTime, quarter: Double) -> Bool {
        if received < 0 { return false }
        origin = Double(now.rawValue) - Double(received) / Double(MusicalTime.partsPerQuarter) * quarter
        received = -1
        return true
    }

    /// The place of the music at a frame, in parts of a quarter note; nil while the unit counts alone.
    @_noLocks func parts(at now: SampleTime, quarter: Double) -> Int64? {
        guard let origin else { return nil }
        return Int64((Double(now.rawValue) - origin) / quarter * Double(MusicalTime.partsPerQuarter) + 0.5)
    }
}
