import Reports

/// Turns sound of one format into another: rate, kind of samples, side by side or apart, channels.
///
///     let converter = try FormatConverter(
///         from: SoundFormat(sampleRate: 44_100, channels: 2, sample: .int16, isInterleaved: true),
///         to: SoundFormat(sampleRate: 48_000, channels: 2))
///     let planes: [[Float]] = try converter.convert([pieceOfFile])
///     let rest: [[Float]] = try converter.finish()
///
/// Sound comes in pieces of any length; the output is the same bytes for any pieces. Frame n comes out at n * rate out / rate
/// in, without a delay, and as many frames as the input lasts, rounded up. In between everything is double precision: sound
/// that needs no rounding comes back bit for bit. Rates by libsoxr (R. Sykes), dither by `SampleCodec`. Control side, one
/// thread at a time.
public final class FormatConverter {
    /// The noise that is added to sound before it is rounded to 16 bits.
    public enum Dither: Sendable, CaseIterable {
        /// Nothing: the error follows the sound.
        case none
        /// Triangular noise of two steps' width, if a sample is rounded at all; the same in every run.
        case triangular
    }

    /// The formats of what goes in and of what comes out.
    public let input: SoundFormat, output: SoundFormat
    /// Frames that went in, and that came out, since the beginning.
    public private(set) var framesIn: Int64 = 0, framesOut: Int64 = 0
    private let mix: ChannelMix
    private var decoder: SampleCodec, encoder: SampleCodec
    private let stretch: DoubleStream?
    /// True if channels are mixed before the rate is converted: if that leaves fewer.
    private let mixesFirst: Bool
    private var isFinished = false

    /// Creates a converter. `mix`: which channels become which; nil for the default. At quality `veryHigh` distortion and
    /// noise lie below -145 dB.
    ///
    /// - Throws: `channels` if there is no default or the mix is for others, `format`, `rate`.
    public init(
        from input: SoundFormat, to output: SoundFormat, mix: ChannelMix? = nil,
        quality: SampleRateConverter.Quality = .veryHigh, phase: SampleRateConverter.Phase = .linear,
        dither: Dither = .triangular
    ) throws(Fault) {
        for format in [input, output] where !(1...1_024).contains(format.channels) { throw .format(format) }
        guard let mix = mix ?? ChannelMix(from: input.channels, to: output.channels),
            mix.gains.count == output.channels, mix.gains.allSatisfy({ $0.count == input.channels })
        else { throw .channels(from: input.channels, to: output.channels) }
        (self.mix, self.input, self.output) = (mix, input, output)
        mixesFirst = output.channels <= input.channels
        decoder = SampleCodec(input.sample)
        encoder = SampleCodec(output.sample, isDithered: dither == .triangular)
        do throws(SampleRateError) {
            stretch = try DoubleStream(
                from: input.sampleRate, to: output.sampleRate, channels: min(input.channels, output.channels),
                quality: quality, phase: phase)
        } catch { throw Fault(error) }
    }

    /// Samples beyond full scale that the output's integers could not hold, and were clamped.
    public var clippedSamples: Int64 { encoder.clippedSamples }
    /// Samples that were infinite or no numbers, and became 0.
    public var repairedSamples: Int64 { decoder.repairedSamples }

    /// Takes a piece of sound and returns the output that can be made by now: numbers of the format's type, or its bytes
    /// (UInt8), as for 24 bits there is none.
    ///
    /// - Parameter planes: one array if the input is interleaved, else one for each channel, of whole frames.
    /// - Returns: the same of the output.
    /// - Throws: `planes` if the arrays do not match the format, `finished` after `finish`, `rate`.
    public func convert<Element: BitwiseCopyable, Result: BitwiseCopyable>(
        _ planes: [[Element]], to _: Result.Type = Result.self
    ) throws(Fault) -> [[Result]] {
        if isFinished { throw .finished }
        let bytes = (planes.first?.count ?? 0) * MemoryLayout<Element>.stride
        guard input.isHeld(by: Element.self), planes.count == input.planes, bytes % input.bytesPerFrame == 0,
            planes.allSatisfy({ $0.count == planes[0].count })
        else { throw .planes(input) }
        guard output.isHeld(by: Result.self) else { throw .planes(output) }
        framesIn += Int64(bytes / input.bytesPerFrame)
        return try make(decoded(planes), isLast: false)
    }

