/// Resonances of a body or a mouth as a curve over frequency.
struct Formants: Sendable {
    /// Hertz, bandwidth in hertz, amplitude.
    let peaks: [(Double, Double, Double)]
    /// Amplitude between the peaks.
    let floor: Double

    init(floor: Double = 0.05, _ peaks: [(Double, Double, Double)]) {
        self.peaks = peaks
        self.floor = floor
    }

    func level(_ hertz: Double) -> Double {
        var sum = floor
        for (centre, width, amplitude) in peaks {
            let x = (hertz - centre) / (width / 2)
            sum += amplitude / (1 + x * x)
        }
        return sum
    }

    /// Bowed bodies, after the long-time spectra in Fletcher and Rossing, chapter 10.
    static let violin = Formants(floor: 0.35, [(290, 90, 0.7), (480, 150, 0.7), (1000, 500, 0.5), (2600, 1400, 0.75)])
    static let viola = Formants(floor: 0.3, [(220, 80, 0.8), (370, 120, 0.7), (850, 400, 0.6), (2000, 1000, 0.5)])
    static let cello = Formants(floor: 0.3, [(110, 50, 0.8), (200, 80, 0.8), (500, 300, 0.6), (1500, 1000, 0.5)])
    static let contrabass = Formants(floor: 0.3, [(70, 40, 0.8), (140, 70, 0.8), (400, 300, 0.5), (1000, 700, 0.35)])
    /// Vowels, after Peterson and Barney 1952, with a singer's formant.
    static let ah = Formants(floor: 0.012, [(730, 160, 1), (1090, 180, 0.55), (2550, 300, 0.18), (3200, 400, 0.14)])
    static let oo = Formants(floor: 0.006, [(330, 130, 1), (780, 150, 0.28), (2300, 300, 0.03)])
    static let oh = Formants(floor: 0.01, [(450, 140, 1), (850, 160, 0.6), (2500, 300, 0.08)])
}
