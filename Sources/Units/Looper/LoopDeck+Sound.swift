// [render]
import CRealtime
import RealtimeCore

/// What the tracks of a looper read and write.
extension LoopDeck {
    /// A sample as it was before a gain. A gain that moves at once is ahead of what comes through a limiter: so there is a bound.
    @_noLocks static func without(_ gain: Float, _ sample: Float) -> Float {
        if gain == 1 { return sample }
        if gain == 0 { return 0 }
        let bound = max(abs(sample), 2)
        return min(max(sample / gain, -bound), bound)
    }

    @_noLocks func place(_ channel: Int, _ time: SampleTime) -> Int {
        channel &* (mask &+ 1) &+ Int(truncatingIfNeeded: time.rawValue) & mask
    }

    /// What came in for a track at a time.
    @_noLocks func input(_ index: Int, at time: SampleTime) -> (Float, Float) {
        let left = place(2 &* tracks[index].asked.pair, time)
        return (past[left], past[left &+ mask &+ 1])
    }

    @_noLocks func sample(_ slot: Int, _ frame: Int) -> (Float, Float) { sound.frame(slot, frame) }

    /// Returns the frame as it is heard at a speed: between two frames at half of it, and without what would fold back at twice.
    @_noLocks private func heard(_ index: Int, _ slot: Int, _ length: Int, _ place: Int) -> (Float, Float) {
        let stride = tracks[index].asked.stride, frame = place >> 1
        if stride == 2 || stride == 1 && place & 1 == 0 { return sample(slot, frame) }
        if stride == 1 {
            let a = near(slot, frame &- 1, length), b = sample(slot, frame)
            let c = near(slot, frame &+ 1, length), d = near(slot, frame &+ 2, length)
            return ((9 * (b.0 + c.0) - (a.0 + d.0)) / 16, (9 * (b.1 + c.1) - (a.1 + d.1)) / 16)
        }
        let a = near(slot, frame &- 3, length), b = near(slot, frame &- 1, length), c = sample(slot, frame)
        let d = near(slot, frame &+ 1, length), e = near(slot, frame &+ 3, length)
        return ((16 * c.0 + 9 * (b.0 + d.0) - (a.0 + e.0)) / 32, (16 * c.1 + 9 * (b.1 + d.1) - (a.1 + e.1)) / 32)
    }

    /// Returns the samples of a frame up to three before the beginning or after the end, which lie at the other end.
    @_noLocks private func near(_ slot: Int, _ frame: Int, _ length: Int) -> (Float, Float) {
        sample(slot, (frame &+ 4 &* length) % length)
    }

    /// The piece of the layer that sounds, for it alone; nil where there is no memory for one.
    @_noLocks mutating func own(_ index: Int, _ number: Int) -> UnsafeMutablePointer<Float>? {
        let track = tracks + index
        var slot = slot(index, track.pointee.current)
        let piece = memory.list(slot)[number]
        if piece >= 0, !memory.isShared(piece) { return memory.samples(piece) }
        while memory.freeCount == 0, track.pointee.current > 0 {
            dropOldest(index)
            if piece >= 0, !memory.isShared(piece) { return memory.samples(piece) }
        }
        slot = self.slot(index, track.pointee.current)
        let new = memory.take()
        if new < 0 { return nil }
        let samples = memory.samples(new)
        if piece >= 0 {
            rt_copy(samples, memory.samples(piece), 2 &* LoopMemory.piece)
        } else {
            let first = number &* LoopMemory.piece
            for i in 0..<LoopMemory.piece {
                let (left, right) = first &+ i < layers[slot].length ? sample(slot, first &+ i) : (0, 0)
                samples[i] = left
                samples[LoopMemory.piece &+ i] = right
            }
        }
        memory.drop(piece)
        memory.list(slot)[number] = new
        return samples
    }

    /// Writes a frame of input into a frame of the loop. Returns the old one.
    @_noLocks mutating func store(_ index: Int, _ frame: Int, _ new: (Float, Float)) -> (Float, Float) {
        let at = frame % LoopMemory.piece
        guard let samples = own(index, frame / LoopMemory.piece) else { return sample(slot(index, tracks[index].current), frame) }
        let old = (samples[at], samples[LoopMemory.piece &+ at]), kept = tracks[index].kept, written = tracks[index].written
        samples[at] = old.0 * kept + Self.finite(new.0) * written
        samples[LoopMemory.piece &+ at] = old.1 * kept + Self.finite(new.1) * written
        return old
    }

    /// Moves what is written and what stays by a frame.
    @_noLocks func glide(_ track: UnsafeMutablePointer<LoopTrack>, feedback: Float) {
        if track.pointee.hold > 0 {
            track.pointee.hold &-= 1
            return
        }
        let step = LoopTrack.step
        let kept = track.pointee.writes ? track.pointee.replaces ? 0 : feedback : 1, written: Float = track.pointee.writes ? 1 : 0
        track.pointee.written = Self.nearer(track.pointee.written, written, step)
        track.pointee.kept = Self.nearer(track.pointee.kept, kept, step)
        if track.pointee.kept == 1 { track.pointee.hidesOld = false }
    }

    @_noLocks static func nearer(_ value: Float, _ target: Float, _ step: Float) -> Float {
        value < target ? min(value + step, target) : max(value - step, target)
    }

