// [render]
import CKernels

/// The kernels of voices, in C. SamplerTests has the same operations in Swift, which give the same bits.
struct VoiceKernels: BitwiseCopyable {
    enum Interpolation: Int, BitwiseCopyable {
        case none, linear, cubic, seven, sinc16, sinc32

        var sincPoints: Int { @_noLocks get { self == .sinc16 ? 16 : self == .sinc32 ? 32 : 0 } }
        /// Points that are read left of a position, and right of it.
        var before: Int { @_noLocks get { isSinc ? sincPoints / 2 &- 1 : self == .seven ? 3 : 1 } }
        var behind: Int { @_noLocks get { isSinc ? sincPoints / 2 : self == .seven ? 4 : 2 } }
        var isSinc: Bool { @_noLocks get { sincPoints > 0 } }

        @_noLocks static func == (a: Interpolation, b: Interpolation) -> Bool { a.rawValue == b.rawValue }
    }

    /// The data by which one period of one voice is read. `source` is the first point, `before` frames left of the position.
    struct Reading: BitwiseCopyable {
        var source: UnsafeRawPointer
        var isFloat: Bool
        var fraction: UInt64
        var increment: UInt64
        var gain: Float
        var step: Float
        /// The increment by which the weights are chosen.
        var pace: UInt64

        @_noLocks init(
            _ source: UnsafeRawPointer, isFloat: Bool, fraction: UInt64, increment: UInt64, gain: Float, step: Float,
            pace: UInt64? = nil
        ) {
            (self.source, self.isFloat, self.fraction, self.increment) = (source, isFloat, fraction, increment)
            (self.gain, self.step, self.pace) = (gain, step, pace ?? increment)
        }
    }

    let interpolation: Interpolation
    /// True if the whole fraction counts, false if its upper eight bits do.
    var isExact = true
    private let sevenths: UnsafePointer<Float>
    private let sinc: SincWeights?

    /// Kernels of one interpolation; `sevenths` are the weights for seven points. Control side.
    init(_ interpolation: Interpolation = .cubic, sevenths: UnsafePointer<Float>) {
        self.interpolation = interpolation
        self.sevenths = sevenths
        sinc = interpolation.isSinc ? SincWeights(.tables(points: interpolation.sincPoints)) : nil
    }

    @_noLocks @inline(__always) func read(_ from: Reading, _ out: UnsafeMutablePointer<Float>) {
        switch interpolation {
        case .cubic: readCubic(from, out)
        case .seven: readSeven(from, out)
        case .sinc16, .sinc32: if let sinc { read(from, out, sinc) }
        case .linear: readSimple(from, out, isLinear: true)
        case .none: readSimple(from, out, isLinear: false)
        }
    }

    @_noLocks @inline(__always) private func readCubic(_ from: Reading, _ out: UnsafeMutablePointer<Float>) {
        if from.isFloat {
            kernel_cubic_float(
                from.source.assumingMemoryBound(to: Float.self), from.fraction, from.increment, from.gain, from.step, out,
                isExact)
        } else {
            kernel_cubic(
                from.source.assumingMemoryBound(to: Int16.self), from.fraction, from.increment, from.gain, from.step, out,
                isExact)
        }
    }

    @_noLocks private func readSeven(_ from: Reading, _ out: UnsafeMutablePointer<Float>) {
        if from.isFloat {
            kernel_seven_float(
                from.source.assumingMemoryBound(to: Float.self), from.fraction, from.increment, from.gain, from.step, out,
                sevenths, isExact)
        } else {
            kernel_seven(
                from.source.assumingMemoryBound(to: Int16.self), from.fraction, from.increment, from.gain, from.step, out,
                sevenths, isExact)
        }
    }

    @_noLocks private func read(_ from: Reading, _ out: UnsafeMutablePointer<Float>, _ sinc: SincWeights) {
        let table = sinc.table(from.pace)
        let points = Int32(truncatingIfNeeded: sinc.points)
        if from.isFloat {
            kernel_sinc_float(
                from.source.assumingMemoryBound(to: Float.self), from.fraction, from.increment, from.gain, from.step, out,
                table, points, isExact)
        } else {
            kernel_sinc(
                from.source.assumingMemoryBound(to: Int16.self), from.fraction, from.increment, from.gain, from.step, out,
                table, points, isExact)
        }
    }

    /// Straight lines, or no lines at all: rare, so the plain loop is enough.
    @_noLocks private func readSimple(_ from: Reading, _ out: UnsafeMutablePointer<Float>, isLinear: Bool) {
        var position = from.fraction
        for sample in 0..<64 {
            let at = Int(truncatingIfNeeded: position &>> 32) &+ 1
            let bits = UInt32(truncatingIfNeeded: position)
            let x = Float(Int32(truncatingIfNeeded: bits &>> 8)) * 5.9604644775390625e-8
            let left, right: Float
            if from.isFloat {
                let s = from.source.assumingMemoryBound(to: Float.self)
                (left, right) = (s[at], s[at &+ 1])
            } else {
                let s = from.source.assumingMemoryBound(to: Int16.self)
                (left, right) = (Float(s[at]), Float(s[at &+ 1]))
            }
            let y = isLinear ? left + x * (right - left) : x < 0.5 ? left : right
            out[sample] = y * Self.ramp(from.gain, from.step, sample)
            position &+= from.increment
        }
    }

    /// The gain of one sample as voices.c has it, in eight lanes: the first of its lane, and eight steps for each later round.
    @_noLocks @inline(__always) private static func ramp(_ start: Float, _ step: Float, _ sample: Int) -> Float {
        var gain = start + Float(Int32(truncatingIfNeeded: sample & 7)) * step
        let round = step * 8
        for _ in 0..<(sample &>> 3) { gain += round }
        return gain
    }

    enum Cutoffs: BitwiseCopyable { case resting, moving, jumping }

    /// Floats from one voice's samples to the next one's: zeros lie between.
    static var row: Int { @_noLocks @inline(__always) get { Int(VOICE_ROW) } }

    /// Filters one or two groups of eight voices, a row of `lanes` each. `state`: see voice_kernels.h.
    @_noLocks func lowPass(
        _ lanes: UnsafeMutablePointer<Float>, _ state: UnsafeMutablePointer<Float>, groups: Int, _ cutoffs: Cutoffs
    ) {
        if case .jumping = cutoffs {
            for group in 0..<groups { kernel_low_pass_scaled(lanes + group &* 8 &* Self.row, state + group &* 64) }
        } else {
            let moves = if case .moving = cutoffs { true } else { false }
            kernel_low_pass(lanes, state, Int32(truncatingIfNeeded: groups), moves)
        }
    }

    /// Adds the samples of a row to two sides and to a send, if there is one, from frame `phase` on, with gains that stay.
    @_noLocks @inline(__always) func mix(
        _ from: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>?, phase: Int, _ l: Float, _ r: Float, _ share: Float
    ) {
        kernel_mix(from, left, right, send, Int32(truncatingIfNeeded: phase), l, r, share)
    }

    @_noLocks func pan(
        _ from: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ l: Float, _ lStep: Float, _ r: Float, _ rStep: Float
    ) {
        kernel_pan(from, left, right, l, lStep, r, rStep)
    }

    @_noLocks func send(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ step: Float) {
        kernel_send(from, to, gain, step)
    }
}
