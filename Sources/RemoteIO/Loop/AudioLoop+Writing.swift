// [render]
import CRealtime
import Glibc
import SampleRate

/// The way of slices into the device's buffer.
extension AudioLoop {
    /// Fills `room`, up to what is left of it then; nil when all went well.
    @_noLocks mutating func fill(_ lane: DeviceLane, room: inout Int) -> DeviceEvent? {
        while true {
            let frames = filling.slice(room: room)
            if frames == 0 { return nil }
            if let event = writeSlice(lane, frames) { return event }
            room &-= frames
        }
    }

    /// Returns nil when all went well.
    @_noLocks private mutating func writeSlice(_ lane: DeviceLane, _ frames: Int) -> DeviceEvent? {
        if !breathe() { return .stop }
        var source = block
        if let converter {
            if !convert(lane.planar, frames, converter) { return .gone(EIO) }
            source = lane.planar
        } else {
            renderSlice(isHeard: true, frames: frames)
        }
        if let fold = lane.fold {
            let made = UnsafePointer(source)
            source = fold._withUnsafeGuaranteedRef { $0.fold(made, frames: frames) }
        } else if lane.channels == 1, spreadsMono {
            // One speaker plays both sides.
            rt_add(source[0], source[1], frames)
            rt_scale(source[0], source[0], 0.5, frames)
        }
        published.clippedSamples &+= SampleConversion.write(
            source, map: lane.map, channels: lane.channels, frames: frames, format: lane.format, to: lane.interleaved)
        return writeAll(lane, frames)
    }

    /// Fills planar frames of the device, with as many slices as they need; returns false if the library fails.
    @_noLocks mutating func convert(
        _ planar: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int, _ converter: RateConverter
    ) -> Bool {
        var made = 0
        while made < frames {
            if converter.needsInput {
                renderSlice(isHeard: true, isMeasured: !isFreewheeling)
                converter.take(sliceFrames)
            }
            guard let more = converter.step(planar, at: made, frames: frames &- made, from: block) else { return false }
            made &+= more
        }
        return true
    }

    @_noLocks mutating func writeAll(_ lane: DeviceLane, _ frames: Int) -> DeviceEvent? {
        var done = 0
        var refusals = 0
        while done < frames {
            let count = Int(
                rt_pcm_transfer(
                    lane.pcm, lane.interleaved + done &* lane.bytesPerFrame, Int64(frames &- done)))
            if count > 0 {
                done &+= count
                continue
            }
            switch Int32(truncatingIfNeeded: -count) {
            case EPIPE: return xrun(lane, now)
            case ESTRPIPE: return .suspended
            case 0, EAGAIN, EINTR:
                // It reported room but took nothing. It gets a moment.
                refusals &+= 1
                if refusals > 8 { return .stalled }
                if !sleep(until: now &+ lane.periodTime / 4) { return .stop }
            default: return .gone(Int32(truncatingIfNeeded: -count))
            }
        }
        return nil
    }
}
