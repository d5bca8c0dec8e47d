// [render]
import CRealtime

/// Sends voices to the channels' buses: one at a time between frames, sixteen at once through the filter, one at a time into
/// the mix.
struct VoiceRenderer: ~Copyable {
    var kernels: VoiceKernels
    /// Frames per second, and beats per minute, for regions of SFZ.
    let rate: Double
    var tempo: Float = 120
    private let curves: ControlCurves
    private let window = SampleWindow()
    /// Sixteen voices of 64 samples each, with the filter's state of them, followed by sixteen that bypass it.
    private let lanes: UnsafeMutablePointer<Float>
    private let rows: UnsafeMutablePointer<Float>
    /// The rows before the filter, of voices that change their way.
    private let unfiltered: UnsafeMutablePointer<Float>
    private let state: UnsafeMutablePointer<Float>
    private struct Entry: BitwiseCopyable {
        let voice: UnsafeMutablePointer<Voice>
        let row: Int32
    }
    private let batch: UnsafeMutablePointer<Entry>
    private var batched = 0
    /// Rows that are filled: of those through the filter, and of those past it.
    private var filtered = 0, passed = 0
    private static var room: Int { @_noLocks get { 16 } }

    /// Control side.
    init(_ curves: ControlCurves, _ kernels: VoiceKernels, rate: Double = 48_000) {
        (self.curves, self.rate) = (curves, rate)
        self.kernels = kernels
        rows = Self.aligned(2 * Self.room * VoiceKernels.row)
        lanes = rows + 8
        state = Self.aligned(Self.room * 8)
        unfiltered = Self.aligned(Self.room * 64)
        batch = .allocate(capacity: 2 * Self.room)
    }

    deinit {
        rows.deallocate()
        state.deallocate()
        unfiltered.deallocate()
        batch.deallocate()
    }

    private static func aligned(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
        let floats = bytes.bindMemory(to: Float.self, capacity: count)
        floats.initialize(repeating: 0, count: count)
        return floats
    }

    /// Every voice that begins before frame `bound` of the grid, which begins at sample time `grid`, and has not been rendered.
    @_noLocks mutating func render(_ pool: inout VoicePool, _ buses: inout ChannelBuses, before bound: Int, grid: Int64) {
        var hasEnded = false
        var place = pool.rendered
        while place < pool.count {
            let voice = pool.voice(place)
            if voice.pointee.phase >= bound { break }
            place &+= 1
            prepare(pool, place)
            if !voice.pointee.isSounding {
                hasEnded = true
                continue
            }
            switch step(voice) {
            case .finished:
                pool.log?.pointee.end(voice.pointee.note, at: grid &+ Int64(voice.pointee.phase))
                voice.pointee.hold = .off
                hasEnded = true
            case .silent: break
            case .sounding:
                let row = voice.pointee.filter.isAtWork ? filtered : Self.room &+ passed
                if !fill(voice, lanes + row &* VoiceKernels.row) {
                    pool.log?.pointee.end(voice.pointee.note, at: grid &+ Int64(voice.pointee.phase &+ 64))
                    voice.pointee.hold = .off
                    hasEnded = true
                }
                enter(voice, row)
                if filtered == Self.room || passed == Self.room { flush(pool, &buses, grid) }
            }
        }
        if batched > 0 { flush(pool, &buses, grid) }
        pool.log?.pointee.endPeriod()
        pool.rendered = place
        if hasEnded { pool.sweep() }
    }

    @_noLocks @inline(__always) private func step(_ voice: UnsafeMutablePointer<Voice>) -> Voice.Step {
        guard let region = voice.pointee.region else { return voice.pointee.control(curves) }
        return region.pointee.control(voice, curves, rate: rate, tempo: tempo)
    }

    @_noLocks @inline(__always) private mutating func fill(
        _ voice: UnsafeMutablePointer<Voice>, _ out: UnsafeMutablePointer<Float>
    ) -> Bool {
        voice.pointee.isPlain ? read(voice, nil, out) : fillSpecial(voice, out)
    }

