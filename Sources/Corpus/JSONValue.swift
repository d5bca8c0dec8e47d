import FoundationEssentials

/// Any JSON value. Whole numbers stay whole; the order of an object's keys is not kept.
public enum JSONValue: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case whole(Int)
    /// A whole number that is no `Int`.
    case large(Decimal)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func value<Value: Decodable>(_: Value.Type) throws -> Value? {
            do { return try container.decode(Value.self) } catch DecodingError.typeMismatch { return nil }
        }
        if container.decodeNil() {
            self = .null
        } else if let text = try value(String.self) {
            self = .text(text)
        } else if let number = try value(Double.self) {
            // A fraction read as a whole number would be a fault of the whole text.
            if abs(number) < 0x1p53, number == number.rounded() {
                self = .whole(Int(number))
            } else if number == number.rounded(), abs(number) <= 1e38 {
                // `Decimal` has 38 digits.
                let whole = try container.decode(Decimal.self)
                self = Int("\(whole)").map { .whole($0) } ?? .large(whole)
            } else {
                self = .number(number)
            }
        } else if let flag = try value(Bool.self) {
            self = .flag(flag)
        } else if let members = try value([String: JSONValue].self) {
            self = .object(members)
        } else {
            self = .list(try container.decode([JSONValue].self))
        }
    }

    /// Returns the first whole number in a valid text of JSON that has too many digits to be kept.
    package static func longWhole(in text: String) -> String? {
        var digits = 0
        let hasRun = text.utf8.contains { byte in
            digits = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? digits + 1 : 0
            return digits > 38
        }
        if !hasRun { return nil }
        // Texts are the odd parts between quotation marks, once their escapes are gone.
        let plain = text.replacing("\\\\", with: "").replacing("\\\"", with: "").split(
            separator: "\"", omittingEmptySubsequences: false)
        let tokens = stride(from: 0, to: plain.count, by: 2).flatMap { plain[$0].split { ",:[]{} \t\r\n".contains($0) } }
        let wholes = tokens.map { $0.first == "-" ? $0.dropFirst() : $0 }
        return wholes.first { $0.utf8.count > 38 && $0.allSatisfy(\.isNumber) }.map(String.init)
    }

    /// Reads a text of JSON.
    ///
    /// - Throws: `DecodingError`.
    package init(text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .whole(let whole): try container.encode(whole)
        case .large(let large): try container.encode(large)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The number, if it is one; a `Double` keeps 53 bits of a whole number.
    public var number: Double? {
        switch self {
        case .whole(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }

    /// The text of a single value as one would type it; nil for null, lists and objects.
    package var word: String? {
        switch self {
        case .text(let text): text
        case .whole(let whole): "\(whole)"
        case .large(let large): "\(large)"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .null, .list, .object: nil
        }
    }

    /// The texts at the keys, those of lists one after the other.
    package func texts(at keys: ArraySlice<String>) -> [String] {
        switch self {
        case .text(let text): keys.isEmpty ? [text] : []
        case .list(let values): values.flatMap { $0.texts(at: keys) }
        case .object(let members): keys.first.flatMap { members[$0]?.texts(at: keys.dropFirst()) } ?? []
        case .null, .flag, .whole, .large, .number: []
        }
    }
}
