// [render]
import DSP
import SoundFonts

extension RegionVoice {
    /// One period: modulations, envelopes, level, pitch, place and filters.
    @_noLocks mutating func control(
        _ voice: UnsafeMutablePointer<Voice>, _ curves: ControlCurves, rate: Double, tempo: Float
    ) -> Voice.Step {
        if wait > 0 {
            wait &-= 1
            // A key that goes up before the note sounds takes it back.
            return voice.pointee.isDying || isLetGo ? .finished : .silent
        }
        voice.pointee.age &+= 64
        follow(periodsPerSecond: Float(rate / 64))
        stepGenerators(rate, tempo)
        let level = stepLevel(rate)
        if isFinished { return .finished }
        if voice.pointee.glide != 0 { voice.pointee.stepGlide() }
        let faded = fade.follow(fades, milliseconds: 5, Float(rate / 64))
        var target = Double(gain * faded * registers[1] * level) * voice.pointee.attenuation
        target *= Double(Self.gain(decibels: registers[Int(RegionTarget.volume)]))
        target = voice.pointee.isDying ? 0 : min(max(target, -1e6), 1e6)
        let isFirst = voice.pointee.age == 64
        if isFirst && envelope.value > 0.999 { voice.pointee.gain = target }
        voice.pointee.gainStep = (target - voice.pointee.gain) * (1.0 / 64)
        if voice.pointee.gain == 0 && voice.pointee.gainStep == 0 && voice.pointee.isDying { return .finished }
        setPitch(voice, curves, rate)
        setPlace(voice, isFirst)
        setFilters(rate)
        countRounds(voice)
        return .sounding
    }

    private var isFinished: Bool {
        @_noLocks get {
            let own = Int(plan.pointee.levelEnvelope)
            return envelope.isDone || own >= 0 && flexes[own].isDone
        }
    }

    @_noLocks private mutating func stepGenerators(_ rate: Double, _ tempo: Float) {
        let seconds = Float(64 / rate)
        for index in 0..<Int(plan.pointee.envelopeCount) {
            let contour = book.contours + (Int(plan.pointee.firstEnvelope) &+ index)
            var value: Float
            if contour.pointee.pointCount == 0 {
                if contour.pointee.envelope.isDynamic { contours[index].set(values(contour.pointee.envelope), rate: rate) }
                contours[index].step()
                value = Float(contours[index].value)
            } else {
                var flex = flexes[index]
                withUnsafePointer(to: registers) { registers in
                    flex.step(
                        contour.pointee, book.points + Int(contour.pointee.firstPoint),
                        UnsafeRawPointer(registers).assumingMemoryBound(to: Float.self), seconds: seconds)
                }
                flexes[index] = flex
                value = flex.value
            }
            add(value, connections: contour.pointee.firstConnection, contour.pointee.connectionCount)
        }
        for index in 0..<Int(plan.pointee.oscillatorCount) {
            let oscillator = book.oscillators + (Int(plan.pointee.firstOscillator) &+ index)
            var state = oscillators[index]
            withUnsafePointer(to: registers) { registers in
                state.step(
                    oscillator, book.steps, UnsafeRawPointer(registers).assumingMemoryBound(to: Float.self), seconds: seconds,
                    tempo: tempo / 60, chance, draw: Int64(index &+ 1) &<< 40)
            }
            oscillators[index] = state
            add(state.value, connections: oscillator.pointee.firstConnection, oscillator.pointee.connectionCount)
        }
    }

    /// The level's envelope, 0...1.
    @_noLocks private mutating func stepLevel(_ rate: Double) -> Float {
        let own = Int(plan.pointee.levelEnvelope)
        if own >= 0 && !isFading { return flexes[own].value }
        if plan.pointee.envelope.isDynamic && !isFading { envelope.set(values(plan.pointee.envelope), rate: rate) }
        envelope.step()
        return Float(envelope.value) * (own < 0 ? 1 : flexes[own].value)
    }

    @_noLocks private mutating func setPitch(_ voice: UnsafeMutablePointer<Voice>, _ curves: ControlCurves, _ rate: Double) {
        let wheel = bend.follow(wheelCents, milliseconds: plan.pointee.pitch.bendSmooth, Float(rate / 64))
        let own = Double(min(max(cents + wheel + registers[Int(RegionTarget.pitch)], -1e5), 1e5))
        let pitch = voice.pointee.pitch + voice.pointee.glide + own
        voice.pointee.increment = max(UInt64(min(curves.hertz(pitch) * voice.pointee.perHertz, 1.4e17)), 1)
    }

