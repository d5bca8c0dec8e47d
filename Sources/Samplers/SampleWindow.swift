// [render]
import CRealtime
import RealtimeCore

/// The frames of a sample as a kernel needs them: one after the other, even if the sample loops, begins or ends.
///
/// As in libfluidsynth: the first frame is repeated before the sample, and the last after it; a loop's end is followed by its
/// beginning, and its beginning, once it has come around, is preceded by its end.
struct SampleWindow: ~Copyable {
    /// Frames that the longest period takes: 64 of 63 frames each, and the points around.
    static var room: Int { @_noLocks get { 4_096 } }
    private var owned = OwnedMemory()
    private let words: UnsafeMutablePointer<Int16>
    private let floats: UnsafeMutablePointer<Float>

    /// Control side.
    init() {
        words = owned.make(Self.room + 64, of: 0)
        floats = owned.make(Self.room + 64, of: 0)
    }

    /// Returns true if a kernel that reads 64 samples from a copy stays inside it, even if the sample ends before.
    @_noLocks static func holds(first: Int, last: Int) -> Bool { last &- first <= room &- 16 }

    /// From `before` frames left of `first` to `behind` frames right of `last`, loops unrolled. Nil if there is no room.
    /// Inlined, with the stream that the voice has, if any.
    @_noLocks @inline(__always) func copy(
        _ voice: UnsafePointer<Voice>, _ stream: UnsafeMutablePointer<VoiceStream>?, isLooping: Bool, first: Int, last: Int,
        before: Int, behind: Int
    ) -> UnsafeRawPointer? {
        let count = last &- first &+ 1 &+ before &+ behind
        if count <= 0 || count > Self.room { return nil }
        let bounds = Bounds(voice, isLooping: isLooping, goesAround: before > 3)
        let size = voice.pointee.isFloat ? 4 : 2
        let copy = voice.pointee.isFloat ? UnsafeMutableRawPointer(floats) : UnsafeMutableRawPointer(words)
        var point = 0
        while point < count {
            let run = bounds.run(first &- before &+ point)
            let frames = min(run.count, count &- point), target = copy + point &* size
            if let stream {
                stream.pointee.copy(run.first, run.isStill ? 1 : frames, target)
                if run.isStill { for frame in 1..<max(frames, 1) { rt_copy_bytes(target + frame &* size, target, size) } }
            } else if run.isStill {
                let from = voice.pointee.data + run.first &* size
                for frame in 0..<frames { rt_copy_bytes(target + frame &* size, from, size) }
            } else {
                rt_copy_bytes(target, voice.pointee.data + run.first &* size, frames &* size)
            }
            point &+= frames
        }
        return UnsafeRawPointer(copy)
    }

    /// Reads 64 samples one by one, for pitches at which a period would need more points than there is room for. The gain
    /// starts at `gain` and grows by `step`. Returns how many there were before the sample's end.
    @_noLocks static func leap(
        _ voice: UnsafePointer<Voice>, isLooping: Bool, gain: Float, step: Float, _ out: UnsafeMutablePointer<Float>
    ) -> Int {
        let bounds = Bounds(voice, isLooping: isLooping, goesAround: false)
        var position = voice.pointee.position
        for sample in 0..<64 {
            let frame = Int(truncatingIfNeeded: position &>> 32)
            if !isLooping && frame > bounds.highest { return sample }
            let x = Float(Int32(truncatingIfNeeded: (position & 0xFFFF_FFFF) &>> 8)) * 5.9604644775390625e-8
            let s0 = bounds.value(voice, frame &- 1), s1 = bounds.value(voice, frame)
            let s2 = bounds.value(voice, frame &+ 1), s3 = bounds.value(voice, frame &+ 2)
            let a = s2 - s0, t = s1 - s2
            let c = t + t + t + (s3 - s0)
            let b = (s0 - s1) - t - c
            let y = s1 + x * 0.5 * (a + x * (b + x * c))
            out[sample] = y * (gain + step * Float(Int32(truncatingIfNeeded: sample)))
            position &+= voice.pointee.increment
        }
        return 64
    }

    private struct Bounds {
        let lowest: Int, highest: Int, loopStart: Int, length: Int
        let isLooping: Bool, hasLooped: Bool
        /// True if the frames before a loop's beginning are the whole end of the loop, false if they are the last frame
        /// alone: one point needs no more, and with seven it has always been so.
        let goesAround: Bool

        @_noLocks init(_ voice: UnsafePointer<Voice>, isLooping: Bool, goesAround: Bool) {
            self.isLooping = isLooping
            self.goesAround = goesAround
            hasLooped = voice.pointee.hasLooped
            loopStart = Int(voice.pointee.loopStart)
            length = Int(voice.pointee.loopEnd &- voice.pointee.loopStart)
            lowest = Int(voice.pointee.start)
            highest = Int(isLooping ? voice.pointee.loopEnd &- 1 : voice.pointee.end)
        }

        @_noLocks func value(_ voice: UnsafePointer<Voice>, _ frame: Int) -> Float {
            let frame = self.frame(frame)
            if let stream = voice.pointee.stream { return stream.pointee.value(frame) }
            return voice.pointee.isFloat
                ? voice.pointee.data.assumingMemoryBound(to: Float.self)[frame]
                : Float(voice.pointee.data.assumingMemoryBound(to: Int16.self)[frame])
        }

        @_noLocks func frame(_ frame: Int) -> Int { run(frame).first }

        struct Run {
            let first: Int, count: Int
            /// True if the first alone replaces all of them.
            var isStill = false

            @_noLocks init(_ first: Int, _ count: Int, isStill: Bool = false) {
                (self.first, self.count, self.isStill) = (first, count, isStill)
            }
        }

        @_noLocks func run(_ frame: Int) -> Run {
            if frame > highest {
                if !isLooping { return Run(highest, .max, isStill: true) }
                let place = (frame &- highest &- 1) % length
                return Run(loopStart &+ place, length &- place)
            }
            if !hasLooped {
                return frame < lowest ? Run(lowest, lowest &- frame, isStill: true) : Run(frame, highest &- frame &+ 1)
            }
            if frame >= loopStart { return Run(frame, highest &- frame &+ 1) }
            let last = loopStart &+ length &- 1
            if !goesAround { return Run(last, loopStart &- frame, isStill: true) }
            let place = (loopStart &- 1 &- frame) % length
            return Run(last &- place, place &+ 1)
        }
    }
}
