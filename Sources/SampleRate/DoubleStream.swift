/// A rate converted piece by piece in double precision, by libsoxr: as many frames as the input lasts, to the frame.
final class DoubleStream {
    private let stream: SoxrCalls.Stream
    private let from: Int, to: Int, channels: Int
    private var framesIn: Int64 = 0, framesOut: Int64 = 0

    /// Nil if both rates are the same. - Throws: `refused`.
    init?(
        from: Int, to: Int, channels: Int, quality: SampleRateConverter.Quality, phase: SampleRateConverter.Phase
    ) throws(SampleRateError) {
        guard (1...1_000_000).contains(from), (1...1_000_000).contains(to) else {
            throw .refused(from: from, to: to, reason: "out of range")
        }
        if from == to { return nil }
        stream = try SoxrCalls.make(from: from, to: to, channels: channels, quality: quality, phase: phase, isDouble: true)
        (self.from, self.to, self.channels) = (from, to, channels)
    }

    deinit { SoxrCalls.close(stream) }

    /// Resets it to its beginning. - Throws: `failed`.
    func startAgain() throws(SampleRateError) {
        if !SoxrCalls.clear(stream) { throw .failed(from: from, to: to) }
        (framesIn, framesOut) = (0, 0)
    }

    /// Takes a piece and gives what can be made; with `isLast` all that is left. - Throws: `failed`.
    func convert(_ planes: [[Double]], isLast: Bool) throws(SampleRateError) -> [[Double]] {
        framesIn += Int64(planes[0].count)
        guard isLast else { return try process(planes, isEnd: false) }
        // Silence follows the last frame, so that the library can make what that asks for; what is more is cut.
        let wanted = (framesIn * Int64(to) + Int64(from) - 1) / Int64(from)
        let before = framesOut
        let silence = Array(repeating: [Double](repeating: 0, count: from / to + 2), count: channels)
        var made = try process(planes, isEnd: false)
        for piece in [try process(silence, isEnd: false), try process(silence.map { _ in [] }, isEnd: true)] {
            for channel in 0..<channels { made[channel] += piece[channel] }
        }
        let room = Int(wanted - before)
        if made[0].count < room { throw .failed(from: from, to: to) }
        return made.map { Array($0[..<room]) }
    }

    private func process(_ planes: [[Double]], isEnd: Bool) throws(SampleRateError) -> [[Double]] {
        let frames = planes[0].count, capacity = 4_096
        let memory = UnsafeMutablePointer<Double>.allocate(capacity: channels * (frames + capacity))
        let places = UnsafeMutablePointer<UnsafeMutablePointer<Double>?>.allocate(capacity: 2 * channels)
        defer {
            memory.deallocate()
            places.deallocate()
        }
        for channel in 0..<channels {
            (memory + channel * frames).initialize(from: planes[channel], count: frames)
            (memory + channels * frames + channel * capacity).initialize(repeating: 0, count: capacity)
            places[channels + channel] = memory + channels * frames + channel * capacity
        }
        var made = [[Double]](repeating: [], count: channels), used = 0
        while isEnd || used < frames {
            for channel in 0..<channels { places[channel] = memory + channel * frames + used }
            let step = SoxrCalls.process(
                stream, input: isEnd ? nil : places, frames: frames - used, output: places + channels, capacity: capacity)
            guard let step else { throw .failed(from: from, to: to) }
            used += step.used
            for channel in 0..<channels {
                made[channel] += UnsafeBufferPointer(start: memory + channels * frames + channel * capacity, count: step.made)
            }
            if step.used == 0 && step.made == 0 { break }
        }
        if !isEnd && used < frames { throw .failed(from: from, to: to) }
        framesOut += Int64(made[0].count)
        return made
    }
}