    /// Gives what is left, and ends. - Throws: `finished`, `rate`.
    public func finish<Result: BitwiseCopyable>(_: Result.Type = Result.self) throws(Fault) -> [[Result]] {
        if isFinished { throw .finished }
        guard output.isHeld(by: Result.self) else { throw .planes(output) }
        isFinished = true
        return try make(Array(repeating: [], count: input.channels), isLast: true)
    }

    /// Forgets everything, for a new sound. - Throws: `rate`.
    public func startAgain() throws(Fault) {
        do { try stretch?.startAgain() } catch { throw Fault(error) }
        (framesIn, framesOut, isFinished) = (0, 0, false)
        decoder = SampleCodec(decoder.sample)
        encoder = SampleCodec(encoder.sample, isDithered: encoder.isDithered)
    }

    private func decoded<Element: BitwiseCopyable>(_ planes: [[Element]]) -> [[Double]] {
        (0..<input.channels).map { channel in
            var samples: [Double] = []
            planes[input.isInterleaved ? 0 : channel].withUnsafeBytes { bytes in
                decoder.decode(
                    bytes, from: input.isInterleaved ? channel * input.sample.bytes : 0, stride: input.bytesPerFrame, &samples)
            }
            return samples
        }
    }

    private func make<Result: BitwiseCopyable>(
        _ planes: [[Double]], isLast: Bool
    ) throws(Fault) -> [[Result]] {
        var planes = mixesFirst ? mixed(planes) : planes
        if let stretch {
            do { planes = try stretch.convert(planes, isLast: isLast) } catch { throw Fault(error) }
        }
        if !mixesFirst { planes = mixed(planes) }
        let first = framesOut, frames = planes[0].count
        framesOut += Int64(frames)
        return (0..<output.planes).map { plane in
            let count = frames * output.bytesPerFrame / MemoryLayout<Result>.stride
            return [Result](unsafeUninitializedCapacity: count) { buffer, made in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                for channel in output.isInterleaved ? 0..<output.channels : plane..<plane + 1 {
                    let offset = output.isInterleaved ? channel * output.sample.bytes : 0
                    encoder.encode(
                        planes[channel][...], bytes, from: offset, stride: output.bytesPerFrame, frame: first, channel: channel)
                }
                made = count
            }
        }
    }

    private func mixed(_ planes: [[Double]]) -> [[Double]] {
        if mix.isIdentity { return planes }
        return mix.gains.map { row in
            let sources = row.indices.filter { row[$0] != 0 }
            if sources.count == 1, row[sources[0]] == 1 { return planes[sources[0]] }
            return planes[0].indices.map { n in sources.reduce(0) { $0 + planes[$1][n] * row[$1] } }
        }
    }
}

/// Sound that cannot be converted.
extension Fault {
    package static func format(_ format: SoundFormat) -> Fault {
        Fault("there is no sound of \(format)", .usage, remedy: "choose 1 to 1024 channels")
    }
    package static func channels(from: Int, to: Int) -> Fault {
        Fault(
            "\(from) channels do not become \(to) by themselves", .usage,
            remedy: "give a mix with \(to) rows of \(from) gains")
    }
    package static func planes(_ format: SoundFormat) -> Fault {
        Fault("this is not \(format): \(format.planes) arrays of whole frames, of one length and of that kind", .usage)
    }
    package static let finished = Fault("the sound is finished", .usage, remedy: "call startAgain() before more of it")
}
