/// The state that a running session shows of itself at one moment: the values that its parts report. A value: it can cross
/// threads and be drawn at leisure.
///
/// `snapshot.voices`: each part declares the names of its values in an extension of `SnapshotKeys`.
@dynamicMemberLookup
public struct SessionSnapshot: Sendable {
    private var values: [String: any Sendable] = [:]

    /// A snapshot of nothing yet.
    public init() {}

    /// A snapshot of these parts now.
    package init(of parts: [any SessionPart]) { for part in parts { part.write(into: &self) } }

    /// A value by its name.
    public subscript<Value>(dynamicMember path: KeyPath<SnapshotKeys, SnapshotKey<Value>>) -> Value {
        get { self[SnapshotKeys()[keyPath: path]] }
        set { self[SnapshotKeys()[keyPath: path]] = newValue }
    }

    subscript<Value>(key: SnapshotKey<Value>) -> Value {
        get { (values[key.name] as? Box<Value>)?.value ?? key.missing }
        set { values[key.name] = Box(value: newValue) }
    }

    /// An optional would lose a level in a cast from `any Sendable`.
    private struct Box<Value: Sendable>: Sendable {
        let value: Value
    }
}

/// The names of the values that snapshots have.
public struct SnapshotKeys {}

/// The name of a snapshot's value, and the value where no part reports it.
public struct SnapshotKey<Value: Sendable>: Sendable {
    let name: String
    let missing: Value

    /// A key that is called like the property that returns it.
    package init(_ missing: Value, name: String = #function) { (self.name, self.missing) = (name, missing) }
}
