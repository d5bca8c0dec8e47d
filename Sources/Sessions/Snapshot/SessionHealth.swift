/// The health of a session as a part judges it: one that knows when sound is due.
public enum SessionHealth: Sendable, Hashable {
    case well
    /// What is wrong, and since when, as a sentence without its end.
    case trouble(String)
}

extension SnapshotKeys {
    /// The health as a part judges it; nil where no part does, and the device's state decides.
    public var health: SnapshotKey<SessionHealth?> { SnapshotKey(nil) }
}
