// [render]

/// A MIDI 1.0 channel message in four bytes: the status byte with its channel, two data bytes, and the port it came in
/// on.
///
/// Trivial, so it crosses to the render thread by value. Source: MIDI 1.0 Detailed Specification 4.2.
@frozen public struct MIDIMessage: Hashable, BitwiseCopyable, Sendable {
    /// 0x80...0xEF: the kind in the upper half, the channel (0...15) in the lower.
    public var status: UInt8
    /// First data byte, 0...127: key, controller, program, pressure, or the bend's lower seven bits.
    public var data1: UInt8
    /// Second data byte, 0...127; 0 if the kind has one data byte.
    public var data2: UInt8
    /// The port, 0...15, of a song's FF 21 or of a live input: each port has sixteen channels of its own. From 16 on it is a
    /// MIDI port outside, which no unit receives.
    public var port: UInt8

    @_noLocks @inlinable @inline(__always)
    public init(status: UInt8, data1: UInt8, data2: UInt8 = 0, port: UInt8 = 0) {
        (self.status, self.data1, self.data2, self.port) = (status, data1, data2, port)
    }

    /// 0...15.
    @inlinable
    public var channel: UInt8 { @_noLocks @inline(__always) get { status & 0x0F } }

    /// 0...255: port and channel as one number.
    @inlinable
    public var part: Int { @_noLocks @inline(__always) get { Int(port) &* 16 &+ Int(status & 0x0F) } }

    /// The kind of the message; nil for a status byte that is not a channel message.
    @inlinable
    public var kind: Kind? { @_noLocks @inline(__always) get { Kind(rawValue: status & 0xF0) } }

    /// The seven kinds of channel message, by the upper half of the status byte.
    @frozen public enum Kind: UInt8, BitwiseCopyable, Sendable {
        case noteOff = 0x80
        case noteOn = 0x90
        case keyPressure = 0xA0
        case controlChange = 0xB0
        case programChange = 0xC0
        case channelPressure = 0xD0
        case pitchBend = 0xE0
    }

    /// -8192...8191; meaningful for `pitchBend` only.
    @inlinable
    public var bend: Int { @_noLocks @inline(__always) get { (Int(data2) &<< 7 | Int(data1)) &- 8192 } }
}
