// [render]
import CRealtime
import RealtimeCore
import UnitAPI

/// The tracks of a looper with their layers, and what has come in last: all that their commands do.
struct LoopDeck: ~Copyable {
    private var owned = OwnedMemory()
    private var memory: LoopMemory
    let tracks: UnsafeMutablePointer<LoopTrack>
    private let count: Int
    private let layers: UnsafeMutablePointer<LoopLayer>
    /// What came in last, by the sample time.
    let inLeft: UnsafeMutablePointer<Float>, inRight: UnsafeMutablePointer<Float>
    let mask: Int
    /// The end of what `inLeft` holds.
    private var end = SampleTime.zero

    /// - Parameter past: frames of input that are to be known, those of a slice among them.
    init(tracks count: Int, frames: Int, past: Int) {
        self.count = count
        memory = LoopMemory(tracks: count, frames: frames)
        tracks = owned.make(count, of: LoopTrack())
        layers = owned.make(count * LoopMemory.layers, of: LoopLayer())
        var size = 1
        while size < past { size *= 2 }
        mask = size - 1
        (inLeft, inRight) = (owned.make(size, of: 0), owned.make(size, of: 0))
    }

    var freePieces: Int { @_noLocks get { memory.freeCount } }

    @_noLocks mutating func reset() {
        memory.reset(tracks: count)
        for index in 0..<count { tracks[index] = LoopTrack() }
        for index in 0..<(count &* LoopMemory.layers) { layers[index] = LoopLayer() }
        rt_zero(inLeft, mask &+ 1)
        rt_zero(inRight, mask &+ 1)
        end = .zero
    }

    /// While it slept, silence came in.
    @_noLocks mutating func catchUp(_ now: SampleTime) {
        let size = mask &+ 1, gap = now - end
        if gap == 0 { return }
        if gap < 0 || gap >= size {
            rt_zero(inLeft, size)
            rt_zero(inRight, size)
        } else {
            for i in 0..<gap { keep(0, 0, at: end + i) }
        }
        end = now
    }

    @_noLocks mutating func hear(_ io: borrowing RenderIO) {
        let left = io.input(0, 0).base, right = io.input(0, 1).base
        for i in 0..<io.frames { keep(left[i], right[i], at: io.sampleTime + i) }
        end = io.sampleTime + io.frames
    }

    @_noLocks private func keep(_ left: Float, _ right: Float, at time: SampleTime) {
        let at = Int(truncatingIfNeeded: time.rawValue) & mask
        inLeft[at] = left
        inRight[at] = right
    }

    /// - Parameter isHeard: true if the loop plays, and does not only run on after a stop.
    @_noLocks mutating func change(
        _ index: Int, to state: Int, isHeard: Bool, _ early: Int, at now: SampleTime
    ) {
        let track = tracks + index, replaces = state == LoopTrack.State.replacing
        switch state {
        case LoopTrack.State.empty: clear(index)
        case LoopTrack.State.recording:
            clear(index)
            record(index, early, at: now)
        case LoopTrack.State.stopped:
            track.pointee.writes = false
            if track.pointee.isRecording { close(index, early) }
        case LoopTrack.State.playing:
            track.pointee.writes = false
            if track.pointee.isRecording {
                close(index, early)
            } else if track.pointee.count > 0, !isHeard {
                begin(index, early)
            }
        default:
            if track.pointee.isRecording {
                close(index, early, isWritten: true, replaces: replaces)
            } else if track.pointee.count > 0 {
                if !isHeard { begin(index, 0) }
                write(index, replaces: replaces, isHeard ? early : 0, at: now)
            }
        }
    }

    @_noLocks private mutating func clear(_ index: Int) {
        let track = tracks + index
        track.pointee.cut()
        if track.pointee.isRecording { track.pointee.count = 1 }
        while track.pointee.count > 0 { dropOldest(index) }
        (track.pointee.isRunning, track.pointee.isRecording) = (false, false)
        (track.pointee.written, track.pointee.kept, track.pointee.heard) = (0, 1, 0)
        (track.pointee.writes, track.pointee.hidesOld) = (false, false)
        (track.pointee.first, track.pointee.current, track.pointee.recorded, track.pointee.place) = (0, 0, 0, 0)
    }

