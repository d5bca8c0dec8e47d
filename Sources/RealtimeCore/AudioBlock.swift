// [render]

/// The buffers of one slice: planar Float32, channels x frames, lent to the renderer for one call.
@frozen public struct AudioBlock: ~Copyable, ~Escapable {
    @usableFromInline package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The number of channels.
    public let channelCount: Int
    /// Frames in every channel.
    public let frames: Int

    /// `channels` points to `channelCount` buffers of at least `frames` floats each.
    @_noLocks @inlinable @inline(__always) @_lifetime(immortal)
    public init(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frames: Int) {
        (self.channels, self.channelCount, self.frames) = (channels, channelCount, frames)
    }

    /// Channel `index`.
    ///
    /// Precondition: `index` is one of `0..<channelCount`.
    @_noLocks @inlinable @inline(__always) @_lifetime(borrow self)
    public func channel(_ index: Int) -> OutputChannel {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: channelCount))
        return OutputChannel(channels[index], count: frames)
    }
}