    /// Both sides' gains: pan, width and position by quarter sines, a sample of one channel as loud in the middle as one of two.
    @_noLocks private func setPlace(_ voice: UnsafeMutablePointer<Voice>, _ isFirst: Bool) {
        let level = plan.pointee.level
        // What the part adds for all: a drum's own place.
        let shift = Float(voice.pointee.value(.pan)) * 0.002
        let pan = Self.sides(level.pan + registers[Int(RegionTarget.pan)] + shift)
        var left = pan.x, right = pan.y
        if plan.pointee.side != 0 {
            let width = Self.sides(level.width + registers[Int(RegionTarget.width)])
            let place = Self.sides(level.position + registers[Int(RegionTarget.position)])
            let isLeft = plan.pointee.side < 0
            // Half of each side's way is to its own, by the width; the rest goes across.
            left = (isLeft ? pan.x * width.y : pan.y * width.x) * place.x * 1.4142135
            right = (isLeft ? pan.x * width.x : pan.y * width.y) * place.y * 1.4142135
        }
        (voice.pointee.left, voice.pointee.right) = (Double(left * level.direct), Double(right * level.direct))
        if isFirst { (voice.pointee.leftNow, voice.pointee.rightNow) = (voice.pointee.left, voice.pointee.right) }
    }

    /// The shares of left and right at a place of -1...1.
    @_noLocks private static func sides(_ place: Float) -> SIMD2<Float> {
        let turns = Double(min(max(place, -1), 1) + 1) * 0.125
        return SIMD2(Float(DeterministicMath.sine(turns: 0.25 - turns)), Float(DeterministicMath.sine(turns: turns)))
    }

    @_noLocks private mutating func setFilters(_ rate: Double) {
        for index in 0..<2 where plan.pointee.filters[index].isOn {
            let filter = plan.pointee.filters[index], first = Int(RegionTarget.cutoff) &+ 3 &* index
            filters.set(
                filter: index, filter.kind, cutoffs[index] * Self.octaves(registers[first]),
                filter.resonance + registers[first &+ 1],
                filter.gain + registers[first &+ 2], rate: rate)
        }
        for index in 0..<3 where plan.pointee.bands[index].isOn {
            let band = plan.pointee.bands[index], first = Int(RegionTarget.bandFrequency) &+ 3 &* index
            filters.set(
                band: index, band.kind, band.frequency + band.velocityToFrequency * velocity + registers[first],
                band.bandwidth + registers[first &+ 1], band.gain + band.velocityToGain * velocity + registers[first &+ 2],
                rate: rate)
        }
    }

    /// After its last round a loop goes on to the sample's end.
    @_noLocks private mutating func countRounds(_ voice: UnsafeMutablePointer<Voice>) {
        let most = plan.pointee.start.loopCount
        if most == 0 || !voice.pointee.loops { return }
        if voice.pointee.position < place { rounds &+= 1 }
        place = voice.pointee.position
        if rounds >= most { voice.pointee.loops = false }
    }

    /// Filters the samples of a period; noise takes their place if the region is noise. The gain is the voice's.
    @_noLocks mutating func shape(_ samples: UnsafeMutablePointer<Float>) {
        for index in 0..<2 where plan.pointee.filters[index].isOn {
            filters.run(samples, filter: index, plan.pointee.filters[index].kind)
        }
        for index in 0..<3 where plan.pointee.bands[index].isOn { filters.run(samples, band: index) }
    }

    /// A period of white noise at the voice's gain.
    @_noLocks mutating func makeNoise(_ voice: UnsafeMutablePointer<Voice>, _ samples: UnsafeMutablePointer<Float>) {
        for sample in 0..<64 {
            let value = chance.pair(at: noiseTime &+ 1 &<< 32).left
            samples[sample] = Float(value * 32_768 * voice.pointee.gain)
            voice.pointee.gain += voice.pointee.gainStep
            noiseTime &+= 1
        }
    }

    /// The key of its voice went up, pedals included.
    @_noLocks mutating func letGo(of voice: inout Voice) {
        if plan.pointee.start.isOneShot || isSilenced || !event.isStrike { return }
        release(&voice)
        envelope.letGo()
    }

    @_noLocks private mutating func release(_ voice: inout Voice) {
        isLetGo = true
        voice.volume.enter(VoiceEnvelope.Stage.release)
        for index in 0..<Int(plan.pointee.envelopeCount) {
            contours[index].letGo()
            flexes[index].letGo()
        }
    }

    /// Another region silences it.
    @_noLocks mutating func silence(_ voice: inout Voice, rate: Double) {
        isSilenced = true
        release(&voice)
        let rule = plan.pointee.rule
        switch rule.ending {
        case .fast: envelope.end(in: 0.006, rate: rate)
        case .time: envelope.end(in: Double(rule.endingTime), rate: rate)
        // A flex envelope of the level has a release of its own.
        case .normal: if plan.pointee.levelEnvelope < 0 { envelope.letGo() } else { return }
        }
        isFading = true
    }
}
