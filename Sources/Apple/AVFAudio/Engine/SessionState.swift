/// What sessions and engines share. Guarded by the lock of `Control`.
enum SessionState {
    nonisolated(unsafe) static var sampleRate = 48_000.0
}
