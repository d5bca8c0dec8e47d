/// A string as a delay line with a loss filter (Karplus and Strong 1983), excited at a pluck position.
///
/// The delay is a whole number of frames (the sample rate is chosen for it); when the loop begins the losses are
/// switched off, so one period repeats exactly and the volume envelope takes over the decay.
public struct PluckedString {
    /// Pluck position, 0...0.5 of the string's length.
    public var position: Double
    /// Weight of the middle one of the loss filter's three taps, 0.5...1: nearer to 1, the upper partials live longer.
    public var brightness: Double
    /// Decibels per second of loss at every frequency.
    public var decay: Double
    /// Hertz: corner of a low-pass on the excitation.
    public var softness: Double
    public var body: Double
    public var rate: Double
    public var bursts: [NoiseBurst]

    public init(
        position: Double, brightness: Double, decay: Double = 0, softness: Double = 8000, body: Double = 0.5,
        rate: Double = 22050, bursts: [NoiseBurst] = []
    ) {
        self.position = position
        self.brightness = brightness
        self.decay = decay
        self.softness = softness
        self.body = body
        self.rate = rate
        self.bursts = bursts
    }

    /// Synthesises the note of `key`.
    public func sample(_ name: String, key: Int, seed: Int) -> Sample {
        var noise = NoiseSource(seed: seed &* 71 &+ key)
        let frequency = ExactMath.frequency(key: Double(key))
        let delay = max(16, Int((rate / frequency).rounded()))
        let trueRate = (frequency * Double(delay)).rounded()
        let excitation = Biquad(.lowpass, frequency: softness, q: 0.6, rate: trueRate).filterLoop(noise.frames(delay))
        let offset = max(1, Int(position * Double(delay)))
        var line = (0..<delay).map { excitation[$0] - excitation[($0 + offset) % delay] }
        let mean = line.reduce(0, +) / Double(delay)
        for i in 0..<delay { line[i] -= mean }
        let turns = max(2, Int(body * frequency))
        let bodyCount = turns * delay
        var frames = [Double](repeating: 0, count: bodyCount + delay + Sample.guardFrames)
        let loss = ExactMath.amplitude(decibels: -decay / frequency)
        let side = (1 - brightness) / 2
        // A symmetrical filter has no phase shift: the pitch stays that of the delay.
        for turn in 0..<turns {
            for i in 0..<delay { frames[turn * delay + i] = line[i] }
            let old = line
            for i in 0..<delay {
                line[i] = loss * (brightness * old[i] + side * (old[(i + delay - 1) % delay] + old[(i + 1) % delay]))
            }
        }
        for i in bodyCount..<frames.count { frames[i] = line[(i - bodyCount) % delay] }
        let peak = frames.reduce(0) { max($0, abs($1)) }
        var before = Array(frames[..<bodyCount])
        for burst in bursts { burst.add(to: &before, rate: trueRate, unit: 0.4 * peak, noise: &noise) }
        frames.replaceSubrange(..<bodyCount, with: before)
        return Sample(name, frames, rate: trueRate, key: key, loop: bodyCount..<bodyCount + delay)
    }
}
