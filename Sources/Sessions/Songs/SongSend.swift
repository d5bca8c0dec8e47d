import Patches

/// Channels of songs that are played by something outside: a synthesizer, a carillon of bells, a light desk.
///
/// The session's own instruments are silent on these channels. Each message goes out when it would be heard.
public struct SongSend: Sendable, Hashable {
    /// A part of the name of a MIDI port, with `*` and `?` if need be, or an identity such as `usb:0499:1617`.
    public var output: String
    /// Channels, counted from 1 over all ports, 1...256.
    public var channels: Set<Int>

    /// Channels that go to a port.
    public init(_ channels: Set<Int>, to output: String) { (self.output, self.channels) = (output, channels) }

    /// Channels as people write them, `10` or `1-4,10`; nil if it is invalid.
    public static func channels(_ text: String) -> Set<Int>? {
        PartList(text).map { Set($0.parts.map { $0 + 1 }) }
    }
}
