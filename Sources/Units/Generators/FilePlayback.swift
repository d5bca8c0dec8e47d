import CRealtime
import RealtimeCore
import Synchronization
import UnitAPI

/// The sounding half of a file player: plays the frames that its feed decodes, from the exact frame on that a cue names.
///
/// It reads no file: `FilePlayer` does, on the control side, ahead of time. What is cut off in the middle dies away within
/// 64 frames instead of clicking, and what begins in the middle of a file rises as fast. Frames that are not there in time
/// are silent and counted; the file waits for them, so that none is skipped.
public struct FilePlayback: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "afpl", manufacturer: .carillon), name: "file-player",
        summary: "Plays an audio file.", outputs: [.init("main")],
        properties: ["file"], readouts: ["phase", "position", "underrun-frames", "late-cues"])

    public typealias Parameter = NoParameter

    /// Frames in which a sound that is cut off dies away, or one that begins in the middle rises.
    private static var fade: Int { @_noLocks get { 64 } }

    /// Decodes and gives cues.
    public let feed: PlayerFeed
    private let crossing: UnsafeMutablePointer<PlayerCrossing>
    private let sampleRate: Double
    private var phase = PlayerFeed.Phase.stopped
    private var take: Int64 = 0
    /// Frames of the oldest block that have been played.
    private var used = 0
    /// The next frame of the file.
    private var position: Int64 = 0
    /// The last frame that came out, which dies away where sound was cut off, and frames that this still takes.
    private var lastLeft: Float = 0, lastRight: Float = 0
    private var tailLeft: Float = 0, tailRight: Float = 0, tail = 0
    /// Frames of the rise that are still to come.
    private var rise = 0

    /// A player with a ring of two seconds, or of eight slices where those are longer.
    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        feed = PlayerFeed(frames: max(Int(2 * setup.sampleRate), 8 * setup.maximumFrames))
        crossing = feed.crossing
    }

    /// The feed.
    public var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        var done = 0
        var isSounding = false
        while done < io.frames {
            let now = io.sampleTime + done
            let count = takeCues(now, room: io.frames &- done)
            if play(left + done, right + done, count, at: now) { isSounding = true }
            done &+= count
        }
        show(io)
        if !isSounding { io.markSilent() }
        // Cues come by a way of their own, which wakes nobody.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        while let cue = crossing.pointee.cues.pop() {
            if case .begin = cue.action { take = cue.take }
        }
        phase = .stopped
        (used, position, tail, rise) = (0, 0, 0, 0)
        (lastLeft, lastRight) = (0, 0)
    }

    /// Does what is due at `now`. Returns the frames up to the next cue, at most `room`.
    @_noLocks private mutating func takeCues(_ now: SampleTime, room: Int) -> Int {
        while let cue = crossing.pointee.cues.peek() {
            if cue.time > now { return min(cue.time - now, room) }
            if cue.time < now && cue.time.rawValue != .min {
                crossing.pointee.lateCues.add(1, ordering: .relaxed)
            }
            apply(cue)
            crossing.pointee.cues.drop()
        }
        return room
    }

    @_noLocks private mutating func apply(_ cue: PlayerFeed.Cue) {
        switch cue.action {
        case .begin:
            cut()
            take = cue.take
            position = cue.position
            used = 0
            phase = .playing
            rise = cue.position > 0 ? Self.fade : 0
        case .pause:
            if !isPlaying { return }
            cut()
            phase = .paused
        case .resume:
            guard case .paused = phase else { return }
            phase = .playing
            rise = Self.fade
        case .stop:
            cut()
            phase = .stopped
        }
    }

    /// Lets what sounds die away from here on.
    @_noLocks private mutating func cut() {
        if isPlaying { (tailLeft, tailRight, tail) = (lastLeft, lastRight, Self.fade) }
    }

    /// Plays `count` frames; returns whether any sounds.
    @_noLocks private mutating func play(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, at now: SampleTime
    ) -> Bool {
        let done = isPlaying ? copy(left, right, count, at: now) : 0
        rt_zero(left + done, count &- done)
        rt_zero(right + done, count &- done)
        let isSounding = done > 0 || tail > 0
        for i in 0..<min(done, rise) {
            let gain = Float(Int32(truncatingIfNeeded: Self.fade &- rise &+ i &+ 1)) / 64
            left[i] *= gain
            right[i] *= gain
        }
        rise = max(0, rise &- done)
        for i in 0..<min(count, tail) {
            let gain = Float(Int32(truncatingIfNeeded: tail &- i &- 1)) / 64
            left[i] += tailLeft * gain
            right[i] += tailRight * gain
        }
        tail = max(0, tail &- count)
        (lastLeft, lastRight) = (left[count &- 1], right[count &- 1])
        return isSounding
    }

    /// Copies up to `count` frames of the take; fewer at its end, or where they are not there in time.
    @_noLocks private mutating func copy(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, at now: SampleTime
    ) -> Int {
        var done = 0
        while done < count {
            // Asked for first: what the feed pushed before it said so is seen then.
            let isWhole = crossing.pointee.isWhole(take)
            guard let block = crossing.pointee.block(of: take), block.time.rawValue >> 40 == take else {
                if isWhole {
                    phase = .ended
                    crossing.pointee.end.store((now + done).rawValue, ordering: .releasing)
                } else {
                    crossing.pointee.underrunFrames.add(count &- done, ordering: .relaxed)
                }
                return done
            }
            let frames = min(count &- done, block.frames &- used)
            rt_copy(left + done, block.samples + used, frames)
            rt_copy(right + done, block.samples + PlayerCrossing.blockFrames + used, frames)
            used &+= frames
            done &+= frames
            position = block.time.rawValue & (1 << 40 &- 1) &+ Int64(used)
            if used == block.frames {
                used = 0
                crossing.pointee.drop()
            }
        }
        return done
    }

    @_noLocks private func show(_ io: borrowing RenderIO) {
        crossing.pointee.position.store(position, ordering: .relaxed)
        // In this order: whoever sees a new take must not see the phase before it.
        crossing.pointee.phase.store(number, ordering: .releasing)
        crossing.pointee.take.store(take, ordering: .releasing)
        crossing.pointee.clock.store((io.sampleTime + io.frames).rawValue, ordering: .releasing)
        io.publish(0, Float(number))
        io.publish(1, Float(Double(position) / sampleRate))
        io.publish(2, Float(Int32(truncatingIfNeeded: crossing.pointee.underrunFrames.load(ordering: .relaxed))))
        io.publish(3, Float(Int32(truncatingIfNeeded: crossing.pointee.lateCues.load(ordering: .relaxed))))
    }

    private var isPlaying: Bool {
        @_noLocks get { if case .playing = phase { true } else { false } }
    }

    /// The phase as it crosses.
    private var number: UInt8 {
        @_noLocks get {
            switch phase {
            case .stopped: 0
            case .playing: 1
            case .paused: 2
            case .ended: 3
            }
        }
    }
}
