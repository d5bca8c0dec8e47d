import Glibc

/// The messages of GLib in this process: libfluidsynth reads DLS by libinstpatch, which complains to GLib about every part of
/// a damaged file, a line each on standard error, thousands of them.
///
/// GLib is there if libfluidsynth was built with it, and no dependency of this package: its one function is looked up.
enum GLibLog {
    private typealias Handler =
        @convention(c) (
            UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
        ) -> Void
    private typealias SetDefaultHandler = @convention(c) (Handler?, UnsafeMutableRawPointer?) -> Handler?

    /// `g_log_set_default_handler`; nil if GLib is not in the process.
    private static let setDefaultHandler: SetDefaultHandler? = dlsym(nil, "g_log_set_default_handler").map {
        unsafeBitCast($0, to: SetDefaultHandler.self)
    }
    /// `g_log_default_handler`, the handler while none is set.
    private static let usual: Handler? = dlsym(nil, "g_log_default_handler").map { unsafeBitCast($0, to: Handler.self) }

    /// Runs `body` while all log messages are dropped. Callers take turns. Control side.
    static func silenced<R>(_ body: () -> R) -> R {
        guard let set = setDefaultHandler else { return body() }
        let former = set({ _, _, _, _ in }, nil)
        defer { _ = set(former ?? usual, nil) }
        return body()
    }
}
