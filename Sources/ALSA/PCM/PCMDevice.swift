import CRealtime
import Glibc

/// One side of an open PCM as the audio loop knows it: a table of functions over `PCMCalls`.
final class PCMDevice {
    /// The state that the functions work with, at a stable address.
    struct State: BitwiseCopyable {
        let pcm: PCM
        let status: OpaquePointer
        /// The device's, and one more for the event that stops the thread.
        let descriptors: UnsafeMutablePointer<pollfd>
        let descriptorCount: Int
    }

    /// Good for as long as this lives.
    let table: rt_pcm
    private let state: UnsafeMutablePointer<State>

    /// A wait for the device ends when `stopEvent` is signalled.
    init(_ pcm: PCM, status: OpaquePointer, isCapture: Bool, stopEvent: Int32) {
        let count = PCMCalls.descriptorCount(pcm)
        let descriptors = UnsafeMutablePointer<pollfd>.allocate(capacity: count + 1)
        descriptors.initialize(repeating: pollfd(fd: -1, events: 0, revents: 0), count: count + 1)
        PCMCalls.descriptors(pcm, descriptors, count)
        descriptors[count] = pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0)
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                pcm: pcm, status: status, descriptors: descriptors, descriptorCount: count))
        table = rt_pcm(
            device: UnsafeMutableRawPointer(state), wait: { PCMDevice.wait($0, $1) }, status: { PCMDevice.status($0) },
            transfer: isCapture ? { PCMDevice.read($0, $1, $2) } : { PCMDevice.write($0, $1, $2) },
            prepare: { PCMDevice.prepare($0) }, start: { PCMDevice.start($0) }, resume: { PCMDevice.resume($0) })
    }

    deinit {
        PCMCalls.close(state.pointee.pcm)
        PCMCalls.free(status: state.pointee.status)
        state.pointee.descriptors.deallocate()
        state.deallocate()
    }

    /// Makes this and another start and stop together; false if they cannot.
    func link(_ other: PCMDevice) -> Bool { PCMCalls.link(state.pointee.pcm, other.state.pointee.pcm) }

    // [render]

    @_noLocks static func wait(_ device: UnsafeMutableRawPointer, _ deadline: Int64) -> Int32 {
        let state = device.assumingMemoryBound(to: State.self).pointee
        let count = rt_poll(state.descriptors, UInt64(truncatingIfNeeded: state.descriptorCount &+ 1), deadline)
        if count < 0 { return count }
        if state.descriptors[state.descriptorCount].revents != 0 { return Int32(RT_WAIT_STOPPED) }
        if count > 0 { _ = PCMCalls.events(state.pcm, state.descriptors, state.descriptorCount) }
        return count
    }

    @_noLocks static func status(_ device: UnsafeMutableRawPointer) -> rt_pcm_status {
        let state = device.assumingMemoryBound(to: State.self).pointee
        return PCMCalls.status(state.pcm, state.status)
    }

    @_noLocks static func write(
        _ device: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        PCMCalls.write(device.assumingMemoryBound(to: State.self).pointee.pcm, frames, count)
    }

    @_noLocks static func read(
        _ device: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        PCMCalls.read(device.assumingMemoryBound(to: State.self).pointee.pcm, frames, count)
    }

    @_noLocks static func prepare(_ device: UnsafeMutableRawPointer) -> Int32 {
        PCMCalls.prepare(device.assumingMemoryBound(to: State.self).pointee.pcm)
    }

    @_noLocks static func start(_ device: UnsafeMutableRawPointer) -> Int32 {
        PCMCalls.start(device.assumingMemoryBound(to: State.self).pointee.pcm)
    }

    @_noLocks static func resume(_ device: UnsafeMutableRawPointer) -> Int32 {
        PCMCalls.resume(device.assumingMemoryBound(to: State.self).pointee.pcm)
    }
}
