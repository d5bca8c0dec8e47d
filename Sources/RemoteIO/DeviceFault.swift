/// A call of a device's library that failed: which, and why.
public struct DeviceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function, `snd_pcm_open`.
    public let function: String
    /// The positive error number, `ENODEV`.
    public let code: Int32
    /// The library's own text for it.
    public let text: String

    /// A fault of `function`.
    public init(function: String, code: Int32, text: String) {
        (self.function, self.code, self.text) = (function, code, text)
    }

    /// The library's text and the function's name.
    public var description: String { "\(text) (\(function))" }
}
