/// The control side of all engines: one call at a time, of any thread, and again from within. Blocks of the program are called
/// without it.
enum Control {
    static let lock = NSRecursiveLock()

    static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

/// Carries a block of the program, or an object that the lock guards, to another thread.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
