import FoundationEssentials

/// Any JSON value. Whole numbers stay whole; the order of an object's keys is not kept.
enum JSONValue: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case whole(Int)
    /// A whole number beyond the largest `Int`.
    case large(UInt64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        /// The value, where it is of that type.
        func value<Value: Decodable>(_: Value.Type) throws -> Value? {
            do { return try container.decode(Value.self) } catch DecodingError.typeMismatch { return nil }
        }
        if container.decodeNil() {
            self = .null
        } else if let text = try value(String.self) {
            self = .text(text)
        } else if let number = try value(Double.self) {
            // A fraction read as a whole number would be a fault of the whole text.
            if number != number.rounded() || number < -0x1p63 || number >= 0x1p64 {
                self = .number(number)
            } else if number < 0x1p63 {
                self = .whole(try container.decode(Int.self))
            } else {
                let large = try container.decode(UInt64.self)
                self = large > UInt64(Int.max) ? .large(large) : .whole(Int(large))
            }
        } else if let flag = try value(Bool.self) {
            self = .flag(flag)
        } else if let members = try value([String: JSONValue].self) {
            self = .object(members)
        } else {
            self = .list(try container.decode([JSONValue].self))
        }
    }

    /// Reads a text of JSON.
    ///
    /// - Throws: `DecodingError`.
    init(text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

    func encode(to encoder: any Encoder) throws {
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

    /// The text of a single value as a word: what somebody would type for it. Nil for null, lists and objects.
    var word: String? {
        switch self {
        case .text(let text): text
        case .whole(let whole): "\(whole)"
        case .large(let large): "\(large)"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .null, .list, .object: nil
        }
    }

    /// The texts behind keys, those of lists one after the other.
    func texts(at keys: ArraySlice<String>) -> [String] {
        switch self {
        case .text(let text): keys.isEmpty ? [text] : []
        case .list(let values): values.flatMap { $0.texts(at: keys) }
        case .object(let members): keys.first.flatMap { members[$0]?.texts(at: keys.dropFirst()) } ?? []
        case .null, .flag, .whole, .large, .number: []
        }
    }
}
