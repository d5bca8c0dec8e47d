import CFluidSynth
import Synchronization

/// The messages of libfluidsynth: none while it renders (it would flush a stream on the render thread), its first complaint
/// while it loads.
enum FluidSynthLog {
    /// The library keeps one log function per process, so loads take turns.
    private static let turn = Mutex<Void>(())

    /// No log function at all, for every level. Control side.
    static func silence() { turn.withLock { _ in silenceAll() } }

    /// Runs `body`, a call that changes what all synths of the process have in common. Control side.
    static func inTurn(_ body: () -> Void) { turn.withLock { _ in body() } }

    private static func silenceAll() {
        let setFunction = fluid_library_functions().fluid_set_log_function
        for level in FLUID_PANIC...FLUID_DBG {
            _ = setFunction(level, nil, nil)
        }
    }

    /// The first error that the library logged meanwhile on this thread: those of others that render are theirs. Control side.
    static func collecting(_ body: () -> Void) -> String? {
        turn.withLock { _ in
            let setFunction = fluid_library_functions().fluid_set_log_function
            for level in [FLUID_PANIC, FLUID_ERR] { _ = setFunction(level, rt_fluid_log, nil) }
            rt_fluid_log_begin()
            GLibLog.silenced(body)
            silenceAll()
            return rt_fluid_log_end().map { String(cString: $0) }
        }
    }
}
