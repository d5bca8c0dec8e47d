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

/// The shape of a value, for a description of it.
package indirect enum FieldShape: Sendable {
    case text, whole, number, flag
    /// One of these words.
    case choice([String])
    case list(FieldShape)
    case group([(name: String, help: String, shape: FieldShape)])
    /// The shape, or nothing.
    case optional(FieldShape)
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

extension Int: FieldConvertible {
    package static var shape: FieldShape { .whole }
    package var fieldValue: FieldValue { .whole(self) }
    package var metricValue: Double? { Double(self) }
}

extension Double: FieldConvertible {
    package static var shape: FieldShape { .number }
    package var fieldValue: FieldValue { .number(self) }
    package var metricValue: Double? { self }
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

/// A choice that is published as its word.
package protocol FieldWord: FieldConvertible, CaseIterable, RawRepresentable<String> {}

extension FieldWord {
    package static var shape: FieldShape { .choice(allCases.map(\.rawValue)) }
    package var fieldValue: FieldValue { .text(rawValue) }
}
