// [render]
import CRealtime
import Glibc

/// A capture side without one that plays, element 0 disabled: to the audio loop it is a device with a side of no channels, which
/// plays a frame with each that is captured. So what captures wakes the loop and keeps its time, and nothing is heard.
///
/// Only the capture side can have an xrun: a buffer of silence that is late does no harm.
package final class SoleCapture {
    /// The state that the functions work with, at a stable address. Frames are counted since the device was last made ready.
    struct State: BitwiseCopyable {
        let pcm: rt_pcm
        let bufferFrames: Int64
        var read: Int64 = 0, written: Int64 = 0
    }

    /// The side that plays nothing, for `DeviceSide` with no channels, and the one that captures; good for as long as this lives.
    package let playback: rt_pcm, capture: rt_pcm
    private let state: UnsafeMutablePointer<State>

    /// Takes the functions of a capture side with such a buffer; their owner has to outlive this object. Control side.
    package init(_ pcm: rt_pcm, bufferFrames: Int) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(pcm: pcm, bufferFrames: Int64(bufferFrames)))
        let device = UnsafeMutableRawPointer(state)
        playback = rt_pcm(
            device: device, wait: { SoleCapture.wait($0, $1) }, status: { SoleCapture.status($0) },
            transfer: { SoleCapture.write($0, $1, $2) }, prepare: { SoleCapture.prepare($0) },
            start: { SoleCapture.start($0) }, resume: { SoleCapture.resume($0) })
        // It starts with the other side, and what has run over is made ready by that.
        capture = rt_pcm(
            device: device, wait: { SoleCapture.wait($0, $1) }, status: { SoleCapture.captureStatus($0) },
            transfer: { SoleCapture.read($0, $1, $2) }, prepare: { _ in -EPIPE }, start: { _ in 0 }, resume: { _ in 0 })
    }

    deinit { state.deallocate() }

    @_noLocks private static func at(_ device: UnsafeMutableRawPointer) -> UnsafeMutablePointer<State> {
        device.assumingMemoryBound(to: State.self)
    }

    @_noLocks private static func wait(_ device: UnsafeMutableRawPointer, _ deadline: Int64) -> Int32 {
        rt_pcm_wait(at(device).pointee.pcm, deadline)
    }

    @_noLocks private static func captureStatus(_ device: UnsafeMutableRawPointer) -> rt_pcm_status {
        rt_pcm_status_now(at(device).pointee.pcm)
    }

    /// The room: what has been captured has been played.
    @_noLocks private static func status(_ device: UnsafeMutableRawPointer) -> rt_pcm_status {
        let state = at(device).pointee
        var status = rt_pcm_status_now(state.pcm)
        status.available = state.bufferFrames &- state.written &+ state.read &+ max(status.available, 0)
        return status
    }

    @_noLocks private static func write(
        _ device: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        at(device).pointee.written &+= count
        return count
    }

    @_noLocks private static func read(
        _ device: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        let state = at(device)
        let taken = rt_pcm_transfer(state.pointee.pcm, frames, count)
        if taken > 0 { state.pointee.read &+= taken }
        return taken
    }

    @_noLocks private static func prepare(_ device: UnsafeMutableRawPointer) -> Int32 {
        let state = at(device)
        state.pointee.read = 0
        state.pointee.written = 0
        return rt_pcm_prepare(state.pointee.pcm)
    }

    @_noLocks private static func start(_ device: UnsafeMutableRawPointer) -> Int32 { rt_pcm_start(at(device).pointee.pcm) }

    @_noLocks private static func resume(_ device: UnsafeMutableRawPointer) -> Int32 { rt_pcm_resume(at(device).pointee.pcm) }
}
