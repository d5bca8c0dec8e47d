import Glibc
import MIDI

/// Makes a keyboard play harder or softer: velocity v becomes 127 (v / 127)^`exponent`, brought into a range.
public struct VelocityFilter: MIDIFilter {
    /// Below 1 what is played softly gets louder, above 1 softer; 0 makes all equal; at least 0.
    public var exponent: Double
    /// The softest and the loudest that comes out, within 1...127.
    public var range: ClosedRange<UInt8>

    /// A curve. A negative exponent, or a range beyond 1...127, is a programming error.
    public init(exponent: Double = 1, range: ClosedRange<UInt8> = 1...127) {
        precondition(exponent >= 0 && range.lowerBound >= 1 && range.upperBound <= 127, "velocities are 1...127")
        self.exponent = exponent
        self.range = range
    }

    /// Always the same velocity, 1...127.
    public init(fixed velocity: UInt8) { self.init(range: velocity...velocity) }

    /// Returns the event; a note-on with another velocity.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(var message) = event, message.beginsNote else { return [event] }
        let curved = (127 * pow(Double(message.data2) / 127, exponent)).rounded()
        message.data2 = UInt8(min(max(curved, Double(range.lowerBound)), Double(range.upperBound)))
        return [.message(message)]
    }
}
