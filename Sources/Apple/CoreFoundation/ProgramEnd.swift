import Foundation
import Synchronization

/// What happens after the last line of a program: first what lets it go on, then what finishes its files, in whatever order they were
/// registered. Any thread.
package enum ProgramEnd {
    private struct Steps {
        var isRegistered = false
        var goOn: [@Sendable () -> Void] = [], finish: [@Sendable () -> Void] = []
    }

    private static let steps = Mutex(Steps())

    /// Calls `step` at an end without an error.
    package static func goOn(_ step: @escaping @Sendable () -> Void) { register { $0.goOn.append(step) } }

    /// Calls `step` at each end but that by a signal.
    package static func finish(_ step: @escaping @Sendable () -> Void) { register { $0.finish.append(step) } }

    private static func register(_ add: (inout Steps) -> Void) {
        let isFirst = steps.withLock { steps in
            add(&steps)
            defer { steps.isRegistered = true }
            return !steps.isRegistered
        }
        if isFirst { on_exit({ status, _ in ProgramEnd.run(isGood: status == 0) }, nil) }
    }

    /// Ends the program at once, also while it goes on after its last line.
    package static func leave() -> Never {
        finishAll()
        fflush(nil)
        _exit(0)
    }

    private static func run(isGood: Bool) {
        if isGood { for step in steps.withLock({ $0.goOn }) { step() } }
        finishAll()
    }

    private static func finishAll() { for step in steps.withLock({ $0.finish }) { step() } }
}
