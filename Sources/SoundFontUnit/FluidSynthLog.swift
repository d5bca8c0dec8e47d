import CFluidSynth
import Glibc
import Synchronization

/// What libfluidsynth says: nothing while it renders (it would flush a stream on the render thread), its first
/// complaint while it loads.
enum FluidSynthLog {
    private static let first = Mutex<String?>(nil)
    /// The library keeps one log function per process, so loads take turns.
    private static let turn = Mutex<Void>(())
    /// The thread whose turn it is; others may render meanwhile, and have nothing to say here.
    private static let thread = Atomic<UInt>(0)

    /// No log function at all, for every level. Control side.
    static func silence() { turn.withLock { _ in silenceAll() } }

    /// Runs `body`, a call that changes what all synths of the process have in common. Control side.
    static func inTurn(_ body: () -> Void) { turn.withLock { _ in body() } }

    private static func silenceAll() {
        for level in FLUID_PANIC.rawValue...FLUID_DBG.rawValue {
            fluid_set_log_function(Int32(level), nil, nil)
        }
    }

    /// Runs `body` and returns the first error that the library logged meanwhile. Control side.
    static func collecting(_ body: () -> Void) -> String? {
        turn.withLock { _ in
            first.withLock { $0 = nil }
            thread.store(UInt(pthread_self()), ordering: .relaxed)
            for level in [FLUID_PANIC, FLUID_ERR] {
                fluid_set_log_function(Int32(level.rawValue), { _, message, _ in
                    guard let message, FluidSynthLog.thread.load(ordering: .relaxed) == UInt(pthread_self())
                    else { return }
                    let text = String(cString: message)
                    FluidSynthLog.first.withLock { $0 = $0 ?? text }
                }, nil)
            }
            body()
            silenceAll()
            return first.withLock { $0 }
        }
    }
}
