internal import SampleRate

/// Frames in, frames out: layout, channels and rate become others. Samples are double precision on the way, so that integers of
/// up to 32 bits pass unchanged; a change of rate is single precision.
final class PCMPipe {
    let input: PCMLayout
    let output: PCMLayout
    /// For each channel that comes out the one it is of, or none.
    var map: [Int?]
    var quality = SampleRateConverter.Quality.high {
        didSet { if quality != oldValue { rate = nil } }
    }

    private var rate: SampleRateConverter?
    private var ready: [[Double]]
    private var start = 0
    private var isFlushed = false

    /// Nil where a rate is missing or cannot be converted.
    init?(_ input: PCMLayout, _ output: PCMLayout) {
        (self.input, self.output) = (input, output)
        map = (0..<output.channels).map { input.channels == 1 ? 0 : $0 < input.channels ? $0 : nil }
        ready = Array(repeating: [], count: output.channels)
        if changesRate {
            guard Int(exactly: input.rate) != nil, Int(exactly: output.rate) != nil, makeRate() else { return nil }
        }
    }

    var changesRate: Bool { input.rate != output.rate }
    var readyFrames: Int { ready[0].count - start }

    private func makeRate() -> Bool {
        guard let from = Int(exactly: input.rate), let to = Int(exactly: output.rate), from > 0, to > 0 else { return false }
        do {
            rate = try SampleRateConverter(from: from, to: to, channels: output.channels, quality: quality)
            return true
        } catch {
            return false
        }
    }

    func reset() {
        ready = Array(repeating: [], count: output.channels)
        (start, isFlushed, rate) = (0, false, nil)
    }

    /// Takes frames from one buffer, or from one for each channel.
    func push(_ buffers: [UnsafeRawPointer], frames: Int) -> Bool {
        if frames == 0 { return true }
        var planes: [[Double]] = []
        for channel in 0..<input.channels {
            let place = input.isInterleaved ? buffers[0] + channel * input.bytes : buffers[channel]
            planes.append(
                Array(unsafeUninitializedCapacity: frames) { plane, count in
                    if let base = plane.baseAddress { input.decode(place, stride: input.bytesPerFrame, count: frames, base) }
                    count = frames
                })
        }
        return push(planes)
    }

    func push(_ planes: [[Double]]) -> Bool {
        let frames = planes.first?.count ?? 0
        let mapped = map.map { source in
            source.flatMap { planes.indices.contains($0) ? planes[$0] : nil } ?? Array(repeating: 0, count: frames)
        }
        if start > 0 {
            for channel in ready.indices { ready[channel].removeFirst(start) }
            start = 0
        }
        guard changesRate else {
            for channel in ready.indices { ready[channel] += mapped[channel] }
            return true
        }
        if rate == nil, !makeRate() { return false }
        do {
            try rate?.push(mapped.map { $0.map(Float.init) }, frames: frames)
            return try pullRate()
        } catch {
            return false
        }
    }

    func flush() -> Bool {
        guard changesRate, !isFlushed, let rate else { return true }
        isFlushed = true
        rate.flush()
        do { return try pullRate() } catch { return false }
    }

    private func pullRate() throws -> Bool {
        let block = 4_096
        return try withUnsafeTemporaryAllocation(of: Float.self, capacity: block * output.channels) { memory in
            guard let base = memory.baseAddress, let rate else { return false }
            let places = (0..<output.channels).map { base + $0 * block }
            while true {
                let made = try rate.pull(places, capacity: block)
                if made == 0 { return true }
                for channel in ready.indices {
                    ready[channel] += UnsafeBufferPointer(start: places[channel], count: made).lazy.map(Double.init)
                }
            }
        }
    }

    /// Puts up to so many frames into one buffer, or one for each channel. Returns how many.
    func pull(_ buffers: [UnsafeMutableRawPointer], frames: Int) -> Int {
        let count = min(frames, readyFrames)
        if count == 0 { return 0 }
        for channel in 0..<output.channels {
            let place = output.isInterleaved ? buffers[0] + channel * output.bytes : buffers[channel]
            ready[channel].withUnsafeBufferPointer { plane in
                if let base = plane.baseAddress { output.encode(base + start, count: count, place, stride: output.bytesPerFrame) }
            }
        }
        start += count
        return count
    }

    func pullPlanes(frames: Int) -> [[Double]] {
        let count = min(frames, readyFrames)
        defer { start += count }
        return ready.map { Array($0[start..<start + count]) }
    }

    /// Frames that must go in for so many more to come out, about.
    func inputFrames(for frames: Int) -> Int {
        changesRate && output.rate > 0 ? max(1, Int((Double(frames) * input.rate / output.rate).rounded(.up))) : frames
    }
}
