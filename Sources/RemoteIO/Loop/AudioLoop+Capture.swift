// [render]
import CRealtime
import Glibc
import RealtimeCore

/// Element 1: what the device captures.
extension AudioLoop {
    /// The capture side runs from the moment that the playback side does.
    @_noLocks mutating func startCapture(from origin: Int64) {
        guard let lane = captureLane else { return }
        captureOrigin = origin
        capturedFrames = 0
        // Linked devices have started by now.
        if rt_pcm_status_now(lane.pcm).is_xrun || !isLinked { _ = rt_pcm_prepare(lane.pcm) }
        if !isLinked { _ = rt_pcm_start(lane.pcm) }
    }

    /// Takes what was captured; an xrun there does not touch the playback side.
    @_noLocks mutating func readCapture() {
        guard let lane = captureLane, let input else { return }
        let blockFrames = input._withUnsafeGuaranteedRef { $0.blockFrames }
        var rounds = 0
        while rounds < 64 {
            rounds &+= 1
            let count = Int(rt_pcm_transfer(lane.pcm, lane.interleaved, Int64(min(lane.periodFrames, blockFrames))))
            if count > 0 {
                SampleConversion.read(
                    lane.interleaved, channels: lane.channels, frames: count, format: lane.format, to: lane.planar)
                let time = SampleTime(captureOrigin &+ Int64(capturedFrames))
                input._withUnsafeGuaranteedRef {
                    $0.push(lane.planar, channelCount: lane.channels, frames: count, at: time)
                }
                capturedFrames &+= count
                published.capturedFrames &+= count
                continue
            }
            if count == -Int(EPIPE) {
                published.captureXruns &+= 1
                restartCapture(lane)
            }
            return
        }
    }

    @_noLocks private mutating func restartCapture(_ lane: DeviceLane) {
        if rt_pcm_prepare(lane.pcm) < 0 { return }
        captureOrigin = clock.time.sampleTime(atNanoseconds: now).rawValue
        capturedFrames = 0
        _ = rt_pcm_start(lane.pcm)
    }
}
