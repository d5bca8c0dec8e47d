// [render]
import DSP
import SoundFonts

/// The filters of one voice of an SFZ region: two filters of up to three sections, and three bands; coefficients move straight
/// within a period. Source: R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients".
struct RegionFilterState: BitwiseCopyable {
    struct Section: BitwiseCopyable {
        var b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0

        @_noLocks init() {}

        @_noLocks init(_ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double) {
            let scale = 1 / a0
            (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0 * scale, b1 * scale, b2 * scale, a1 * scale, a2 * scale)
        }
    }

    /// Two sections of one filter, or one of a band, that follow each other: now, and the goal.
    private var now = InlineArray<9, Section>(repeating: Section()), goal = InlineArray<9, Section>(repeating: Section())
    private var memory = InlineArray<9, SIMD2<Double>>(repeating: .zero)
    /// What the coefficients of each stage stand for: a frequency, a height, a gain.
    private var asked = InlineArray<5, SIMD4<Float>>(repeating: SIMD4(repeating: -1))
    private var isMoving = InlineArray<5, Bool>(repeating: false)
    private var isSet = InlineArray<5, Bool>(repeating: false)

    @_noLocks init() {}

    /// The sections of a stage: the filters have three each, the bands one.
    @_noLocks private static func first(_ stage: Int) -> Int { stage < 2 ? stage &* 3 : 4 &+ stage }

    /// Sets a filter: hertz, decibels, decibels.
    @_noLocks mutating func set(
        filter stage: Int, _ kind: RegionFilter.Kind, _ frequency: Float, _ resonance: Float, _ gain: Float, rate: Double
    ) {
        let wanted = SIMD4<Float>(frequency, resonance, gain, 0)
        if wanted == asked[stage] { return }
        asked[stage] = wanted
        let hertz = min(max(Double(frequency), 1), min(20_000, 0.49 * rate))
        let turns = hertz / rate
        let sine = DeterministicMath.sine(turns: turns), cosine = DeterministicMath.sine(turns: turns + 0.25)
        let q = DeterministicMath.power(10, Double(min(max(resonance, -60), 60)) / 20)
        let section = Self.section(kind, turns, sine, cosine, sine / (2 * max(q, 0.001)), Double(min(max(gain, -120), 60)))
        let first = Self.first(stage)
        goal[first] = section
        goal[first &+ 1] = section
        if case .band1 = kind { goal[first &+ 1] = Self.onePole(turns, isHigh: true) }
        if case .pink = kind { goal[first &+ 1] = Section(1, -0.07568359, 0, 1, -0.53567505, 0) }
        goal[first &+ 2] = section
        settle(stage)
    }

    /// Sets a band: hertz, octaves, decibels.
    @_noLocks mutating func set(
        band: Int, _ kind: RegionBand.Kind, _ frequency: Float, _ width: Float, _ gain: Float, rate: Double
    ) {
        let stage = 2 &+ band, wanted = SIMD4<Float>(frequency, width, gain, 0)
        if wanted == asked[stage] { return }
        asked[stage] = wanted
        let turns = min(max(Double(frequency), 1), min(20_000, 0.49 * rate)) / rate
        let sine = DeterministicMath.sine(turns: turns), cosine = DeterministicMath.sine(turns: turns + 0.25)
        let octaves = min(max(Double(width), 0.01), 12)
        let exponent = 0.5 * octaves * 6.283185307179586 * turns / sine
        let sinh = (DeterministicMath.exp2(exponent) - DeterministicMath.exp2(-exponent)) / 2
        let alpha = sine * sinh, decibels = Double(min(max(gain, -120), 60))
        let shape: RegionFilter.Kind =
            switch kind {
            case .lowShelf: .lowShelf
            case .highShelf: .highShelf
            case .none, .peak: .peak
            }
        goal[Self.first(stage)] = Self.section(shape, turns, sine, cosine, alpha, decibels)
        settle(stage)
    }

    @_noLocks private mutating func settle(_ stage: Int) {
        if isSet[stage] {
            isMoving[stage] = true
            return
        }
        isSet[stage] = true
        let first = Self.first(stage), count = stage < 2 ? 3 : 1
        for index in first..<first &+ count { now[index] = goal[index] }
    }

    @_noLocks private static func onePole(_ turns: Double, isHigh: Bool) -> Section {
        let p = DeterministicMath.exp2(-9.064720283654388 * turns)
        return isHigh ? Section(0.5 * (1 + p), -0.5 * (1 + p), 0, 1, -p, 0) : Section(1 - p, 0, 0, 1, -p, 0)
    }

