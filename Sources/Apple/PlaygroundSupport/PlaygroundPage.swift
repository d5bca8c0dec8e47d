import CoreFoundation
import Synchronization

/// The page of a playground: here the program that its file is.
public final class PlaygroundPage: Sendable {
    /// The one page.
    public static let current = PlaygroundPage()

    private struct State {
        var goesOn = false, isRegistered = false
    }

    private let state = Mutex(State())

    private init() {}

    /// Whether the program goes on after its last line, on the main run loop, until `finishExecution` or a signal.
    public var needsIndefiniteExecution: Bool {
        get { state.withLock { $0.goesOn } }
        set {
            let isNew = state.withLock { state in
                state.goesOn = newValue
                defer { state.isRegistered = true }
                return !state.isRegistered
            }
            if isNew { ProgramEnd.goOn { PlaygroundPage.current.goOn() } }
        }
    }

    /// Ends the program, and finishes its files.
    public func finishExecution() -> Never {
        needsIndefiniteExecution = false
        ProgramEnd.leave()
    }

    private func goOn() { while needsIndefiniteExecution { CFRunLoopRunInMode(.defaultMode, 1, false) } }
}
