/// The control side of all engines and audio units: one call at a time, of any thread, and again from within. Blocks of the
/// program are called without it.
enum Control {
    static func run<Result>(_ body: () throws -> Result) rethrows -> Result { try UnitAccess.alone(body) }
}

/// Carries a block of the program, or an object that the lock guards, to another thread.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
