/// Steps of which each is tried whatever becomes of the others; the first fault is told.
///
/// At an end, where there is time to wait, a queue that is full is no fault yet: who types faster than the device plays fills
/// it, and it empties as time passes.
struct Attempts {
    private var fault: LiveError?

    /// Times that a step is tried where the queue is full.
    static let most = 200

    /// Tries a step once.
    mutating func attempt(_ step: () throws(LiveError) -> Void) { do { try step() } catch { fault = fault ?? error } }

    /// Tries a step that may be done again where the queue had no room for it, and lets time pass in between.
    mutating func attempt(passing pass: () -> Void, _ step: () throws(LiveError) -> Void) {
        for _ in 0..<Self.most {
            do { return try step() } catch {
                guard case .engine(.queueFull) = error else { return fault = fault ?? error }
                pass()
            }
        }
        fault = fault ?? .engine(.queueFull)
    }

    func finish() throws(LiveError) { if let fault { throw fault } }
}
