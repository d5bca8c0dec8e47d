// [render]

/// A sample as a voice reads it: where its frames lie in memory, its loop, its pitch.
@frozen public struct PlayableSample: BitwiseCopyable, @unchecked Sendable {
    /// The first frame: `Int16`, or `Float` in the same scale where the file has 24 bits.
    public var data: UnsafeRawPointer
    public var isFloat: Bool
    /// How many frames; 0: it could not be read, and is silent.
    public var frames: Int32
    /// First frame of the loop, and one behind its last. They may lie anywhere in 0...frames.
    public var loopStart: Int32, loopEnd: Int32
    /// Frames per second.
    public var rate: Float
    /// The key at which it sounds as recorded.
    public var rootKey: Float
    /// What is taken from its pitch. Unit: cents.
    public var correction: Float
    /// The loudest frame of the loop, 0...1.
    public var loopPeak: Float
}
