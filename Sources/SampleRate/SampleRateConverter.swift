/// Converts the rate of planar sound piece by piece: frames are pushed, converted frames are pulled, and a flush gives the
/// rest. The output is the same for any pieces.
///
/// The sound keeps its place: frame n comes out at n * `outputRate` / `inputRate`, without a delay of its own, and as many
/// frames as the input lasts. By libsoxr (R. Sykes), linear phase. Control side, one thread at a time: it allocates.
public final class SampleRateConverter {
    /// The steepness and cleanness of the filter.
    public enum Quality: Sendable, CaseIterable {
        /// 16 bits, a wider transition band: the least work.
        case medium
        /// 20 bits: what a device plays and a file player makes.
        case high
        /// 28 bits.
        case veryHigh
    }

    /// The behaviour of the filter around a click.
    public enum Phase: Sendable, CaseIterable {
        /// Ringing as long before as after; all frequencies keep their place.
        case linear
        /// Ringing afterwards only, twice as long, and the treble comes a little later than the bass.
        case minimum
    }

    /// Frames per second of what is pushed.
    public let inputRate: Int
    /// Frames per second of what is pulled.
    public let outputRate: Int
    /// The number of channels of input and output.
    public let channels: Int
    /// nil if both rates are the same: then frames pass as they are.
    private let stream: SoxrCalls.Stream?
    private let places: SoxrCalls.Places
    /// The input that was pushed and is not converted yet, from `start` on.
    private var waiting: [[Float]]
    private var start = 0
    private var isFlushed = false

    /// Creates a converter of `channels` channels, 1...1024. - Throws: `refused`, `channels`.
    public init(from inputRate: Int, to outputRate: Int, channels: Int, quality: Quality = .high) throws(SampleRateError) {
        guard (1...1024).contains(channels) else { throw .channels(channels, wanted: 1...1024) }
        guard (1...1_000_000).contains(inputRate), (1...1_000_000).contains(outputRate) else {
            throw .refused(from: inputRate, to: outputRate, reason: "out of range")
        }
        stream =
            inputRate == outputRate
            ? nil : try SoxrCalls.make(from: inputRate, to: outputRate, channels: channels, quality: quality)
        (self.inputRate, self.outputRate, self.channels) = (inputRate, outputRate, channels)
        places = .allocate(capacity: 2 * channels)
        places.initialize(repeating: nil, count: 2 * channels)
        waiting = Array(repeating: [], count: channels)
    }

    deinit {
        if let stream { SoxrCalls.close(stream) }
        places.deallocate()
    }

    /// Frames that were pushed and not taken in yet: push more when it is 0 and `pull` gives none.
    public var waitingFrames: Int { waiting[0].count - start }

    /// Adds `frames` frames, one array per channel of at least as many. - Throws: `channels`, `frames`, `ended`.
    public func push(_ planes: [[Float]], frames: Int) throws(SampleRateError) {
        if isFlushed { throw .ended }
        guard planes.count == channels else { throw .channels(planes.count, wanted: channels...channels) }
        let most = planes.map(\.count).min() ?? 0
        guard (0...most).contains(frames) else { throw .frames(frames, most: most) }
        for channel in 0..<channels {
            waiting[channel].removeFirst(start)
            waiting[channel] += planes[channel][..<frames]
        }
        start = 0
    }

    /// Ends the input, so that `pull` returns the rest.
    public func flush() { isFlushed = true }

    /// Forgets everything, for a new beginning. - Throws: `failed`.
    public func startAgain() throws(SampleRateError) {
        if let stream, !SoxrCalls.clear(stream) { throw .failed(from: inputRate, to: outputRate) }
        waiting = Array(repeating: [], count: channels)
        start = 0
        isFlushed = false
    }

    /// Puts up to `capacity` converted frames into `output`, one pointer per channel. Returns how many; 0 means that more
    /// must be pushed, or after a flush that this was all. - Throws: `failed`, `channels`, `frames`.
    public func pull(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(SampleRateError) -> Int {
        guard output.count == channels else { throw .channels(output.count, wanted: channels...channels) }
        if capacity < 0 { throw .frames(capacity, most: .max) }
        guard let stream else {
            let frames = min(capacity, waitingFrames)
            for channel in 0..<channels {
                for i in 0..<frames { output[channel][i] = waiting[channel][start + i] }
            }
            start += frames
            return frames
        }
        var made = 0
        while made < capacity {
            let frames = waitingFrames
            if frames == 0, !isFlushed { break }
            for channel in 0..<channels { places[channels + channel] = output[channel] + made }
            let step =
                frames > 0
                ? withInput {
                    SoxrCalls.process(
                        stream, input: places, frames: frames, output: places + channels, capacity: capacity - made)
                }
                : SoxrCalls.process(stream, input: nil, frames: 0, output: places + channels, capacity: capacity - made)
            guard let step else { throw .failed(from: inputRate, to: outputRate) }
            start += step.used
            made += step.made
            if step.used == 0 && step.made == 0 { break }
        }
        return made
    }

    private func withInput<Result>(_ body: () -> Result) -> Result {
        let planes = waiting
        func pin(_ channel: Int) -> Result {
            if channel == channels { return body() }
            return planes[channel].withUnsafeBufferPointer { buffer in
                // The library only reads it.
                places[channel] = buffer.baseAddress.map { UnsafeMutablePointer(mutating: $0 + start) }
                return pin(channel + 1)
            }
        }
        return pin(0)
    }

    /// Converts a whole sound. - Throws: `refused`, `failed`.
    public static func convert(
        _ planes: [[Float]], from inputRate: Int, to outputRate: Int, quality: Quality = .high
    ) throws(SampleRateError) -> [[Float]] {
        guard let frames = planes.first?.count, frames > 0 else { return planes }
        let converter = try SampleRateConverter(from: inputRate, to: outputRate, channels: planes.count, quality: quality)
        try converter.push(planes, frames: frames)
        converter.flush()
        let block = 4096
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: block * planes.count)
        defer { memory.deallocate() }
        let output = planes.indices.map { memory + $0 * block }
        var converted = planes.map { _ in [Float]() }
        while true {
            let made = try converter.pull(output, capacity: block)
            if made == 0 { return converted }
            for channel in planes.indices { converted[channel] += UnsafeBufferPointer(start: output[channel], count: made) }
        }
    }
}
