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
        let hasOverrun = rt_pcm_status_now(lane.pcm).is_xrun
        // A card that has lost frames counts anew; one that went on is only asked nothing for a while.
        if let follower { follower._withUnsafeGuaranteedRef { if hasOverrun { $0.restart() } else { $0.interrupt() } } }
        // Linked devices have started by now.
        if hasOverrun || !isLinked { _ = rt_pcm_prepare(lane.pcm) }
        if !isLinked { _ = rt_pcm_start(lane.pcm) }
    }

    /// Reads the capture side; an xrun there does not affect the playback side.
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
                if let follower {
                    follower._withUnsafeGuaranteedRef { $0.take(lane.planar, frames: count) }
                    follow(follower, lane)
                    capturedFrames &+= count
                    published.capturedFrames &+= count
                    continue
                }
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
            } else if let follower {
                observeCapture(follower, lane)
            }
            return
        }
    }

    @_noLocks private mutating func follow(_ follower: Unmanaged<CaptureFollower>, _ lane: DeviceLane) {
        guard clock.hasAnchor, let input else { return }
        let playing = clock.time
        while true {
            let made = follower._withUnsafeGuaranteedRef { $0.make(playing) }
            if made.frames == 0 { return }
            input._withUnsafeGuaranteedRef {
                $0.push(made.planes, channelCount: lane.channels, frames: made.frames, at: made.time)
            }
        }
    }

    /// Once all that was there has been read.
    @_noLocks private mutating func observeCapture(_ follower: Unmanaged<CaptureFollower>, _ lane: DeviceLane) {
        let now = now, device = rt_pcm_status_now(lane.pcm)
        if device.code < 0 || device.is_xrun { return }
        let stamp = device.time > now &- 1_000_000_000 && device.time <= now ? device.time : now
        follower._withUnsafeGuaranteedRef { $0.observe(stamp, waiting: max(device.available, 0)) }
        guard clock.hasAnchor else { return }
        let playing = clock.time
        published.captureDrift = follower._withUnsafeGuaranteedRef { $0.drift(against: playing) }
        published.captureSlips = follower._withUnsafeGuaranteedRef { $0.slips }
    }

    @_noLocks private mutating func restartCapture(_ lane: DeviceLane) {
        if rt_pcm_prepare(lane.pcm) < 0 { return }
        if let follower { follower._withUnsafeGuaranteedRef { $0.restart() } }
        captureOrigin = clock.time.sampleTime(atNanoseconds: now).rawValue
        capturedFrames = 0
        _ = rt_pcm_start(lane.pcm)
    }
}
