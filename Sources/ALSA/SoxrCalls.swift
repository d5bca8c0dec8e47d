import CSoxr

/// A rate converter of libsoxr that pulls its input: the one file that calls it.
///
/// Made on the control side; `output` and `delay` are for the audio thread.
struct RateConverter {
    /// Gives the next input: sets the table of channels and returns the frames in it.
    typealias Source = @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?, Int
    ) -> Int

    private let handle: OpaquePointer

    /// Converts `channels` planar channels from `from` to `to` frames per second. `source` is called with `context` and
    /// returns at most `maximumFrames` frames.
    ///
    /// - Throws: the library's text.
    init(
        from: Int, to: Int, channels: Int, maximumFrames: Int, context: UnsafeMutableRawPointer, source: Source
    ) throws(RateConverterFault) {
        var error: soxr_error_t?
        var io = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        var runtime = soxr_runtime_spec(1)
        guard let handle = soxr_create(Double(from), Double(to), UInt32(clamping: channels), &error, &io, &quality, &runtime)
        else { throw RateConverterFault(reason: error.map { String(cString: $0) } ?? "no converter") }
        self.handle = handle
        if let error = soxr_set_input_fn(handle, source, context, maximumFrames) {
            let reason = String(cString: error)
            soxr_delete(handle)
            throw RateConverterFault(reason: reason)
        }
    }

    /// Fills `frames` frames of the channels, pulling as much input as that takes.
    func output(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) -> Int {
        soxr_output(handle, UnsafeMutableRawPointer(mutating: channels), frames)
    }

    /// Frames of output for which the input has been pulled already.
    var delay: Double { soxr_delay(handle) }

    /// Frees the converter.
    func close() { soxr_delete(handle) }
}

/// Why a rate cannot be converted: libsoxr's text.
struct RateConverterFault: Error {
    let reason: String
}