    /// One period of a voice with a stream, a region or both: the sample, or noise, through the region's filters.
    @_noLocks @inline(never) private mutating func fillSpecial(
        _ voice: UnsafeMutablePointer<Voice>, _ out: UnsafeMutablePointer<Float>
    ) -> Bool {
        let region = voice.pointee.region
        if region != nil { voice.pointee.filterGain = 1 }
        var goesOn = true
        if let region, region.pointee.plan.pointee.start.isNoise {
            region.pointee.makeNoise(voice, out)
        } else if let stream = voice.pointee.stream {
            goesOn = read(voice, stream, out)
            stream.pointee.count()
        } else {
            goesOn = read(voice, nil, out)
        }
        region?.pointee.shape(out)
        return goesOn
    }

    /// Hundreds of voices, and what they read of their samples, are more than the nearest cache holds: the next ones are fetched.
    @_noLocks @inline(__always) private func prepare(_ pool: borrowing VoicePool, _ place: Int) {
        if place >= pool.count { return }
        let next = pool.voice(place)
        let size = next.pointee.isFloat ? 2 : 1
        let first = next.pointee.data + Int(truncatingIfNeeded: next.pointee.position &>> 31) &* size
        let way = Int(truncatingIfNeeded: next.pointee.increment &>> 25) &* size
        rt_prefetch(first, min(way &+ 64, 512))
        if place &+ 1 < pool.count { rt_prefetch(pool.voice(place &+ 1), Voice.hot) }
    }

    /// One period between frames; false at the sample's end. Inlined, with no stream for voices in memory, so that they pay
    /// nothing for those that have one.
    @_noLocks @inline(__always) private mutating func read(
        _ voice: UnsafeMutablePointer<Voice>, _ stream: UnsafeMutablePointer<VoiceStream>?, _ out: UnsafeMutablePointer<Float>
    ) -> Bool {
        let isLooping = voice.pointee.loops && !(voice.pointee.loopsUntilRelease && voice.pointee.volume.isReleased)
        let increment = voice.pointee.increment, position = voice.pointee.position
        let first = Int(truncatingIfNeeded: position &>> 32)
        let last = Int(truncatingIfNeeded: (position &+ increment &* 63) &>> 32)
        let lowest = Int(voice.pointee.hasLooped ? voice.pointee.loopStart : voice.pointee.start)
        let highest = Int(isLooping ? voice.pointee.loopEnd &- 1 : voice.pointee.end)
        let before = kernels.interpolation.before, behind = kernels.interpolation.behind
        let scale = voice.pointee.filter.isAtWork ? voice.pointee.filterGain * 0.25 : voice.pointee.filterGain
        let gain = Float(voice.pointee.gain * scale), step = Float(voice.pointee.gainStep * scale)
        var frames = 64
        if !isLooping && last > highest {
            let limit = UInt64(truncatingIfNeeded: highest &+ 1) &<< 32
            frames = limit <= position ? 0 : Int(truncatingIfNeeded: (limit &- position &- 1) / increment) &+ 1
        }
        let size = voice.pointee.isFloat ? 4 : 2
        var source = voice.pointee.data + (first &- before) &* size
        var isFar = false
        if let stream { stream.pointee.publish(voice, isLooping: isLooping) }
        let isInside = first &- before >= lowest && last &+ behind <= highest
        if stream != nil || !isInside {
            let end = frames == 64 ? last : highest
            if SampleWindow.holds(first: first, last: last),
                let copy = window.copy(
                    voice, stream, isLooping: isLooping, first: first, last: end, before: before, behind: behind)
            {
                source = copy
            } else {
                isFar = true
            }
        }
        if frames == 0 {
            Self.silence(out, from: 0)
        } else if isFar {
            if let stream, isInside {
                scatter(voice, stream, isLooping, gain, step, out)
            } else {
                frames = SampleWindow.leap(voice, isLooping: isLooping, gain: gain, step: step, out)
            }
        } else {
            kernels.read(
                VoiceKernels.Reading(
                    source, isFloat: voice.pointee.isFloat, fraction: position & 0xFFFF_FFFF, increment: increment,
                    gain: gain, step: step), out)
        }
        if frames < 64 { Self.silence(out, from: frames) }
        voice.pointee.gain += voice.pointee.gainStep * Double(frames)
        advance(voice, isLooping)
        return frames == 64
    }

