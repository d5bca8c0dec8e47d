// [render]
import CRealtime
import RealtimeCore
import Synchronization
import UnitAPI

/// The tracks of a looper with their layers, and what has come in last: all that their commands do.
struct LoopDeck: ~Copyable {
    private var owned = OwnedMemory()
    var memory: LoopMemory
    let tracks: UnsafeMutablePointer<LoopTrack>
    private let count: Int
    let sound: LoopSound
    let layers: UnsafeMutablePointer<LoopLayer>
    private let wanted: UnsafeMutablePointer<Int>
    private let scale: UnsafeMutablePointer<Double>
    private let served: UnsafeMutablePointer<Atomic<Int>>
    private let onset: UnsafeMutablePointer<LoopOnset>
    let turned: UnsafeMutablePointer<Atomic<Int64>>
    /// The gain of what comes in, by the frame of a slice.
    let gains: UnsafeMutablePointer<Float>
    /// What came in last, by the sample time, as it was before that gain: channels one after the other.
    let past: UnsafeMutablePointer<Float>
    private let channels: Int
    let mask: Int
    /// Frames by which what comes in is later than what it was played to.
    var latency = 0
    /// The end of what `past` holds; nil before the first slice.
    private var end: SampleTime?

    /// - Parameters:
    ///   - channels: those of the input, in whole pairs.
    ///   - frames: those of input that are to be known, those of a slice among them.
    ///   - slice: the most frames of a slice.
    init(tracks count: Int, _ desk: LoopDesk, channels: Int, past frames: Int, slice: Int) {
        (self.count, self.channels) = (count, channels)
        (sound, wanted, scale, served, onset) = (desk.sound, desk.wanted, desk.scale, desk.served, desk.onset)
        turned = desk.turned
        memory = LoopMemory(sound)
        tracks = owned.make(count, of: LoopTrack())
        layers = sound.layers
        var size = 1
        while size < frames { size *= 2 }
        mask = size - 1
        past = owned.make(size * channels, of: 0)
        gains = owned.make(slice, of: 1)
    }

    var freePieces: Int { @_noLocks get { memory.freeCount } }

    @_noLocks mutating func reset() {
        memory.reset()
        for index in 0..<count { tracks[index] = LoopTrack() }
        for index in 0..<sound.slots { layers[index] = LoopLayer() }
        rt_zero(past, (mask &+ 1) &* channels)
        end = nil
    }

    /// While it slept, silence came in.
    @_noLocks mutating func catchUp(_ now: SampleTime) {
        let size = mask &+ 1, before = end ?? now, gap = now - before
        end = now
        if gap == 0 { return }
        onset.pointee.pass(max(gap, 0))
        if gap < 0 || gap >= size {
            rt_zero(past, size &* channels)
        } else {
            for channel in 0..<channels {
                for i in 0..<gap { past[place(channel, before + i)] = 0 }
            }
        }
    }

    @_noLocks mutating func hear(_ io: borrowing RenderIO) {
        for channel in 0..<channels {
            let input = io.input(0, channel).base
            for i in 0..<io.frames { past[place(channel, io.sampleTime + i)] = Self.without(gains[i], input[i]) }
        }
        end = io.sampleTime + io.frames
        onset.pointee.find(io.input(0, 0).base, io.input(0, 1).base, io.frames, at: io.sampleTime)
    }

    /// - Parameter isHeard: true if the loop plays, and does not only run on after a stop.
    @_noLocks mutating func change(
        _ index: Int, to state: LoopState, isHeard: Bool, _ early: Int, at now: SampleTime
    ) {
        let track = tracks + index, replaces = state == .replacing
        switch state {
        case .empty: clear(index)
        case .recording:
            clear(index)
            record(index, early, at: now)
        case .stopped:
            end(track)
            if track.pointee.isRecording { close(index, early, at: now) }
        case .playing:
            end(track)
            if track.pointee.isRecording {
                close(index, early, at: now)
            } else if track.pointee.count > 0, !isHeard {
                begin(index, early)
            }
        case .overdubbing, .replacing:
            if track.pointee.isRecording {
                close(index, early, at: now, isWritten: true, replaces: replaces)
            } else if track.pointee.count > 0 {
                if !isHeard { begin(index, 0) }
                write(index, replaces: replaces, isHeard ? early : 0, at: now)
            }
        }
    }