    @_noLocks private static func section(
        _ kind: RegionFilter.Kind, _ turns: Double, _ sine: Double, _ cosine: Double, _ alpha: Double, _ decibels: Double
    ) -> Section {
        switch kind {
        case .none: return Section()
        case .low1, .band1: return onePole(turns, isHigh: false)
        case .high1: return onePole(turns, isHigh: true)
        case .all1:
            let a = min(max(-1 + 6.283185307179586 * turns, -0.9999), 0.9999)
            return Section(a, 1, 0, 1, a, 0)
        case .low2, .low4, .low6, .low2sv:
            return Section((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2, 1 + alpha, -2 * cosine, 1 - alpha)
        case .high2, .high4, .high6, .high2sv:
            return Section((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2, 1 + alpha, -2 * cosine, 1 - alpha)
        case .band2, .band4, .band6: return Section(alpha, 0, -alpha, 1 + alpha, -2 * cosine, 1 - alpha)
        // The state variable's band has its quality as its height.
        case .band2sv: return Section(sine / 2, 0, -sine / 2, 1 + alpha, -2 * cosine, 1 - alpha)
        case .reject1, .reject2, .reject2sv: return Section(1, -2 * cosine, 1, 1 + alpha, -2 * cosine, 1 - alpha)
        case .all2: return Section(1 - alpha, -2 * cosine, 1 + alpha, 1 + alpha, -2 * cosine, 1 - alpha)
        case .lowShelf, .highShelf, .peak: return shelf(kind, cosine, alpha, decibels)
        // 3 dB an octave downwards, at any cutoff: poles and zeros in turn. Source: R. Bristow-Johnson's pinking filter.
        case .pink: return Section(0.049922035, -0.090776201, 0.040983205, 1, -1.94363403, 0.943856597)
        }
    }

    @_noLocks private static func shelf(
        _ kind: RegionFilter.Kind, _ cosine: Double, _ alpha: Double, _ decibels: Double
    ) -> Section {
        let a = DeterministicMath.power(10, decibels / 40), more = a + 1, less = a - 1
        let slope = 2 * DeterministicMath.squareRoot(a) * alpha
        switch kind {
        case .lowShelf:
            return Section(
                a * (more - less * cosine + slope), 2 * a * (less - more * cosine), a * (more - less * cosine - slope),
                more + less * cosine + slope, -2 * (less + more * cosine), more + less * cosine - slope)
        case .highShelf:
            return Section(
                a * (more + less * cosine + slope), -2 * a * (less + more * cosine), a * (more + less * cosine - slope),
                more - less * cosine + slope, 2 * (less - more * cosine), more - less * cosine - slope)
        default:
            return Section(1 + alpha * a, -2 * cosine, 1 - alpha * a, 1 + alpha / a, -2 * cosine, 1 - alpha / a)
        }
    }

    /// The number of sections of a filter.
    @_noLocks static func count(_ kind: RegionFilter.Kind) -> Int {
        switch kind {
        case .none: 0
        case .band1, .low4, .high4, .band4, .pink: 2
        case .low6, .high6, .band6: 3
        default: 1
        }
    }

    /// Filters 64 samples in place.
    @_noLocks mutating func run(_ samples: UnsafeMutablePointer<Float>, filter stage: Int, _ kind: RegionFilter.Kind) {
        let first = Self.first(stage), count = Self.count(kind)
        for index in first..<first &+ count { run(samples, index, isMoving: isMoving[stage]) }
        isMoving[stage] = false
    }

    @_noLocks mutating func run(_ samples: UnsafeMutablePointer<Float>, band: Int) {
        run(samples, Self.first(2 &+ band), isMoving: isMoving[2 &+ band])
        isMoving[2 &+ band] = false
    }

    @_noLocks private mutating func run(_ samples: UnsafeMutablePointer<Float>, _ index: Int, isMoving: Bool) {
        var section = now[index], z = memory[index]
        let goal = goal[index]
        var d0 = 0.0, d1 = 0.0, d2 = 0.0, e1 = 0.0, e2 = 0.0
        if isMoving {
            d0 = (goal.b0 - section.b0) * (1.0 / 64)
            d1 = (goal.b1 - section.b1) * (1.0 / 64)
            d2 = (goal.b2 - section.b2) * (1.0 / 64)
            e1 = (goal.a1 - section.a1) * (1.0 / 64)
            e2 = (goal.a2 - section.a2) * (1.0 / 64)
        }
        for sample in 0..<64 {
            section.b0 += d0
            section.b1 += d1
            section.b2 += d2
            section.a1 += e1
            section.a2 += e2
            let x = Double(samples[sample]), y = section.b0 * x + z.x
            z.x = section.b1 * x - section.a1 * y + z.y
            z.y = section.b2 * x - section.a2 * y
            samples[sample] = Float(y)
        }
        // What is too small to be heard, or no number, leaves the memory.
        if !(abs(z.x) + abs(z.y) > 1e-20) || !(abs(z.x) < 1e12) { z = .zero }
        memory[index] = z
        if isMoving { now[index] = goal }
    }
}