    /// A period of a stream whose points lie too far from each other for the window: each is read by itself, by the kernel
    /// that reads all of them in memory.
    @_noLocks private mutating func scatter(
        _ voice: UnsafePointer<Voice>, _ stream: UnsafeMutablePointer<VoiceStream>, _ isLooping: Bool, _ gain: Float,
        _ step: Float, _ out: UnsafeMutablePointer<Float>
    ) {
        var position = voice.pointee.position
        for sample in 0..<64 {
            let frame = Int(truncatingIfNeeded: position &>> 32)
            let before = kernels.interpolation.before, behind = kernels.interpolation.behind
            let copy = window.copy(
                voice, stream, isLooping: isLooping, first: frame, last: frame, before: before, behind: behind)
            guard let source = copy else { continue }
            // In place, all 64 outputs are those of this one point, with the gains of theirs.
            kernels.read(
                VoiceKernels.Reading(
                    source, isFloat: voice.pointee.isFloat, fraction: position & 0xFFFF_FFFF, increment: 0, gain: gain,
                    step: step, pace: voice.pointee.increment), unfiltered)
            out[sample] = unfiltered[sample]
            position &+= voice.pointee.increment
        }
    }

    @_noLocks private static func silence(_ out: UnsafeMutablePointer<Float>, from first: Int) {
        for sample in first..<64 { out[sample] = 0 }
    }

    @_noLocks @inline(__always) private func advance(_ voice: UnsafeMutablePointer<Voice>, _ isLooping: Bool) {
        voice.pointee.position &+= voice.pointee.increment &* 64
        guard isLooping else { return }
        let frame = voice.pointee.position &>> 32
        let end = UInt64(UInt32(bitPattern: voice.pointee.loopEnd))
        if frame < end { return }
        voice.pointee.hasLooped = true
        let length = UInt64(UInt32(bitPattern: voice.pointee.loopEnd &- voice.pointee.loopStart))
        let rounds = (frame &- end) / length &+ 1
        voice.pointee.position &-= (rounds &* length) &<< 32
    }

    @_noLocks @inline(__always) private mutating func enter(_ voice: UnsafeMutablePointer<Voice>, _ row: Int) {
        (batch + batched).initialize(to: Entry(voice: voice, row: Int32(truncatingIfNeeded: row)))
        batched &+= 1
        if row < Self.room { filtered &+= 1 } else { passed &+= 1 }
    }

    @_noLocks private mutating func flush(_ pool: borrowing VoicePool, _ buses: inout ChannelBuses, _ grid: Int64) {
        if filtered > 0 { filter() }
        if let log = pool.log {
            for number in 0..<batched {
                let voice = batch[number].voice, samples = lanes + Int(batch[number].row) &* VoiceKernels.row
                let frame = grid &+ Int64(voice.pointee.phase)
                log.pointee.measure(voice, samples, place: voice - pool.voices, frame: frame, kernels)
            }
        }
        for number in 0..<batched {
            mix(batch[number].voice, lanes + Int(batch[number].row) &* VoiceKernels.row, &buses)
        }
        (batched, filtered, passed) = (0, 0, 0)
    }

    @_noLocks private mutating func filter() {
        var cutoffs = VoiceKernels.Cutoffs.resting
        var changes = false
        for number in 0..<batched {
            let row = Int(batch[number].row)
            if row >= Self.room { continue }
            load(batch[number].voice, Self.place(of: row), &cutoffs)
            if case .through = batch[number].voice.pointee.filter.way { continue }
            // What it is now, before the filter.
            for sample in 0..<64 { unfiltered[row &* 64 &+ sample] = lanes[row &* VoiceKernels.row &+ sample] * 4 }
            changes = true
        }
        kernels.lowPass(lanes, state, groups: filtered > 8 ? 2 : 1, cutoffs)
        for number in 0..<batched {
            let row = Int(batch[number].row), voice = batch[number].voice
            if row >= Self.room { continue }
            let place = Self.place(of: row)
            voice.pointee.filter.w1 = state[place]
            voice.pointee.filter.w2 = state[place &+ 8]
            voice.pointee.filter.d = state[place &+ 16]
            if changes { fade(voice, row) }
        }
    }

    @_noLocks private func fade(_ voice: UnsafeMutablePointer<Voice>, _ row: Int) {
        let samples = lanes + row &* VoiceKernels.row, plain = unfiltered + row &* 64
        switch voice.pointee.filter.way {
        case .opening:
            for sample in 0..<64 {
                let share = Float(Int32(truncatingIfNeeded: sample &+ 1)) * (1.0 / 64)
                samples[sample] += (plain[sample] - samples[sample]) * share
            }
        case .closing:
            for sample in 0..<64 {
                let share = Float(Int32(truncatingIfNeeded: 63 &- sample)) * (1.0 / 64)
                samples[sample] += (plain[sample] - samples[sample]) * share
            }
        case .through, .past: return
        }
        voice.pointee.filter.arrive()
    }

