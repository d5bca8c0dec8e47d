import Reports

/// Keeps the set-up of a session from changes by mistake: while it is locked, requests that save, learn or edit it are refused,
/// whichever surface makes them. What is played, and its recording, stay free.
final class LockPart: LonePart {
    fileprivate(set) var isOn = false

    static let verbs = [Verb.lock]
    static let fields: [PartField<LockPart>] = [
        PartField(\.isLocked, "isLocked", "Whether requests that save, learn or edit the set-up are refused.") { $0.isOn }
    ]

    init(_ core: SessionCore) {}
}

extension SnapshotKeys {
    /// True while requests that save, learn or edit the set-up are refused.
    public var isLocked: SnapshotKey<Bool> { SnapshotKey(false) }
}

extension [any SessionPart] {
    /// Throws `locked` where what would change the set-up is refused.
    func requireUnlocked() throws(Fault) { if self[LockPart.self]?.isOn == true { throw .locked } }
}

extension Verb {
    static let lock = Verb(
        "lock", [.onOff], help: "Refuses requests that save patches and presets, learn controls or edit, until it is off.",
        "lock on"
    ) { (lock: LockPart, values) in lock.isOn = values.flag(0) }
}

extension ControlCommand {
    /// Refuses requests that save patches and presets, learn or forget controls, or edit the patch, or lets them pass again.
    public static func lock(_ isOn: Bool) -> ControlCommand { Verb.lock(isOn) }
}
