// [render]
import MIDI
import SoundFonts

extension Voice {
    struct Note: BitwiseCopyable {
        var channel: UInt8
        /// Where it is heard: the channel, or the manager of its zone.
        var bus: UInt8
        var key: UInt8
        /// 1...127.
        var velocity: UInt8
        var number: UInt64

        @_noLocks init(channel: UInt8, bus: UInt8, key: UInt8, velocity: UInt8, number: UInt64) {
            (self.channel, self.bus, self.key, self.velocity, self.number) = (channel, bus, key, velocity, number)
        }
    }

    /// Starts on frame `phase` of the grid of 64. False for a voice that cannot be heard: there is nothing to play.
    @_noLocks mutating func start(
        _ recipe: Recipe, _ book: borrowing RecipeBook, index: Int, _ note: Note, phase: Int, quietest: Double,
        _ values: ModulatorValues, _ setting: Setting
    ) -> Bool {
        let part = values.part
        let sample = book.samples[Int(recipe.sample)]
        if sample.frames < 2 { return false }
        clear(note, phase: phase)
        let source = book.generators + index &* Generator.count
        for generator in 0..<Generator.count { generators[generator] = Double(source[generator]) }
        applySoundBlaster(part.pointee.soundBlaster)
        modulators = book.modulators + Int(recipe.firstModulator)
        (modulatorCount, region) = (Int(recipe.modulatorCount), nil)
        isFloat = sample.isFloat
        data = sample.data
        tuning = ControlMatrix.tuning(part, note.key)
        applyPart(part, setting.curves)
        modulate(values)
        placeLoop(sample)
        // Mode 2 is Polyphone's, and libfluidsynth's since 2.4: the sample begins when the key goes up.
        waitsForRelease = Int(base(.sampleModes)) & 3 == 2 && !setting.curves.isRounded
        if start >= end { return false }
        setPitch(sample, setting)
        updateAll(setting)
        (leftNow, rightNow, reverbNow, chorusNow) = (left, right, reverb, chorus)
        floor = quietest
        loopFloor = quietest
        if loops && !loopsUntilRelease && loopStart >= sample.loopStart && loopEnd <= sample.loopEnd {
            // A loop with a low peak becomes inaudible sooner.
            let peak = sample.loopPeak == 0 ? 1.0 / 8_388_608 : Double(sample.loopPeak)
            loopFloor = quietest / peak
        }
        findUses(values)
        findLoudest(values)
        return true
    }

    @_noLocks private mutating func clear(_ note: Note, phase: Int) {
        hold = .key
        (isReleased, isCaught, isDying) = (false, false, false)
        (channel, key, velocity, self.note) = (note.channel, note.key, note.velocity, note.number)
        bus = note.bus
        self.phase = phase
        (age, releaseAge) = (0, 0)
        volume = VoiceEnvelope()
        modulation = VoiceEnvelope()
        modulationLFO = VoiceLFO()
        vibratoLFO = VoiceLFO()
        (glide, glideStep) = (0, 0)
        (cutoffIndex, isPitchNew, hasLooped) = (-1, true, false)
        (gain, gainStep) = (0, 0)
        fall = (0, 1)
        filter = LowPassState()
    }

    @_noLocks private mutating func applySoundBlaster(_ settings: SoundBlasterSettings) {
        var left = settings.known
        while left != 0 {
            let effect = left.trailingZeroBitCount
            left &= left &- 1
            if let setting = SoundBlasterEffect.setting(effect, settings[effect]) {
                generators[setting.generator.index] = setting.value
            }
        }
    }

    /// Applies the channel to a recipe once and for all, when the key goes down: the soft pedal, a drum's own settings.
    @_noLocks private mutating func applyPart(_ part: UnsafePointer<Part>, _ curves: ControlCurves) {
        if part.pointee.isSoft {
            // As GM2 has it, softer and duller: 3 dB and half an octave.
            generators[Generator.attenuation.index] += 30
            generators[Generator.filterCutoff.index] = min(generators[Generator.filterCutoff.index], 13_500) - 600
        }
        (reverbShare, chorusShare) = (1, 1)
        DrumSettings.apply(part, key, note, to: generators, curves)
        reverbShare = DrumSettings.share(.reverb, part, key)
        chorusShare = DrumSettings.share(.chorus, part, key)
    }

    @_noLocks private mutating func modulate(_ values: ModulatorValues) {
        let added = generators + Generator.count, part = values.part
        for generator in 0..<Generator.count {
            added[generator] = Double(part.pointee.generatorOffset(UInt8(truncatingIfNeeded: generator)))
        }
        for index in 0..<modulatorCount {
            let modulator = modulators[index]
            let value = withVoice { values.value(modulator, $0) }
            added[modulator.destination.index] += value
        }
        if part.pointee.hasMatrix {
            for generator in 0..<Generator.count where ControlMatrix.generators &>> UInt64(generator) & 1 == 1 {
                guard let known = Generator(rawValue: UInt8(truncatingIfNeeded: generator)) else { continue }
                let moved = withVoice { ControlMatrix.sum(known, part, $0) }
                added[generator] += moved
            }
        }
    }

