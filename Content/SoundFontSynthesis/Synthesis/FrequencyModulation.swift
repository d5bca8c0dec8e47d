/// A sum of frequency-modulated sines (Chowning 1973) whose indices fall exponentially and stand still in the loop.
public struct FrequencyModulation {
    /// A carrier with one modulator.
    public struct Pair {
        /// Multiples of the fundamental.
        public var carrier: Double, modulator: Double
        /// Amplitude, linear, and its decay in decibels per second before the loop.
        public var level: Double, decay: Double
        /// Index in radians at the start and at rest, and seconds for the way to fall to 1/e.
        public var index: Double, rest: Double, fall: Double

        public init(
            carrier: Double, modulator: Double, level: Double = 1, decay: Double = 0, index: Double, rest: Double,
            fall: Double
        ) {
            self.carrier = carrier
            self.modulator = modulator
            self.level = level
            self.decay = decay
            self.index = index
            self.rest = rest
            self.fall = fall
        }
    }

    /// Pairs of a carrier and its modulator, which add up.
    public var pairs: [Pair]
    public var body: Double
    public var loop: Double
    public var rate: Double
    public var attack: Double
    public var bursts: [NoiseBurst]

    public init(
        _ pairs: [Pair], body: Double, loop: Double, rate: Double = 22050, attack: Double = 0.002,
        bursts: [NoiseBurst] = []
    ) {
        self.pairs = pairs
        self.body = body
        self.loop = loop
        self.rate = rate
        self.attack = attack
        self.bursts = bursts
    }

    /// Synthesises the note of `key`.
    public func sample(_ name: String, key: Int, seed: Int = 1) -> Sample {
        let frequency = ExactMath.frequency(key: Double(key))
        let grid = LoopGrid(frequency: frequency, seconds: loop, rate: rate)
        let bodyCount = Int((body * grid.rate).rounded())
        var frames = [Double](repeating: 0, count: bodyCount + grid.count + Sample.guardFrames)
        for pair in pairs {
            let carrier = (pair.carrier * Double(grid.periods)).rounded() / Double(grid.count)
            let modulator = (pair.modulator * Double(grid.periods)).rounded() / Double(grid.count)
            let perFrame = ExactMath.amplitude(decibels: -pair.decay / grid.rate)
            let fall = ExactMath.exponential(-1 / (pair.fall * grid.rate))
            var level = pair.level
            var excess = pair.index - pair.rest
            for i in 0..<frames.count {
                let index = i < bodyCount ? pair.rest + excess * Double(bodyCount - i) / Double(bodyCount) : pair.rest
                let swing = ExactMath.sine(turns: modulator * Double(i)) * index / 6.283185307179586
                frames[i] += level * ExactMath.sine(turns: carrier * Double(i) + swing)
                if i < bodyCount {
                    excess *= fall
                    level *= perFrame
                }
            }
        }
        let rise = attack * grid.rate
        for i in 0..<min(Int(rise), frames.count) { frames[i] *= Double(i) / rise }
        var noise = NoiseSource(seed: seed)
        var before = Array(frames[..<bodyCount])
        for burst in bursts { burst.add(to: &before, rate: grid.rate, unit: 1, noise: &noise) }
        frames.replaceSubrange(..<bodyCount, with: before)
        return Sample(name, frames, rate: grid.rate, key: key, loop: bodyCount..<bodyCount + grid.count)
    }
}
