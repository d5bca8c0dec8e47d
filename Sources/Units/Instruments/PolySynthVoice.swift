import DSP

// [render]

/// The sound that the polysynth makes of one note: two oscillators, noise, the filter, its envelope, the slow oscillator.
struct PolySynthVoice: BitwiseCopyable {
    var first: PolySynthOscillator, second: PolySynthOscillator
    private var filter = PolySynthFilter()
    private var envelope = ADSREnvelope()
    private var lfo = LowFrequencyOscillator(seed: 0)
    private var noise = CounterNoise(seed: 0)
    /// Amplitude of the noise at the last point of the grid, and its change per frame.
    private var noiseLevel: Float = 0, noiseSlope: Float = 0
    /// The note's own number at random, -1...1.
    private var random: Float = 0
    private(set) var modulation = PolySynthModulation()

    /// Control side; the workspace holds two oscillators'.
    init(workspace: UnsafeMutablePointer<Float>) {
        first = PolySynthOscillator(workspace: workspace)
        second = PolySynthOscillator(workspace: workspace + WaveOscillator.workspaceCount)
    }

    /// A note begins at sample time `time`: what is at random in it is a hash of that, of its part and of its key.
    @_noLocks mutating func begin(_ note: PlayedNote, _ settings: PolySynthSettings, at time: Int64) {
        let seed = UInt64(bitPattern: time) &<< 16 ^ UInt64(note.part) &<< 8 ^ UInt64(note.key)
        noise = CounterNoise(seed: seed)
        random = Float(noise.pair(at: -1).left)
        lfo = LowFrequencyOscillator(seed: seed)
        envelope = ADSREnvelope()
        filter = PolySynthFilter()
        modulation = PolySynthModulation()
        first.begin(settings.first)
        second.begin(settings.second)
        noiseLevel = settings.noise
        noiseSlope = 0
    }

    /// A point of the grid, `seconds` after the last.
    @_noLocks mutating func move(
        _ note: PlayedNote, _ settings: PolySynthSettings, wheel: Float, pressure: Float, seconds: Double, isFirst: Bool
    ) {
        if !isFirst { lfo.advance(seconds, rate: settings.lfoRate * DeterministicMath.quickExp2(3 * Double(modulation.rate))) }
        if case .release = note.envelope.stage { envelope.release() }
        envelope.advance(note.fraction, settings.filterTimes)

        var sources = PolySynthSources()
        sources.lfo = Float(lfo.value(settings.lfoShape) * lfo.presence(delay: settings.lfoDelay))
        sources.envelope = envelope.next
        sources.velocity = Float(note.velocity) / 127
        sources.key = (Float(note.key) - 60) / 60
        sources.wheel = wheel
        sources.pressure = pressure
        sources.random = random
        modulation = PolySynthModulation()
        for number in 0..<4 {
            let slot = settings.slots[number]
            if slot.amount != 0 { modulation.add(sources.value(slot.source) * slot.amount, to: slot.destination) }
        }
    }

    /// Returns the cents by which the vibrato bends the pitch if it may bend it by `depth`.
    @_noLocks func vibrato(_ depth: Float, _ shape: LowFrequencyOscillator.Shape) -> Double {
        depth > 0 ? Double(depth) * lfo.value(shape) : 0
    }

    /// Until the next point of the grid. `cents`: the note's pitch above MIDI key 0; `brightness`: how far controllers have moved
    /// the cutoff and the resonance, -1...1.
    @_noLocks mutating func aim(
        _ settings: PolySynthSettings, cents: Double, brightness: (cutoff: Float, resonance: Float), played: Int, share: Double,
        isFirst: Bool, sampleRate: Double
    ) {
        let bent = cents + 1200 * Double(modulation.pitch), swing = 0.45 * modulation.width
        first.aim(
            settings.first, pitch: Self.hertz(bent + settings.first.cents) / sampleRate,
            width: min(max(settings.first.width + swing, 0.03), 0.97), played: played)
        let other = bent + settings.second.cents + 1200 * Double(modulation.secondPitch)
        second.aim(
            settings.second, pitch: Self.hertz(other) / sampleRate,
            width: min(max(settings.second.width + swing, 0.03), 0.97), played: played)
        noiseLevel += noiseSlope * Float(Int32(truncatingIfNeeded: played))
        noiseSlope = (settings.noise - noiseLevel) * (1 / Float(Int32(PlayedNote.interval)))
        let octaves =
            settings.filter.envelope * Double(envelope.next) + settings.filter.follow * (bent - 6000) * (1.0 / 1200)
            + 5 * Double(modulation.cutoff) + 4 * Double(brightness.cutoff)
        let resonance = settings.filter.resonance + modulation.resonance + 0.5 * brightness.resonance
        filter.aim(
            settings.filter, cutoff: max(settings.filter.cutoff * DeterministicMath.quickExp2(octaves), 16),
            resonance: Double(min(max(resonance, 0), 1)), share: share, isFirst: isFirst, sampleRate: sampleRate)
    }

    /// Writes frames that begin at `time`, `played` frames after the last point of the grid.
    @_noLocks mutating func render(_ x: UnsafeMutablePointer<Float>, _ frames: Int, played: Int, at time: Int64) {
        for i in 0..<frames { x[i] = 0 }
        first.add(to: x, frames, played: played)
        second.add(to: x, frames, played: played)
        if noiseLevel != 0 || noiseSlope != 0 {
            for i in 0..<frames {
                let level = noiseLevel + noiseSlope * Float(Int32(truncatingIfNeeded: played &+ i &+ 1))
                x[i] += Float(noise.pair(at: time &+ Int64(i)).left) * level
            }
        }
        filter.process(x, frames, played: played)
    }

    @_noLocks private static func hertz(_ cents: Double) -> Double {
        440 * DeterministicMath.quickExp2((cents - 6900) * (1.0 / 1200))
    }
}
