/// A fact about a session or about a part of it: its name, its help, and how it is read. Each is declared once, with the type
/// that it is read from; status, metrics, the schema and the reference are made from the declarations.
package struct Field<Subject>: Sendable {
    /// The key in the status or the report; nil: it is only measured, or only in a table.
    package let name: String?
    /// One sentence.
    package let help: String
    package let shape: FieldShape
    /// The unit of the value, and the decimals that a line or a table has; nil: all.
    package private(set) var unit = "", decimals: Int?
    /// The title of its column in a table; nil: it has none.
    package private(set) var column: String?
    /// The metrics that it gives: its own, or those of the fields below it.
    package let metrics: [Metric]
    package let read: @Sendable (Subject) -> FieldValue
    fileprivate let measure: @Sendable (Subject) -> [(metric: Metric, samples: [Metric.Sample])]

    /// Creates a fact of a type's value.
    ///
    /// - Parameter metric: the metric that the value is too; its help is the field's.
    package init<Value: FieldConvertible>(
        _ name: String, _ read: @escaping @Sendable (Subject) -> Value, in unit: String = "", to decimals: Int? = nil,
        column: String? = nil, as metric: Metric? = nil, _ help: String
    ) {
        (self.name, self.help, shape) = (name, help, Value.shape)
        (self.unit, self.decimals, self.column) = (unit, decimals, column)
        self.read = { read($0).fieldValue }
        guard var metric else {
            metrics = Value.metrics
            measure = { read($0).measured }
            return
        }
        metric.help = help
        metrics = [metric]
        measure = { [metric] subject in [(metric, read(subject).metricValue.map { [Metric.Sample($0)] } ?? [])] }
    }

    /// Creates a metric that the status shows in another form, or not at all.
    package init(measuring metric: Metric, _ samples: @escaping @Sendable (Subject) -> [Metric.Sample]) {
        (name, help, shape, metrics) = (nil, metric.help, .number, [metric])
        read = { _ in .none }
        measure = { [(metric, samples($0))] }
    }

    /// A fact that is only in a table.
    package init<Value: FieldConvertible>(
        column: String, to decimals: Int? = nil, _ read: @escaping @Sendable (Subject) -> Value
    ) {
        self.init(nil, "", Value.shape) { read($0).fieldValue }
        (self.column, self.decimals) = (column, decimals)
    }

    private init(
        _ name: String?, _ help: String, _ shape: FieldShape, _ read: @escaping @Sendable (Subject) -> FieldValue
    ) {
        (self.name, self.help, self.shape, self.read) = (name, help, shape, read)
        (metrics, measure) = ([], { _ in [] })
    }

    /// Facts of the same value below one key, which is missing if none of them has a value.
    package static func group(_ name: String, _ help: String, _ fields: [Field]) -> Field {
        Field(name, help, .optional(.group(fields.members()))) { subject in
            let members = fields.values(of: subject)
            return members.allSatisfy { $0.value == .none } ? .none : .object(members)
        }
    }

    /// A list with an object of these facts for each entry; nil: the key is missing.
    package static func list<Item>(
        _ name: String, _ read: @escaping @Sendable (Subject) -> [Item]?, _ help: String, _ fields: [Field<Item>]
    ) -> Field {
        Field(name, help, .list(.group(fields.members()))) { subject in
            read(subject).map { items in .list(items.map { .object(fields.values(of: $0)) }) } ?? .none
        }
    }

    /// The fact as one of a value that has this one in it.
    package func of<Outer>(_ inner: @escaping @Sendable (Outer) -> Subject) -> Field<Outer> { of(optional: inner) }

    /// The fact as one of a value that may have this one in it.
    package func of<Outer>(optional inner: @escaping @Sendable (Outer) -> Subject?) -> Field<Outer> {
        var field = Field<Outer>(name, help, shape) { inner($0).map(read) ?? .none }
        (field.unit, field.decimals, field.column) = (unit, decimals, column)
        return field
    }
}

extension Array {
    package func members<Subject>() -> [(name: String, help: String, shape: FieldShape)] where Element == Field<Subject> {
        compactMap { field in
            let help = field.unit.isEmpty ? field.help : "\(field.help.dropLast()) (\(field.unit))."
            return field.name.map { ($0, help, field.shape) }
        }
    }

    /// The facts of a value, for the fields that have a name.
    package func values<Subject>(of subject: Subject) -> [FieldValue.Member] where Element == Field<Subject> {
        compactMap { field in field.name.map { FieldValue.Member(name: $0, value: field.read(subject)) } }
    }

    /// The samples of a value by the fields that are measured; those that are not finite are left out.
    package func measured<Subject>(
        _ subject: Subject
    ) -> [(metric: Metric, samples: [Metric.Sample])] where Element == Field<Subject> {
        flatMap { $0.measure(subject) }.map { ($0.metric, $0.samples.filter(\.value.isFinite)) }
    }
}

/// A type that is published as its fields.
package protocol Fielded: FieldConvertible {
    /// The fields, in the order of the status.
    static var fields: [Field<Self>] { get }
}

extension Fielded {
    package static var shape: FieldShape {
        .group(fields.members())
    }
    package var fieldValue: FieldValue { .object(Self.fields.values(of: self)) }
    package static var metrics: [Metric] { fields.flatMap(\.metrics) }
    package var measured: [(metric: Metric, samples: [Metric.Sample])] { Self.fields.measured(self) }
}
