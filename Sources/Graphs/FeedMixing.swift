// [render]
import CRealtime
import UnitAPI

extension UnsafeMutablePointer<Feed> {
    @_noLocks func source(_ side: Int) -> UnsafeMutablePointer<RenderBus> { pointee.source + side &* pointee.twin }

    /// Returns true if nothing comes of the edge and nothing of it moves: most of an instrument's buses are silent most of the
    /// time.
    @_noLocks @inline(__always) func isResting(_ side: Int) -> Bool {
        source(side).pointee.isSilent && pointee.quietFrames.pointee >= pointee.delay && pointee.gain.pointee.isSteady
            && pointee.gate.pointee.isSteady
    }

    /// As the first that sounds it overwrites `sum`; mono goes to every channel. Returns whether the edge sounds.
    @_noLocks func add(
        _ side: Int, to sum: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int, isFirst: Bool
    ) -> Bool {
        let source = source(side)
        if pointee.gain.pointee.isSteady && pointee.gain.pointee.target == 0 {
            pointee.gate.pointee.advance(frames)
            return false
        }
        // What is delayed goes on being filled while solo silences it.
        if pointee.gate.pointee.isSteady && pointee.gate.pointee.target == 0 && pointee.ring == nil {
            pointee.gain.pointee.advance(frames)
            return false
        }
        if source.pointee.isSilent {
            // A delayed edge still holds what came before.
            if pointee.quietFrames.pointee >= pointee.delay {
                pointee.gain.pointee.advance(frames)
                pointee.gate.pointee.advance(frames)
                return false
            }
            pointee.quietFrames.pointee = pointee.quietFrames.pointee &+ frames
        } else {
            pointee.quietFrames.pointee = 0
        }
        let gain = pointee.gain.pointee, gate = pointee.gate.pointee
        let isMono = source.pointee.channelCount == 1
        for c in 0..<channels {
            // Only the outside can be wider than a sound of several channels, while the output moves.
            if c >= source.pointee.channelCount && !isMono {
                if isFirst { rt_zero(sum[c], frames) }
                continue
            }
            let from = source.pointee.channels[isMono ? 0 : c], to = sum[c]
            if let ring = pointee.ring {
                addDelayed(ring[c], from, to, gain, gate, frames, isFirst)
            } else if gain.isSteady && gain.target == 1 && gate.isSteady {
                if isFirst { rt_copy(to, from, frames) } else { rt_add(to, from, frames) }
            } else if isFirst {
                for i in 0..<frames { to[i] = from[i] * (gain[i] * gate[i]) }
            } else {
                for i in 0..<frames { to[i] += from[i] * (gain[i] * gate[i]) }
            }
        }
        if pointee.ring != nil {
            pointee.ringPosition.pointee = (pointee.ringPosition.pointee &+ frames) % pointee.delay
        }
        pointee.gain.pointee.advance(frames)
        pointee.gate.pointee.advance(frames)
        return true
    }

    @_noLocks private func addDelayed(
        _ ring: UnsafeMutablePointer<Float>, _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>,
        _ gain: EdgeFade, _ gate: EdgeFade, _ frames: Int, _ isFirst: Bool
    ) {
        var position = pointee.ringPosition.pointee
        if gain.isSteady && gain.target == 1 && gate.isSteady && gate.target == 1 && isFirst {
            // The path around a bypassed unit, which is open: a copy, as far as the ring goes at a time.
            var done = 0
            while done < frames {
                let run = Swift.min(frames &- done, pointee.delay &- position)
                rt_copy(to + done, ring + position, run)
                rt_copy(ring + position, from + done, run)
                done = done &+ run
                position = position &+ run == pointee.delay ? 0 : position &+ run
            }
            return
        }
        for i in 0..<frames {
            let sample = ring[position] * (gain[i] * gate[i])
            ring[position] = from[i]
            to[i] = isFirst ? sample : to[i] + sample
            position &+= 1
            if position == pointee.delay { position = 0 }
        }
    }
}
