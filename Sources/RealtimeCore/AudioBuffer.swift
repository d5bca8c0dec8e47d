import CRealtime

/// Memory for planar audio, channels x capacity frames, owned by the control side.
///
/// Every page is touched at the start, so that no page fault falls into a render call, unless it is requested blank.
///
/// Sendable: sizes and pointers never change; samples are written by one thread at a time, the one that pulls or fills, and
/// read by others only between its calls.
public final class AudioBuffer: @unchecked Sendable {
    /// The number of channels.
    public let channelCount: Int
    /// Frames that every channel has room for.
    public let capacity: Int
    /// `channelCount` pointers to `capacity` floats each, 64-byte aligned; nothing checks an index.
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let arena: UnsafeMutableRawPointer

    /// Allocates silence. Control side only.
    ///
    /// Precondition: `channels` is not negative, `capacity` at least 1.
    public convenience init(channels: Int, capacity: Int) {
        self.init(blank: channels, capacity: capacity)
        for channel in 0..<channels { self.channels[channel].update(repeating: 0, count: (capacity + 15) & ~15) }
    }

    /// Allocates memory that holds anything, and whose pages come with their first use: for what is hardly ever used, and
    /// never where sound must not wait. Control side only.
    package init(blank count: Int, capacity: Int) {
        precondition(count >= 0 && capacity > 0, "a buffer has 0 channels or more, and room for 1 frame or more")
        let stride = (capacity + 15) & ~15
        let bytes = max(count * stride, 16) * MemoryLayout<Float>.stride
        arena = .allocate(byteCount: bytes, alignment: 64)
        let floats = arena.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
        table = .allocate(capacity: max(count, 1))
        for channel in 0..<count { (table + channel).initialize(to: floats + channel * stride) }
        channels = UnsafePointer(table)
        channelCount = count
        self.capacity = capacity
    }

    deinit {
        table.deallocate()
        arena.deallocate()
    }

    /// Channel `index` as it is now, `capacity` frames.
    ///
    /// Precondition: `index` is one of `0..<channelCount`.
    public subscript(channel index: Int) -> UnsafeBufferPointer<Float> { UnsafeBufferPointer(samples(of: index)) }

    /// Channel `index` to be written, `capacity` frames; in debug builds its indices are checked.
    ///
    /// Precondition: `index` is one of `0..<channelCount`.
    public func samples(of index: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition((0..<channelCount).contains(index), "the buffer has channels 0..<\(channelCount), and no \(index)")
        return UnsafeMutableBufferPointer(start: channels[index], count: capacity)
    }

    /// The addresses of all channels, each of `capacity` frames: what a reader or a writer of files takes.
    public var planes: [UnsafeMutablePointer<Float>] { (0..<channelCount).map { channels[$0] } }
}