    /// Ends what is written, once what was played until now has come in.
    @_noLocks private func end(_ track: UnsafeMutablePointer<LoopTrack>) {
        if track.pointee.writes { track.pointee.hold = track.pointee.latency }
        track.pointee.writes = false
    }

    /// When the present round began is not known any more.
    @_noLocks func forgetTurn(_ index: Int) { turned[index].store(-1, ordering: .relaxed) }

    @_noLocks private mutating func clear(_ index: Int) {
        let track = tracks + index
        forgetTurn(index)
        track.pointee.cut()
        if track.pointee.isRecording { track.pointee.count = 1 }
        while track.pointee.count > 0 { dropOldest(index) }
        (track.pointee.isRunning, track.pointee.isRecording, track.pointee.isHidden) = (false, false, false)
        track.pointee.seam = LoopSeam()
        (track.pointee.written, track.pointee.kept, track.pointee.heard) = (0, 1, 0)
        (track.pointee.writes, track.pointee.hidesOld, track.pointee.hold) = (false, false, 0)
        (track.pointee.first, track.pointee.current, track.pointee.recorded, track.pointee.place) = (0, 0, 0, 0)
    }

    @_noLocks mutating func dropOldest(_ index: Int) {
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
        (track.pointee.isRecording, track.pointee.begun, track.pointee.latency) = (true, now + (0 &- early), latency)
        track.pointee.wait = max(latency &- early, 0)
        let known = max(early &- latency, 0)
        for i in 0..<known where track.pointee.isRecording { append(index, at: now + (i &- known)) }
    }

