import CRealtime
import DSP
import RealtimeCore

/// The newest frames of a sound that one clock makes, read between them at the speed of another.
///
/// Plain values and pointers: the memory is `SlidingMemory`'s. The reader has to make sure that the frames are there.
struct SlidingSound: BitwiseCopyable {
    /// Frames; a power of two.
    static var room: Int { @_noLocks get { 32_768 } }
    /// Frames on either side of a place that are read.
    static var reach: Int64 { @_noLocks get { Int64(SincInterpolator.reach(1)) } }

    /// The ring twice, one copy after the other, so that a window into it never wraps.
    fileprivate let ring: UnsafePointer<UnsafeMutablePointer<Float>>
    fileprivate let interpolator: UnsafeMutablePointer<SincInterpolator>
    fileprivate let channels: Int
    var end: Int64 = 0
    /// The place that is read next: a frame, and the fraction of a frame after it.
    var place: Int64 = 0, fraction = 0.0

    fileprivate init(
        _ ring: UnsafePointer<UnsafeMutablePointer<Float>>, _ interpolator: UnsafeMutablePointer<SincInterpolator>,
        channels: Int
    ) {
        (self.ring, self.interpolator, self.channels) = (ring, interpolator, channels)
    }

    // [render]

    /// Adds frames, at most a ring of them: `samples` has `channels` of them, `stride` frames apart.
    @_noLocks mutating func write(_ samples: UnsafePointer<Float>, stride: Int, frames: Int) {
        for channel in 0..<channels { write(channel, samples + channel &* stride, frames) }
        end &+= Int64(frames)
    }

    /// Adds frames from planes anywhere in memory.
    @_noLocks mutating func write(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        for channel in 0..<channels { write(channel, planes[channel], frames) }
        end &+= Int64(frames)
    }

    @_noLocks mutating func writeSilence(_ frames: Int) {
        for channel in 0..<channels { write(channel, nil, frames) }
        end &+= Int64(frames)
    }

    @_noLocks private func write(_ channel: Int, _ samples: UnsafePointer<Float>?, _ frames: Int) {
        let at = Int(end & Int64(SlidingSound.room &- 1)), first = min(frames, SlidingSound.room &- at)
        for copy in 0..<2 {
            let lap = ring[channel] + copy &* SlidingSound.room
            if let samples {
                rt_copy(lap + at, samples, first)
                if first < frames { rt_copy(lap, samples + first, frames &- first) }
            } else {
                rt_zero(lap + at, first)
                if first < frames { rt_zero(lap, frames &- first) }
            }
        }
    }

    /// Frames that can be read from the place on, before new ones are there.
    var ahead: Int64 { @_noLocks get { end &- SlidingSound.reach &- 1 &- place } }

    var isHeld: Bool { @_noLocks get { ahead <= Int64(SlidingSound.room) &- 4 &* SlidingSound.reach } }

    /// Frame `i` of `planes`, at the place.
    @_noLocks func read(_ i: Int, to planes: UnsafePointer<UnsafeMutablePointer<Float>>) {
        // In the second copy, or in the first if the window would end after it.
        let index = Int(place & Int64(SlidingSound.room &- 1))
        let at = index < Int(SlidingSound.reach) ? index &+ SlidingSound.room : index
        interpolator.pointee.aim(fraction: fraction, rate: 1)
        for channel in 0..<channels { planes[channel][i] = interpolator.pointee.sample(ring[channel] + at) }
    }

    @_noLocks mutating func step(_ speed: Double) {
        let next = fraction + speed, whole = rt_floor_double(next)
        place &+= Int64(whole)
        fraction = next - whole
    }

    @_noLocks mutating func move(to target: (frame: Int64, fraction: Double)) {
        place = target.frame
        fraction = target.fraction
    }
}

/// The memory of a sliding sound, which it outlives. Made and freed where nothing is rendered.
final class SlidingMemory {
    let sound: SlidingSound
    private let ring: AudioBuffer
    private let interpolator: UnsafeMutablePointer<SincInterpolator>

    init(channels: Int) {
        ring = AudioBuffer(channels: channels, capacity: 2 * SlidingSound.room)
        interpolator = .allocate(capacity: 1)
        interpolator.initialize(to: SincInterpolator())
        sound = SlidingSound(ring.channels, interpolator, channels: channels)
    }

    deinit {
        interpolator.deinitialize(count: 1)
        interpolator.deallocate()
    }
}
