/// A message of OSC (Open Sound Control 1.0): an address and its arguments.
struct OSCMessage: Hashable {
    /// A value, with the tag that it has on its way.
    enum Argument: Hashable {
        /// `i` and `h`.
        case whole(Int32)
        case wide(Int64)
        /// `f` and `d`.
        case single(Float)
        case double(Double)
        /// `s`; `S` is read as the same.
        case text(String)
        /// `T` and `F`.
        case flag(Bool)
    }

    var address: String
    var arguments: [Argument] = []
}
