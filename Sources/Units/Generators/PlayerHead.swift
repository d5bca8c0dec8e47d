// [render]

/// The beginning of a file in memory: with it a player begins on any frame, without waiting for the disk.
///
/// It lasts longer than any slice takes, at any speed, so that the control side has the rest in the ring before it is needed.
struct PlayerHead: BitwiseCopyable {
    /// The channels; the feed keeps them alive.
    private(set) var planes: UnsafePointer<UnsafeMutablePointer<Float>>?
    /// Frames at the engine's rate; 0 if nothing is kept.
    private(set) var frames = 0
    private(set) var isWhole = false

    @_noLocks init() {}

    @_noLocks init(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, isWhole: Bool) {
        (self.planes, self.frames, self.isWhole) = (planes, frames, isWhole)
    }
}
