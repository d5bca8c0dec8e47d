import Reports

/// Steps that are tried one after another even if some fail; the first fault is kept.
///
/// At the end of a session there is time to wait, so a full queue is not a fault yet: a user who types faster than the device
/// plays fills it, and it empties as time passes.
struct Attempts {
    private var fault: Fault?

    /// The number of times that a step is tried while the queue is full.
    static let most = 200

    mutating func attempt(_ step: () throws(Fault) -> Void) { do { try step() } catch { fault = fault ?? error } }

    /// Tries a step again as long as the queue has no room for it, and calls `pass` in between.
    mutating func attempt(passing pass: () -> Void, _ step: () throws(Fault) -> Void) {
        for _ in 0..<Self.most {
            do { return try step() } catch {
                guard error.kind == .queueFull else { return fault = fault ?? error }
                pass()
            }
        }
        fault = fault ?? .queueFull
    }

    func finish() throws(Fault) { if let fault { throw fault } }
}
