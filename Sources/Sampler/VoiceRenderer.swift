// [render]
import SoundFonts

/// Sends voices to the channels' buses: one at a time between frames, eight at once through the filter, one at a time into
/// the mix.
struct VoiceRenderer: ~Copyable {
    var kernels: VoiceKernels
    private let curves: ControlCurves
    private let window = SampleWindow()
    /// Eight voices of 64 samples each, and what the filter knows of them.
    private let lanes: UnsafeMutablePointer<Float>
    private let state: UnsafeMutablePointer<Float>
    /// The voices in the lanes.
    private let batch: UnsafeMutablePointer<UnsafeMutablePointer<Voice>?>
    private var batched = 0

    /// Control side.
    init(_ curves: ControlCurves, _ kernels: VoiceKernels) {
        self.curves = curves
        self.kernels = kernels
        lanes = Self.aligned(512)
        state = Self.aligned(64)
        batch = .allocate(capacity: 8)
        batch.initialize(repeating: nil, count: 8)
    }

    deinit {
        lanes.deallocate()
        state.deallocate()
        batch.deallocate()
    }

    private static func aligned(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
        let floats = bytes.bindMemory(to: Float.self, capacity: count)
        floats.initialize(repeating: 0, count: count)
        return floats
    }

    /// Renders the period of every voice that begins before frame `bound` of the grid and has not been rendered.
    ///
    /// - Parameter grid: the sample time at which the grid begins.
    @_noLocks mutating func render(_ pool: inout VoicePool, _ buses: inout ChannelBuses, before bound: Int, grid: Int64) {
        var hasEnded = false
        var place = pool.rendered
        while place < pool.count {
            let voice = pool.voice(place)
            if voice.pointee.phase >= bound { break }
            place &+= 1
            if !voice.pointee.isSounding {
                hasEnded = true
                continue
            }
            switch voice.pointee.control(curves) {
            case .finished:
                pool.log?.pointee.end(voice.pointee.note, at: grid &+ Int64(voice.pointee.phase))
                voice.pointee.hold = .off
                hasEnded = true
            case .silent: break
            case .sounding:
                if !read(voice, lanes + batched &* 64) {
                    pool.log?.pointee.end(voice.pointee.note, at: grid &+ Int64(voice.pointee.phase &+ 64))
                    voice.pointee.hold = .off
                    hasEnded = true
                }
                batch[batched] = voice
                batched &+= 1
                if batched == 8 { flush(&buses) }
            }
        }
        if batched > 0 { flush(&buses) }
        pool.rendered = place
        if hasEnded { pool.sweep() }
    }

