import CRealtime
import RemoteIO

/// Looks every two seconds whether a device further up the list is available again while another one plays: opening a
/// device may take long, so that the audio thread cannot look itself. A thread of its own, for lists of more than one.
final class DeviceWatch: @unchecked Sendable {
    private let thread: AudioThread
    private let devices: [String]
    private let stopEvent: Int32
    /// Only the thread that looks touches them.
    private var offers: SwitchOffers
    private var inquiries: [String: ServerInquiry] = [:]

    init(_ thread: AudioThread) throws(DeviceError) {
        self.thread = thread
        devices = thread.request.realDevices
        offers = SwitchOffers(deviceCount: devices.count)
        stopEvent = rt_event_make()
        if stopEvent < 0 { throw .noThread(code: 24) }
    }

    deinit { rt_event_close(stopEvent) }

    func run() {
        rt_thread_name("carillon-device")
        while !rt_event_wait(stopEvent, rt_monotonic_nanoseconds() + 2_000_000_000) {
            look(at: rt_monotonic_nanoseconds())
        }
    }

    func look(at now: Int64) {
        let status = thread.view.status.value
        offers.saw(status.phase == .running ? status.device : nil, at: now)
        guard status.phase == .running, status.device > 0 else { return }
        for index in 0..<min(status.device, devices.count) where offers.isAllowed(index, at: now) {
            guard isThere(devices[index]) else { continue }
            offers.offered(index, at: now)
            thread.view.betterDevice.store(index, ordering: .relaxed)
            return
        }
    }

    /// Tried as the audio thread would.
    private func isThere(_ name: String) -> Bool {
        if let system = thread.systems.first(where: { $0.claims(name) }) { return isThere(name, system) }
        do {
            try PCMStream.check(device: name, request: thread.request)
            return true
        } catch {
            return false
        }
    }

    /// The question may block: a server that has not answered is not asked again before it does.
    private func isThere(_ name: String, _ system: any PullSystem) -> Bool {
        do throws(DeviceError) {
            let inquiry: ServerInquiry
            if let asked = inquiries[name] {
                inquiry = asked
            } else {
                inquiry = try ServerInquiry { [request = thread.request] in system.isThere(name, request) }
            }
            inquiries[name] = inquiry
            guard let answer = inquiry.answer(orUntil: stopEvent) else { return false }
            inquiries[name] = nil
            return answer
        } catch { return false }
    }

    /// Any thread.
    func requestStop() { rt_event_signal(stopEvent) }
}
