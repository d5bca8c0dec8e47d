/// A rate that is converted while sound is rendered: it pulls its input as it needs it, and takes no memory.
///
/// Frame n of the output is at n * `to` / `from` of the input, without a delay: the first pull asks for more. By libsoxr, linear
/// phase. One thread at a time.
package final class PulledRate: @unchecked Sendable {
    /// The most frames that are asked for at once.
    package let capacity: Int
    private let stream: SoxrCalls.Stream
    private let from: Int, to: Int, channels: Int
    private let input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let places: SoxrCalls.Places
    /// Frames of the input that are there and not used, from `start` on.
    private var waiting = 0, start = 0

    /// Creates a converter for pulls of up to `frames` frames. - Throws: `refused`, `channels`.
    package init(from: Int, to: Int, channels: Int, frames: Int) throws(SampleRateError) {
        guard (1...1024).contains(channels) else { throw .channels(channels, wanted: 1...1024) }
        guard (1...1_000_000).contains(from), (1...1_000_000).contains(to) else {
            throw .refused(from: from, to: to, reason: "out of range")
        }
        stream = try SoxrCalls.make(from: from, to: to, channels: channels, quality: .high)
        (self.from, self.to, self.channels) = (from, to, channels)
        capacity = (frames * from + to - 1) / to + 1
        input = .allocate(capacity: channels)
        places = .allocate(capacity: 2 * channels)
        places.initialize(repeating: nil, count: 2 * channels)
        for channel in 0..<channels { (input + channel).initialize(to: .allocate(capacity: capacity)) }
        // The library takes its memory with the first frames, before sound is rendered.
        prime()
    }

    deinit {
        SoxrCalls.close(stream)
        for channel in 0..<channels { input[channel].deallocate() }
        input.deallocate()
        places.deallocate()
    }

    private func prime() {
        for channel in 0..<channels {
            for frame in 0..<capacity { input[channel][frame] = 0 }
            places[channel] = input[channel]
            places[channels + channel] = input[channel]
        }
        _ = SoxrCalls.process(stream, input: places, frames: min(capacity, 4_096), output: places + channels, capacity: 0)
        _ = SoxrCalls.clear(stream)
    }

    /// Makes `frames` frames, one pointer for each channel; `give` fills the places with as many frames as it is asked for.
    /// Returns false if the library fails.
    package func pull(
        _ output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        _ give: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) -> Void
    ) -> Bool {
        var made = 0
        while made < frames {
            if waiting == 0 {
                waiting = min(max(1, ((frames - made) * from + to - 1) / to), capacity)
                start = 0
                give(input, waiting)
            }
            for channel in 0..<channels {
                places[channel] = input[channel] + start
                places[channels + channel] = output[channel] + made
            }
            guard
                let step = SoxrCalls.process(
                    stream, input: places, frames: waiting, output: places + channels, capacity: frames - made)
            else { return false }
            waiting -= step.used
            start += step.used
            made += step.made
        }
        return true
    }
}