    /// One period between frames; false at the sample's end.
    @_noLocks private mutating func read(_ voice: UnsafeMutablePointer<Voice>, _ out: UnsafeMutablePointer<Float>) -> Bool {
        let isLooping = voice.pointee.loops && !(voice.pointee.loopsUntilRelease && voice.pointee.volume.isReleased)
        let increment = voice.pointee.increment, position = voice.pointee.position
        let first = Int(truncatingIfNeeded: position &>> 32)
        let last = Int(truncatingIfNeeded: (position &+ increment &* 63) &>> 32)
        let lowest = Int(voice.pointee.hasLooped ? voice.pointee.loopStart : voice.pointee.start)
        let highest = Int(isLooping ? voice.pointee.loopEnd &- 1 : voice.pointee.end)
        let before = kernels.interpolation.before, behind = kernels.interpolation.behind
        let scale = voice.pointee.filterGain * 0.25
        let gain = Float(voice.pointee.gain * scale), step = Float(voice.pointee.gainStep * scale)
        var frames = 64
        if !isLooping && last > highest {
            let limit = UInt64(truncatingIfNeeded: highest &+ 1) &<< 32
            frames = limit <= position ? 0 : Int(truncatingIfNeeded: (limit &- position &- 1) / increment) &+ 1
        }
        let size = voice.pointee.isFloat ? 4 : 2
        var source = voice.pointee.data + (first &- before) &* size
        var leaps = false
        if first &- before < lowest || last &+ behind > highest {
            let end = frames == 64 ? last : highest
            let fits = SampleWindow.holds(first: first, last: last)
            if fits,
                let copy = window.copy(
                    voice, isLooping: isLooping, first: first, last: end, before: before, behind: behind)
            {
                source = copy
            } else {
                leaps = true
            }
        }
        if frames == 0 {
            Self.silence(out, from: 0)
        } else if leaps {
            frames = SampleWindow.leap(voice, isLooping: isLooping, gain: gain, step: step, out)
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

    @_noLocks private static func silence(_ out: UnsafeMutablePointer<Float>, from first: Int) {
        for sample in first..<64 { out[sample] = 0 }
    }

    @_noLocks private func advance(_ voice: UnsafeMutablePointer<Voice>, _ isLooping: Bool) {
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

    /// Filters the voices in the lanes, and adds them up in their order.
    @_noLocks private mutating func flush(_ buses: inout ChannelBuses) {
        var isScaled = false
        for lane in 0..<8 { state[56 &+ lane] = .greatestFiniteMagnitude }
        for lane in 0..<batched {
            guard let voice = batch[lane] else { continue }
            let filter = voice.pointee.filter
            state[lane] = filter.w1
            state[8 &+ lane] = filter.w2
            state[16 &+ lane] = filter.d
            state[24 &+ lane] = filter.c
            state[32 &+ lane] = filter.s
            state[40 &+ lane] = filter.isMoving ? filter.cStep : 0
            state[48 &+ lane] = filter.isMoving ? filter.sStep : 0
            if filter.isMoving && filter.isJumping {
                // An opening filter is scaled all the way, a closing one until little is left to divide by.
                let isOpening = filter.sStep > 0 && !curves.isRounded
                state[56 &+ lane] = isOpening ? 0 : Float(0.004 / voice.pointee.filterGain)
                isScaled = true
            }
            if filter.isMoving {
                voice.pointee.filter.c += filter.cStep * 64
                voice.pointee.filter.s += filter.sStep * 64
                voice.pointee.filter.isMoving = false
            }
        }
        kernels.lowPass(lanes, state, isScaled: isScaled)
        for lane in 0..<batched {
            guard let voice = batch[lane] else { continue }
            voice.pointee.filter.w1 = state[lane]
            voice.pointee.filter.w2 = state[8 &+ lane]
            voice.pointee.filter.d = state[16 &+ lane]
            mix(voice, lanes + lane &* 64, &buses)
        }
        batched = 0
    }

    @_noLocks private func mix(
        _ voice: UnsafeMutablePointer<Voice>, _ samples: UnsafePointer<Float>, _ buses: inout ChannelBuses
    ) {
        let channel = Int(voice.pointee.bus), phase = voice.pointee.phase
        let reverb = voice.pointee.reverb, reverbNow = voice.pointee.reverbNow
        let chorus = voice.pointee.chorus, chorusNow = voice.pointee.chorusNow
        let sendsReverb = reverb != 0 || reverbNow != 0, sendsChorus = chorus != 0 || chorusNow != 0
        buses.mark(channel, phase: phase, reverb: sendsReverb, chorus: sendsChorus)
        let left = voice.pointee.left, leftNow = voice.pointee.leftNow
        let right = voice.pointee.right, rightNow = voice.pointee.rightNow
        kernels.pan(
            samples, buses.line(channel, .left) + phase, buses.line(channel, .right) + phase, Float(leftNow),
            Float((left - leftNow) / 64), Float(rightNow), Float((right - rightNow) / 64))
        voice.pointee.leftNow = left
        voice.pointee.rightNow = right
        if sendsReverb {
            kernels.send(
                samples, buses.line(channel, .reverb) + phase, Float(reverbNow), Float((reverb - reverbNow) / 64))
        }
        if sendsChorus {
            kernels.send(
                samples, buses.line(channel, .chorus) + phase, Float(chorusNow), Float((chorus - chorusNow) / 64))
        }
        voice.pointee.reverbNow = reverb
        voice.pointee.chorusNow = chorus
    }
}
