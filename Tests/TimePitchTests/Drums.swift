import DSP

/// Synthetic drums: a kick that falls in pitch, a snare of tone and noise, a hat, at known frames.
struct Drums {
    /// Where they are struck.
    private(set) var onsets: [Int] = []
    private(set) var sound: [Float]

    init(frames: Int, seed: UInt64 = 5) {
        sound = [Float](repeating: 0, count: frames)
        let noise = CounterNoise(seed: seed)
        var at = 12_000
        while at < frames - 24_000 {
            onsets.append(at)
            let kind = onsets.count % 3, length = [3_000.0, 1_200, 400][kind]
            for n in 0..<12_000 where at + n < frames {
                let white = noise.pair(at: Int64(at + n)).left, t = Double(n)
                let tone =
                    switch kind {
                    case 0:
                        DeterministicMath.sine(
                            turns: 60 * t / 48_000 + 3 * (1 - DeterministicMath.exp2(-t / 416)))
                    case 1: 0.6 * white + 0.4 * DeterministicMath.sine(turns: 190 * t / 48_000)
                    default: 0.5 * white
                    }
                sound[at + n] += Float(0.7 * tone * DeterministicMath.exp2(-1.4427 * t / length))
            }
            at += 9_000 + Int((noise.pair(at: Int64(onsets.count)).right + 1) * 4_500)
        }
    }

    /// The frame within 50 ms of `expected` where the energy of 5 ms rises most.
    static func onset(in x: [Float], near expected: Int) -> Int {
        var best = expected, rise: Float = 0
        for frame in stride(from: max(expected - 2_400, 240), to: min(expected + 2_400, x.count - 240), by: 12) {
            var before: Float = 0, after: Float = 0
            for k in 0..<240 {
                before += x[frame - 1 - k] * x[frame - 1 - k]
                after += x[frame + k] * x[frame + k]
            }
            if after - before > rise { (best, rise) = (frame, after - before) }
        }
        return best
    }
}
