/// A fact about a session or about a part of it: its name, its help, and how it is read. Each is declared once, with the type
/// that it is read from; status, metrics, the schema and the reference are made from the declarations.
package struct Field<Subject>: Sendable {
    /// The key in the status; nil means it is only measured.
    package let name: String?
    /// One sentence.
    package let help: String
    package let shape: FieldShape
    /// The metrics that it gives: its own, or those of the fields below it.
    package let metrics: [Metric]
    fileprivate let read: @Sendable (Subject) -> FieldValue
    fileprivate let measure: @Sendable (Subject) -> [(metric: Metric, samples: [Metric.Sample])]

    /// Creates a fact of a type's value.
    ///
    /// - Parameter metric: the metric that the value is too; its help is the field's.
    package init<Value: FieldConvertible>(
        _ name: String, _ read: @escaping @Sendable (Subject) -> Value, as metric: Metric? = nil, _ help: String
    ) {
        (self.name, self.help, shape) = (name, help, Value.shape)
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
}

extension Array {
    package func members<Subject>() -> [(name: String, help: String, shape: FieldShape)] where Element == Field<Subject> {
        compactMap { field in field.name.map { ($0, field.help, field.shape) } }
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
