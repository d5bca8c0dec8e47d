import CSoxr

/// A rate converter of libsoxr: the one file that calls it.
///
/// Made and closed on the control side; `output` and `delay` are for the audio thread. Fed by hand: the library's own
/// way to pull its input (`soxr_output`) steps through planar output as if it were interleaved.
struct RateConverter {
    private let handle: OpaquePointer
    private let channelCount: Int
    /// Where the channels of this call begin: input, then output.
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// Frames of the current input, and how many of them are used.
    private let input: UnsafeMutablePointer<(frames: Int, used: Int)>

    /// Converts `channels` planar channels from `from` to `to` frames per second.
    init(from: Int, to: Int, channels: Int) throws(RateConverterFault) {
        var error: soxr_error_t?
        var io = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        var runtime = soxr_runtime_spec(1)
        let made = soxr_create(
            Double(from), Double(to), UInt32(clamping: channels), &error, &io, &quality, &runtime)
        guard let made else { throw RateConverterFault(reason: error.map { String(cString: $0) } ?? "no converter") }
        handle = made
        channelCount = channels
        places = .allocate(capacity: 2 * channels)
        places.initialize(repeating: nil, count: 2 * channels)
        input = .allocate(capacity: 1)
        input.initialize(to: (0, 0))
    }

    /// Fills `frames` frames of `channels`; whenever input is needed, `refill` puts the next frames into `source` and
    /// returns how many. Returns the frames made: fewer only where the library fails.
    func output(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        from source: UnsafePointer<UnsafeMutablePointer<Float>>, refill: () -> Int
    ) -> Int {
        var made = 0
        while made < frames {
            if input.pointee.used == input.pointee.frames { input.pointee = (refill(), 0) }
            for c in 0..<channelCount {
                places[c] = source[c] + input.pointee.used
                places[channelCount + c] = channels[c] + made
            }
            var used = 0, done = 0
            let error = soxr_process(
                handle, places, input.pointee.frames - input.pointee.used, &used, places + channelCount,
                frames - made, &done)
            if error != nil || (used == 0 && done == 0) { return made }
            input.pointee.used += used
            made += done
        }
        return made
    }

    /// Frames of output for which the input is here already.
    var delay: Double { soxr_delay(handle) }
    /// Frames of input that have been made and not taken yet.
    var waiting: Int { input.pointee.frames - input.pointee.used }

    /// Frees the converter.
    func close() {
        soxr_delete(handle)
        places.deallocate()
        input.deallocate()
    }
}

/// Why a rate cannot be converted: libsoxr's text.
struct RateConverterFault: Error {
    let reason: String
}
