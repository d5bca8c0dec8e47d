import DSP

/// Something that sound is read from, frame by frame and from any frame on: what a file player plays.
///
/// `AudioFileReader` is one. One of your own may read from an archive or a network; it may take its time, which costs only its
/// own player. One thread at a time, which is the player's once a graph has a player for it.
public protocol FrameReading: AnyObject {
    /// The path or name by which errors call the source.
    var path: String { get }
    /// The number of channels in every frame.
    var channels: Int { get }
    /// The loudspeaker for each channel, in the order of `SpeakerLayout.speakers`; nil, the default: not known.
    var layout: SpeakerLayout? { get }
    /// Frames per second.
    var sampleRate: Int { get }
    /// The number of frames, as far as that is known.
    var frames: Int64 { get }
    /// True if reading can begin at any frame.
    var isSeekable: Bool { get }

    /// Makes `frame` the next that is read, counted from 0. - Throws: `unreadable`.
    func seek(to frame: Int64) throws(AudioFileError)

    /// Reads up to `capacity` frames into one buffer per channel. Returns how many; 0 at the end. - Throws: `unreadable`.
    func read(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(AudioFileError) -> Int
}

extension FrameReading {
    /// Not known.
    public var layout: SpeakerLayout? { nil }
}

extension AudioFileReader: FrameReading {}
