/// Drums with a head: kick, snare, toms, hand drums.
enum Skins {
    static let kick = Strike(
        [
            .init(54, 0, 0.36, glide: 2.6, fall: 0.014), .init(108, -12, 0.14, glide: 1, fall: 0.01),
            .init(171, -20, 0.1), .init(262, -25, 0.08),
        ],
        bursts: [
            NoiseBurst(-2, .bandpass, 3400, q: 0.5, duration: 0.03), NoiseBurst(-3, .lowpass, 700, duration: 0.07),
            NoiseBurst(-20, .bandpass, 1800, q: 0.4, duration: 0.12),
        ],
        duration: 0.32, rate: 24000, drive: 2
    ).sample("Kick")
    static let softKick = Strike(
        [.init(58, 0, 0.4, glide: 0.9, fall: 0.025), .init(92, -10, 0.25), .init(147, -18, 0.15), .init(231, -24, 0.1)],
        bursts: [
            NoiseBurst(-6, .lowpass, 700, duration: 0.07), NoiseBurst(-4, .bandpass, 2400, q: 0.5, duration: 0.025),
            NoiseBurst(-22, .bandpass, 1500, q: 0.4, duration: 0.12),
        ],
        duration: 0.36, rate: 20000, drive: 0.4
    ).sample("Soft kick")
    /// Both heads and the air between them, then the wires. The lowest pair of modes is that of two coupled heads:
    /// Fletcher and Rossing, chapter 18.
    static let snare = Strike(
        [
            .init(184, 0, 0.26, glide: 0.3, fall: 0.014), .init(278, -7, 0.2, glide: 0.1), .init(332, -5, 0.19),
            .init(403, -10, 0.15), .init(478, -11, 0.14), .init(642, -14, 0.12), .init(861, -17, 0.1),
        ],
        bursts: [
            NoiseBurst(-4, .bandpass, 1100, q: 0.6, duration: 0.035), NoiseBurst(-4, .highpass, 5000, duration: 0.012),
        ],
        wires: [
            NoiseBurst(-11, .bandpass, 4800, q: 0.4, duration: 0.3), NoiseBurst(-16, .highpass, 8000, duration: 0.24),
            NoiseBurst(-16, .bandpass, 1500, q: 0.6, duration: 0.25),
        ], duration: 0.36, rate: 40000, drive: 2
    ).sample("Snare")
    static let tightSnare = Strike(
        [
            .init(214, 0, 0.19, glide: 0.3, fall: 0.012), .init(325, -5, 0.16), .init(402, -6, 0.15),
            .init(566, -10, 0.12), .init(731, -13, 0.11), .init(1050, -17, 0.08),
        ],
        bursts: [
            NoiseBurst(-2, .bandpass, 1500, q: 0.6, duration: 0.03), NoiseBurst(-2, .highpass, 6000, duration: 0.012),
        ],
        wires: [
            NoiseBurst(-10, .bandpass, 5400, q: 0.4, duration: 0.24), NoiseBurst(-15, .highpass, 9000, duration: 0.2),
            NoiseBurst(-14, .bandpass, 2000, q: 0.6, duration: 0.2),
        ], duration: 0.3, rate: 40000, drive: 2
    ).sample("Tight snare")
    static let brushTap = Strike(
        [.init(190, -12, 0.12), .init(330, -16, 0.08)],
        bursts: [NoiseBurst(-6, .bandpass, 3800, q: 0.4, attack: 0.006, duration: 0.17)], duration: 0.2, rate: 24000
    ).sample("Brush tap")
    static let brushSwirl = Strike(
        [], bursts: [NoiseBurst(0, .bandpass, 4200, q: 0.5, attack: 0.12, duration: 0.6)], duration: 0.4, rate: 18000
    ).sample("Brush swirl")
    static let sideStick = Strike(
        [.init(482, -5, 0.09), .init(1720, 0, 0.06), .init(2643, -4, 0.05), .init(3890, -8, 0.04)],
        bursts: [
            NoiseBurst(0, .bandpass, 3200, q: 0.5, duration: 0.03), NoiseBurst(-6, .highpass, 6000, duration: 0.02),
            NoiseBurst(-20, .bandpass, 2500, q: 0.4, duration: 0.14),
        ], duration: 0.14, rate: 40000, drive: 3
    ).sample("Side stick")
    static let clap = Strike(
        [],
        bursts: [0, 0.011, 0.021, 0.032].map {
            NoiseBurst(-2, .bandpass, 1250, q: 1.1, duration: $0 > 0.03 ? 0.26 : 0.03, delay: $0)
        } + [NoiseBurst(-8, .highpass, 3500, duration: 0.14, delay: 0.032)], duration: 0.27, rate: 32000
    ).sample("Clap")
    static let tom = Strike(
        [
            .init(100, 0, 0.85, glide: 0.5, fall: 0.05), .init(158, -10, 0.55, glide: 0.3, fall: 0.04),
            .init(219, -15, 0.4), .init(298, -19, 0.3), .init(361, -22, 0.25), .init(467, -24, 0.2), .init(592, -28, 0.15),
        ],
        bursts: [
            NoiseBurst(-4, .bandpass, 900, q: 0.5, duration: 0.09), NoiseBurst(-2, .bandpass, 4000, q: 0.5, duration: 0.02),
            NoiseBurst(-24, .bandpass, 1200, q: 0.35, duration: 0.35),
        ],
        duration: 0.75, rate: 18000, drive: 0.5
    ).sample("Tom")
    static let conga = Strike(
        [
            .init(200, 0, 0.36, glide: 0.12, fall: 0.02), .init(418, -11, 0.12), .init(640, -15, 0.08),
            .init(890, -20, 0.05),
        ],
        bursts: [NoiseBurst(-12, .bandpass, 1400, q: 0.7, duration: 0.025)], duration: 0.33, rate: 22050
    ).sample("Conga")
    static let mutedConga = Strike(
        [.init(225, -2, 0.09, glide: 0.1), .init(470, -8, 0.06), .init(980, -10, 0.04)],
        bursts: [NoiseBurst(-4, .bandpass, 1900, q: 0.7, duration: 0.035)], duration: 0.12, rate: 22050
    ).sample("Muted conga")
    static let bongo = Strike(
        [.init(360, 0, 0.16, glide: 0.12, fall: 0.015), .init(640, -8, 0.08), .init(1130, -12, 0.05)],
        bursts: [NoiseBurst(-12, .bandpass, 2600, q: 0.7, duration: 0.018)], duration: 0.2, rate: 22050
    ).sample("Bongo")
    static let timbale = Strike(
        [
            .init(320, 0, 0.32, glide: 0.12, fall: 0.015), .init(563, -5, 0.25), .init(847, -9, 0.2),
            .init(1420, -12, 0.16), .init(2310, -18, 0.12),
        ],
        bursts: [NoiseBurst(-9, .bandpass, 4200, q: 0.6, duration: 0.025)], duration: 0.3, rate: 18000
    ).sample("Timbale")
    static let surdo = Strike(
        [.init(78, 0, 0.75, glide: 0.25, fall: 0.03), .init(131, -12, 0.3), .init(190, -18, 0.2)],
        bursts: [NoiseBurst(-14, .lowpass, 500, duration: 0.06)], duration: 0.6, rate: 9000
    ).sample("Surdo")
    static let concertBass = Strike(
        [.init(46, 0, 1.2, glide: 0.15, fall: 0.05), .init(73, -6, 0.8), .init(104, -12, 0.5)],
        bursts: [NoiseBurst(-10, .lowpass, 250, attack: 0.004, duration: 0.2)], duration: 0.8, rate: 6000
    ).sample("Concert bass drum")
}
