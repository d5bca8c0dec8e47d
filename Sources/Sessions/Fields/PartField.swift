import MIDI
import Reports

/// A fact that a part reports: its value in snapshots, and the form of it in status and metrics. The part declares it; status,
/// metrics, schema and reference are loops over the declarations.
package struct PartField<Part>: Sendable {
    /// The form in status and metrics; nil for a value that only programs read.
    let shown: Field<SessionSnapshot>?
    /// The key of the status that it stands before; nil means its place is that of `SessionVocabulary.order`, or the end.
    let follower: String?
    let write: @Sendable (Part, inout SessionSnapshot) -> Void

    /// A fact whose value snapshots have under a name in Swift.
    package init<Value: FieldConvertible>(
        _ path: KeyPath<SnapshotKeys, SnapshotKey<Value>>, _ name: String, as metric: Metric? = nil, _ help: String,
        before follower: String? = nil, _ read: @escaping @Sendable (Part) -> Value
    ) {
        let key = SnapshotKeys()[keyPath: path]
        self.init(Field(name, { $0[key] }, as: metric, help), before: follower) { $1[key] = read($0) }
    }

    /// A fact that only status and metrics show.
    package init<Value: FieldConvertible>(
        _ name: String, _ read: @escaping @Sendable (Part) -> Value, as metric: Metric? = nil, _ help: String
    ) {
        let key = SnapshotKey<Value?>(nil, name: "status \(name)")
        self.init(Field(name, { $0[key] }, as: metric, help)) { $1[key] = read($0) }
    }

    /// A value that is published in another form, or not at all.
    package init<Value>(
        _ path: KeyPath<SnapshotKeys, SnapshotKey<Value>>, _ read: @escaping @Sendable (Part) -> Value
    ) {
        let key = SnapshotKeys()[keyPath: path]
        self.init(nil) { $1[key] = read($0) }
    }

    /// A form of values that other fields have read.
    package init(showing shown: Field<SessionSnapshot>) { self.init(shown) { _, _ in } }

    private init(
        _ shown: Field<SessionSnapshot>?, before follower: String? = nil,
        write: @escaping @Sendable (Part, inout SessionSnapshot) -> Void
    ) {
        (self.shown, self.follower, self.write) = (shown, follower, write)
    }
}
