import Glibc

/// A thread that runs one function and can be waited for. Signals belong to the program's own threads: it gets none.
public struct PlainThread: Sendable {
    private let handle: pthread_t

    /// Starts `body`. - Throws: the system's error number as `noThread`.
    public init(_ body: @escaping @Sendable () -> Void) throws(DeviceError) {
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        var made = pthread_t()
        let code = pthread_create(
            &made, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        if code != 0 {
            Unmanaged<Body>.fromOpaque(context).release()
            throw .noThread(code: code)
        }
        handle = made
    }

    /// Waits until it has ended.
    public func join() { pthread_join(handle, nil) }

    /// Lets it end by itself: nobody will wait for it.
    public func detach() { pthread_detach(handle) }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