    /// Where the sample begins, ends and loops, with the zone's offsets; never outside its own frames.
    @_noLocks private mutating func placeLoop(_ sample: PlayableSample) {
        let last = sample.frames &- 1
        start = min(max(offset(.startOffset, .startCoarseOffset), 0), last)
        end = min(max(last &+ offset(.endOffset, .endCoarseOffset), 0), last)
        if start > end { (start, end) = (end, start) }
        loopStart = min(max(sample.loopStart &+ offset(.loopStartOffset, .loopStartCoarseOffset), 0), sample.frames)
        loopEnd = min(max(sample.loopEnd &+ offset(.loopEndOffset, .loopEndCoarseOffset), 0), sample.frames)
        if loopStart > loopEnd { (loopStart, loopEnd) = (loopEnd, loopStart) }
        let mode = Int(base(.sampleModes)) & 3
        loops = (mode == 1 || mode == 3) && loopEnd >= loopStart &+ 2 && start < end
        loopsUntilRelease = loops && mode == 3
        position = UInt64(UInt32(start)) &<< 32
        if loops && start >= loopEnd {
            // A voice that begins after the loop begins with the loop, and reads the frames before it.
            position = UInt64(UInt32(loopStart)) &<< 32
            start = 0
        }
    }

    @_noLocks private func offset(_ fine: Generator, _ coarse: Generator) -> Int32 {
        let frames = value(fine) + 32_768 * value(coarse)
        return Int32(min(max(frames, -1e9), 1e9))
    }

    @_noLocks private mutating func setPitch(_ sample: PlayableSample, _ setting: Setting) {
        let root = base(.rootKey)
        rootPitch = (root > -1 ? root : Double(sample.rootKey)) * 100 - Double(sample.correction)
        let hertz = setting.curves.hertz(rootPitch) * (setting.rate / Double(sample.rate))
        perHertz = 4_294_967_296 / hertz
        // The correction is the sample's, in cents (the standard's section 7.10), and no part of what the key scales; as
        // libfluidsynth has it since 2.6, or, if rounded, before.
        let unscaled = setting.curves.isRounded ? rootPitch : rootPitch + Double(sample.correction)
        generators[Generator.pitch.index] = base(.scaleTuning) * (soundingKey - unscaled / 100) + unscaled
    }

    @_noLocks private mutating func findUses(_ values: ModulatorValues) {
        usesModulation = envelopeToPitch != 0 || envelopeToCutoff != 0
        usesLFO = lfoToPitch != 0 || lfoToCutoff != 0 || lfoToVolume != 0
        usesVibrato = vibratoToPitch != 0
        if values.part.pointee.hasMatrix { (usesLFO, usesVibrato) = (true, true) }
        for index in 0..<modulatorCount {
            switch modulators[index].destination {
            case .modulationEnvelopeToPitch, .modulationEnvelopeToCutoff: usesModulation = true
            case .modulationLFOToPitch, .modulationLFOToCutoff, .modulationLFOToVolume: usesLFO = true
            case .vibratoLFOToPitch: usesVibrato = true
            default: break
            }
        }
    }

    @_noLocks private mutating func findLoudest(_ values: ModulatorValues) {
        var possible = 0.0, swing = abs(lfoToVolume)
        for index in 0..<modulatorCount {
            let modulator = modulators[index]
            if modulator.destination == .modulationLFOToVolume { swing += abs(Double(modulator.amount)) }
            let moves = modulator.source.isController || modulator.amountSource.isController
            guard modulator.destination == .attenuation, moves else { continue }
            let now = withVoice { values.value(modulator, $0) }
            let isSigned = modulator.source.isBipolar || modulator.amountSource.isBipolar || modulator.amount < 0
            possible += max(now - (isSigned ? -abs(Double(modulator.amount)) : 0), 0)
        }
        loudest = values.curves.gain(max(min(max(value(.attenuation), 0), 1_440) - possible, 0))
        if values.part.pointee.hasMatrix { loudest *= 2 }
        if swing != 0 { loudest *= values.curves.gainOrBoost(-swing) }
    }

    /// Passes a pointer to the voice to `body`, which does not change it.
    @_noLocks @inline(__always) private mutating func withVoice(_ body: (UnsafePointer<Voice>) -> Double) -> Double {
        withUnsafePointer(to: &self) { body($0) }
    }
}
