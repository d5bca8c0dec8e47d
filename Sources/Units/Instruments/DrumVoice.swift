import DSP

// [render]

/// One stroke on a synthesized drum, from its first frame to silence.
///
/// Sines that fall from a higher pitch are the membranes, noise through a filter the snares and shakers, and six squares at
/// frequencies without a common measure the metal. Everything falls by a factor a frame, so a stroke is the same for any
/// slices; only the noise is different at another time. Squares have no aliases (`PulseOscillator`).
///
/// Source: the six frequencies and the idea of all three parts are those of the Roland TR-808, 1980; K. Werner, J. Abel,
/// J. Smith, "The TR-808 Cymbal: a Physically-Informed, Circuit-Bendable, Digital Model", ICMC 2014.
struct DrumVoice: BitwiseCopyable {
    /// Squares of a voice, and the floats of workspace that they need.
    static var metalCount: Int { @_noLocks get { 6 } }
    static var workspaceCount: Int { @_noLocks get { 6 &* PulseOscillator.workspaceCount } }
    /// The most frames of one call of `render`.
    static var maximumFrames: Int { @_noLocks get { PulseOscillator.maximumFrames } }

    private let metals: UnsafeMutablePointer<PulseOscillator>, workspace: UnsafeMutablePointer<Float>
    private let rows: UnsafePointer<Float>
    private var recipe = DrumRecipe()
    private var source = CounterNoise(seed: 0)
    /// Frames since the stroke, and the length of the sound.
    private var age = 0, length = 0
    /// The current amplitudes, and the factor of each for the next frame.
    private var tone = 0.0, toneKeep = 0.0, noise = 0.0, noiseKeep = 0.0, metal = 0.0, metalKeep = 0.0
    /// The excess of the sines over their pitch, as a part of it.
    private var bend = 0.0, bendKeep = 0.0
    /// Turns, and turns a frame.
    private var phase = 0.0, step = 0.0, secondPhase = 0.0, secondStep = 0.0
    /// The amplitude of the next burst of noise, its time, and the number of bursts left.
    private var burst = 0.0, nextBurst = 0, burstsLeft = 0, spacing = 0, attack = 0
    private var lastKeep = 0.0
    private var noiseFilter = StateVariableFilter(), metalFilter = StateVariableFilter(), highPass = StateVariableFilter()
    private var noiseCurve = StateVariableFilter.Coefficients(), metalCurve = StateVariableFilter.Coefficients()
    private var highCurve = StateVariableFilter.Coefficients()
    /// 1 until the voice fades, and its decrease per frame.
    private var presence: Float = 1, loss: Float = 0

    /// True while it is audible.
    var isSounding: Bool { @_noLocks get { age < length } }
    /// True once another stroke has ended this one.
    var isFading: Bool { @_noLocks get { loss > 0 } }
    /// The loudness at the moment, roughly.
    var height: Double { @_noLocks get { Double(presence) * recipe.level * max(tone, max(noise, metal)) } }

    /// Creates a voice at rest. Control side: it makes the tables. The caller owns `metalCount` oscillators and
    /// `workspaceCount` floats.
    init(metals: UnsafeMutablePointer<PulseOscillator>, workspace: UnsafeMutablePointer<Float>) {
        self.metals = metals
        self.workspace = workspace
        rows = BandLimitedStep.rows
    }

    /// Begins a stroke with the next frame; `seed` makes the noise of strokes at the same moment differ.
    @_noLocks mutating func start(_ recipe: DrumRecipe, seed: UInt64, sampleRate: Double) {
        self.recipe = recipe
        source = CounterNoise(seed: seed)
        age = 0
        length = max(Int(recipe.length * sampleRate), 1)
        (presence, loss) = (1, 0)
        startTone(sampleRate)
        startNoise(sampleRate)
        startMetal(sampleRate)
    }

    @_noLocks private mutating func startTone(_ sampleRate: Double) {
        let part = recipe.tone
        tone = 1
        toneKeep = Self.keep(part.decay, sampleRate)
        bend = part.bend - 1
        bendKeep = DeterministicMath.exp2(-1.4426950408889634 / (max(part.bendTime, 1e-4) * sampleRate))
        (phase, secondPhase) = (0, 0)
        // Nothing may fold: the highest pitch, that of the stroke, stays below half of the sample rate.
        step = min(part.frequency, 0.49 * sampleRate / max(part.bend, 1)) / sampleRate
        secondStep = min(part.second, 0.49 * sampleRate / max(part.bend, 1)) / sampleRate
    }

    @_noLocks private mutating func startNoise(_ sampleRate: Double) {
        let part = recipe.noise
        lastKeep = Self.keep(part.decay, sampleRate)
        noiseKeep = part.bursts > 1 ? Self.keep(part.burstDecay, sampleRate) : lastKeep
        noise = 1
        burst = part.burstShare
        burstsLeft = part.bursts &- 1
        spacing = max(Int(part.spacing * sampleRate), 1)
        nextBurst = spacing
        attack = Int(part.attack * sampleRate)
        noiseFilter = StateVariableFilter()
        noiseCurve = StateVariableFilter.Coefficients(
            part.response, frequency: part.frequency, gain: 0, quality: part.quality, sampleRate: sampleRate)
    }

