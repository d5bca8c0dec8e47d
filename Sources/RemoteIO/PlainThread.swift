import CRealtime
import Glibc

/// A thread that runs one function and can be waited for. Signals belong to the program's own threads: it gets none.
package struct PlainThread: Sendable {
    private let handle: pthread_t

    /// Starts `body`, on a thread that the system shows as `name`, at most 15 characters. - Throws: the system's error number as
    /// `noThread`.
    package init(name: String? = nil, _ body: @escaping @Sendable () -> Void) throws(DeviceError) {
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let context = Unmanaged.passRetained(Body(name, body)).toOpaque()
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
    package func join() { pthread_join(handle, nil) }

    /// Detaches it: it ends by itself, without a join.
    package func detach() { pthread_detach(handle) }

    private final class Body {
        private let name: String?
        private let body: @Sendable () -> Void
        init(_ name: String?, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        func run() {
            if let name { rt_thread_name(name) }
            body()
        }
    }
}
