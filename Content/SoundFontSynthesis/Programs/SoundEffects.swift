/// Programs 120...127: noises of a guitar, a player, the sea, a bird, a telephone, a helicopter, a hall and a gun.
enum SoundEffects {
    /// Fingers along wound strings: noise in a rising comb.
    static let fret = Multisample(
        Sample.scene("Fret noise", seconds: 0.3, rate: 16000) { time, noise in
            let envelope = min(1, time / 0.05) * max(0, 1 - time / 0.29)
            let squeak =
                ExactMath.sine(turns: 900 * time + 1400 * time * time) + 0.5
                * ExactMath.sine(turns: 1810 * time + 2800 * time * time)
            return envelope * (0.5 * squeak * (0.5 + noise.uniform()) + 0.5 * noise.bipolar())
        })

    /// Two calls: rising and falling chirps.
    static let bird = Multisample(
        Sample.scene("Bird", seconds: 0.95, rate: 19000, loops: true) { time, _ in
            var sum = 0.0
            for (start, length, low, high) in [
                (0.02, 0.09, 2600.0, 4300.0), (0.14, 0.09, 2700, 4500), (0.26, 0.16, 4600, 2400),
                (0.55, 0.07, 3600, 4400),
                (0.63, 0.07, 3600, 4400), (0.71, 0.07, 3600, 4400), (0.79, 0.12, 4200, 2800),
            ] where time >= start && time < start + length {
                let t = (time - start) / length
                let window = ExactMath.sine(turns: t / 2)
                sum += window * ExactMath.sine(turns: length * (low * t + (high - low) * t * t / 2))
            }
            return sum
        })

    /// A bell struck twenty times a second, on and off.
    static let telephone = Multisample(
        Sample.scene("Telephone", seconds: 0.1, rate: 32000, loops: true) { time, _ in
            // Whole turns in a tenth of a second; the clapper hits two gongs in turn.
            let t = time < 0.05 ? time : time - 0.05
            let hit = ExactMath.exponential(-t * 12) * min(1, t / 0.001)
            let gong = time < 0.05 ? 1.0 : 1.1
            return (0.35 + hit)
                * (ExactMath.sine(turns: 1400 * time * gong) + 0.6 * ExactMath.sine(turns: 3260 * time * gong)
                    + 0.4 * ExactMath.sine(turns: 5190 * time))
        })

    /// Five blades pass in the loop: each a thump and a slap of air, over the whine of the turbine.
    static let rotor: Multisample = {
        let rate = 18000.0, seconds = 0.4
        let count = Int(seconds * rate)
        var noise = NoiseSource(seed: 155)
        let air = Biquad(.bandpass, frequency: 1300, q: 0.5, rate: rate).filterLoop(noise.frames(count))
        let thump = Biquad(.lowpass, frequency: 220, q: 0.8, rate: rate).filterLoop(noise.frames(count))
        let frames = (0..<count).map { i -> Double in
            let time = Double(i) / rate
            let beat = (time * 12.5).truncatingRemainder(dividingBy: 1)
            let blade = min(1, beat * 10) * ExactMath.exponential(-beat * 4)
            // Every sine fits a whole number of times.
            let whine = 0.02 * ExactMath.sine(turns: 1150 * time) + 0.015 * ExactMath.sine(turns: 2305 * time)
            return blade * (1.1 * air[i] + 1.6 * thump[i] + 0.25 * ExactMath.sine(turns: 75 * time)) + 0.14 * air[i] + whine
        }
        return Multisample(Sample.turning("Rotor", frames, rate: rate, key: 60))
    }()

    /// Hundreds of hands in a hall: short bursts at random, in an endless loop.
    static let applause: Multisample = {
        let rate = 18000.0
        let count = 14000
        var noise = NoiseSource(seed: 77)
        var frames = [Double](repeating: 0, count: count)
        for _ in 0..<260 {
            let start = Int(noise.uniform() * Double(count))
            let length = 300 + Int(noise.uniform() * 300)
            let filter = Biquad(.bandpass, frequency: 700 + 1500 * noise.uniform(), q: 1.6, rate: rate)
            let level = 0.2 + 0.8 * noise.uniform() * noise.uniform()
            let clap = filter.filter(noise.frames(length))
            for i in 0..<length {
                frames[(start + i) % count] += level * clap[i] * ExactMath.exponential(-Double(i) / 70)
            }
        }
        return Multisample(Sample.turning("Applause", frames, rate: rate, key: 60))
    }()

    static let gun = Multisample(
        Strike(
            [.init(70, -4, 0.3, glide: 2, fall: 0.02)],
            bursts: [
                NoiseBurst(0, .lowpass, 9000, duration: 0.12), NoiseBurst(-4, .lowpass, 1200, duration: 0.6),
                NoiseBurst(-16, .bandpass, 500, q: 0.5, attack: 0.02, duration: 0.9, delay: 0.05),
            ], duration: 0.7, rate: 18000, drive: 3
        ).sample("Gunshot"))

    static var programs: [Program] {
        [
            Program(120, "Guitar Fret Noise", fret, .scale(40), .envelope(release: 0.3)),
            Program(
                121, "Breath Noise",
                [
                    Layer(
                        Waves.noise,
                        [
                            .scale(20), .filter(1800, q: 2), .filterSweep(1200, attack: 0.15, decay: 0.5),
                            .envelope(attack: 0.12, decay: 0.7, sustain: 100, release: 0.2),
                        ])
                ]),
            Program(
                122, "Seashore",
                [
                    Layer(
                        Waves.noise,
                        [
                            .scale(10), .filter(1400), .wobble(0.13, filter: 1300), .tremolo(0.13, decibels: -5),
                            .envelope(attack: 0.9, release: 2),
                        ]),
                    Layer(
                        Waves.noise,
                        [
                            .scale(10), .filter(600), .envelope(attack: 1.5, release: 2.5), .pan(-0.6), .started(5000),
                            .quieter(5),
                        ]),
                ]),
            Program(123, "Bird Tweet", bird, .scale(60), .envelope(release: 0.1)),
            Program(124, "Telephone Ring", telephone, .scale(50), .envelope(release: 0.15)),
            Program(
                125, "Helicopter",
                Layer.wide(rotor, offset: 1440, .scale(30), .filter(6000), .envelope(attack: 0.5, release: 1.1), .quieter(7))),
            Program(126, "Applause", Layer.wide(applause, .scale(20), .envelope(attack: 0.5, release: 1.2))),
            Program(127, "Gunshot", gun, .scale(40), .filter(12000), .envelope(release: 1)),
        ]
    }
}
