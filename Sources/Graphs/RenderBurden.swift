// [render]
import Synchronization

/// The time that a renderer takes.
///
/// Sendable: both sides share the atomics alone.
struct RenderBurden: ~Copyable, @unchecked Sendable {
    /// Nanoseconds that render calls took while they were measured, and whether they are.
    let nanoseconds = Atomic<Int>(0), isMeasured = Atomic<Bool>(false)
}