    @_noLocks func advance(_ index: Int) {
        let track = tracks + index
        track.pointee.place &+= track.pointee.asked.isReversed ? 0 &- track.pointee.asked.stride : track.pointee.asked.stride
        wrap(index, layer(index).length)
    }

    @_noLocks func wrap(_ index: Int, _ length: Int) {
        let track = tracks + index
        if track.pointee.place >= 0, track.pointee.place < 2 &* length { return }
        track.pointee.place = (track.pointee.place % (2 &* length) &+ 2 &* length) % (2 &* length)
    }

    /// Returns the next frame of a loop, and writes it if it is to be written.
    @_noLocks mutating func next(
        _ now: SampleTime, _ index: Int, _ feedback: Float, isOnce: Bool
    ) -> (Float, Float) {
        let track = tracks + index
        let slot = slot(index, track.pointee.current), length = layers[slot].length
        var sound: (Float, Float), gain = track.pointee.heard
        if track.pointee.isWriting, track.pointee.asked.stride == 2 {
            glide(track, feedback: feedback)
            let frame = track.pointee.place >> 1, latency = track.pointee.latency
            if latency == 0 {
                sound = store(index, frame, input(index, at: now))
            } else {
                sound = sample(slot, frame)
                // What comes in was played to what was heard before.
                let late = track.pointee.asked.isReversed ? latency : 0 &- latency
                let times = latency / length &+ 1
                _ = store(index, (frame &+ late &+ times &* length) % length, input(index, at: now))
            }
            if track.pointee.hidesOld || track.pointee.writes && track.pointee.replaces { gain *= track.pointee.kept }
        } else {
            sound = heard(index, slot, length, track.pointee.place)
        }
        if track.pointee.seam.fade > 0 { slide(index, length, &sound) }
        if track.pointee.rise > 0 {
            track.pointee.rise &-= 1
            gain *= 1 - Float(Int32(truncatingIfNeeded: track.pointee.rise)) * LoopTrack.step
        }
        sound = (sound.0 * gain, sound.1 * gain)
        let before = track.pointee.place, isReversed = track.pointee.asked.isReversed
        advance(index)
        let isAround = isReversed ? track.pointee.place > before : track.pointee.place < before
        if isAround, track.pointee.seam.holds {
            track.pointee.seam.holds = false
        } else if isAround {
            if isOnce {
                (track.pointee.isRunning, track.pointee.writes) = (false, false)
                (track.pointee.written, track.pointee.kept) = (0, 1)
            }
            keepTime(index, length, now)
            if isOnce || layer(index).isCut {
                // What falls begins with this frame.
                (track.pointee.lastLeft, track.pointee.lastRight) = sound
                track.pointee.cut()
                return (0, 0)
            }
        }
        return sound
    }

    /// A round is over: the next one begins a frame later or earlier if that is nearer to where it exactly begins. While a layer is
    /// written rounds stay whole, so that it has no gap, and what they owe is made up for after it.
    @_noLocks private mutating func keepTime(_ index: Int, _ length: Int, _ now: SampleTime) {
        let track = tracks + index, stride = track.pointee.asked.stride
        defer { show(index, turnAt: now + 1) }
        if track.pointee.base == 0 || track.pointee.asked.fraction == 0 && track.pointee.seam.debt == 0 { return }
        let rounds = Double(Int32(truncatingIfNeeded: length / track.pointee.base))
        track.pointee.seam.debt += track.pointee.asked.fraction * rounds * 2 / Double(Int32(truncatingIfNeeded: stride))
        let debt = track.pointee.seam.debt, frames = Int(debt < 0 ? debt - 0.5 : debt + 0.5)
        if frames == 0 || track.pointee.isWriting { return }
        track.pointee.seam.held = frames
        track.pointee.seam.debt -= Double(Int32(truncatingIfNeeded: frames))
        let step = frames &* (track.pointee.asked.isReversed ? 0 &- stride : stride)
        track.pointee.place &-= step
        (track.pointee.seam.holds, track.pointee.seam.slip, track.pointee.seam.fade) = (frames > 0, step, LoopTrack.fade)
        wrap(index, length)
    }

    /// Shows when the round exactly begins that comes now, with what it is held up by and what it owes.
    @_noLocks private func show(_ index: Int, turnAt start: SampleTime) {
        let track = tracks + index, begun = start + track.pointee.seam.held
        track.pointee.seam.held = 0
        turned[index].store(begun.rawValue &* 256 &+ Int64(track.pointee.seam.debt * 256), ordering: .relaxed)
    }

    /// Moves the sound from where it would have gone on to where it is.
    @_noLocks private func slide(_ index: Int, _ length: Int, _ sound: inout (Float, Float)) {
        let track = tracks + index, halves = 2 &* length
        let place = ((track.pointee.place &+ track.pointee.seam.slip) % halves &+ halves) % halves
        let other = heard(index, slot(index, track.pointee.current), length, place)
        let share = Float(Int32(truncatingIfNeeded: track.pointee.seam.fade)) * LoopTrack.step
        sound.0 += (other.0 - sound.0) * share
        sound.1 += (other.1 - sound.1) * share
        track.pointee.seam.fade &-= 1
    }
}
