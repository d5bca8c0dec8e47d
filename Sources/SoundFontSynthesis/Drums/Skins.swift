/// Drums with a head: kick, snare, toms, hand drums.
enum Skins {
    static let kick = Strike(
        [.init(54, 0, 0.34, glide: 2.6, fall: 0.014), .init(108, -12, 0.12, glide: 1, fall: 0.01)],
        bursts: [
            NoiseBurst(-3, .bandpass, 3400, q: 0.6, duration: 0.022), NoiseBurst(-8, .lowpass, 500, duration: 0.06),
        ],
        duration: 0.3, rate: 22050, drive: 2
    ).sample("Kick")
    static let softKick = Strike(
        [.init(58, 0, 0.38, glide: 0.9, fall: 0.025), .init(92, -10, 0.25)],
        bursts: [NoiseBurst(-10, .lowpass, 700, duration: 0.06), NoiseBurst(-14, .bandpass, 2200, duration: 0.014)],
        duration: 0.34, rate: 16000, drive: 0.4
    ).sample("Soft kick")
    static let snare = Strike(
        [
            .init(186, -3, 0.17, glide: 0.35, fall: 0.012), .init(331, -7, 0.11), .init(478, -15, 0.08),
            .init(642, -19, 0.06),
        ],
        bursts: [
            NoiseBurst(-8, .bandpass, 4800, q: 0.35, duration: 0.24), NoiseBurst(-13, .highpass, 7000, duration: 0.17),
            NoiseBurst(-9, .bandpass, 1300, q: 0.7, duration: 0.035),
        ], duration: 0.28, rate: 32000, drive: 2
    ).sample("Snare")
    static let tightSnare = Strike(
        [.init(238, -4, 0.11, glide: 0.3, fall: 0.01), .init(412, -8, 0.09), .init(655, -16, 0.06)],
        bursts: [
            NoiseBurst(-5, .bandpass, 5600, q: 0.4, duration: 0.19), NoiseBurst(-10, .highpass, 8000, duration: 0.13),
            NoiseBurst(-8, .bandpass, 2000, q: 0.7, duration: 0.03),
        ], duration: 0.22, rate: 32000, drive: 2
    ).sample("Tight snare")
    static let brushTap = Strike(
        [.init(190, -12, 0.12), .init(330, -16, 0.08)],
        bursts: [NoiseBurst(-6, .bandpass, 3800, q: 0.4, attack: 0.006, duration: 0.17)], duration: 0.2, rate: 24000
    ).sample("Brush tap")
    static let brushSwirl = Strike(
        [], bursts: [NoiseBurst(0, .bandpass, 4200, q: 0.5, attack: 0.12, duration: 0.6)], duration: 0.4, rate: 18000
    ).sample("Brush swirl")
    static let sideStick = Strike(
        [.init(480, -6, 0.06), .init(1720, 0, 0.05), .init(2640, -6, 0.035)],
        bursts: [NoiseBurst(-6, .bandpass, 3000, q: 0.6, duration: 0.02)], duration: 0.09
    ).sample("Side stick")
    static let clap = Strike(
        [],
        bursts: [0, 0.011, 0.021, 0.032].map {
            NoiseBurst(-2, .bandpass, 1250, q: 1.1, duration: $0 > 0.03 ? 0.26 : 0.03, delay: $0)
        } + [NoiseBurst(-12, .highpass, 3500, duration: 0.12, delay: 0.032)], duration: 0.25, rate: 24000
    ).sample("Clap")
    static let tom = Strike(
        [
            .init(100, 0, 0.6, glide: 0.5, fall: 0.05), .init(158, -9, 0.35, glide: 0.3, fall: 0.04),
            .init(219, -13, 0.22), .init(298, -18, 0.15),
        ],
        bursts: [
            NoiseBurst(-9, .bandpass, 900, q: 0.5, duration: 0.07), NoiseBurst(-13, .bandpass, 4000, duration: 0.02),
        ],
        duration: 0.5, rate: 16000, drive: 0.5
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
