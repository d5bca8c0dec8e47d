/// A type of insertion effect of GS or XG: the units of ours that play it, and what its bytes mean for them.
///
/// Units stand in a row; a channel strip with level, pan and sends follows the last one. A type without units and settings
/// is not followed, unless it is `isThrough`. Control side.
package struct InsertionType: Sendable {
    /// How bytes make a value of a unit's parameter, in that parameter's measure.
    package struct Setting: Sendable {
        /// The place of the unit in `units`; `units.count` is the strip.
        package let unit: Int
        package let parameter: String
        /// The band of an equalizer, else 0.
        package let element: Int
        package let value: @Sendable ([Int]) -> Float
    }

    package let high: UInt8, low: UInt8
    package let name: String
    package let units: [String]
    /// The values of all parameters when the type is chosen: 20 bytes for GS, 16 values for XG, of 14 bits where it has such.
    package let initial: [Int]
    package let settings: [Setting]

    /// The types of GS, then those of XG, by the numbers that events use; the first is thru.
    package static let all = roland + yamaha

    /// The address in hexadecimal: 0110.
    package var address: String {
        let text = String(UInt16(high) << 8 | UInt16(low), radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - text.count) + text
    }

    /// True for the type that changes nothing.
    package var isThrough: Bool { high == 0 }
    package var isFollowed: Bool { isThrough || !units.isEmpty }

    init(
        _ address: UInt16, _ name: String, _ units: [String] = [], _ initial: [Int] = [], _ settings: [Setting] = []
    ) {
        (high, low) = (UInt8(address >> 8), UInt8(address & 0xFF))
        (self.name, self.units, self.initial, self.settings) = (name, units, initial, settings)
    }

    /// Types that are not followed, from lines of an address in hexadecimal and a name.
    static func unfollowed(_ lines: String) -> [InsertionType] {
        lines.split(separator: "\n").compactMap { line in
            guard let address = UInt16(line.prefix(4), radix: 16) else { return nil }
            return InsertionType(address, String(line.dropFirst(5)))
        }
    }

    /// Returns the place of a type in `types`; nil for an unknown one.
    package static func place(high: UInt8, low: UInt8, in types: [InsertionType]) -> Int? {
        types.firstIndex { $0.high == high && $0.low == low }
    }

    /// Returns what all settings are for the bytes.
    package func values(_ bytes: [Int]) -> [Float] { settings.map { $0.value(bytes) } }
}

extension InsertionType.Setting {
    /// A value that is always the same.
    static func fixed(_ unit: Int, _ parameter: String, _ value: Float, element: Int = 0) -> Self {
        Self(unit: unit, parameter: parameter, element: element) { _ in value }
    }

    /// The value of one byte, the first being 1 as in the manuals.
    static func byte(
        _ number: Int, _ unit: Int, _ parameter: String, element: Int = 0, _ law: @escaping @Sendable (Int) -> Float
    ) -> Self {
        Self(unit: unit, parameter: parameter, element: element) { law($0[number - 1]) }
    }

    /// A gain of an equalizer's band, -12...12 dB around 64.
    static func gain(_ number: Int, _ unit: Int, band: Int) -> Self {
        byte(number, unit, "gain", element: band) { Float(min(max($0 - 64, -12), 12)) }
    }

    /// A shelf at a frequency that stays: band 0 is the low one of an equalizer, band 7 the high one.
    static func shelf(_ number: Int, _ unit: Int, band: Int, hertz: Float) -> [Self] {
        [fixed(unit, "frequency", hertz, element: band), gain(number, unit, band: band)]
    }

    /// From `low` to `high` in even steps over 0...127.
    static func even(_ low: Float, _ high: Float) -> @Sendable (Int) -> Float {
        { low + (high - low) * Float(min(max($0, 0), 127)) / 127 }
    }

    /// An amplitude of 0...127 in decibels.
    package static func level(_ byte: Int) -> Float { decibels(Double(byte) / 127) }

    static func decibels(_ amplitude: Double) -> Float {
        amplitude <= 1e-6 ? -120 : Float(20 * logarithm(amplitude))
    }

    /// The logarithm to base 10, by halving: the same bits everywhere.
    private static func logarithm(_ x: Double) -> Double {
        var (value, whole) = (x, 0.0)
        while value < 1 { (value, whole) = (value * 2, whole - 1) }
        while value >= 2 { (value, whole) = (value / 2, whole + 1) }
        var (sum, step) = (whole, 0.5)
        for _ in 0..<40 {
            value *= value
            if value >= 2 { (value, sum) = (value / 2, sum + step) }
            step /= 2
        }
        return sum * 0.30102999566398120
    }

    /// `base` to the power of a whole number of steps.
    static func power(_ base: Double, _ steps: Int) -> Double {
        (0..<abs(steps)).reduce(1.0) { product, _ in steps < 0 ? product / base : product * base }
    }
}
