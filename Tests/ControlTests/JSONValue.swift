import Foundation

/// JSON as a test reads it.
enum JSONValue {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case flag(Bool)
    case null

    /// Reads a text with Foundation's reader. - Throws: what is wrong with it.
    static func parse(_ text: String) throws -> JSONValue {
        JSONValue(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let object as [String: Any]: self = .object(object.mapValues { JSONValue($0) })
        case let array as [Any]: self = .array(array.map { JSONValue($0) })
        case let string as String: self = .string(string)
        case let number as NSNumber:
            // True and false are numbers of a type of their own.
            self = number.objCType.pointee == CChar(UInt8(ascii: "c")) ? .flag(number.boolValue) : .number(number.doubleValue)
        default: self = .null
        }
    }

    subscript(_ key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}
