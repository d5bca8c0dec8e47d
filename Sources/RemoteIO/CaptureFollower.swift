import CRealtime
import DSP
import RealtimeCore

/// What a `CaptureFollower` goes by.
private enum Following {
    /// Seconds in which half of what is left of an error goes.
    static var patience: Double { @_noLocks get { 2 } }
    /// How much faster or slower than both clocks say it reads at most, to mend an error: a sixth of a cent.
    static var lean: Double { @_noLocks get { 0.0001 } }
    /// An error, seconds, that no clock makes: one of the devices lost time, and the place is taken anew.
    static var leap: Double { @_noLocks get { 0.02 } }
    /// Frames of the ring, a power of two, and those that are made at a time.
    static var room: Int { @_noLocks get { 32_768 } }
    static var piece: Int { @_noLocks get { 256 } }
}

/// What a capture device with a clock of its own gives, in the time of the device that plays.
///
/// Two crystals are never equally fast: 100 parts per million are 5 frames a second. Both clocks are measured (`DeviceClock`),
/// and what is captured is read at the place that the capture device had when the other one played the frame: by a sinc
/// between its frames, at a speed that leans towards that place and never jumps to it. So no frame is lost or made up, and what
/// is captured at sample time t is stamped t. Source: F. Adriaensen, "Controlling adaptive resampling", Linux Audio Conference
/// 2012.
package final class CaptureFollower {
    private struct State {
        var clock: DeviceClock
        /// Frames that the device has given, and the place that is read next: a frame, and the part of one behind it.
        var written: Int64 = 0
        var place: Int64 = 0, fraction = 0.0
        /// The sample time of what is made next; whether there is one.
        var time = SampleTime.zero
        var hasBegun = false
        var slips = 0
    }

    private let state: UnsafeMutablePointer<State>
    private let interpolator: UnsafeMutablePointer<SincInterpolator>
    /// The ring twice, one copy behind the other, so that a window into it never wraps.
    private let ring: AudioBuffer, made: AudioBuffer
    private let ringPlanes: UnsafePointer<UnsafeMutablePointer<Float>>, madePlanes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let channels: Int
    private let sampleRate: Double

    /// A follower of a device of so many channels, both nominally at `sampleRate`. Made where nothing is rendered.
    package init(channels: Int, sampleRate: Int) {
        self.channels = channels
        self.sampleRate = Double(sampleRate)
        ring = AudioBuffer(channels: channels, capacity: 2 * Following.room)
        made = AudioBuffer(channels: channels, capacity: Following.piece)
        (ringPlanes, madePlanes) = (ring.channels, made.channels)
        state = .allocate(capacity: 1)
        state.initialize(to: State(clock: DeviceClock(sampleRate: Double(sampleRate), latency: 0)))
        interpolator = .allocate(capacity: 1)
        interpolator.initialize(to: SincInterpolator())
    }

    deinit {
        state.deallocate()
        interpolator.deinitialize(count: 1)
        interpolator.deallocate()
    }

    /// Frames by which what it makes may lie behind what was captured, beyond what both devices take: the sinc's reach.
    package static let latency = 64

    // [render]

    /// How much faster than the other clock the device's is, parts per million; 0 before both are known.
    @_noLocks func drift(against playing: DeviceTime) -> Double {
        state.pointee.hasBegun ? (state.pointee.clock.rate / playing.framesPerNanosecond - 1) * 1e6 : 0
    }

    /// Times that the place was taken anew.
    var slips: Int { @_noLocks get { state.pointee.slips } }

    /// Forgets the place: one of the devices has stopped.
    @_noLocks func interrupt() { state.pointee.hasBegun = false }

    /// Forgets where the device's pointer was, too: it has started over.
    @_noLocks func restart() {
        state.pointee.hasBegun = false
        state.pointee.clock.reanchor()
    }

    /// Takes a look at the device: at `moment`, nanoseconds, it had captured `waiting` frames more than it has given.
    @_noLocks func observe(_ moment: Int64, waiting: Int64) {
        state.pointee.clock.update(time: moment, pointer: state.pointee.written &+ waiting)
    }

    /// Takes what the device has captured, at most a piece.
    @_noLocks func take(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        let at = Int(state.pointee.written & Int64(Following.room &- 1)), first = min(frames, Following.room &- at)
        for channel in 0..<channels {
            let to = ringPlanes[channel], from = planes[channel]
            for copy in 0..<2 {
                let lap = to + copy &* Following.room
                rt_copy(lap + at, from, first)
                if first < frames { rt_copy(lap, from + first, frames &- first) }
            }
        }
        state.pointee.written &+= Int64(frames)
    }

    /// Makes the next piece for the device that plays as `playing` says. Returns its frames, 0 where there are not enough yet.
    @_noLocks func make(
        _ playing: DeviceTime
    ) -> (frames: Int, time: SampleTime, planes: UnsafePointer<UnsafeMutablePointer<Float>>) {
        if !state.pointee.clock.hasAnchor { return (0, state.pointee.time, madePlanes) }
        let reach = Int64(SincInterpolator.reach(1)), clock = state.pointee.clock.time
        if !state.pointee.hasBegun {
            // From what has just been captured on.
            let newest = clock.nanoseconds(at: SampleTime(state.pointee.written &- reach))
            begin(at: playing.sampleTime(atNanoseconds: newest), playing, clock)
        }
        let (target, part) = clock.place(atNanoseconds: playing.nanoseconds(at: state.pointee.time))
        var error = Double(target &- state.pointee.place) + part - state.pointee.fraction
        if abs(error) > Following.leap * sampleRate {
            state.pointee.slips &+= 1
            begin(at: state.pointee.time, playing, clock)
            error = 0
        }
        let lean = min(max(error / (Following.patience * 1.4427 * sampleRate), -Following.lean), Following.lean)
        let speed = clock.framesPerNanosecond / playing.framesPerNanosecond + lean
        let ahead = state.pointee.written &- reach &- 1 &- state.pointee.place
        // What the ring does not hold any more is not read.
        if ahead > Int64(Following.room) &- 4 &* reach {
            state.pointee.hasBegun = false
            return (0, state.pointee.time, madePlanes)
        }
        let frames = min(Following.piece, Int(min(max(ahead, 0), Int64(Following.piece))))
        if frames < 32 { return (0, state.pointee.time, madePlanes) }
        let time = state.pointee.time, count = Int(Double(frames) / max(speed, 1))
        for i in 0..<count { read(i, speed) }
        state.pointee.time = time + count
        return (count, time, madePlanes)
    }

    /// Reads on from the place that belongs to a sample time.
    @_noLocks private func begin(at time: SampleTime, _ playing: DeviceTime, _ clock: DeviceTime) {
        let (place, fraction) = clock.place(atNanoseconds: playing.nanoseconds(at: time))
        state.pointee.time = time
        state.pointee.place = place
        state.pointee.fraction = fraction
        state.pointee.hasBegun = true
    }

    /// Makes frame `i` of a piece, and goes on to the next place.
    @_noLocks private func read(_ i: Int, _ speed: Double) {
        let place = state.pointee.place, fraction = state.pointee.fraction
        // In the second copy, or in the first where the window would end behind it.
        let index = Int(place & Int64(Following.room &- 1)), reach = SincInterpolator.reach(1)
        let at = index < reach ? index &+ Following.room : index
        interpolator.pointee.aim(fraction: fraction, rate: 1)
        for channel in 0..<channels { madePlanes[channel][i] = interpolator.pointee.sample(ringPlanes[channel] + at) }
        let next = fraction + speed, whole = rt_floor_double(next)
        state.pointee.place = place &+ Int64(whole)
        state.pointee.fraction = next - whole
    }
}
