import RealtimeCore
import Synchronization
import UnitAPI

/// A companion that keeps a second playing device in step with the first: a bus of the graph, in the time of a device with a
/// clock of its own. The mirror of `CaptureFollower`.
///
/// The second device plays the graph's output for sample time t when the first plays t, or a constant later (`Moment.delay`).
/// The clocks of both devices are known, and the sound is read at the place that the first device has when the second plays
/// the frame: by a sinc between its frames, at a speed that leans towards that place and jumps to it only where the sound
/// begins. The first device waits for nothing. Frames that are not there yet, because the first is held up, are silent and
/// counted.
package final class PlaybackFollower: UnitCompanion, @unchecked Sendable {
    /// Both clocks at one moment.
    package struct Moment: BitwiseCopyable, Sendable {
        /// The first device's and the second's, in frames of their renderers, which have the same rate.
        var leading: DeviceTime, own: DeviceTime
        /// Frames by which the second device is later.
        var delay: Int64
        var starts: Int

        package init(leading: DeviceTime, own: DeviceTime, delay: Int, starts: Int) {
            (self.leading, self.own, self.delay, self.starts) = (leading, own, Int64(delay), starts)
        }
    }

    /// A measure of how well the second device keeps step.
    package struct View: BitwiseCopyable, Sendable {
        /// The amount by which the second device's clock is faster than the first's, parts per million; 0 before both are
        /// known.
        package var drift = 0.0
        /// Times that the place was taken anew, because one of the devices lost time.
        package var slips = 0
        /// Frames that were not there in time, since the first that was.
        package var missingFrames = 0
        /// Frames by which the second device is later.
        package var delay = 0
        /// True if there is sound.
        package var isFollowing = false
    }

    private struct State {
        var sound: SlidingSound
        var moment: Moment?
        var hasSound = false, hasBegun = false
        /// Frames since the first place.
        var age = 0
        /// Frames of the fade-in that have passed.
        var faded = 0
        var view = View()
    }

    private let state: UnsafeMutablePointer<State>
    private let memory: SlidingMemory
    private let moments = SPSCQueue<Moment>(capacity: 16, filler: Moment(leading: .unknown, own: .unknown, delay: 0, starts: 0))
    private let published = Snapshot(View())
    private let queue: Unmanaged<CaptureQueue>
    private let queueOwner: CaptureQueue
    private let now: @Sendable () -> Moment?
    private let asking = Mutex(())
    private let sampleRate: Double
    private let fadeFrames: Int

    /// Creates a follower of what goes through `queue`, of which it is the only reader.
    ///
    /// - Parameter now: both clocks as they are; nil while one of them is not known. Any thread.
    package init(_ queue: CaptureQueue, sampleRate: Double, now: @escaping @Sendable () -> Moment?) {
        queueOwner = queue
        self.queue = .passUnretained(queue)
        self.now = now
        self.sampleRate = sampleRate
        fadeFrames = max(1, Int(sampleRate / 100))
        memory = SlidingMemory(channels: queue.channels)
        state = .allocate(capacity: 1)
        state.initialize(to: State(sound: memory.sound))
    }

    deinit { state.deallocate() }

    /// A view of how well the second device keeps step, as of the last slice. Any thread but the second device's.
    package var view: View { published.value }

    /// Looks at both clocks. If there is no room for the result, it is sent the next time.
    package override func attend() {
        asking.withLock { _ in
            if let moment = now() { _ = moments.push(moment) }
        }
    }

    // [render]

    /// The second device's audio thread.
    @_noLocks func render(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, at time: SampleTime) {
        takeMoments()
        takeSound()
        guard let moment = state.pointee.moment, state.pointee.hasSound else { return silence(planes, from: 0, to: frames) }
        var target = moment.leading.place(atNanoseconds: moment.own.nanoseconds(at: time))
        target.frame &-= moment.delay
        if !state.pointee.hasBegun {
            begin(at: target)
            state.pointee.age = 0
        }
        var error = Double(target.frame &- state.pointee.sound.place) + target.fraction - state.pointee.sound.fraction
        // The estimate of a clock that has just begun still moves: a jump does little harm so early.
        let isFresh = Double(state.pointee.age) < sampleRate
        let most = (isFresh ? ClockStep.near : ClockStep.leap) * sampleRate
        if abs(error) > most {
            if !isFresh { state.pointee.view.slips &+= 1 }
            begin(at: target)
            error = 0
        }
        state.pointee.age &+= frames
        let speed = ClockStep.speed(moment.leading, moment.own, error: error, sampleRate: sampleRate)
        for i in 0..<frames {
            if state.pointee.sound.ahead >= 0, state.pointee.sound.isHeld {
                state.pointee.sound.read(i, to: planes)
                if state.pointee.faded < fadeFrames { fade(planes, i) }
            } else {
                silence(planes, from: i, to: i &+ 1)
                state.pointee.view.missingFrames &+= 1
                state.pointee.faded = 0
            }
            state.pointee.sound.step(speed)
        }
        state.pointee.view.drift = (moment.own.framesPerNanosecond / moment.leading.framesPerNanosecond - 1) * 1e6
        state.pointee.view.delay = Int(moment.delay)
        state.pointee.view.isFollowing = state.pointee.faded > 0
        published.publish(state.pointee.view)
    }

    @_noLocks private func takeMoments() {
        while let moment = moments.pop() {
            // Another device has another buffer, and one that has stopped another place.
            if let last = state.pointee.moment, last.delay != moment.delay || last.starts != moment.starts {
                state.pointee.hasBegun = false
            }
            state.pointee.moment = moment
        }
    }

    /// Each frame at its sample time.
    @_noLocks private func takeSound() {
        while let block = queue._withUnsafeGuaranteedRef({ $0.peek() }) {
            let time = block.time.rawValue
            let gap = time &- state.pointee.sound.end
            if !state.pointee.hasSound || gap < 0 || gap > Int64(SlidingSound.room) {
                // What was before has nothing to do with it.
                state.pointee.sound.writeSilence(SlidingSound.room)
                state.pointee.sound.end = time
                state.pointee.hasSound = true
            } else if gap > 0 {
                state.pointee.sound.writeSilence(Int(gap))
            }
            let samples = block.samples, frames = block.frames
            let stride = queue._withUnsafeGuaranteedRef { $0.blockFrames }
            state.pointee.sound.write(samples, stride: stride, frames: frames)
            queue._withUnsafeGuaranteedRef { $0.drop() }
        }
    }

    @_noLocks private func begin(at target: (frame: Int64, fraction: Double)) {
        state.pointee.sound.move(to: target)
        state.pointee.hasBegun = true
        state.pointee.faded = 0
    }

    /// A straight line, where sound begins.
    @_noLocks private func fade(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, _ i: Int) {
        state.pointee.faded &+= 1
        let gain = Float(Int32(truncatingIfNeeded: state.pointee.faded)) / Float(Int32(truncatingIfNeeded: fadeFrames))
        for channel in 0..<2 { planes[channel][i] *= gain }
    }

    @_noLocks private func silence(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, from: Int, to: Int) {
        for channel in 0..<2 { for i in from..<to { planes[channel][i] = 0 } }
    }
}

extension DeviceTime {
    fileprivate static var unknown: DeviceTime {
        DeviceTime(
            anchorNanoseconds: 0, anchorFrame: 0, anchorFraction: 0, framesPerNanosecond: 0, latency: 0, isSettled: false)
    }
}
