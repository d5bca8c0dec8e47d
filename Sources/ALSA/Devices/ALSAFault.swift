import CALSA

/// A call of libasound that failed: which, and why.
public struct ALSAFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function, `snd_pcm_open`.
    public let function: String
    /// The positive error number, `ENODEV`.
    public let code: Int32

    /// `result` is what the function returned: a negative error number.
    init(_ function: String, _ result: Int32) {
        self.function = function
        code = -result
    }

    /// The library's text and the function's name.
    public var description: String {
        let text = snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)"
        return "\(text) (\(function))"
    }
}
