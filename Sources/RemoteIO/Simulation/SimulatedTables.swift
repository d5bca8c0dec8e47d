import CRealtime

/// A simulated device's functions as the tables that the audio loop calls.
extension SimulatedDevice {
    static func clock(_ state: UnsafeMutablePointer<SimulatedDevice>) -> rt_clock {
        rt_clock(
            clock: UnsafeMutableRawPointer(state), now: { SimulatedDevice.now($0) },
            sleep: { SimulatedDevice.sleep($0, $1, $2) })
    }

    static func playback(_ state: UnsafeMutablePointer<SimulatedDevice>) -> rt_pcm {
        rt_pcm(
            device: UnsafeMutableRawPointer(state), wait: { SimulatedDevice.wait($0, $1) },
            status: { SimulatedDevice.status($0) }, transfer: { SimulatedDevice.write($0, $1, $2) },
            prepare: { SimulatedDevice.prepare($0) }, start: { SimulatedDevice.start($0) },
            resume: { SimulatedDevice.resume($0) })
    }

    /// It starts and stops with the other side.
    static func capture(_ state: UnsafeMutablePointer<SimulatedDevice>) -> rt_pcm {
        var table = playback(state)
        table.transfer = { SimulatedDevice.capture($0, $1, $2) }
        table.status = { SimulatedDevice.captureStatus($0) }
        table.prepare = { _ in 0 }
        table.start = { _ in 0 }
        return table
    }

    static func captureAlone(_ state: UnsafeMutablePointer<SimulatedDevice>) -> rt_pcm {
        var table = playback(state)
        table.transfer = { SimulatedDevice.capture($0, $1, $2) }
        table.status = { SimulatedDevice.captureStatus($0) }
        return table
    }

    // [render]

    @_noLocks private static func now(_ state: UnsafeMutableRawPointer) -> Int64 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.look()
    }

    @_noLocks private static func sleep(_ state: UnsafeMutableRawPointer, _ deadline: Int64, _ mayPause: Bool) -> Int32 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.sleep(until: deadline, mayPause: mayPause)
    }

    @_noLocks private static func wait(_ state: UnsafeMutableRawPointer, _ deadline: Int64) -> Int32 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.wait(until: deadline)
    }

    @_noLocks private static func status(_ state: UnsafeMutableRawPointer) -> rt_pcm_status {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.status()
    }

    @_noLocks private static func captureStatus(_ state: UnsafeMutableRawPointer) -> rt_pcm_status {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.captureStatus()
    }

    @_noLocks private static func write(
        _ state: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.write(frames, count)
    }

    @_noLocks private static func capture(
        _ state: UnsafeMutableRawPointer, _ frames: UnsafeMutableRawPointer, _ count: Int64
    ) -> Int64 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.capture(frames, count)
    }

    @_noLocks private static func prepare(_ state: UnsafeMutableRawPointer) -> Int32 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.prepare()
    }

    @_noLocks private static func start(_ state: UnsafeMutableRawPointer) -> Int32 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.start()
    }

    @_noLocks private static func resume(_ state: UnsafeMutableRawPointer) -> Int32 {
        state.assumingMemoryBound(to: SimulatedDevice.self).pointee.resume()
    }
}
