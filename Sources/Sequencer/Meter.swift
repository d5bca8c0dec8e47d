/// A time signature.
public struct Meter: Hashable, Sendable {
    /// Beats in a bar, 1...255.
    public var numerator: UInt8
    /// The note that is one beat, as a power of two, 0...7: 2 is a quarter, 3 an eighth.
    public var denominatorPower: UInt8
    /// MIDI clocks (24 to a quarter) between two clicks of a metronome.
    public var clocksPerClick: UInt8
    /// Notated thirty-second notes in what MIDI calls a quarter: 8, but for oddities.
    public var thirtySecondsPerQuarter: UInt8

    public init(_ numerator: UInt8, over denominatorPower: UInt8, clocksPerClick: UInt8 = 24,
                thirtySecondsPerQuarter: UInt8 = 8) {
        self.numerator = numerator
        self.denominatorPower = denominatorPower
        self.clocksPerClick = clocksPerClick
        self.thirtySecondsPerQuarter = thirtySecondsPerQuarter
    }

    /// Four quarters: what holds until a song says otherwise.
    public static let common = Meter(4, over: 2)

    /// 1, 2, 4, ... 128.
    public var denominator: Int { 1 << Int(min(denominatorPower, 7)) }
}
