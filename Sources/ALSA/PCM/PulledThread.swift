import CRealtime
import Glibc
import RemoteIO
import Synchronization

/// The thread that makes every call of a sound server's library for one device: it opens the device, looks after it, and closes
/// it. Nobody has to wait for it, since a server that has died or stands still may keep it for good.
///
/// All that the device's own threads can reach is kept until closing has returned. The next thread of the same device in an
/// engine begins when this one has ended, so that there is one for each device of a list at most.
final class PulledThread: Sendable {
    /// The state of the device.
    enum State {
        case opening
        case open(PulledStream)
        case refused(DeviceError)
        /// Told to close; closing has not returned.
        case closing
        case over
    }

    /// The facts that are found out about a device while it plays.
    struct Report {
        var priority: ThreadPriority?
        var captureError: DeviceError?
    }

    private struct View {
        var state = State.opening
        var report = Report()
        var isUnwanted = false
        /// When it was told to open or to close, nanoseconds of CLOCK_MONOTONIC.
        var since: Int64
    }

    private let view: Mutex<View>
    /// Wakes the thread.
    private let work: Int32
    /// Signalled with each change of the state.
    private let changed: Int32

    /// Begins to open a device. - Throws: `noThread`; `unresponsive` where there are too many that have not ended.
    init(
        _ name: String, _ system: any PullSystem, _ request: DeviceRequest, _ loop: UnsafeMutablePointer<AudioLoop>,
        room: ServerTerms.Room = .ofTheProcess
    ) throws(DeviceError) {
        view = Mutex(View(since: rt_monotonic_nanoseconds()))
        work = rt_event_make()
        changed = rt_event_make()
        if work < 0 || changed < 0 { throw .noThread(code: EMFILE) }
        if !room.enter() { throw .unresponsive(device: name) }
        nonisolated(unsafe) let loop = loop
        do {
            try PlainThread { [self] in
                run { () throws(DeviceError) in try PulledStream(name, system, request, loop) }
                room.leave()
            }.detach()
        } catch {
            room.leave()
            throw error
        }
    }

    deinit {
        for event in [work, changed] where event >= 0 { rt_event_close(event) }
    }

    // MARK: - Whoever uses the device

    var state: State { view.withLock { $0.state } }
    /// The report made when the device was last looked at.
    var report: Report { view.withLock { $0.report } }

    /// The time since the device was told to open or to close, nanoseconds.
    var age: Int64 { rt_monotonic_nanoseconds() - view.withLock { $0.since } }

    /// Lets it look how the device is.
    func look() { rt_event_signal(work) }

    /// Lets it close the device, whatever it is at. The gate is shut, and nothing of the stream is used from here on.
    func leave() {
        view.withLock { view in
            if view.isUnwanted { return }
            view.isUnwanted = true
            guard case .open = view.state else { return }
            view.state = .closing
            view.since = rt_monotonic_nanoseconds()
        }
        rt_event_signal(work)
    }

    /// Waits until the device is open or refused, `nanoseconds` at most.
    func waitUntilOpen(_ nanoseconds: Int64) {
        wait(nanoseconds) { if case .opening = $0 { false } else { true } }
    }

    /// Waits until it has ended, `deadline` at the latest.
    func waitUntilOver(until deadline: Int64) {
        wait(max(deadline - rt_monotonic_nanoseconds(), 0)) { state in
            switch state {
            case .over, .refused: true
            case .opening, .open, .closing: false
            }
        }
    }

    private func wait(_ nanoseconds: Int64, _ isReached: (State) -> Bool) {
        let deadline = rt_monotonic_nanoseconds() + nanoseconds
        while !isReached(state), rt_event_wait(changed, deadline) { rt_event_clear(changed) }
    }

    // MARK: - The thread

    private func run(_ open: () throws(DeviceError) -> PulledStream) {
        rt_thread_name("carillon-server")
        let stream: PulledStream
        do throws(DeviceError) { stream = try open() } catch { return become(.refused(error)) }
        take(stream.device)
        become(.open(stream))
        while !view.withLock({ $0.isUnwanted }) {
            while !rt_event_wait(work, .max) {}
            rt_event_clear(work)
            if !view.withLock({ $0.isUnwanted }) { take(stream.device) }
        }
        stream.close()
        become(.over)
    }

    private func take(_ device: any PulledDevice) {
        let report = Report(priority: device.threadPriority, captureError: device.captureError)
        view.withLock { $0.report = report }
    }

    private func become(_ state: State) {
        view.withLock { view in
            // What is not wanted any more is nobody's.
            if case .open = state, view.isUnwanted { view.state = .closing } else { view.state = state }
        }
        rt_event_signal(changed)
    }
}
