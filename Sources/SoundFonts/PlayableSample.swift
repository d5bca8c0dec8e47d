// [render]

/// A sample as a voice reads it: its frames in memory, its loop, its pitch.
package struct PlayableSample: BitwiseCopyable, @unchecked Sendable {
    /// The first frame: `Int16`, or `Float` in the same scale if the file has 24 bits.
    package var data: UnsafeRawPointer
    package var isFloat: Bool
    /// The number of frames; 0: the sample could not be read, and is silent.
    package var frames: Int32
    /// First frame of the loop, and the one after its last. They may lie anywhere in 0...frames.
    package var loopStart: Int32, loopEnd: Int32
    /// Frames per second.
    package var rate: Float
    /// The key at which it sounds as recorded.
    package var rootKey: Float
    /// The cents that are taken from the sample's pitch.
    package var correction: Float
    /// The loudest frame of the loop, 0...1.
    package var loopPeak: Float
    /// Its frames if it is streamed: then `data` leads nowhere. Nil for one that is whole in memory.
    package var stream: UnsafePointer<StreamedFrames>?
}
