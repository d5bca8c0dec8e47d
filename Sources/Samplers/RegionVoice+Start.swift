// [render]
import DSP
import MIDI
import SoundFonts

extension RegionVoice {
    /// Begins: what stays for the note is found, and everything is where it is without the past.
    @_noLocks mutating func start(_ voice: UnsafeMutablePointer<Voice>, rate: Double) {
        follow(periodsPerSecond: 0)
        let key = Float(Int32(event.key))
        gain = noteGain(key)
        cents = noteCents
        for index in 0..<2 { cutoffs[index] = cutoff(index, key) }
        // Where a flex envelope is the level's, the first one only fades.
        let isFlex = plan.pointee.levelEnvelope >= 0
        if isFlex { envelope.startAtFull() } else { envelope.start(values(plan.pointee.envelope), rate: rate) }
        if event.isRelease { voice.pointee.volume.enter(VoiceEnvelope.Stage.release) }
        // No key lets a loop go that a release has started.
        let isEndless = voice.pointee.loops && !voice.pointee.loopsUntilRelease && plan.pointee.start.loopCount == 0
        envelope.sustains = !event.isRelease || !isEndless
        if isFlex && !envelope.sustains { flexes[Int(plan.pointee.levelEnvelope)].letGo() }
        for index in 0..<Int(plan.pointee.envelopeCount) {
            let contour = book.contours + (Int(plan.pointee.firstEnvelope) &+ index)
            if contour.pointee.pointCount == 0 { contours[index].start(values(contour.pointee.envelope), rate: rate) }
        }
        withUnsafePointer(to: registers) { registers in
            let registers = UnsafeRawPointer(registers).assumingMemoryBound(to: Float.self)
            for index in 0..<Int(plan.pointee.oscillatorCount) {
                let oscillator = book.oscillators[Int(plan.pointee.firstOscillator) &+ index]
                oscillators[index] = RegionOscillatorState(oscillator, registers)
            }
        }
        let delay = plan.pointee.start.delay + share(4) * plan.pointee.start.delayRandom + registers[Int(RegionTarget.delay)]
        wait = UInt32(min(max(Double(delay), 0), 1_000) * rate / 64 + 0.5)
        placeSample(voice)
    }

    /// A number of chance, 0...1.
    @_noLocks private func share(_ draw: Int) -> Float { Float((chance.pair(at: Int64(draw)).left + 1) / 2) }

    @_noLocks private func noteGain(_ key: Float) -> Float {
        let level = plan.pointee.level, rule = plan.pointee.rule
        var decibels = level.volume + share(1) * level.random
        if !rule.isStruck { decibels -= rule.releaseDecay * event.seconds }
        var gain = level.amplitude * Self.gain(decibels: decibels)
        if event.isOfController { return gain }
        gain *= Self.gain(decibels: level.keyTrack * (key - level.keyCenter))
        let track = min(max(level.velocityTrack + registers[Int(RegionTarget.velocityTrack)], -1), 1)
        let loss = 1 - (level.velocityCurve < 0 ? velocity * velocity : curved(level.velocityCurve, velocity))
        gain *= track < 0 ? -track * loss : 1 - track * loss
        return gain * Self.factor(level.keyFade, key, gap: 0) * Self.factor(level.velocityFade, velocity * 127, gap: 1)
    }

    private var noteCents: Float {
        @_noLocks get {
            let pitch = plan.pointee.pitch
            let track = pitch.velocityTrack + registers[Int(RegionTarget.pitchVelocityTrack)]
            return pitch.tune + track * velocity + share(2) * pitch.random
        }
    }

    @_noLocks private func cutoff(_ index: Int, _ key: Float) -> Float {
        let filter = plan.pointee.filters[index]
        let cents =
            filter.keyTrack * (key - filter.keyCenter) + filter.velocityTrack * velocity + share(5 &+ index) * filter.random
        return filter.cutoff * Self.octaves(cents)
    }

    /// The wheel's cents, in the region's steps.
    var wheelCents: Float {
        @_noLocks get {
            let pitch = plan.pointee.pitch
            if !pitch.hasBend { return 0 }
            let cents = wheel >= 0 ? wheel * pitch.bendUp : -wheel * pitch.bendDown
            let step = wheel >= 0 ? pitch.bendStepUp : pitch.bendStepDown
            return step <= 1 ? cents : Float(Int32(cents / step)) * step
        }
    }

    /// The first frame that plays.
    @_noLocks private func placeSample(_ voice: UnsafeMutablePointer<Voice>) {
        let start = plan.pointee.start
        if start.isGenerator {
            let turn = start.phase < 0 ? share(7) : start.phase
            let frames = Float(voice.pointee.loopEnd &- voice.pointee.loopStart)
            voice.pointee.position = UInt64(min(max(turn - Float(Int32(turn)), 0), 1) * frames) &<< 32
            return
        }
        let offset = start.offset + share(3) * start.offsetRandom + registers[Int(RegionTarget.offset)]
        let frame = min(max(offset, 0), Float(voice.pointee.end))
        voice.pointee.position = UInt64(frame) &<< 32
    }
}
