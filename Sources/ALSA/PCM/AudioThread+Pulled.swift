import CRealtime
import Glibc
import RemoteIO

/// The audio thread with a device that pulls: the device's thread renders, and this one waits for its events. It never waits
/// for a call of the server's library: `DeviceThread` makes those.
extension AudioThread {
    /// Looks of a quarter of a second in which the device may ask for nothing.
    private static var patience: Int { 8 }

    /// Control side.
    func openPulled(_ name: String, _ system: any PullSystem) throws(DeviceError) {
        let thread = try serve(name, system)
        servers[name] = thread
        thread.waitUntilOpen(terms.start)
        switch thread.state {
        case .open(let stream): adopt(stream, of: thread)
        case .refused(let error):
            servers[name] = nil
            throw error
        case .opening, .closing, .over: throw .unresponsive(device: name)
        }
    }

    func reopenPulled(_ name: String, _ system: any PullSystem) -> DeviceEvent {
        if let thread = servers[name] {
            switch thread.state {
            case .open(let stream):
                adopt(stream, of: thread)
                return .opened
            case .refused(let error):
                servers[name] = nil
                return refuse(error, of: name)
            case .opening, .closing:
                return thread.age < terms.opening ? .stillOpening : refuse(.unresponsive(device: name), of: name)
            case .over: break
            }
        }
        do throws(DeviceError) {
            servers[name] = try serve(name, system)
        } catch { return refuse(error, of: name) }
        return .stillOpening
    }

    private func serve(_ name: String, _ system: any PullSystem) throws(DeviceError) -> DeviceThread<PulledStream> {
        nonisolated(unsafe) let loop = loop
        return try DeviceThread(name, room: terms.room) { [request] () throws(DeviceError) in
            try PulledStream(name, system, request, loop)
        }
    }

    /// The fault of the first of the list is reported: it is tried again and again, the others in turn.
    func refuse(_ error: DeviceError, of name: String) -> DeviceEvent {
        let isFirst = name == request.realDevices.first
        notes.withLock { if isFirst || $0.error == nil { $0.error = error } }
        return .openFailed(error.code)
    }

    private func adopt(_ new: PulledStream, of thread: DeviceThread<PulledStream>) {
        leaveCards()
        pulled = new
        pulledThread = thread
        afterLending = nil
        leaveServers(but: thread)
        loop.pointee.adopt(new.side, gate: new.gate, converter: new.converter)
        let report = thread.report
        notes.withLock {
            $0.grant = new.grant
            $0.error = nil
            $0.devicePriority = report.priority
            $0.inputLatency = new.grant.captureChannels > 0 ? new.grant.bufferFrames : nil
        }
    }

    /// Does not wait until that is done.
    func closePulled() {
        guard pulled != nil else { return }
        pulled = nil
        pulledThread?.leave()
        pulledThread = nil
        notes.withLock { ($0.devicePriority, $0.inputLatency, $0.captureError) = (nil, nil, nil) }
    }

    /// Gives up devices that are still being opened: another one plays.
    func leaveServers(but wanted: DeviceThread<PulledStream>? = nil) {
        for thread in servers.values where thread !== wanted { thread.leave() }
    }

    /// Waits a moment. Control side, where no audio thread runs.
    func endDevices() {
        if pulled != nil || stream != nil { loop.pointee.release() }
        closePulled()
        closeCard()
        leaveServers()
        leaveCards()
        let deadline = rt_monotonic_nanoseconds() + terms.stop
        for thread in servers.values { thread.waitUntilOver(until: deadline) }
        for thread in cards.values { thread.waitUntilOver(until: deadline) }
        (servers, cards) = ([:], [:])
    }

    /// Opens the gate until something happens to the device or to this thread. If the device did pull, the answer is `wrote`
    /// first, and the event the next time.
    func lend() -> DeviceEvent {
        if let event = afterLending {
            afterLending = nil
            return event
        }
        guard let pulled, let pulledThread else { return .gone(ENODEV) }
        let before = pulled.gate.pointee.answered
        pulled.gate.pointee.open()
        let event = watch(pulled, pulledThread)
        pulled.gate.pointee.shut()
        if pulled.gate.pointee.answered == before { return event }
        afterLending = event
        return .wrote
    }

    private func watch(_ pulled: PulledStream, _ thread: DeviceThread<PulledStream>) -> DeviceEvent {
        var seen = -1, idle = 0
        var entries = [stopEvent.pointee, pulled.bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            _ = rt_poll(&entries, 2, rt_monotonic_nanoseconds() + 250_000_000)
            if entries[0].revents != 0 { return .stop }
            if entries[1].revents != 0 { rt_event_clear(pulled.bell) }
            if let code = pulled.gate.pointee.loss { return .gone(code) }
            if pulled.gate.pointee.isPaused { return .suspended }
            let better = view.takeOffer()
            if better >= 0 { return .preferred(better) }
            show(pulled, thread)
            let answered = pulled.gate.pointee.answered
            // Woken by the bell, less than a quarter of a second may have passed.
            if answered != seen || pulled.gate.pointee.isFreewheeling { idle = 0 } else if entries[1].revents == 0 { idle += 1 }
            if idle > Self.patience { return .stalled }
            seen = answered
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    private func show(_ pulled: PulledStream, _ thread: DeviceThread<PulledStream>) {
        let frames = pulled.gate.pointee.periodFrames, report = thread.report
        thread.look()
        notes.withLock {
            if frames > 0, frames != $0.grant.periodFrames {
                $0.grant.periodFrames = frames
                $0.grant.bufferFrames = 2 * frames
                if $0.inputLatency != nil { $0.inputLatency = 2 * frames }
            }
            $0.devicePriority = report.priority
            $0.captureError = report.captureError
        }
    }
}