    /// Adds a frame to a recording, which ends where there is no memory.
    @_noLocks mutating func append(_ index: Int, at time: SampleTime) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        if track.pointee.wait > 0 {
            track.pointee.wait &-= 1
            return
        }
        let frame = track.pointee.recorded
        if frame % LoopMemory.piece == 0, !take(slot, frame) { return close(index, of: frame, 0) }
        let samples = memory.samples(memory.list(slot)[frame / LoopMemory.piece]) + frame % LoopMemory.piece
        let (left, right) = input(index, at: time)
        samples[0] = Self.finite(left)
        samples[LoopMemory.piece] = Self.finite(right)
        track.pointee.recorded &+= 1
        layers[slot].length = track.pointee.recorded
    }

    /// Gives a layer a piece from a frame on; false where none is free.
    @_noLocks private mutating func take(_ slot: Int, _ frame: Int) -> Bool {
        let number = frame / LoopMemory.piece, piece = number < memory.pieces ? memory.take() : -1
        if piece < 0 { return false }
        memory.list(slot)[number] = piece
        return true
    }

    @_noLocks static func finite(_ sample: Float) -> Float { abs(sample) < 1e6 ? sample : 0 }

    /// Makes a loop of what was recorded, up to `early` frames ago: what has come in since is the beginning of its next round. What
    /// was played until then and has still to come in is its end.
    @_noLocks private mutating func close(
        _ index: Int, _ early: Int, at now: SampleTime, isWritten: Bool = false, replaces: Bool = false
    ) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        var length = max(now + (0 &- early) - track.pointee.begun, 1)
        // One that ends on the frame on which it begins has that frame.
        if track.pointee.latency == 0 { length = min(length, track.pointee.recorded) }
        // The pieces of its end are silent until then.
        var frame = track.pointee.recorded
        while frame < length {
            if frame % LoopMemory.piece == 0, !take(slot, frame) { break }
            let first = frame % LoopMemory.piece, count = min(LoopMemory.piece &- first, length &- frame)
            let samples = memory.samples(memory.list(slot)[frame / LoopMemory.piece]) + first
            rt_zero(samples, count)
            rt_zero(samples + LoopMemory.piece, count)
            frame &+= count
        }
        close(index, of: min(length, frame), early, isWritten: isWritten, replaces: replaces)
    }

    /// - Parameter length: the loop's frames; there may be more of them, or fewer that have come in.
    @_noLocks private mutating func close(
        _ index: Int, of length: Int, _ early: Int, isWritten: Bool = false, replaces: Bool = false
    ) {
        let track = tracks + index, slot = index &* LoopMemory.layers &+ track.pointee.first
        if length <= 0 { return clear(index) }
        let past = max(track.pointee.recorded &- length, 0)
        // Of what ends before anything of it comes in nothing is known.
        let owed = track.pointee.wait > 0 ? 0 : max(length &- track.pointee.recorded, 0)
        (track.pointee.isRecording, track.pointee.wait) = (false, 0)
        layers[slot] = LoopLayer(length: length)
        track.pointee.base = length
        (track.pointee.count, track.pointee.current, track.pointee.place) = (1, 0, 0)
        (track.pointee.isRunning, track.pointee.rise, track.pointee.seam) = (true, 0, LoopSeam())
        track.pointee.heard = track.pointee.isStopped ? 0 : 1
        // Its end leads into its beginning, with what goes on coming in.
        let isForward = !track.pointee.asked.isReversed && track.pointee.asked.stride == 2
        (track.pointee.written, track.pointee.kept, track.pointee.hidesOld) = isForward ? (1, 0, owed == 0) : (0, 1, false)
        track.pointee.hold = isForward ? owed : 0
        if owed > 0 { track.pointee.rise = LoopTrack.fade }
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
                _ = store(index, i % length, (samples[0], samples[LoopMemory.piece]))
            }
        }
        let kept = (length &+ LoopMemory.piece &- 1) / LoopMemory.piece
        let used = min((length &+ past &+ LoopMemory.piece &- 1) / LoopMemory.piece, memory.pieces)
        for number in kept..<max(kept, used) {
            memory.drop(memory.list(slot)[number])
            memory.list(slot)[number] = -1
        }
        for _ in 0..<early { advance(index) }
        lengthen(index, to: track.pointee.asked.times)
    }

    /// Plays the loop from its beginning, or in reverse from its end.
    @_noLocks mutating func begin(_ index: Int, _ early: Int) {
        let track = tracks + index, length = layer(index).length
        forgetTurn(index)
        track.pointee.cut()
        (track.pointee.isRunning, track.pointee.heard, track.pointee.seam) = (true, 1, LoopSeam())
        let past = (early % max(length, 1)) &* track.pointee.asked.stride
        track.pointee.place = track.pointee.asked.isReversed ? 2 &* (length &- 1) &- past : past
        wrap(index, length)
    }

    /// Begins a layer that is written to.
    @_noLocks private mutating func write(_ index: Int, replaces: Bool, _ early: Int, at now: SampleTime) {
        let track = tracks + index
        addLayer(index)
        (track.pointee.writes, track.pointee.replaces) = (true, replaces)
        (track.pointee.latency, track.pointee.hold) = (latency, max(latency &- early, 0))
        let length = layer(index).length, early = min(early, length &- 1), past = early &- latency
        if past <= 0 || track.pointee.asked.stride != 2 { return }
        (track.pointee.written, track.pointee.kept) = (0, 1)
        let step = track.pointee.asked.isReversed ? -1 : 1, place = track.pointee.place >> 1
        for i in 0..<past {
            glide(track, feedback: 1)
            let frame = (place &- step &* (early &- i) &+ length &* 2) % length
            _ = store(index, frame, input(index, at: now + (i &- past)))
        }
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

    @_noLocks func slot(_ index: Int, _ layer: Int) -> Int {
        index &* LoopMemory.layers &+ tracks[index].slot(layer)
    }

    @_noLocks func layer(_ index: Int) -> LoopLayer { layers[slot(index, tracks[index].current)] }

    /// Lets the layer sound from which so many are taken back; with all of them nothing is heard.
    @_noLocks mutating func takeBack(_ index: Int, _ undone: Int) {
        let track = tracks + index
        if track.pointee.count == 0 || track.pointee.isRecording { return }
        let wanted = max(track.pointee.count &- 1 &- undone, -1)
        if wanted == (track.pointee.isHidden ? -1 : track.pointee.current) { return }
        (track.pointee.writes, track.pointee.written, track.pointee.kept) = (false, 0, 1)
        (track.pointee.hidesOld, track.pointee.hold) = (false, 0)
        track.pointee.isHidden = wanted < 0
        forgetTurn(index)
        if wanted < 0 || wanted == track.pointee.current { return }
        track.pointee.cut()
        track.pointee.current = wanted
        wrap(index, self.layer(index).length)
    }

    @_noLocks mutating func lengthen(_ index: Int, to times: Int) {
        let track = tracks + index
        if track.pointee.count == 0 { return }
        let length = layer(index).length, wanted = track.pointee.base &* times
        if wanted == length || wanted > memory.pieces &* LoopMemory.piece { return }
        if wanted > length, layer(index).innerPeriod > 0 { return }
        forgetTurn(index)
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
            while layers[slot].period >= wanted {
                (layers[slot].period, layers[slot].innerPeriod) = (layers[slot].innerPeriod, 0)
            }
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

    /// Does what the program asks of a track's desk: see `LoopDesk`.
    @_noLocks mutating func serve(_ index: Int, _ asked: Int, at now: SampleTime) {
        let track = tracks + index, desk = sound.desk(index)
        if asked < LoopDesk.Order.taken.number {
            memory.empty(desk, layers[desk].pieces)
            layers[desk] = LoopLayer()
        }
        if asked == LoopDesk.Order.held.number, track.pointee.count > 0, !track.pointee.isRecording, !track.pointee.isHidden {
            let from = slot(index, track.pointee.current)
            layers[desk] = layers[from]
            memory.share(from, desk, layers[from].pieces)
        } else if asked == LoopDesk.Order.reserved.number {
            let layer = LoopLayer(length: wanted[index])
            if layer.pieces <= memory.freeCount {
                for number in 0..<layer.pieces { memory.list(desk)[number] = memory.take() }
                layers[desk] = layer
            }
        } else if asked == LoopDesk.Order.taken.number, layers[desk].length > 0 {
            clear(index)
            lay(index)
        } else if asked == LoopDesk.Order.exchanged.number, layers[desk].length > 0, track.pointee.count > 0,
            !track.pointee.isRecording
        {
            exchange(index, at: now)
        }
        served[index].store(asked, ordering: .releasing)
    }

    /// Makes what lies on the desk the only layer of a track that has none.
    @_noLocks private mutating func lay(_ index: Int) {
        let track = tracks + index, desk = sound.desk(index), slot = slot(index, 0), count = layers[desk].pieces
        layers[slot] = layers[desk]
        memory.share(desk, slot, count)
        memory.empty(desk, count)
        layers[desk] = LoopLayer()
        (track.pointee.count, track.pointee.current) = (1, 0)
        track.pointee.base = max(layers[slot].length / max(track.pointee.asked.times, 1), 1)
    }

    /// Puts what lies on the desk in the place of all layers. The loop goes on where it exactly was, what rounds owe counted in.
    @_noLocks private mutating func exchange(_ index: Int, at now: SampleTime) {
        let track = tracks + index, stride = track.pointee.asked.stride
        let ahead = Double(Int32(truncatingIfNeeded: track.pointee.asked.isReversed ? 0 &- stride : stride))
        let exact = (Double(track.pointee.place) - track.pointee.seam.debt * ahead) * scale[index]
        track.pointee.cut()
        if turned[index].load(ordering: .relaxed) >= 0 {
            // As if this round had always had its new length.
            let passed = ahead > 0 ? exact : Double(layers[sound.desk(index)].length) * 2 - exact
            turned[index].store(now.rawValue &* 256 &- Int64(passed / abs(ahead) * 256), ordering: .relaxed)
        }
        while track.pointee.count > 0 { dropOldest(index) }
        (track.pointee.written, track.pointee.kept, track.pointee.writes) = (0, 1, false)
        (track.pointee.hidesOld, track.pointee.isHidden, track.pointee.hold) = (false, false, 0)
        lay(index)
        // Whole frames, but at half speed.
        let grain = stride == 1 ? 1 : 2, grains = exact / (stride == 1 ? 1 : 2)
        let place = Int(grains < 0 ? grains - 0.5 : grains + 0.5) &* grain
        track.pointee.seam = LoopSeam()
        track.pointee.seam.debt = (Double(place) - exact) / ahead
        track.pointee.place = place
        wrap(index, layer(index).length)
    }
}
