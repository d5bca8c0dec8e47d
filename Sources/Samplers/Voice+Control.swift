// [render]
import DSP
import SoundFonts

extension Voice {
    enum Step: BitwiseCopyable { case finished, silent, sounding }

    /// Takes envelopes, oscillators and glide one period on; sets gain, pitch and cutoff for it.
    @_noLocks mutating func control(_ curves: ControlCurves) -> Step {
        let before = age
        if releaseAge != 0 && age >= releaseAge { release(curves) }
        age &+= 64
        volume.step()
        if volume.isFinished { return .finished }
        if usesModulation { modulation.step() }
        if usesLFO { modulationLFO.step(before) }
        if usesVibrato { vibratoLFO.step(before) }
        if glide != 0 { stepGlide() }
        if volume.stage == 0 || waitsForRelease { return .silent }

        var target = attenuation
        let tremolo = usesLFO ? modulationLFO.value * -lfoToVolume : 0
        if volume.stage == VoiceEnvelope.Stage.attack {
            target *= curves.gainOrBoost(tremolo) * volume.value
        } else {
            let centibels = 960 * (1 - volume.value) + tremolo
            if centibels != fall.centibels { fall = (centibels, curves.gainOrBoost(centibels)) }
            target *= fall.gain
            if loudest * volume.value < (hasLooped ? loopFloor : floor) { return .finished }
        }
        if isDying { target = 0 }
        if gain == 0 && target != 0 && !curves.isRounded {
            // A note is heard from its first frame on.
            gain = target * (1.0 / 65)
        }
        gainStep = (target - gain) * (1.0 / 64)
        if gain == 0 && gainStep == 0 { return isDying ? .finished : .silent }

        var envelope = 0.0
        if usesModulation {
            envelope =
                modulation.stage == VoiceEnvelope.Stage.attack
                ? curves.convex(127 * modulation.value) : modulation.value
        }
        if isPitchNew || bendsPitch {
            isPitchNew = false
            let cents =
                pitch + glide + modulationLFO.value * lfoToPitch + vibratoLFO.value * vibratoToPitch
                + envelope * envelopeToPitch
            // No more than 2 to the power of 25 frames a frame, so that the way of a period fits 32.32 frames.
            increment = max(UInt64(min(curves.hertz(cents) * perHertz, 1.4e17)), 1)
        }
        setCutoff(cutoff + modulationLFO.value * lfoToCutoff + envelope * envelopeToCutoff, curves)
        return .sounding
    }

    /// The standard has the filter open at 13 500 cents if nothing is resonant (SoundFont Technical Specification 2.04, section
    /// 8.1.3, generator 8); one that opens or closes on the way fades within the period.
    @_noLocks @inline(__always) private mutating func setCutoff(_ cents: Double, _ curves: ControlCurves) {
        if cents >= 13_500 && filter.isFlat && !curves.isRounded {
            if !filter.isAtWork { return }
            if !filter.isSet {
                filter.way = .past
                return
            }
            filter.way = .opening
        } else if !filter.isAtWork {
            filter.way = .closing
            cutoffIndex = -1
        }
        let index = Int32(min(max(cents, 1_500), 13_500)) &- 1_500
        if index == cutoffIndex { return }
        cutoffIndex = index
        let angle = curves.cutoff(Int(index))
        let alpha = angle.y * filter.inverseQ
        let scale = 1 / (1 + alpha)
        let s = 2 * angle.x * scale, c = (1 - alpha) * scale - s
        if filter.isSet {
            filter.cStep = (c - filter.c) * (1.0 / 64)
            filter.sStep = (s - filter.s) * (1.0 / 64)
            filter.isMoving = true
            // More than an octave or so within a period: the filter's state would burst out at the new cutoff. libfluidsynth
            // has bursts of up to 50 dB from cutoffs below some 140 Hz.
            let isJump = s < 0.5 * filter.s || s > 2 * filter.s
            filter.isJumping = isJump && (!curves.isRounded || Double(filter.s) * filterGain > 0.0004)
        } else {
            filter.c = c
            filter.s = s
            filter.isSet = true
        }
    }

    @_noLocks mutating func stepGlide() {
        isPitchNew = true
        if abs(glide) <= abs(glideStep) { glide = 0 } else { glide -= glideStep }
    }

    /// The key is up: on with the release, from where the envelopes are.
    @_noLocks mutating func release(_ curves: ControlCurves) {
        (releaseAge, waitsForRelease) = (0, false)
        if let region { return region.pointee.letGo(of: &self) }
        if volume.stage == VoiceEnvelope.Stage.attack && volume.value > 0 {
            // An attack is straight in amplitude, a release in decibels: the value that sounds alike.
            let tremolo = modulationLFO.value * -lfoToVolume
            let amplitude = volume.value * curves.gainOrBoost(tremolo)
            let centibels = -200 * 0.30102999566398120 * DeterministicMath.log2(amplitude)
            volume.value = min(max(1 - (centibels - tremolo) / 960, 0), 1)
        }
        if modulation.stage == VoiceEnvelope.Stage.attack && modulation.value > 0 {
            modulation.value = min(max(curves.convex(127 * modulation.value), 0), 1)
        }
        volume.enter(VoiceEnvelope.Stage.release)
        modulation.enter(VoiceEnvelope.Stage.release)
    }

    /// The key went up, or a pedal: the release, not before the voice is 10 ms old, for a drum's key may be a spike.
    @_noLocks mutating func letGo(_ shortest: UInt32, _ curves: ControlCurves) {
        if shortest > age && region == nil { releaseAge = shortest } else { release(curves) }
    }

    @_noLocks func isHeld(_ channel: Int, _ key: UInt8) -> Bool {
        Int(self.channel) == channel && self.key == key && !isReleased && isSounding
    }
}