    @_noLocks private mutating func startMetal(_ sampleRate: Double) {
        let part = recipe.metal
        metal = 1
        metalKeep = Self.keep(part.decay, sampleRate)
        metalFilter = StateVariableFilter()
        highPass = StateVariableFilter()
        metalCurve = StateVariableFilter.Coefficients(
            part.response, frequency: part.frequency, gain: 0, quality: part.quality, sampleRate: sampleRate)
        highCurve = StateVariableFilter.Coefficients(
            .highPass, frequency: part.frequency, gain: 0, quality: 0.7, sampleRate: sampleRate)
        if part.level == 0 { return }
        for index in (Self.metalCount &- part.count)..<Self.metalCount {
            metals[index] = PulseOscillator()
            metals[index].setFrequency(Self.frequency(index) * part.tune / sampleRate)
            metals[index].setWidth(0.5)
            metals[index].start(workspace + index &* PulseOscillator.workspaceCount, rows)
        }
    }

    /// The squares of the TR-808, the two of its cowbell last. Unit: hertz.
    @_noLocks private static func frequency(_ index: Int) -> Double {
        switch index {
        case 0: 205.3
        case 1: 304.4
        case 2: 369.6
        case 3: 522.7
        case 4: 540
        default: 800
        }
    }

    /// Returns the part that is left a frame later if `seconds` are a fall by 60 dB.
    @_noLocks private static func keep(_ seconds: Double, _ sampleRate: Double) -> Double {
        DeterministicMath.exp2(-9.965784284662087 / (max(seconds, 1e-3) * sampleRate))    // log2 1000
    }

    /// Silence at once.
    @_noLocks mutating func stop() { length = 0 }

    /// Fades the voice out within `frames` frames.
    @_noLocks mutating func fade(over frames: Int) {
        if loss > 0 { return }
        loss = presence / Float(Int32(truncatingIfNeeded: max(frames, 1)))
        length = min(length, age &+ frames)
    }

    /// Writes up to `maximumFrames` frames that begin at sample time `time`; `scratch` holds as many.
    @_noLocks mutating func render(
        _ x: UnsafeMutablePointer<Float>, _ frames: Int, at time: Int64, scratch: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<frames { x[i] = 0 }
        if recipe.noise.level > 0 { addNoise(x, frames, time) }
        if recipe.tone.level > 0 || recipe.tone.secondLevel > 0 { addTone(x, frames) }
        if recipe.metal.level > 0 { addMetal(x, frames, scratch) }
        let level = Float(recipe.level)
        for i in 0..<frames {
            // Beyond its end it is silence, wherever the call ends.
            x[i] = age &+ i < length ? x[i] * level * presence : 0
            presence = max(presence - loss, 0)
        }
        age &+= frames
    }

    /// Noise first: the others are added to what the filter leaves of it.
    @_noLocks private mutating func addNoise(_ x: UnsafeMutablePointer<Float>, _ frames: Int, _ time: Int64) {
        let attackFrames = Double(Int32(truncatingIfNeeded: max(attack, 1)))
        for i in 0..<frames {
            let now = age &+ i
            if burstsLeft > 0 && now == nextBurst {
                burstsLeft &-= 1
                nextBurst &+= spacing
                noise = burst
                burst *= recipe.noise.burstShare
                if burstsLeft == 0 { noiseKeep = lastKeep }
            }
            let rise = now < attack ? Double(Int32(truncatingIfNeeded: now &+ 1)) / attackFrames : 1
            x[i] = Float(source.pair(at: time &+ Int64(i)).left * noise * rise * recipe.noise.level)
            noise *= noiseKeep
        }
        noiseFilter.process(x, frames, noiseCurve)
    }

    @_noLocks private mutating func addTone(_ x: UnsafeMutablePointer<Float>, _ frames: Int) {
        let part = recipe.tone
        for i in 0..<frames {
            phase += step * (1 + bend)
            if phase >= 1 { phase -= 1 }
            var sum = part.level * DeterministicMath.sine(turns: phase)
            if part.secondLevel > 0 {
                secondPhase += secondStep * (1 + bend)
                if secondPhase >= 1 { secondPhase -= 1 }
                sum += part.secondLevel * DeterministicMath.sine(turns: secondPhase)
            }
            x[i] += Float(sum * tone)
            tone *= toneKeep
            bend *= bendKeep
        }
    }

    @_noLocks private mutating func addMetal(
        _ x: UnsafeMutablePointer<Float>, _ frames: Int, _ sum: UnsafeMutablePointer<Float>
    ) {
        let part = recipe.metal, share = Float(part.level) / Float(Int32(truncatingIfNeeded: part.count))
        for i in 0..<frames { sum[i] = 0 }
        for index in (Self.metalCount &- part.count)..<Self.metalCount {
            let wave = metals[index].render(frames, workspace + index &* PulseOscillator.workspaceCount, rows)
            // All six begin high: half of them turned over, they do not begin with a crack that drowns the rest.
            let side = part.count == Self.metalCount && index & 1 == 1 ? 0 - share : share
            for i in 0..<frames { sum[i] += wave[i] * side }
        }
        metalFilter.process(sum, frames, metalCurve)
        highPass.process(sum, frames, highCurve)
        for i in 0..<frames {
            x[i] += sum[i] * Float(metal)
            metal *= metalKeep
        }
    }
}
