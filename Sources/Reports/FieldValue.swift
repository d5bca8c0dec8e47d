/// A value of a session's status, in the shapes that JSON has. Objects keep the order of their members.
public indirect enum FieldValue: Sendable, Hashable {
    case object([Member])
    case list([FieldValue])
    case text(String)
    case whole(Int)
    /// A number; one that is not finite is written as null.
    case number(Double)
    case flag(Bool)
    case none

    /// A value with its name.
    public struct Member: Sendable, Hashable {
        public var name: String
        public var value: FieldValue

        package init(name: String, value: FieldValue) { (self.name, self.value) = (name, value) }
    }

    package static func group(_ members: [(String, FieldValue)]) -> FieldValue {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}

/// A value as it stands in a report: members without a value are left out, as are numbers that are not finite.
extension FieldValue: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var isMissing: Bool {
        switch self {
        case .none: true
        case .number(let number): !number.isFinite
        default: false
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if case .object(let members) = self {
            var object = encoder.container(keyedBy: Key.self)
            for member in members where !member.value.isMissing {
                try object.encode(member.value, forKey: Key(stringValue: member.name))
            }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .list(let items): try container.encode(items)
        case .text(let text): try container.encode(text)
        case .whole(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .object, .none: try container.encodeNil()
        }
    }
}

/// The shape of a value, for a description of it.
package indirect enum FieldShape: Sendable {
    case text, whole, number, flag
    /// One of these words.
    case choice([String])
    case list(FieldShape)
    case group([(name: String, help: String, shape: FieldShape)])
    /// The shape, or nothing.
    case optional(FieldShape)

    /// True for a text that may be missing too.
    package var isText: Bool {
        switch self {
        case .text: true
        case .optional(let shape): shape.isText
        case .whole, .number, .flag, .choice, .list, .group: false
        }
    }

    /// The rows of a table that describes it: key, kind and help of each member, at every depth.
    ///
    /// - Parameter nothing: words for a value that may be missing.
    package func rows(below path: String = "", nothing: String) -> [String] {
        switch self {
        case .group(let members):
            members.flatMap { member in
                let name = path + member.name
                return ["| `\(name)` | \(member.shape.word(nothing)) | \(member.help) |"]
                    + member.shape.rows(below: name + ".", nothing: nothing)
            }
        case .list(let item): item.rows(below: String(path.dropLast()) + "[].", nothing: nothing)
        case .optional(let shape): shape.rows(below: path, nothing: nothing)
        case .text, .whole, .number, .flag, .choice: []
        }
    }

    private func word(_ nothing: String) -> String {
        switch self {
        case .text: "text"
        case .whole: "whole number"
        case .number: "number"
        case .flag: "true, false"
        case .choice(let words): words.joined(separator: ", ")
        case .list: "list"
        case .group: "object"
        case .optional(let shape): shape.word(nothing) + nothing
        }
    }
}

/// A type that can be published as a value.
package protocol FieldConvertible: Sendable {
    static var shape: FieldShape { get }
    var fieldValue: FieldValue { get }
    /// The metrics that are among its fields.
    static var metrics: [Metric] { get }
    /// The samples of each of these metrics now.
    var measured: [(metric: Metric, samples: [Metric.Sample])] { get }
    /// The value as a metric's; nil where there is nothing to measure.
    var metricValue: Double? { get }
}

extension FieldConvertible {
    package static var metrics: [Metric] { [] }
    package var measured: [(metric: Metric, samples: [Metric.Sample])] { [] }
    package var metricValue: Double? { nil }
}

extension FieldConvertible where Self: BinaryInteger {
    package static var shape: FieldShape { .whole }
    package var fieldValue: FieldValue { .whole(Int(self)) }
    package var metricValue: Double? { Double(self) }
}

extension Int: FieldConvertible {}
extension Int64: FieldConvertible {}
extension UInt8: FieldConvertible {}

extension Double: FieldConvertible {
    package static var shape: FieldShape { .number }
    package var fieldValue: FieldValue { .number(self) }
    package var metricValue: Double? { self }
}

/// The number with the digits that it has as a `Float`.
extension Float: FieldConvertible {
    package static var shape: FieldShape { .number }
    package var fieldValue: FieldValue { .number(Double("\(self)") ?? Double(self)) }
}

extension Bool: FieldConvertible {
    package static var shape: FieldShape { .flag }
    package var fieldValue: FieldValue { .flag(self) }
    package var metricValue: Double? { self ? 1 : 0 }
}

extension String: FieldConvertible {
    package static var shape: FieldShape { .text }
    package var fieldValue: FieldValue { .text(self) }
}

extension Optional: FieldConvertible where Wrapped: FieldConvertible {
    package static var shape: FieldShape { .optional(Wrapped.shape) }
    package var fieldValue: FieldValue { self?.fieldValue ?? .none }
    package static var metrics: [Metric] { Wrapped.metrics }
    package var measured: [(metric: Metric, samples: [Metric.Sample])] { self?.measured ?? [] }
    package var metricValue: Double? { self?.metricValue }
}

extension Array: FieldConvertible where Element: FieldConvertible {
    package static var shape: FieldShape { .list(Element.shape) }
    package var fieldValue: FieldValue { .list(map(\.fieldValue)) }
}

/// Texts by their names, in the order of these.
extension Dictionary: FieldConvertible where Key == String, Value == String {
    package static var shape: FieldShape { .group([]) }
    package var fieldValue: FieldValue { .group(sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }) }
}

/// A choice that is published as its word.
package protocol FieldWord: FieldConvertible, CaseIterable, RawRepresentable<String> {}

extension FieldWord {
    package static var shape: FieldShape { .choice(allCases.map(\.rawValue)) }
    package var fieldValue: FieldValue { .text(rawValue) }
}
