import CRealtime
import RealtimeCore
import UnitAPI

// [render]

/// Finds out when a plug-in is at rest: nothing came in for a while, and nothing above -120 dBFS out. A plug-in itself does
/// not report it; its `rest` property sets how long.
struct QuietClock: ~Copyable {
    private var owned = OwnedMemory()
    private let frames: UnsafeMutablePointer<Int>
    private let limit: Int
    /// True if anything but time can make the plug-in sound: a generator is never at rest.
    private let mayRest: Bool

    /// The clock of a plan, for a unit whose output is later than its input by `latency` frames. Control side.
    init(_ plan: PlugInPlan, rate: Double, latency: Int) {
        frames = owned.make(1, of: 0)
        limit = Int(plan.rest * rate) + latency
        mayRest = plan.controls.hearsMusic || !plan.controls.inputs.isEmpty
    }

    @_noLocks func wake() { frames.pointee = 0 }

    @_noLocks func status(_ io: borrowing RenderIO) -> RenderStatus {
        if !mayRest { return .sounding }
        if !io.isSilentEverywhere {
            frames.pointee = 0
            return .sounding
        }
        for bus in 0..<io.outputCount {
            for channel in 0..<io.outputChannels(bus) {
                let base = UnsafePointer(io.output(bus, channel).base)
                if rt_peak(base, io.frames) > 1e-6 || !rt_is_finite(base, io.frames) {
                    frames.pointee = 0
                    return .sounding
                }
            }
        }
        frames.pointee &+= io.frames
        return frames.pointee >= limit ? .silent : .sounding
    }
}
