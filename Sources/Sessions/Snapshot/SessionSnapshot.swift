/// The state that a running session shows of itself at one moment: the values that its parts report. A value: it can cross
/// threads and be drawn at leisure.
///
/// `snapshot.voices`: each part declares the names of its values in an extension of `SnapshotKeys`.
@dynamicMemberLookup
public struct SessionSnapshot: Sendable {
    @usableFromInline var values: [String: any SnapshotValue] = [:]

    /// Creates a snapshot of nothing yet.
    public init() {}

    /// Creates a snapshot of these parts now.
    package init(of parts: [any SessionPart]) {
        values.reserveCapacity(64)
        for part in parts { part.write(into: &self) }
    }

    /// A value by its name.
    @inlinable public subscript<Value>(dynamicMember path: KeyPath<SnapshotKeys, SnapshotKey<Value>>) -> Value {
        get { self[SnapshotKeys()[keyPath: path]] }
        set { self[SnapshotKeys()[keyPath: path]] = newValue }
    }

    @inlinable subscript<Value>(key: SnapshotKey<Value>) -> Value {
        get { (values[key.name] as? SnapshotBox<Value>)?.value ?? key.missing }
        set { values[key.name] = SnapshotBox(newValue) }
    }
}

/// The names of the values that snapshots have.
public struct SnapshotKeys {
    @inlinable init() {}
}

/// The name of a snapshot's value, and the value where no part reports it.
public struct SnapshotKey<Value: Sendable>: Sendable {
    @usableFromInline let name: String
    @usableFromInline let missing: Value

    /// A key that is called like the property that returns it.
    package init(_ missing: Value, name: String = #function) { (self.name, self.missing) = (name, missing) }
}

/// A value of any type: a class, whose cast costs a comparison. An optional would lose a level in a cast from `any Sendable`.
@usableFromInline protocol SnapshotValue: AnyObject, Sendable {}

@usableFromInline final class SnapshotBox<Value: Sendable>: SnapshotValue {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
}
