import CRealtime
import Glibc
import RemoteIO
import Synchronization

/// An open device with all memory that the audio loop needs for it. Its thread makes it and closes it; in between all but
/// `report` is the audio thread's.
protocol OpenDevice: AnyObject, Sendable {
    var report: DeviceReport { get }
    /// Once.
    func close()
}

struct DeviceReport {
    var priority: ThreadPriority?
    var captureError: DeviceError?
}

/// The thread that opens one device, checks its state, and closes it, in any library. No other thread has to wait for it,
/// since a driver, a plug-in or a server that has died or stands still may block it for good.
///
/// All that the device's own threads can reach is kept until closing has returned. The next thread of the same device in an
/// engine begins when this one has ended, so that there is one for each device of a list at most.
final class DeviceThread<Device: OpenDevice>: Sendable {
    enum State {
        case opening
        case open(Device)
        case refused(DeviceError)
        case closing
        case over
    }

    private struct View {
        var state = State.opening
        var report = DeviceReport()
        var isUnwanted = false
        /// When it was asked to open or to close, nanoseconds of CLOCK_MONOTONIC.
        var since: Int64
    }

    private let view: Mutex<View>
    private let work: Int32
    /// Signalled with each change of the state.
    private let changed: Int32

    /// - Throws: `noThread`; `unresponsive` if there are too many that have not ended.
    init(
        _ name: String, room: ServerTerms.Room, _ open: @escaping @Sendable () throws(DeviceError) -> Device
    ) throws(DeviceError) {
        view = Mutex(View(since: rt_monotonic_nanoseconds()))
        work = rt_event_make()
        changed = rt_event_make()
        if work < 0 || changed < 0 { throw .noThread(code: EMFILE) }
        if !room.enter() { throw .unresponsive(device: name) }
        do {
            try PlainThread { [self] in
                run(open)
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

    var state: State { view.withLock { $0.state } }
    /// The latest report about the device.
    var report: DeviceReport { view.withLock { $0.report } }

    /// The time since the device was asked to open or to close, nanoseconds.
    var age: Int64 { rt_monotonic_nanoseconds() - view.withLock { $0.since } }

    func look() { rt_event_signal(work) }

    /// Makes it close the device, in any state. The gate is shut, and nothing of the stream is used from here on.
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

    var isClosing: Bool { if case .closing = state { true } else { false } }

    private func run(_ open: () throws(DeviceError) -> Device) {
        rt_thread_name("carillon-opens")
        let device: Device
        do throws(DeviceError) { device = try open() } catch { return become(.refused(error)) }
        take(device)
        become(.open(device))
        while !view.withLock({ $0.isUnwanted }) {
            while !rt_event_wait(work, .max) {}
            rt_event_clear(work)
            if !view.withLock({ $0.isUnwanted }) { take(device) }
        }
        device.close()
        become(.over)
    }

    private func take(_ device: Device) {
        let report = device.report
        view.withLock { $0.report = report }
    }

    private func become(_ state: State) {
        view.withLock { view in
            if case .open = state, view.isUnwanted { view.state = .closing } else { view.state = state }
        }
        rt_event_signal(changed)
    }
}
