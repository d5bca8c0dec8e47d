/// Additive synthesis of one note: partials with decays of their own, then a loop in which every partial fits a whole
/// number of times, so that the loop's end meets its start without a cross-fade.
///
///     0 ---- attack, decaying partials, noise ---- body ===== loop ===== + 8 frames of its repetition
public struct Tone {
    public var partials: [Partial]
    /// Seconds before the loop; without a loop the whole duration.
    public var body: Double
    /// Wanted seconds of the loop; 0 = none.
    public var loop: Double
    /// Wanted frames per second. The true rate makes the loop a whole number of periods.
    public var rate: Double
    /// Seconds of fade-in of everything but the bursts.
    public var attack: Double
    /// Level of slow random side bands of every partial, 0...0.5: life in the loop.
    public var wander: Double
    public var bursts: [NoiseBurst]
    public var breath: [Breath]
    /// How far each partial of a stereo pair stands to one side, 0...1: a part of its level that one side has more and
    /// the other less.
    public var width: Double

    public init(
        _ partials: [Partial], body: Double = 0.03, loop: Double = 0, rate: Double = 22050, attack: Double = 0.003,
        wander: Double = 0, bursts: [NoiseBurst] = [], breath: [Breath] = [], width: Double = 0.25
    ) {
        self.partials = partials
        self.body = body
        self.loop = loop
        self.rate = rate
        self.attack = attack
        self.wander = wander
        self.bursts = bursts
        self.breath = breath
        self.width = width
    }

    /// Synthesises the note of `key`, or one side of a stereo pair of it.
    ///
    /// The sides have the partials in common, at levels of their own, so that they add up in mono; side bands, breath
    /// and bursts are independent.
    public func sample(_ name: String, key: Int, seed: Int = 1, side: Side? = nil) -> Sample {
        var noise = NoiseSource(seed: seed &* 131 &+ key &+ (side?.rawValue ?? 0) &* 7919)
        let partials = placed(key, side)
        let frequency = ExactMath.frequency(key: Double(key))
        let grid = LoopGrid(frequency: frequency, seconds: loop, rate: rate)
        let bodyCount = Int((body * grid.rate).rounded())
        let loops = loop > 0
        let count = loops ? bodyCount + grid.count + Sample.guardFrames : bodyCount
        var frames = [Double](repeating: 0, count: count)
        let limit = 0.47 * grid.rate
        let loudest = partials.reduce(0) { max($0, $1.level) }

        for partial in partials {
            let hertz = partial.ratio * frequency
            guard hertz < limit else { continue }
            if loops && partial.persists {
                let turns = max(1, Int((partial.ratio * Double(grid.periods)).rounded()))
                var lines = [(turns, partial.level, partial.phase)]
                if wander > 0 && turns > 4 {
                    for offset in [-2, -1, 1, 2] {
                        let level = partial.level * wander * (0.4 + 0.6 * noise.uniform()) / Double(abs(offset))
                        lines.append((turns + offset, level, noise.uniform()))
                    }
                }
                for (line, level, phase) in lines where 2 * line < grid.count {
                    add(
                        partial, level, phase, Double(line) / Double(grid.count), to: &frames, flat: bodyCount,
                        grid.rate)
                }
            } else {
                add(partial, partial.level, partial.phase, hertz / grid.rate, to: &frames, flat: bodyCount, grid.rate)
            }
        }
        for breath in breath {
            let turn = breath.loop(count: loops ? grid.count : count, rate: grid.rate, noise: &noise)
            let offset = turn.count - bodyCount % turn.count
            for i in 0..<count { frames[i] += turn[(i + offset) % turn.count] * loudest }
        }
        let rise = attack * grid.rate
        var i = 0
        while Double(i) < rise && i < count {
            frames[i] *= 0.5 - 0.5 * ExactMath.cosine(turns: 0.5 * Double(i) / rise)
            i += 1
        }
        var before = Array(frames[..<bodyCount])
        for burst in bursts { burst.add(to: &before, rate: grid.rate, unit: max(loudest, 1e-6), noise: &noise) }
        frames.replaceSubrange(..<bodyCount, with: before)
        if !loops { Sample.fadeOut(&frames, rate: grid.rate) }
        return Sample(
            name + (side?.letter ?? ""), frames, rate: grid.rate, key: key,
            loop: loops ? bodyCount..<bodyCount + grid.count : nil)
    }

    /// The partials at the levels of one side.
    private func placed(_ key: Int, _ side: Side?) -> [Partial] {
        guard let side else { return partials }
        var places = NoiseSource(seed: key &+ 4000)
        return partials.map {
            var partial = $0
            partial.level *= 1 + side.sign * width * places.bipolar()
            return partial
        }
    }

    /// By the two-term recurrence; the gain moves in straight lines of 32 frames and stands still in the loop.
    private func add(
        _ partial: Partial, _ level: Double, _ phase: Double, _ turns: Double, to frames: inout [Double], flat: Int,
        _ rate: Double
    ) {
        let count = frames.count
        let loops = loop > 0
        let step = 2 * ExactMath.cosine(turns: turns)
        var y1 = ExactMath.sine(turns: phase - turns)
        var y2 = ExactMath.sine(turns: phase - 2 * turns)
        let perBlock = ExactMath.amplitude(decibels: -partial.decay * 32 / rate)
        let rise = partial.attack * rate
        let fade = 0.6 * Double(flat)
        var decayed = level
        var gain = rise > 0 ? 0 : level
        frames.withUnsafeMutableBufferPointer { output in
            var start = 0
            while start < count {
                let end = min(start + 32, count)
                var next = gain
                if end <= flat {
                    decayed *= perBlock
                    next = decayed
                    if Double(end) < rise { next *= 0.5 - 0.5 * ExactMath.cosine(turns: 0.5 * Double(end) / rise) }
                    if loops && !partial.persists {
                        let left = min(1, max(0, Double(flat - 32 - end)) / fade)
                        next *= left * left
                    }
                }
                if loops && !partial.persists && end > flat { break }
                let slope = (next - gain) / 32
                var i = start
                while i < end {
                    let y = step * y1 - y2
                    y2 = y1
                    y1 = y
                    output[i] += gain * y
                    gain += slope
                    i += 1
                }
                gain = next
                start = end
            }
        }
    }
}
