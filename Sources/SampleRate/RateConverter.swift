/// Converts what a device plays: pulled by the device's side, with all memory of its own, so that the audio thread may
/// use it.
///
/// It is created and closed on the control side; `output`, `delay` and `waiting` are for the audio thread.
package struct RateConverter {
    private let stream: SoxrCalls.Stream
    private let channelCount: Int
    private let places: SoxrCalls.Places
    /// Frames of the current input, and how many of them are used.
    private let input: UnsafeMutablePointer<(frames: Int, used: Int)>

    /// Converts `channels` planar channels from `from` to `to` frames per second. - Throws: `refused`.
    package init(from: Int, to: Int, channels: Int) throws(SampleRateError) {
        stream = try SoxrCalls.make(from: from, to: to, channels: channels, quality: .high)
        channelCount = channels
        places = .allocate(capacity: 2 * channels)
        places.initialize(repeating: nil, count: 2 * channels)
        input = .allocate(capacity: 1)
        input.initialize(to: (0, 0))
    }

    /// Fills `frames` frames of `channels`; whenever input is needed, `refill` puts the next frames into `source` and
    /// returns how many. Returns the frames made: fewer only if the library fails. Control side; the audio thread takes
    /// the steps itself.
    package func output(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        from source: UnsafePointer<UnsafeMutablePointer<Float>>, refill: () -> Int
    ) -> Int {
        var made = 0
        while made < frames {
            if needsInput { take(refill()) }
            guard let more = step(channels, at: made, frames: frames - made, from: source) else { return made }
            made += more
        }
        return made
    }

    // [render]

    /// True if all input has been used: the next step needs more.
    package var needsInput: Bool { @_noLocks get { input.pointee.used == input.pointee.frames } }

    /// Announces `frames` new frames of input.
    @_noLocks package func take(_ frames: Int) { input.pointee = (frames, 0) }

    /// Makes up to `frames` frames of `channels`, the first of them at `start`, of the input in `source`. Returns how many,
    /// which may be none; nil if the library fails.
    @_noLocks package func step(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, at start: Int, frames: Int,
        from source: UnsafePointer<UnsafeMutablePointer<Float>>
    ) -> Int? {
        for c in 0..<channelCount {
            places[c] = source[c] + input.pointee.used
            places[channelCount &+ c] = channels[c] + start
        }
        let step = SoxrCalls.process(
            stream, input: places, frames: waiting, output: places + channelCount, capacity: frames)
        guard let step, step.used > 0 || step.made > 0 else { return nil }
        input.pointee.used &+= step.used
        return step.made
    }

    /// Frames of output for which the input is here already.
    package var delay: Double { @_noLocks get { SoxrCalls.delay(stream) } }
    /// Frames of input that have been made and not taken yet.
    package var waiting: Int { @_noLocks get { input.pointee.frames &- input.pointee.used } }

    /// Frees the converter.
    package func close() {
        SoxrCalls.close(stream)
        places.deallocate()
        input.deallocate()
    }
}
