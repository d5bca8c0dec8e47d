import RealtimeCore

private enum CapturePiece {
    static var frames: Int { @_noLocks get { 256 } }
}

/// The sound of a capture device with a clock of its own, in the time of the device that plays.
///
/// Two crystals are never equally fast: 100 parts per million are 5 frames a second. Both clocks are measured (`DeviceClock`),
/// and what is captured is read at the place that the capture device had when the other one played the frame: by a sinc
/// between its frames, at a speed that leans towards that place and never jumps to it. So no frame is lost or made up, and what
/// is captured at sample time t is stamped t. Source: F. Adriaensen, "Controlling adaptive resampling", Linux Audio Conference
/// 2012.
package final class CaptureFollower {
    private struct State {
        var clock: DeviceClock
        var sound: SlidingSound
        /// The sample time of what is made next; whether there is one.
        var time = SampleTime.zero
        var hasBegun = false
        var slips = 0
    }

    private let state: UnsafeMutablePointer<State>
    private let memory: SlidingMemory
    private let made: AudioBuffer
    private let madePlanes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let sampleRate: Double

    /// Creates a follower of a device with `channels` channels, both nominally at `sampleRate`. Not on the audio thread.
    package init(channels: Int, sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        memory = SlidingMemory(channels: channels)
        made = AudioBuffer(channels: channels, capacity: CapturePiece.frames)
        madePlanes = made.channels
        state = .allocate(capacity: 1)
        state.initialize(to: State(clock: DeviceClock(sampleRate: Double(sampleRate), latency: 0), sound: memory.sound))
    }

    deinit { state.deallocate() }

    /// The most frames by which its output is later than what was captured, beyond the latency of both devices: the sinc's
    /// reach.
    package static let latency = 64

    // [render]

    /// Parts per million that the device's clock is faster; 0 before both are known.
    @_noLocks func drift(against playing: DeviceTime) -> Double {
        state.pointee.hasBegun ? (state.pointee.clock.rate / playing.framesPerNanosecond - 1) * 1e6 : 0
    }

    /// The number of times that the place was set anew.
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
        state.pointee.clock.update(time: moment, pointer: state.pointee.sound.end &+ waiting)
    }

    @_noLocks func take(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        state.pointee.sound.write(planes, frames: frames)
    }

    /// Returns the piece's frames, 0 if there are not enough yet.
    @_noLocks func make(
        _ playing: DeviceTime
    ) -> (frames: Int, time: SampleTime, planes: UnsafePointer<UnsafeMutablePointer<Float>>) {
        if !state.pointee.clock.hasAnchor { return (0, state.pointee.time, madePlanes) }
        let clock = state.pointee.clock.time
        if !state.pointee.hasBegun {
            // From what has just been captured on.
            let newest = clock.nanoseconds(at: SampleTime(state.pointee.sound.end &- SlidingSound.reach))
            begin(at: playing.sampleTime(atNanoseconds: newest), playing, clock)
        }
        let (target, part) = clock.place(atNanoseconds: playing.nanoseconds(at: state.pointee.time))
        var error = Double(target &- state.pointee.sound.place) + part - state.pointee.sound.fraction
        if abs(error) > ClockStep.leap * sampleRate {
            state.pointee.slips &+= 1
            begin(at: state.pointee.time, playing, clock)
            error = 0
        }
        let speed = ClockStep.speed(clock, playing, error: error, sampleRate: sampleRate)
        // What the ring does not hold any more is not read.
        if !state.pointee.sound.isHeld {
            state.pointee.hasBegun = false
            return (0, state.pointee.time, madePlanes)
        }
        let frames = Int(min(max(state.pointee.sound.ahead, 0), Int64(CapturePiece.frames)))
        if frames < 32 { return (0, state.pointee.time, madePlanes) }
        let time = state.pointee.time, count = Int(Double(frames) / max(speed, 1))
        for i in 0..<count {
            state.pointee.sound.read(i, to: madePlanes)
            state.pointee.sound.step(speed)
        }
        state.pointee.time = time + count
        return (count, time, madePlanes)
    }

    @_noLocks private func begin(at time: SampleTime, _ playing: DeviceTime, _ clock: DeviceTime) {
        state.pointee.sound.move(to: clock.place(atNanoseconds: playing.nanoseconds(at: time)))
        state.pointee.time = time
        state.pointee.hasBegun = true
    }
}