    /// The place of a lane's first number in `state`; the others follow in steps of eight.
    @_noLocks @inline(__always) private static func place(of lane: Int) -> Int { (lane &>> 3) &* 64 &+ lane & 7 }

    /// Loads a voice into the filter. Its members go one by one: as a whole the voice would be copied.
    @_noLocks @inline(__always) private func load(
        _ voice: UnsafeMutablePointer<Voice>, _ place: Int, _ cutoffs: inout VoiceKernels.Cutoffs
    ) {
        state[place] = voice.pointee.filter.w1
        state[place &+ 8] = voice.pointee.filter.w2
        state[place &+ 16] = voice.pointee.filter.d
        state[place &+ 24] = voice.pointee.filter.c
        state[place &+ 32] = voice.pointee.filter.s
        state[place &+ 40] = 0
        state[place &+ 48] = 0
        state[place &+ 56] = .greatestFiniteMagnitude
        if !voice.pointee.filter.isMoving { return }
        let cStep = voice.pointee.filter.cStep, sStep = voice.pointee.filter.sStep
        state[place &+ 40] = cStep
        state[place &+ 48] = sStep
        if voice.pointee.filter.isJumping {
            // An opening filter is scaled all the way, a closing one until little is left to divide by.
            let isOpening = sStep > 0 && !curves.isRounded
            state[place &+ 56] = isOpening ? 0 : Float(0.004 / voice.pointee.filterGain)
            cutoffs = .jumping
        } else if case .resting = cutoffs {
            cutoffs = .moving
        }
        voice.pointee.filter.c += cStep * 64
        voice.pointee.filter.s += sStep * 64
        voice.pointee.filter.isMoving = false
    }

    /// Adds up one voice. Changes nothing of the renderer, but one that is lent would be copied for the call.
    @_noLocks @inline(__always) private mutating func mix(
        _ voice: UnsafeMutablePointer<Voice>, _ samples: UnsafePointer<Float>, _ buses: inout ChannelBuses
    ) {
        let channel = Int(voice.pointee.bus), phase = voice.pointee.phase
        let reverb = voice.pointee.reverb, reverbNow = voice.pointee.reverbNow
        let chorus = voice.pointee.chorus, chorusNow = voice.pointee.chorusNow
        let hears = buses.hears(channel)
        let sendsReverb = hears.reverb && (reverb != 0 || reverbNow != 0)
        let sendsChorus = hears.chorus && (chorus != 0 || chorusNow != 0)
        buses.mark(channel, phase: phase, reverb: sendsReverb, chorus: sendsChorus)
        let left = voice.pointee.left, leftNow = voice.pointee.leftNow
        let right = voice.pointee.right, rightNow = voice.pointee.rightNow
        let toLeft = buses.line(channel, .left), toRight = buses.line(channel, .right)
        if left == leftNow && right == rightNow && reverb == reverbNow && chorus == chorusNow && !(sendsReverb && sendsChorus) {
            let send =
                sendsReverb ? buses.line(channel, .reverb) : sendsChorus ? buses.line(channel, .chorus) : nil
            let share = sendsReverb ? reverb : chorus
            return kernels.mix(samples, toLeft, toRight, send, phase: phase, Float(left), Float(right), Float(share))
        }
        kernels.pan(
            samples, toLeft + phase, toRight + phase, Float(leftNow), Float((left - leftNow) / 64), Float(rightNow),
            Float((right - rightNow) / 64))
        if sendsReverb {
            kernels.send(
                samples, buses.line(channel, .reverb) + phase, Float(reverbNow), Float((reverb - reverbNow) / 64))
        }
        if sendsChorus {
            kernels.send(
                samples, buses.line(channel, .chorus) + phase, Float(chorusNow), Float((chorus - chorusNow) / 64))
        }
        (voice.pointee.leftNow, voice.pointee.rightNow) = (left, right)
        (voice.pointee.reverbNow, voice.pointee.chorusNow) = (reverb, chorus)
    }
}
