/// One sinusoid of a tone.
public struct Partial {
    /// Frequency as a multiple of the fundamental.
    public var ratio: Double
    /// Peak amplitude, linear.
    public var level: Double
    /// Start phase in turns.
    public var phase: Double
    /// Decay in decibels per second until the loop begins; the volume envelope's decay comes on top.
    public var decay: Double
    /// Seconds of its own fade-in.
    public var attack: Double
    /// True: sounds on in the loop, at the nearest frequency that fits a whole number of times. False: its frequency is
    /// free, and it has faded out when the loop begins.
    public var persists: Bool

    public init(
        _ ratio: Double, _ level: Double, phase: Double = 0, decay: Double = 0, attack: Double = 0,
        persists: Bool = true
    ) {
        self.ratio = ratio
        self.level = level
        self.phase = phase
        self.decay = decay
        self.attack = attack
        self.persists = persists
    }

    /// Harmonics 1, 2, 3 ... of the given levels.
    public static func harmonics(_ levels: [Double]) -> [Partial] {
        levels.enumerated().map { Partial(Double($0 + 1), $1, phase: Double(($0 * $0) % 7) / 7) }
    }

    /// The harmonics of `frequency` that stay below `limit` hertz; `level` gives the amplitude from number and hertz.
    public static func harmonics(
        of frequency: Double, below limit: Double, level: (Int, Double) -> Double
    ) -> [Partial] {
        let count = max(1, min(120, Int(limit / frequency)))
        // Schroeder's phases (1970) keep the peak low; full turns are dropped.
        return (1...count).map { n in
            let turns = Double(n * n) / Double(2 * count)
            return Partial(Double(n), level(n, Double(n) * frequency), phase: turns - turns.rounded(.down))
        }
    }
}
