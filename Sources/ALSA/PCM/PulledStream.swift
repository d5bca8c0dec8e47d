import CRealtime
import Glibc
import RemoteIO
import SampleRate

/// A device that pulls, with its gate and all memory that the audio loop needs for it. Its thread (`DeviceThread`) makes it and
/// closes it; in between all but `device` is the audio thread's.
final class PulledStream: OpenDevice, @unchecked Sendable {
    /// The gate at which the device's thread meets the audio loop.
    let gate: UnsafeMutablePointer<PullGate>
    let bell: Int32
    let side: PulledSide
    let converter: RateConverter?
    let grant: DeviceGrant
    /// Used only by the stream's thread.
    let device: any PulledDevice

    /// It is silent: the gate to `loop` is shut.
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
        grant = opened.grant
        self.gate = gate
        self.bell = bell
        side = PulledSide(opened.grant)
        if let converter { side.warmUp(converter, slice: request.periodFrames) }
    }

    var report: DeviceReport { DeviceReport(priority: device.threadPriority, captureError: device.captureError) }

    /// Only then does all go that its threads can reach. Once, its thread.
    func close() {
        device.close()
        gate.deinitialize(count: 1)
        gate.deallocate()
        rt_event_close(bell)
        converter?.close()
    }
}
