import CRealtime
import Glibc
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Synchronization

/// Live MIDI through the ALSA sequencer: one client with named ports, connected by rules, whose events reach the renderer
/// with the time at which the kernel took them.
///
/// The MIDI thread, between `start` and `stop`, owns the sequencer's handle; any thread may use what is public here.
public final class MIDIClient: Sendable {
    private enum Stage {
        case ready(MIDIClientSession)
        case running(pthread_t)
        case stopped
    }

    private let board = MIDIBoard()
    private let wake: WakeEvent
    private let stage: Mutex<Stage>

    /// Opens the client and makes its first connections; events are read from `start` on.
    ///
    /// - Parameters:
    ///   - filter: returns the events to send for an event, music or parameters of units; nil means the event itself. The time
    ///     of its results does not count. Called on the MIDI thread, once for each event.
    ///   - time: the sample time at which an event of a moment (CLOCK_MONOTONIC nanoseconds) takes effect, latency included;
    ///     nil if it is not known: then at once. Called on the MIDI thread.
    ///   - send: takes an event to the renderer, times ascending except for `SampleTime.inTurn`: at once, after what was sent
    ///     before. False when there is no room. Called on the MIDI thread.
    package init(
        _ setup: MIDIClientSetup, filter: (@Sendable (MusicEvent, SampleTime) -> [RenderCommand])? = nil,
        time: @escaping @Sendable (Int64) -> SampleTime?, send: @escaping @Sendable (RenderCommand) -> Bool
    ) throws(MIDIInletError) {
        wake = try WakeEvent()
        let session = try MIDIClientSession(setup, board: board, filter: filter, time: time, send: send)
        stage = Mutex(.ready(session))
    }

    deinit { stop() }

    /// Starts the MIDI thread. Throws `system` or `failed` when there can be none; does nothing the second time.
    public func start() throws(MIDIInletError) {
        let fault = stage.withLock { stage -> MIDIInletError? in
            guard case .ready(let session) = stage else { return nil }
            do throws(MIDIInletError) {
                stage = .running(try MIDIThread.start(session, board: board, wake: wake.descriptor))
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }

    /// Releases what is held, disconnects and closes. Returns when the MIDI thread has ended.
    public func stop() {
        stage.withLock { stage in
            if case .running(let thread) = stage {
                board.ask(.stop)
                wake.signal()
                pthread_join(thread, nil)
            }
            stage = .stopped
        }
    }

    /// The ports that can be played from, connected or not, each with its reason; at most 20 ms old.
    public var sources: [MIDISource] { board.sources }

    /// The counts so far; at most 20 ms old.
    public var counters: MIDICounters { board.counters }

    /// Returns the new notices for the user and clears them, oldest first; the last 256 are kept.
    public func takeNotices() -> [MIDINotice] { board.takeNotices() }

    /// Returns the messages of the master's clock since the last call (`MIDIClientSetup.master`), with the moments at which
    /// the kernel took them, oldest first; if it is not called, the last half minute is kept.
    package func takeClock() -> [StampedClockMessage] { board.takeClock() }

    /// The name of the port whose clock is followed; nil while there is none. At most 20 ms old.
    public var master: String? { board.master }

    /// The scheduling of the MIDI thread; nil until it runs.
    package var threadPriority: ThreadPriority? { board.priority }

    /// Releases what a device holds: notes, pedals, bends, pressures.
    public func panic(source: DeviceIdentity) { ask(.release(source)) }

    /// Releases what every source holds, and silences every part.
    public func panicAll() { ask(.panic) }

    private func ask(_ command: MIDIClientSession.Command) {
        board.ask(command)
        wake.signal()
    }
}

/// Connects outputs by themselves, again after each plug, and sends on the MIDI thread.
extension MIDIClient: MIDIOutlet {
    /// Makes the outputs; before `start` they are connected when it returns.
    package func open(_ outputs: [MIDIOutput], clock: [String]) {
        let isDone = stage.withLock { stage in
            guard case .ready(let session) = stage else { return false }
            session.open(outputs, clock: clock)
            return true
        }
        if !isDone { ask(.open(outputs, clock: clock)) }
    }

    /// Sends with the next round of the MIDI thread, which begins at once.
    public func send(_ messages: [MIDIMessage]) { ask(.send(messages)) }

    /// Passes messages to the kernel, which sends them.
    package func schedule(_ messages: [StampedClockMessage], withdrawing withdrawn: Int64?) {
        ask(.schedule(messages, withdrawing: withdrawn))
    }

    /// Passes messages to the kernel, which sends them.
    package func schedule(_ messages: [StampedMIDIMessage], withdrawing withdrawn: Int64?) {
        ask(.scheduleNotes(messages, withdrawing: withdrawn))
    }

    /// CLOCK_MONOTONIC.
    public var nanoseconds: Int64 { rt_monotonic_nanoseconds() }

    /// Connections that ports of the clock had so far; at most 20 ms old.
    public var clockConnections: Int { counters.clockConnections }

    /// The state of each output; at most 20 ms old.
    package var destinations: [MIDIDestination] { board.destinations }
}
