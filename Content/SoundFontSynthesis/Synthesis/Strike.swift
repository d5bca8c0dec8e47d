/// One blow on something that is not tuned to the keyboard: gliding modes in hertz and noise, all decaying to silence.
struct Strike {
    /// A decaying sine: hertz, level in decibels, seconds to 60 dB down, and a glide from `glide` times higher, falling
    /// to 1/e of it in `fall` seconds.
    struct Mode {
        var hertz: Double, level: Double, duration: Double, glide: Double, fall: Double

        init(_ hertz: Double, _ level: Double, _ duration: Double, glide: Double = 0, fall: Double = 0.02) {
            self.hertz = hertz
            self.level = level
            self.duration = duration
            self.glide = glide
            self.fall = fall
        }
    }

    var modes: [Mode]
    var bursts: [NoiseBurst]
    /// Noise that sounds as the head shakes it, a snare's wires: louder where the modes swing outwards.
    var wires: [NoiseBurst]
    var duration: Double
    var rate: Double
    /// Softly saturates: 0 = clean.
    var drive: Double

    init(
        _ modes: [Mode], bursts: [NoiseBurst] = [], wires: [NoiseBurst] = [], duration: Double, rate: Double = 32000,
        drive: Double = 0
    ) {
        self.modes = modes
        self.bursts = bursts
        self.wires = wires
        self.duration = duration
        self.rate = rate
        self.drive = drive
    }

    func sample(_ name: String, seed: Int = 1) -> Sample {
        var frames = frames(seed: seed, rate: rate, count: Int(duration * rate))
        Sample.fadeOut(&frames, rate: rate)
        return Sample(name, frames, rate: rate, key: 60)
    }

    /// `count` frames at `rate`, which need not be the strike's own.
    func frames(seed: Int, rate: Double, count: Int) -> [Double] {
        var frames = [Double](repeating: 0, count: count)
        for (index, mode) in modes.enumerated() where mode.hertz < 0.48 * rate {
            var gain = ExactMath.amplitude(decibels: mode.level)
            let step = ExactMath.amplitude(decibels: -60 / (mode.duration * rate))
            var glide = mode.glide
            let fall = ExactMath.exponential(-1 / (mode.fall * rate))
            var phase = Double(index) * 0.13
            for i in 0..<count {
                frames[i] += gain * ExactMath.sine(turns: phase) * min(1, Double(i) / (0.0006 * rate))
                phase += mode.hertz * (1 + glide) / rate
                if phase >= 1 { phase -= 1 }
                glide *= fall
                gain *= step
            }
        }
        var noise = NoiseSource(seed: seed)
        var rattle = [Double](repeating: 0, count: count)
        for burst in wires { burst.add(to: &rattle, rate: rate, unit: 1, noise: &noise) }
        // How far out the head is, against how far it went lately.
        var reach = 1e-6
        for i in 0..<count {
            reach = max(abs(frames[i]), reach * (1 - 20 / rate))
            rattle[i] *= 0.5 + max(0, frames[i]) / reach
        }
        for burst in bursts { burst.add(to: &frames, rate: rate, unit: 1, noise: &noise) }
        for i in 0..<count { frames[i] += rattle[i] }
        if drive > 0 { for i in 0..<count { frames[i] = frames[i] * (1 + drive) / (1 + drive * abs(frames[i])) } }
        return frames
    }
}
