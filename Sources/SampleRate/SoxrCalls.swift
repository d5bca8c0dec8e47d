import CSoxr
import CSoxrRender

/// The calls of libsoxr, all of them: nothing else in the package imports it.
///
/// Fed by hand: the library's own way to pull its input (`soxr_output`) steps through planar output as if it were
/// interleaved.
enum SoxrCalls {
    typealias Stream = OpaquePointer
    typealias Places = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    static func make(
        from: Int, to: Int, channels: Int, quality: SampleRateConverter.Quality,
        phase: SampleRateConverter.Phase = .linear, isDouble: Bool = false
    ) throws(SampleRateError) -> Stream {
        var error: soxr_error_t?
        let kind = isDouble ? SOXR_FLOAT64_S : SOXR_FLOAT32_S
        var io = soxr_io_spec(kind, kind)
        var quality = soxr_quality_spec(recipe(quality) | UInt(phase == .linear ? SOXR_LINEAR_PHASE : SOXR_MINIMUM_PHASE), 0)
        // One thread: what comes out must not depend on how many there are.
        var runtime = soxr_runtime_spec(1)
        let made = soxr_create(Double(from), Double(to), UInt32(clamping: channels), &error, &io, &quality, &runtime)
        guard let made else {
            throw .refused(from: from, to: to, reason: error.map { String(cString: $0) } ?? "no converter")
        }
        return made
    }

    private static func recipe(_ quality: SampleRateConverter.Quality) -> UInt {
        switch quality {
        case .medium: UInt(SOXR_MQ)
        case .high: UInt(SOXR_HQ)
        case .veryHigh: UInt(SOXR_VHQ)
        }
    }

    /// Up to `frames` of input make up to `capacity` of output; `input` nil means there is no more. nil if the library fails.
    @_noLocks static func process(
        _ stream: Stream, input: Places?, frames: Int, output: Places, capacity: Int
    ) -> (used: Int, made: Int)? {
        let step = soxr_render_step(stream, input, frames, output, capacity)
        return step.failed ? nil : (step.used, step.made)
    }

    /// Steps a stream in double precision, on the control side: it may allocate.
    static func process(
        _ stream: Stream, input: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>?, frames: Int,
        output: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>, capacity: Int
    ) -> (used: Int, made: Int)? {
        var used = 0, made = 0
        return soxr_process(stream, input, frames, &used, output, capacity, &made) == nil ? (used, made) : nil
    }

    /// Frames of output for which the input is here already.
    @_noLocks static func delay(_ stream: Stream) -> Double { soxr_render_delay(stream) }

    /// Back to a new stream's state. - Returns: whether the library did.
    static func clear(_ stream: Stream) -> Bool { soxr_clear(stream) == nil }

    static func close(_ stream: Stream) { soxr_delete(stream) }
}
