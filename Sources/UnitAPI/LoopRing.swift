// [render]

/// The sound that was led to a unit that closes a loop, for 64 frames: the unit gets it so much later.
///
/// Memory belongs to the unit's instance, so that what goes around survives edits of the graph. The renderer reads from it
/// when the unit's turn comes and writes to it when the slice is over; the place of a frame follows from its sample time.
package struct LoopRing: BitwiseCopyable {
    /// Frames from where a loop is closed to where it is heard again: the most that a slice of it may have.
    package static var frames: Int { @_noLocks get { 64 } }

    private struct Place: BitwiseCopyable {
        var time: Int64 = -1
        /// Frames of the slice, and how many of them came before a reset.
        var frames = 0, forgotten = 0

        @_noLocks init() {}
    }

    /// Channel by channel, those of all input buses in a row.
    private let samples: UnsafeMutablePointer<Float>
    private let channelCount: Int
    /// Frames since each input bus last sounded.
    private let quietFrames: UnsafeMutablePointer<Int>
    private let busCount: Int
    private let place: UnsafeMutablePointer<Place>

    /// Silence. Control side.
    package init(_ buses: [UnitDescriptor.Bus]) {
        channelCount = buses.reduce(0) { $0 + $1.channels }
        busCount = buses.count
        samples = .allocate(capacity: max(channelCount * Self.frames, 1))
        samples.initialize(repeating: 0, count: max(channelCount * Self.frames, 1))
        quietFrames = .allocate(capacity: max(busCount, 1))
        quietFrames.initialize(repeating: Self.frames, count: max(busCount, 1))
        place = .allocate(capacity: 1)
        place.initialize(to: Place())
    }

    /// Control side, once.
    package func deallocate() {
        samples.deallocate()
        quietFrames.deallocate()
        place.deallocate()
    }

    /// Forgets all sound.
    @_noLocks package func clear() {
        samples.update(repeating: 0, count: channelCount &* Self.frames)
        for bus in 0..<busCount { quietFrames[bus] = Self.frames }
    }

    /// Forgets what came before a frame of the slice that has begun. Returns how many frames of the slice are left.
    @_noLocks package func clear(before offset: Int) -> Int {
        clear()
        place.pointee.forgotten = offset
        return place.pointee.frames &- offset
    }

    /// Begins with a slice. What a unit heard before it was out of the graph for a while comes from another time: it is
    /// forgotten.
    @_noLocks package func begin(_ frames: Int, at time: Int64) {
        if place.pointee.time != time { clear() }
        place.pointee.time = time
        place.pointee.frames = frames
        place.pointee.forgotten = 0
    }

    /// Ends it.
    @_noLocks package func finish() {
        place.pointee.time = place.pointee.time &+ Int64(place.pointee.frames)
        place.pointee.frames = 0
    }

    /// Returns true if nothing was led to an input bus in the last 64 frames.
    @_noLocks package func isSilent(_ bus: Int) -> Bool { quietFrames[bus] >= Self.frames }

    /// Notes whether an input bus sounded in the slice.
    @_noLocks package func note(_ bus: Int, isSilent: Bool) {
        quietFrames[bus] = isSilent ? min(quietFrames[bus] &+ place.pointee.frames, Self.frames) : 0
    }

    /// Copies, for the slice, what was led to a channel 64 frames ago.
    @_noLocks package func read(_ channel: Int, to target: UnsafeMutablePointer<Float>) {
        let (ring, start, first, rest) = parts(channel)
        for i in 0..<first { target[i] = ring[start &+ i] }
        for i in 0..<rest { target[first &+ i] = ring[i] }
    }

    /// Takes in what the slice has led to a channel; nil means silence.
    @_noLocks package func write(_ channel: Int, _ source: UnsafePointer<Float>?) {
        let (ring, start, first, rest) = parts(channel), forgotten = place.pointee.forgotten
        if let source {
            for i in 0..<first { ring[start &+ i] = source[i] }
            for i in 0..<rest { ring[i] = source[first &+ i] }
            (ring + start).update(repeating: 0, count: min(first, forgotten))
            ring.update(repeating: 0, count: max(forgotten &- first, 0))
        } else {
            (ring + start).update(repeating: 0, count: first)
            ring.update(repeating: 0, count: rest)
        }
    }

    /// A channel's ring, where the slice begins in it, and its frames up to the ring's end and from there on.
    @_noLocks private func parts(
        _ channel: Int
    ) -> (ring: UnsafeMutablePointer<Float>, start: Int, first: Int, rest: Int) {
        let start = Int(place.pointee.time % Int64(Self.frames)), first = min(place.pointee.frames, Self.frames &- start)
        return (samples + channel &* Self.frames, start, first, place.pointee.frames &- first)
    }
}
