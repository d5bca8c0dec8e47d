import CKernels
import Testing

/// The kernels of effects give the bits that plain Swift gives, for sound, for silence and at the edges of numbers.
@Suite struct EffectKernelTests {
    /// What a kernel is given: how loud, and of what kind.
    enum Material: CaseIterable { case noise, loud, faint, denormal, silence, mixed }

    struct Source {
        var state: UInt64
        let material: Material

        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let x = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
            return switch material {
            case .noise: x
            case .loud: x * 1e30
            case .faint: x * 1e-30
            case .denormal: x * 0x1p-136
            case .silence: state >> 60 < 8 ? 0 : -0.0
            case .mixed: [x, 0, -0.0, x * 1e30, x * 1e-38, 1][Int(state >> 40) % 6]
            }
        }
        mutating func row(_ count: Int = 64) -> [Float] { (0..<count).map { _ in next() } }
    }

    /// The first frame whose bits differ; nil where none does.
    private func difference(_ a: [Float], _ b: [Float]) -> Int? {
        a.count == b.count ? a.indices.first { a[$0].bitPattern != b[$0].bitPattern } : min(a.count, b.count)
    }

    /// Pointers to copies of `rows`, one behind the other.
    private func withRows<R>(_ rows: [[Float]], _ body: ([UnsafeMutablePointer<Float>]) -> R) -> R {
        let length = rows[0].count
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: rows.count * length)
        defer { memory.deallocate() }
        memory.initialize(from: rows.flatMap { $0 }, count: rows.count * length)
        return body(rows.indices.map { memory + $0 * length })
    }

    @Test(arguments: Material.allCases)
    func lowCut(_ material: Material) {
        var source = Source(state: 1, material: material)
        var state = source.row(2), expected = state
        for cut in [0.0001, 0.0104, 0.5, 0.92] as [Float] {
            let left = source.row(), right = source.row()
            var toLeft = [Float](repeating: 9, count: 64), toRight = toLeft
            kernel_low_cut(left, right, &toLeft, &toRight, &state, cut, 0.31, -0.0017)
            let swift = EffectKernelsInSwift.lowCut(left, right, state: &expected, cut: cut, drive: 0.31, step: -0.0017)
            #expect(difference(toLeft, swift[0]) == nil)
            #expect(difference(toRight, swift[1]) == nil)
            #expect(difference(state, expected) == nil)
        }
    }

    @Test(arguments: Material.allCases)
    func diffuse(_ material: Material) {
        var source = Source(state: 2, material: material)
        let x = source.row(), old = (0..<6).map { _ in source.row() }
        let swift = EffectKernelsInSwift.diffuse(x, old: old, gain: 0.625)
        withRows(old + old) { rows in
            var output = x
            let lines = rows[0..<6].map { UnsafePointer($0) }
            output.withUnsafeMutableBufferPointer {
                kernel_diffuse($0.baseAddress!, $0.baseAddress!, lines, Array(rows[6...]), 0.625)
            }
            #expect(difference(output, swift.output) == nil, "in place")
            for i in 0..<6 {
                let fresh = Array(UnsafeBufferPointer(start: rows[6 + i], count: 64))
                #expect(difference(fresh, swift.fresh[i]) == nil, "line \(i)")
            }
        }
    }

    @Test(arguments: Material.allCases, [1, 2, 4])
    func feed(_ material: Material, spacing: Int) {
        var source = Source(state: 3, material: material), gains = Source(state: 4, material: .noise)
        for moves in [false, true] {
            let rows = (0..<16).map { _ in source.row(80) }, taps = gains.row(64)
            let left = source.row(), right = source.row()
            let swift = EffectKernelsInSwift.feed(rows, spacing: spacing, taps: taps, moves: moves, left, right)
            withRows(rows + rows) { pointers in
                kernel_feed(
                    pointers[0..<16].map { UnsafePointer($0) }, Int32(spacing), taps, moves, left, right,
                    Array(pointers[16...]))
                for i in 0..<16 {
                    let fresh = Array(UnsafeBufferPointer(start: pointers[16 + i], count: 64))
                    #expect(difference(fresh, swift[i]) == nil, "line \(i)")
                }
            }
        }
    }

    @Test(arguments: Material.allCases)
    func glideAndTaps(_ material: Material) {
        var source = Source(state: 5, material: material), gains = Source(state: 6, material: .noise)
        var row = source.row(80)
        let from = source.row(67), start = gains.row(4), end = gains.row(4)
        let swift = EffectKernelsInSwift.glide(from, row: row, start: start, end: end)
        kernel_glide(from, &row, start, end)
        #expect(difference(row, swift) == nil)
        let rows = (0..<16).map { _ in source.row() }, early = [source.row(), source.row()]
        // In place, as the reverb has it.
        var left = early[0], right = early[1]
        withRows(rows) { rows in
            left.withUnsafeMutableBufferPointer { l in
                right.withUnsafeMutableBufferPointer { r in
                    guard let l = l.baseAddress, let r = r.baseAddress else { return }
                    kernel_taps(rows.map { UnsafePointer($0) }, l, r, 1.7, l, r)
                }
            }
        }
        let heard = EffectKernelsInSwift.taps(rows, early: early, gain: 1.7)
        #expect(difference(left, heard[0]) == nil)
        #expect(difference(right, heard[1]) == nil)
    }

    /// Also where the last frames fill no vector.
    @Test(arguments: Material.allCases, [1, 7, 64, 203])
    func truePeaks(_ material: Material, count: Int) {
        var source = Source(state: 8, material: material), weights = Source(state: 9, material: .noise)
        let x = source.row(count + 23), h = weights.row(36), before = source.row(count).map(abs)
        var peaks = before
        kernel_true_peaks(&peaks, x, count, h)
        #expect(difference(peaks, EffectKernelsInSwift.truePeaks(before, x, h)) == nil)
    }

    /// Steps: none, less than a frame in eight frames, more, and the fastest there is; both ways.
    @Test(arguments: Material.allCases, [0, 3_000_000, 530_000_000, 540_000_000, 4_000_000_000] as [Int64])
    func voicesOfEveryLength(_ material: Material, step: Int64) {
        var source = Source(state: 7, material: material)
        let mask = 1023
        var ring = source.row(1024)
        ring += ring.prefix(80)
        for count in 1...64 {
            let phase = (count * 7) % (65 - count)
            let middle = Int64(400 + count) << 32
            let voices = [middle + 0xFFFF_FF00, step, middle + 17, -step, Int64(count) << 25 + (300 << 32), step / 3]
            let position = count * 89
            var output = [Float](repeating: 9, count: 64)
            kernel_voices(ring, Int64(mask), Int64(position), voices, &output, phase, count)
            let swift = EffectKernelsInSwift.voices(
                ring, mask: mask, position: position, voices, phase: phase, count: count)
            #expect(difference(Array(output[0..<count]), swift) == nil, "\(count) frames from \(phase) on")
        }
    }

    @Test(arguments: Material.allCases)
    func blendsOfEveryLengthWriteNoFrameMore(_ material: Material) {
        var source = Source(state: 8, material: material)
        for count in 1...64 {
            let wet = [source.row(), source.row()], dry = [source.row(), source.row()]
            let untouched = [Float](repeating: 9, count: 64)
            var output = untouched, left = untouched, right = untouched
            kernel_blend(&output, wet[0], dry[0], 0.7, 0.2, count)
            kernel_blend_wide(&left, &right, wet[0], wet[1], dry[0], dry[1], 0.6, 0.1, 0.3, count)
            func expect(_ got: [Float], _ frame: (Int) -> Float) {
                #expect(difference(got, (0..<64).map { $0 < count ? frame($0) : 9 }) == nil, "\(count) frames")
            }
            expect(output) { wet[0][$0] * 0.7 + dry[0][$0] * 0.2 }
            expect(left) { (wet[0][$0] * 0.6 + wet[1][$0] * 0.1) + dry[0][$0] * 0.3 }
            expect(right) { (wet[1][$0] * 0.6 + wet[0][$0] * 0.1) + dry[1][$0] * 0.3 }
        }
    }

    @Test(arguments: Material.allCases)
    func aConvolutionOfEveryLengthIsItsSumInTheOrderOfTheTaps(_ material: Material) {
        var source = Source(state: 9, material: material)
        let past = source.row() + source.row(), taps = source.row()
        for count in 1...64 {
            var output = [Float](repeating: 9, count: 64)
            past.withUnsafeBufferPointer { past in
                if let base = past.baseAddress { kernel_convolve(base + 64, taps, &output, 40, count) }
            }
            let expected = (0..<64).map { (i: Int) -> Float in
                i < count ? (0..<40).reduce(Float(0)) { $0 + taps[$1] * past[64 + i - $1] } : 9
            }
            #expect(difference(output, expected) == nil, "\(count) frames")
        }
    }
}
