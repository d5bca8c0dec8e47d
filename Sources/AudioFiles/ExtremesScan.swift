/// The lowest and the highest sample of each stretch of a sound that goes by, channel by channel. Control side, one thread.
package final class ExtremesScan {
    /// Frames of a stretch.
    package static let stretch = 512

    private var filled = 0
    /// The extremes of each channel by stretches, the last of which may not be full.
    package private(set) var channels: [[(low: Float, high: Float)]]

    /// Creates a scan of `channels` channels.
    package init(channels: Int) { self.channels = Array(repeating: [], count: channels) }

    /// Takes the next frames, one pointer per channel.
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.stretch - filled)
            for channel in channels.indices {
                let plane = samples[channel] + done
                var (low, high) = filled > 0 ? channels[channel][channels[channel].count - 1] : (plane[0], plane[0])
                for i in 0..<count {
                    low = min(low, plane[i])
                    high = max(high, plane[i])
                }
                if filled > 0 {
                    channels[channel][channels[channel].count - 1] = (low, high)
                } else {
                    channels[channel].append((low, high))
                }
            }
            done += count
            filled = (filled + count) % Self.stretch
        }
    }
}
