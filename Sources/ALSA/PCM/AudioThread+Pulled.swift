import CRealtime
import Glibc
import RealtimeCore
import RemoteIO
import SampleRate

/// A device that pulls, with its gate and all memory that the audio loop needs for it. Made and ended where nothing is
/// rendered.
final class PulledStream {
    let device: any PulledDevice
    let gate: UnsafeMutablePointer<PullGate>
    /// Signalled by the gate.
    let bell: Int32
    let side: PulledSide
    let converter: RateConverter?

    /// Opens `name`. It is silent: the gate is shut.
    init(
        _ name: String, _ system: any PullSystem, _ request: DeviceRequest, _ loop: UnsafeMutablePointer<AudioLoop>
    ) throws(DeviceError) {
        let bell = rt_event_make()
        if bell < 0 { throw .noThread(code: errno) }
        let gate = UnsafeMutablePointer<PullGate>.allocate(capacity: 1)
        gate.initialize(to: PullGate(loop, bell: bell))
        func giveBack() {
            gate.deinitialize(count: 1)
            gate.deallocate()
            rt_event_close(bell)
        }
        let opened: any PulledDevice
        do throws(DeviceError) { opened = try system.open(name, request, gate) } catch {
            giveBack()
            throw error
        }
        do throws(DeviceError) { converter = try PCMStream.converter(name, request, rate: opened.grant.sampleRate) } catch {
            opened.close()
            giveBack()
            throw error
        }
        device = opened
        self.gate = gate
        self.bell = bell
        side = PulledSide(opened.grant)
        if let converter { side.warmUp(converter, slice: request.periodFrames) }
    }

    deinit {
        device.close()
        gate.deinitialize(count: 1)
        gate.deallocate()
        rt_event_close(bell)
        converter?.close()
    }
}

/// The audio thread with a device that pulls: it lets the device's thread render, and waits for what happens to it.
extension AudioThread {
    /// How long the device may ask for nothing, in looks of a quarter of a second.
    private static var patience: Int { 8 }

    /// Opens a device of `system`.
    func openPulled(_ name: String, _ system: any PullSystem) throws(DeviceError) {
        let new = try PulledStream(name, system, request, loop)
        pulled = new
        afterLending = nil
        loop.pointee.adopt(new.side, gate: new.gate, converter: new.converter)
        let grant = new.device.grant
        notes.withLock {
            $0.grant = grant
            $0.error = nil
            $0.devicePriority = new.device.threadPriority
            $0.inputLatency = grant.captureChannels > 0 ? grant.bufferFrames : nil
        }
    }

    /// Lets go of it.
    func closePulled() {
        guard pulled != nil else { return }
        pulled = nil
        notes.withLock { ($0.devicePriority, $0.inputLatency, $0.captureError) = (nil, nil, nil) }
    }

    /// Lets the device pull until something happens to it, or to this thread; says what that is. Where it did pull, that is
    /// the answer first.
    func lend() -> DeviceEvent {
        if let event = afterLending {
            afterLending = nil
            return event
        }
        guard let pulled else { return .gone(ENODEV) }
        let before = pulled.gate.pointee.answered
        pulled.gate.pointee.open()
        let event = watch(pulled)
        pulled.gate.pointee.shut()
        if pulled.gate.pointee.answered == before { return event }
        afterLending = event
        return .wrote
    }

    private func watch(_ pulled: PulledStream) -> DeviceEvent {
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
            show(pulled)
            let answered = pulled.gate.pointee.answered
            // Woken by the bell, less than a quarter of a second may have passed.
            if answered != seen || pulled.gate.pointee.isFreewheeling { idle = 0 } else if entries[1].revents == 0 { idle += 1 }
            if idle > Self.patience { return .stalled }
            seen = answered
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// What has changed of the device while it pulls.
    private func show(_ pulled: PulledStream) {
        let frames = pulled.gate.pointee.periodFrames, priority = pulled.device.threadPriority
        let captureError = pulled.device.captureError
        notes.withLock {
            if frames > 0, frames != $0.grant.periodFrames {
                $0.grant.periodFrames = frames
                $0.grant.bufferFrames = 2 * frames
                if $0.inputLatency != nil { $0.inputLatency = 2 * frames }
            }
            $0.devicePriority = priority
            $0.captureError = captureError
        }
    }
}
