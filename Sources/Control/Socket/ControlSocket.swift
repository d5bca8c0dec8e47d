import Carillon
import Glibc

/// A session steered through a Unix socket: a request a line, an answer a line.
///
/// ```
/// seek bar 12        ok
/// save-recording     ok saved /home/ada/carillon-20260401-201500.mid
/// tempo 11           error tempo: 11 is out of range; choose from 0.1 to 10
/// status             {"statusVersion":1, ...}
/// ```
/// A thread of its own waits for all clients at once and is never blocked by one of them. The limits: 16 clients; for each of
/// them 200 requests a second, 64 requests without an answer yet, lines of 4096 bytes, and 1 MB that it does not fetch, for at
/// most 30 seconds. Commands go into the session's inbox and are answered from there, in the order of the requests. Any thread.
public final class ControlSocket: Sendable {
    /// The path at which it listens.
    public let path: String
    private let exchange: ControlExchange
    private let thread: PlainThread

    /// The most clients at once; one more gets an error and is disconnected.
    public static let mostClients = 16
    /// Bytes that a client may leave unfetched before it is cut off.
    public static let mostUnsent = 1 << 20
    /// Seconds within which a client has to fetch some of the output that waits for it.
    public static let mostPatience = 30.0
    /// Requests a second that a client may send, and as many at once.
    public static let mostRequests = 200

    /// Listens at `path`, which only this user may open, and the group too if `isForGroup`; the prefix `unix:` is allowed.
    ///
    /// - Parameters:
    ///   - grammar: the requests that it takes.
    ///   - isForGroup: whether processes of this one's group may open it too (0660, else 0600); those of another user than
    ///     this one and root end nothing and name no file, as after `role remote`.
    ///   - clock: seconds that never go back; the system's unless a test has its own.
    /// - Throws: `Fault`: the path is in use, is no socket's, or the system refuses.
    public init(
        _ path: String, inbox: CommandInbox, grammar: ControlGrammar = .standard, role: ControlRole = .everything,
        isForGroup: Bool = false,
        clock: @escaping @Sendable () -> Double = ControlSocket.steadySeconds
    ) throws(Fault) {
        guard let place = SocketPath(path) else { throw .path(path, limit: SocketPath.limit) }
        let listener = try ListeningSocket(place, mode: isForGroup ? 0o660 : 0o600)
        self.path = place.text
        do throws(Fault) {
            exchange = try ControlExchange(inbox: inbox, grammar: grammar, role: role, path: place.text, clock: clock)
        } catch {
            listener.end()
            throw error
        }
        let exchange = exchange
        do throws(DeviceError) {
            thread = try PlainThread {
                var loop = SocketLoop(listener: listener, exchange: exchange, clock: clock)
                loop.run()
                listener.end()
            }
        } catch {
            listener.end()
            var code = EAGAIN
            if case .noThread(let reason) = error { code = reason }
            throw .cannotListen(call: "pthread_create", path: place.text, code: code)
        }
    }

    /// Publishes the state of the session to all clients, and answers questions that wait for the session. Ten times a second
    /// is enough, and whenever `arrivals` is readable. Session's thread.
    public func publish(_ snapshot: SessionSnapshot, of session: Session) {
        publish(snapshot) { (question) throws(Fault) in try session.perform(question) }
    }

    /// Publishes a state, and answers questions by a closure: for programs in which a session comes and goes.
    public func publish(_ snapshot: SessionSnapshot, answering: (ControlCommand) throws(Fault) -> CommandOutcome) {
        exchange.publish(snapshot, answering: answering)
    }

    /// Sets the trouble around the session that `health` reports; nil means none.
    public func tell(trouble: String?) { exchange.tell(trouble: trouble) }

    /// Keeps a line for the answer to `log`.
    ///
    /// - Parameter time: the clock time of the line.
    public func tell(_ text: String, at time: String) { exchange.tell(text, at: time) }

    /// Readable when commands have been put into the inbox since `takeArrivals`: a session's loop may wake for them.
    public var arrivals: Int32 { exchange.arrivals.descriptor }

    /// Makes `arrivals` wait for the next command.
    public func takeArrivals() { exchange.arrivals.take() }

    /// Hands out the answers that are ready, disconnects all clients and removes the file. Once.
    public func end() {
        if exchange.end() { thread.join() }
    }

    deinit { end() }

    /// Seconds of the monotonic clock, which cannot be set.
    public static func steadySeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
