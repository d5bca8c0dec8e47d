// [render]
import CRealtime
import DSP

/// The SoundFont model's ways from cents to hertz, from centibels to gain, and from MIDI values to curves: tables, so that a
/// control step costs little and every machine finds the same bits.
///
/// Between two entries there is a straight line, or, if `isRounded`, the lower one counts, as in libfluidsynth. Sources:
/// SoundFont Technical Specification 2.04, sections 8.1.3, 8.4, 9.5; libfluidsynth 2.3 for the pan law and the curves' 96 dB.
struct ControlCurves: BitwiseCopyable {
    /// Hertz of 0...1200 cents above the A of 6.875 Hz.
    private let octave: UnsafePointer<Double>
    /// Gain of 0...1441 centibels of attenuation.
    private let gains: UnsafePointer<Double>
    /// 0...127.
    private let concaves: UnsafePointer<Double>
    private let convexes: UnsafePointer<Double>
    /// A quarter sine over 1001 steps.
    private let pans: UnsafePointer<Double>
    /// 1 - cosine and sine of the cutoff's angle, for 1 500...13 500 cents in whole ones.
    private let cutoffs: UnsafePointer<SIMD2<Float>>
    /// Weights of seven-point interpolation: 257 rows of eight, the last of each 0.
    let sevenths: UnsafePointer<Float>
    let isRounded: Bool

    init(_ tables: ControlTables, isRounded: Bool) {
        octave = UnsafePointer(tables.octave)
        gains = UnsafePointer(tables.gains)
        concaves = UnsafePointer(tables.concaves)
        convexes = UnsafePointer(tables.convexes)
        pans = UnsafePointer(tables.pans)
        cutoffs = UnsafePointer(tables.cutoffs)
        sevenths = UnsafePointer(tables.sevenths)
        self.isRounded = isRounded
    }

    /// The frequency of an absolute pitch. Unit: cents above MIDI key 0; below -12 000 and above 60 000 it stays.
    @_noLocks @inline(__always) func hertz(_ cents: Double) -> Double {
        // 300 cents below key 0 lies the first A.
        let above = min(max(cents, -12_000), 60_000) + 300
        if isRounded && above < 300 { return 8.175798915643707 * DeterministicMath.quickExp2(cents / 1_200) }
        let whole = rt_floor_double(above / 1_200)
        let within = above - whole * 1_200
        let index = Int(within)
        let base = octave[index]
        let value = isRounded ? base : base + (octave[index &+ 1] - base) * (within - Double(index))
        return value * Double(bitPattern: UInt64(bitPattern: Int64(whole) &+ 1_023) &<< 52)
    }

    /// Returns the gain that `centibels` of attenuation leave; 144 dB leave nothing.
    @_noLocks @inline(__always) func gain(_ centibels: Double) -> Double {
        if centibels <= 0 { return 1 }
        if centibels >= 1_440 { return isRounded && centibels < 1_441 ? gains[1_440] : 0 }
        let index = Int(centibels)
        let base = gains[index]
        return isRounded ? base : base + (gains[index &+ 1] - base) * (centibels - Double(index))
    }

    /// Returns the gain of `centibels`, which an oscillator swings to either side; if rounded, it only attenuates.
    @_noLocks @inline(__always) func gainOrBoost(_ centibels: Double) -> Double {
        centibels < 0 && !isRounded ? 1 / gain(max(centibels, -960) * -1) : gain(centibels)
    }

    /// The concave curve over 0...127: slow at first.
    @_noLocks func concave(_ value: Double) -> Double { Self.curve(concaves, value) }
    /// The convex curve over 0...127: fast at first.
    @_noLocks func convex(_ value: Double) -> Double { Self.curve(convexes, value) }

    @_noLocks @inline(__always) private static func curve(_ table: UnsafePointer<Double>, _ value: Double) -> Double {
        if value <= 0 { return 0 }
        let index = Int(value)
        return index >= 127 ? table[127] : table[index] + (table[index &+ 1] - table[index]) * (value - Double(index))
    }

    /// One side's share of a pan of -500 (left)...500: a quarter sine, so that power stays.
    @_noLocks func pan(_ pan: Double, isLeft: Bool) -> Double {
        let place = isLeft ? -pan : pan
        if place <= -500 { return 0 }
        if place >= 500 { return 1 }
        // Towards zero: the table's middle is where libfluidsynth has it.
        return pans[Int(place) &+ 500]
    }

    /// One side's share of a balance in centibels: the other side falls.
    @_noLocks func balance(_ balance: Double, isLeft: Bool) -> Double {
        balance == 0 || (isLeft && balance < 0) || (!isLeft && balance > 0) ? 1 : gain(abs(balance))
    }

    /// 1 - cosine and sine of the angle of a cutoff of 1 500 + `index` cents.
    @_noLocks @inline(__always) func cutoff(_ index: Int) -> SIMD2<Float> { cutoffs[index] }

    /// A duration in timecents, within bounds. Unit: seconds; -32 768 is none at all.
    @_noLocks func seconds(_ timecents: Double, _ lowest: Double, _ highest: Double) -> Double {
        timecents <= -32_768 ? 0 : DeterministicMath.exp2(min(max(timecents, lowest), highest) / 1_200)
    }
}
