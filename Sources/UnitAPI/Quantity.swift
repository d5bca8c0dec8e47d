import RealtimeCore

/// A number and its unit, as text both ways: the one grammar of all options, settings and parameters.
///
/// A number with its unit or without, blanks between them or none, in any case: `3dB`, `44.1 kHz`, `44.1k`, `-50%`,
/// `0.8x`, `250ms`. Durations also as `1m`, `1m30s`, `1h`, `1:30`, `1:02:03`. Toggles and choices have names for their
/// numbers. Control side.
package struct Quantity: Sendable, Hashable, CustomStringConvertible {
    /// The amount in `unit`: hertz, seconds, decibels, ...
    package var value: Double
    /// The unit of measure of the value.
    package var unit: ParameterSpec.Unit

    /// The reason why a text is not a quantity of a unit.
    package enum Fault: Error, Sendable, Hashable {
        case notANumber
        /// A word after the number that is not a unit, or a unit of another quantity.
        case wrongUnit
        /// None of the names of a toggle or a choice.
        case notOneOf([String])
    }

    /// Creates a number of `unit`.
    package init(_ value: Double, _ unit: ParameterSpec.Unit) {
        self.value = value
        self.unit = unit
    }

    /// Reads `text` as a quantity of `unit`.
    package init(_ text: String, _ unit: ParameterSpec.Unit) throws(Fault) {
        self.unit = unit
        let wanted = text.lowercased().filter { $0 != " " }
        switch unit {
        case .toggle:
            switch wanted {
            case "on", "true", "yes", "1": value = 1
            case "off", "false", "no", "0": value = 0
            default: throw .notOneOf(["on", "off"])
            }
        case .choice(let names):
            guard let index = names.firstIndex(where: { $0.lowercased() == wanted }) else { throw .notOneOf(names) }
            value = Double(index)
        case .seconds where wanted.contains(":"): value = try Self.clock(wanted)
        case .seconds: value = try Self.duration(wanted)
        default:
            let (number, rest) = try Self.number(wanted[...])
            value = number * (try Self.factor(of: String(rest), unit))
        }
    }

    /// The quantity as text: "-6 dB", "2.5 s", "1.2 kHz", "on", "4th-order". Four significant digits.
    package var description: String {
        switch unit {
        case .toggle: value < 0.5 ? "off" : "on"
        case .choice(let names): names[min(max(Int(nearest: value), 0), names.count - 1)]
        case .hertz where abs(value) >= 1000: "\(Self.digits(value / 1000)) kHz"
        case .seconds where abs(value) < 1 && value != 0: "\(Self.digits(value * 1000)) ms"
        case .seconds where value >= 3600 && value.truncatingRemainder(dividingBy: 3600) == 0:
            "\(Self.digits(value / 3600)) h"
        default: Self.digits(value) + name
        }
    }

    /// The number with all its digits, and the unit itself: "44101 Hz".
    package var exactDescription: String {
        (Int64(exactly: value).map { "\($0)" } ?? "\(value)") + name
    }

    private var name: String {
        let isOne = abs(value) == 1 && unit.symbol.count > 1 && unit.symbol.last == "s"
        return unit.symbol.isEmpty ? "" : " " + (isOne ? String(unit.symbol.dropLast()) : unit.symbol)
    }

    /// `1:30`, `1:02:03.5`: minutes and seconds, or hours before them.
    private static func clock(_ text: String) throws(Fault) -> Double {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { throw .notANumber }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard part.first?.isNumber == true, let value = Double(part), value.isFinite, index == 0 || value < 60,
                isLast || Int(part) != nil
            else { throw .notANumber }
            seconds = seconds * 60 + value
        }
        return seconds
    }

    /// `1h30m`, `2.5s`, `90`: each unit smaller than the one before.
    private static func duration(_ text: String) throws(Fault) -> Double {
        var rest = text[...], sum = 0.0, last = Double.infinity
        repeat {
            let (number, tail) = try Self.number(rest)
            let name = tail.prefix { $0.isLetter }
            let factor = try Self.factor(of: String(name), .seconds)
            guard factor < last, last == .infinity || (number >= 0 && !name.isEmpty) else { throw .wrongUnit }
            sum += (text.first == "-" ? -abs(number) : number) * factor
            (rest, last) = (tail.dropFirst(name.count), name.isEmpty ? 0 : factor)
        } while !rest.isEmpty
        return sum
    }

    /// The number that `text` begins with, and the text after it. `3e2` has an exponent, `3em` has none.
    private static func number(_ text: Substring) throws(Fault) -> (Double, Substring) {
        var end = text.startIndex
        func digits(from start: Substring.Index) -> Substring.Index {
            text[start...].firstIndex { !("0"..."9").contains($0) } ?? text.endIndex
        }
        if let first = text.first, first == "+" || first == "-" { end = text.index(after: end) }
        end = digits(from: end)
        if end < text.endIndex, text[end] == "." { end = digits(from: text.index(after: end)) }
        if end < text.endIndex, text[end] == "e" {
            var exponent = text.index(after: end)
            if exponent < text.endIndex, "+-".contains(text[exponent]) { exponent = text.index(after: exponent) }
            let last = digits(from: exponent)
            if last > exponent { end = last }
        }
        guard let number = Double(text[..<end]), number.isFinite else { throw .notANumber }
        return (number, text[end...])
    }

    private static func factor(of name: String, _ unit: ParameterSpec.Unit) throws(Fault) -> Double {
        if name.isEmpty || name == unit.symbol.lowercased() { return 1 }
        switch (unit, name) {
        case (.hertz, "khz"), (.hertz, "k"): return 1000
        case (.seconds, "ms"): return 0.001
        case (.seconds, "sec"): return 1
        case (.seconds, "m"), (.seconds, "min"): return 60
        case (.seconds, "h"): return 3600
        case (.seconds, "d"): return 86_400
        case (.ratio, "%"): return 0.01
        case (.ratio, "x"), (.pan, "%"), (.cents, "cent"), (.semitones, "semitone"), (.voices, "voice"), (.frames, "frame"):
            return 1
        default: throw .wrongUnit
        }
    }

    /// Four significant digits, without an exponent or trailing zeros.
    private static func digits(_ value: Double) -> String {
        if value == 0 || !value.isFinite { return value == 0 ? "0" : "\(value)" }
        var scale = 1.0, decimals = 0
        while abs(value) * scale < 1000 && decimals < 7 {
            scale *= 10
            decimals += 1
        }
        guard let scaled = Int64(exactly: (value * scale).rounded()) else { return "\(value)" }
        let whole = String(scaled.magnitude / UInt64(scale))
        var fraction = decimals == 0 ? "" : String(scaled.magnitude % UInt64(scale))
        while fraction.count < decimals { fraction = "0" + fraction }
        while fraction.last == "0" { fraction.removeLast() }
        return (scaled < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}

extension ParameterSpec.Unit {
    /// The text after a number: "dB", "Hz"; empty if there is none.
    public var symbol: String {
        switch self {
        case .decibels: "dB"
        case .hertz: "Hz"
        case .seconds: "s"
        case .percent: "%"
        case .cents: "cents"
        case .semitones: "semitones"
        case .voices: "voices"
        case .frames: "frames"
        case .none, .ratio, .pan, .toggle, .choice: ""
        }
    }
}