    @_noLocks private mutating func dropOldest(_ index: Int) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        let used = layers[slot].pieces
        // A recording has had pieces beyond its end.
        memory.empty(slot, min(used &+ 1, memory.pieces))
        layers[slot] = LoopLayer()
        track.pointee.first = track.pointee.slot(1)
        track.pointee.count &-= 1
        track.pointee.current &-= 1
    }

    @_noLocks private mutating func record(_ index: Int, _ early: Int, at now: SampleTime) {
        let track = tracks + index
        track.pointee.isRecording = true
        for i in 0..<early where track.pointee.isRecording { append(index, at: now + (i &- early)) }
    }

    /// Adds a frame to a recording, which ends where there is no memory.
    @_noLocks mutating func append(_ index: Int, at time: SampleTime) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        let frame = track.pointee.recorded, inPiece = frame % LoopMemory.piece, number = frame / LoopMemory.piece
        if inPiece == 0 {
            let piece = number < memory.pieces ? memory.take() : -1
            if piece < 0 { return close(index, 0) }
            memory.list(slot)[number] = piece
        }
        let samples = memory.samples(memory.list(slot)[number]) + inPiece, at = Int(truncatingIfNeeded: time.rawValue) & mask
        samples[0] = Self.finite(inLeft[at])
        samples[LoopMemory.piece] = Self.finite(inRight[at])
        track.pointee.recorded &+= 1
        layers[slot].length = track.pointee.recorded
    }

    @_noLocks private static func finite(_ sample: Float) -> Float { abs(sample) < 1e6 ? sample : 0 }

    /// Makes a loop of what was recorded, up to `early` frames ago: what has come in since is the beginning of its next round.
    @_noLocks private mutating func close(_ index: Int, _ early: Int, isWritten: Bool = false, replaces: Bool = false) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        let past = max(min(early, track.pointee.recorded &- 1), 0), length = track.pointee.recorded &- past
        if length <= 0 { return clear(index) }
        track.pointee.isRecording = false
        layers[slot] = LoopLayer(length: length)
        track.pointee.base = length
        (track.pointee.count, track.pointee.current, track.pointee.place) = (1, 0, 0)
        (track.pointee.isRunning, track.pointee.rise) = (true, 0)
        track.pointee.heard = track.pointee.isStopped ? 0 : 1
        // Its end leads into its beginning, with what goes on coming in.
        let isForward = !track.pointee.asked.isReversed && track.pointee.asked.stride == 2
        (track.pointee.written, track.pointee.kept, track.pointee.hidesOld) = isForward ? (1, 0, true) : (0, 1, false)
        layers[slot].isCut = isWritten || !isForward
        if isWritten {
            addLayer(index)
            layers[self.slot(index, track.pointee.current)].isCut = !isForward
        }
        (track.pointee.writes, track.pointee.replaces) = (isWritten, replaces)
        for i in 0..<past {
            let at = length &+ i, samples = memory.samples(memory.list(slot)[at / LoopMemory.piece]) + at % LoopMemory.piece
            if isForward, track.pointee.isWriting {
                glide(track, feedback: 1)
                _ = store(index, samples[0], samples[LoopMemory.piece])
            }
            advance(index)
        }
        let kept = (length &+ LoopMemory.piece &- 1) / LoopMemory.piece
        let used = min((length &+ past &+ LoopMemory.piece &- 1) / LoopMemory.piece, memory.pieces)
        for number in kept..<max(kept, used) {
            memory.drop(memory.list(slot)[number])
            memory.list(slot)[number] = -1
        }
        lengthen(index, to: track.pointee.asked.times)
    }

    /// Plays the loop from its beginning, or in reverse from its end.
    @_noLocks mutating func begin(_ index: Int, _ early: Int) {
        let track = tracks + index, length = layer(index).length
        track.pointee.cut()
        (track.pointee.isRunning, track.pointee.heard) = (true, 1)
        let past = (early % max(length, 1)) &* track.pointee.asked.stride
        track.pointee.place = track.pointee.asked.isReversed ? 2 &* (length &- 1) &- past : past
        wrap(index, length)
    }

    /// Begins a layer that is written to.
    @_noLocks private mutating func write(_ index: Int, replaces: Bool, _ early: Int, at now: SampleTime) {
        let track = tracks + index
        addLayer(index)
        (track.pointee.writes, track.pointee.replaces) = (true, replaces)
        let length = layer(index).length, past = min(early, length &- 1)
        if past <= 0 || track.pointee.asked.stride != 2 { return }
        let place = track.pointee.place, reversed = track.pointee.asked.isReversed
        track.pointee.place = ((reversed ? place &+ 2 &* past : place &- 2 &* past) &+ 2 &* length) % (2 &* length)
        (track.pointee.written, track.pointee.kept) = (0, 1)
        for i in 0..<past {
            glide(track, feedback: 1)
            let at = Int(truncatingIfNeeded: (now + (i &- past)).rawValue) & mask
            _ = store(index, inLeft[at], inRight[at])
            advance(index)
        }
        track.pointee.place = place
    }

    /// A layer like the one that sounds; those that were taken back are gone, and the oldest of five too.
    @_noLocks private mutating func addLayer(_ index: Int) {
        let track = tracks + index
        while track.pointee.count &- 1 > track.pointee.current {
            track.pointee.count &-= 1
            let slot = slot(index, track.pointee.count)
            memory.empty(slot, layers[slot].pieces)
            layers[slot] = LoopLayer()
        }
        if track.pointee.count == LoopMemory.layers { dropOldest(index) }
        let from = slot(index, track.pointee.current), to = slot(index, track.pointee.count)
        layers[to] = layers[from]
        memory.share(from, to, layers[from].pieces)
        track.pointee.current = track.pointee.count
        track.pointee.count &+= 1
    }

    @_noLocks private func slot(_ index: Int, _ layer: Int) -> Int {
        index &* LoopMemory.layers &+ tracks[index].slot(layer)
    }

    @_noLocks func layer(_ index: Int) -> LoopLayer { layers[slot(index, tracks[index].current)] }

    @_noLocks mutating func select(_ index: Int, _ layer: Int) {
        let track = tracks + index, wanted = min(max(layer, 0), track.pointee.count &- 1)
        if wanted < 0 || wanted == track.pointee.current || track.pointee.isRecording { return }
        track.pointee.cut()
        (track.pointee.writes, track.pointee.written, track.pointee.kept) = (false, 0, 1)
        track.pointee.hidesOld = false
        track.pointee.current = wanted
        wrap(index, self.layer(index).length)
    }

    @_noLocks mutating func lengthen(_ index: Int, to times: Int) {
        let track = tracks + index
        if track.pointee.count == 0 { return }
        let length = layer(index).length, wanted = track.pointee.base &* times
        if wanted == length || wanted > memory.pieces &* LoopMemory.piece { return }
        if wanted > length, layer(index).innerPeriod > 0 { return }
        addLayer(index)
        let slot = slot(index, track.pointee.current)
        if wanted < length {
            let piece = LoopMemory.piece
            for number in (wanted &+ piece &- 1) / piece..<layers[slot].pieces {
                memory.drop(memory.list(slot)[number])
                memory.list(slot)[number] = -1
            }
            layers[slot].length = wanted
            layers[slot].isCut = true
            wrap(index, wanted)
        } else {
            // The piece at its former end is filled with its beginning.
            let number = length / LoopMemory.piece, first = length % LoopMemory.piece
            if first > 0, memory.list(slot)[number] >= 0, let samples = own(index, number) {
                for i in first..<LoopMemory.piece {
                    let (left, right) = sample(slot, (number &* LoopMemory.piece &+ i) % length)
                    samples[i] = left
                    samples[LoopMemory.piece &+ i] = right
                }
            }
            layers[slot].innerPeriod = layers[slot].period
            layers[slot].period = length
            layers[slot].length = wanted
        }
    }

    // What it reads and writes.

    /// Returns the samples of a frame of a layer.
    @_noLocks private func sample(_ slot: Int, _ frame: Int) -> (Float, Float) {
        let list = memory.list(slot)
        var frame = frame, piece = list[frame / LoopMemory.piece]
        if piece < 0, layers[slot].period > 0 {
            frame %= layers[slot].period
            piece = list[frame / LoopMemory.piece]
            if piece < 0, layers[slot].innerPeriod > 0 {
                frame %= layers[slot].innerPeriod
                piece = list[frame / LoopMemory.piece]
            }
        }
        if piece < 0 { return (0, 0) }
        let samples = memory.samples(piece) + frame % LoopMemory.piece
        return (samples[0], samples[LoopMemory.piece])
    }

    /// Returns the frame as it is heard at a speed: between two frames at half of it, and without what would fold back at twice.
    @_noLocks private func heard(_ index: Int, _ slot: Int, _ length: Int) -> (Float, Float) {
        let place = tracks[index].place, stride = tracks[index].asked.stride, frame = place >> 1
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
    @_noLocks private mutating func own(_ index: Int, _ number: Int) -> UnsafeMutablePointer<Float>? {
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

    /// Writes a frame of input where the loop is. Returns the old one.
    @_noLocks private mutating func store(_ index: Int, _ left: Float, _ right: Float) -> (Float, Float) {
        let frame = tracks[index].place >> 1, at = frame % LoopMemory.piece
        guard let samples = own(index, frame / LoopMemory.piece) else { return sample(slot(index, tracks[index].current), frame) }
        let old = (samples[at], samples[LoopMemory.piece &+ at]), kept = tracks[index].kept, written = tracks[index].written
        samples[at] = old.0 * kept + Self.finite(left) * written
        samples[LoopMemory.piece &+ at] = old.1 * kept + Self.finite(right) * written
        return old
    }

    /// Moves what is written and what stays by a frame.
    @_noLocks private func glide(_ track: UnsafeMutablePointer<LoopTrack>, feedback: Float) {
        let step = LoopTrack.step
        let kept = track.pointee.writes ? track.pointee.replaces ? 0 : feedback : 1, written: Float = track.pointee.writes ? 1 : 0
        track.pointee.written = Self.nearer(track.pointee.written, written, step)
        track.pointee.kept = Self.nearer(track.pointee.kept, kept, step)
        if track.pointee.kept == 1 { track.pointee.hidesOld = false }
    }

    @_noLocks static func nearer(_ value: Float, _ target: Float, _ step: Float) -> Float {
        value < target ? min(value + step, target) : max(value - step, target)
    }

    @_noLocks private func advance(_ index: Int) {
        let track = tracks + index
        track.pointee.place &+= track.pointee.asked.isReversed ? 0 &- track.pointee.asked.stride : track.pointee.asked.stride
        wrap(index, layer(index).length)
    }

    @_noLocks private func wrap(_ index: Int, _ length: Int) {
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
        var sound: (Float, Float)
        if track.pointee.isWriting, track.pointee.asked.stride == 2 {
            let at = Int(truncatingIfNeeded: now.rawValue) & mask
            glide(track, feedback: feedback)
            sound = store(index, inLeft[at], inRight[at])
            if track.pointee.hidesOld || track.pointee.writes && track.pointee.replaces {
                sound = (sound.0 * track.pointee.kept, sound.1 * track.pointee.kept)
            }
        } else {
            sound = heard(index, slot, length)
        }
        var gain = track.pointee.heard
        if track.pointee.rise > 0 {
            track.pointee.rise &-= 1
            gain *= 1 - Float(Int32(truncatingIfNeeded: track.pointee.rise)) * LoopTrack.step
        }
        sound = (sound.0 * gain, sound.1 * gain)
        let before = track.pointee.place, isReversed = track.pointee.asked.isReversed
        advance(index)
        let isAround = isReversed ? track.pointee.place > before : track.pointee.place < before
        if isAround {
            if isOnce {
                (track.pointee.isRunning, track.pointee.writes) = (false, false)
                (track.pointee.written, track.pointee.kept) = (0, 1)
            }
            if isOnce || layer(index).isCut {
                // What falls begins with this frame.
                (track.pointee.lastLeft, track.pointee.lastRight) = sound
                track.pointee.cut()
                return (0, 0)
            }
        }
        return sound
    }
}
