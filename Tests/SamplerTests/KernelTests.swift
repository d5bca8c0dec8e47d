import CKernels
import CarillonTestKit
import DSP
import Testing

@testable import Samplers

/// C and Swift do the same to the last bit, on anything.
@Suite struct KernelTests {
    private let words: UnsafeMutablePointer<Int16>
    private let floats: UnsafeMutablePointer<Float>
    private static let room = 8_192

    init() {
        var random = SeededRandom(seed: 5)
        words = .allocate(capacity: Self.room)
        floats = .allocate(capacity: Self.room)
        for index in 0..<Self.room {
            let extreme: Int16 = index % 7 == 0 ? .min : index % 11 == 0 ? .max : Int16(truncatingIfNeeded: random.next())
            words[index] = extreme
            floats[index] = Float(extreme) + Float(Int32(random.next() % 256)) / 256
        }
    }

    private func readings() -> [VoiceKernels.Reading] {
        var random = SeededRandom(seed: 17)
        var readings: [VoiceKernels.Reading] = []
        for isFloat in [false, true] {
            for number in 0..<300 {
                let ratio = number % 3 == 0 ? random.next() >> 26 : random.next() >> 31
                let increment = number == 0 ? 1 : number == 1 ? 1 << 32 : min(ratio, 60 << 32)
                let fraction = number % 5 == 0 ? 0xFFFF_FFFF : random.next() >> 32
                readings.append(
                    VoiceKernels.Reading(
                        isFloat ? UnsafeRawPointer(floats + 8) : UnsafeRawPointer(words + 8), isFloat: isFloat,
                        fraction: fraction, increment: increment,
                        gain: Float(Int32(truncatingIfNeeded: random.next() % 2_000)) / 1_000 - 1,
                        step: Float(Int32(truncatingIfNeeded: random.next() % 2_000)) / 1e6 - 0.001))
            }
        }
        return readings
    }

    @Test(arguments: [VoiceKernels.Interpolation.cubic, .seven, .sinc16, .sinc32], [true, false])
    func readingGivesTheSameBits(interpolation: VoiceKernels.Interpolation, isExact: Bool) {
        let tables = ControlTables.tables(sampleRate: 48_000)
        var kernels = VoiceKernels(interpolation, sevenths: UnsafePointer(tables.sevenths))
        kernels.isExact = isExact
        let c = UnsafeMutablePointer<Float>.allocate(capacity: 64), swift = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        for reading in readings() {
            kernels.read(reading, c)
            switch interpolation {
            case .cubic: SwiftKernels.cubic(reading, swift, isExact: isExact)
            case .seven: SwiftKernels.seven(reading, swift, tables.sevenths, isExact: isExact)
            default:
                let weights = SincWeights(.tables(points: interpolation.sincPoints))
                SwiftKernels.sinc(reading, swift, weights.table(reading.increment), points: weights.points, isExact: isExact)
            }
            #expect((0..<64).allSatisfy { c[$0].bitPattern == swift[$0].bitPattern }, "\(reading)")
        }
    }

    @Test(arguments: [VoiceKernels.Interpolation.cubic, .seven, .sinc16, .sinc32], [true, false])
    func atItsOwnRateAFrameIsItself(interpolation: VoiceKernels.Interpolation, isFloat: Bool) {
        let tables = ControlTables.tables(sampleRate: 48_000)
        let kernels = VoiceKernels(interpolation, sevenths: UnsafePointer(tables.sevenths))
        let out = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        let source = isFloat ? UnsafeRawPointer(floats + 8) : UnsafeRawPointer(words + 8)
        kernels.read(.init(source, isFloat: isFloat, fraction: 0, increment: 1 << 32, gain: 1, step: 0), out)
        for sample in 0..<64 {
            let at = 8 + interpolation.before + sample
            #expect(out[sample] == (isFloat ? floats[at] : Float(words[at])))
        }
    }

    /// A steady level stays one, at any step.
    @Test(arguments: [VoiceKernels.Interpolation.sinc16, .sinc32]) func theWeightsOfEachRowAddUpToOne(
        interpolation: VoiceKernels.Interpolation
    ) {
        let weights = SincWeights(.tables(points: interpolation.sincPoints))
        for cents in stride(from: -2_400.0, through: 6_000, by: 50) {
            let table = weights.table(UInt64(DeterministicMath.exp2(cents / 1_200) * 4_294_967_296))
            for row in 0...SincWeights.rows {
                let sum = (0..<weights.points).reduce(0.0) { $0 + Double(table[row * weights.points + $1]) }
                #expect(abs(sum - 1) < 1e-6, "\(cents) cents, row \(row): \(sum)")
            }
        }
    }

    /// Against the cubic in double precision.
    @Test func theCubicIsRight() {
        let tables = ControlTables.tables(sampleRate: 48_000)
        let kernels = VoiceKernels(sevenths: UnsafePointer(tables.sevenths))
        let out = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        for reading in readings() where !reading.isFloat {
            kernels.read(reading, out)
            var position = reading.fraction
            var error = 0.0, energy = 0.0
            for sample in 0..<64 {
                let at = Int(position >> 32), x = Double(position & 0xFFFF_FFFF) / 4_294_967_296
                let s = (0..<4).map { Double((words + 8)[at + $0]) }
                let c0 = x * (-0.5 + x * (1 - 0.5 * x)), c1 = 1 + x * x * (1.5 * x - 2.5)
                let c2 = x * (0.5 + x * (2 - 1.5 * x)), c3 = 0.5 * x * x * (x - 1)
                let gain = Double(reading.gain) + Double(reading.step) * Double(sample)
                let wanted = (c0 * s[0] + c1 * s[1] + c2 * s[2] + c3 * s[3]) * gain
                error += (Double(out[sample]) - wanted) * (Double(out[sample]) - wanted)
                energy += wanted * wanted
                position += reading.increment
            }
            #expect(error <= energy * 1e-10 + 1e-6, "\(reading)")
        }
    }

    @Test(arguments: [VoiceKernels.Cutoffs.resting, .moving, .jumping], [1, 2])
    func theFilterGivesTheSameBits(cutoffs: VoiceKernels.Cutoffs, groups: Int) {
        func aligned(_ count: Int) -> UnsafeMutablePointer<Float> {
            UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64).bindMemory(to: Float.self, capacity: count)
        }
        let tables = ControlTables.tables(sampleRate: 48_000)
        let kernels = VoiceKernels(sevenths: UnsafePointer(tables.sevenths))
        let isScaled = if case .jumping = cutoffs { true } else { false }
        let lanes = [aligned(16 * VoiceKernels.row), aligned(16 * VoiceKernels.row)], state = [aligned(128), aligned(128)]
        var random = SeededRandom(seed: 23)
        for _ in 0..<200 {
            for index in 0..<groups * 8 * VoiceKernels.row { lanes[0][index] = Float(Int32(random.next() % 65_536)) - 32_768 }
            for index in 0..<128 { state[0][index] = 0 }
            for lane in 0..<groups * 8 {
                let from = tables.cutoffs[Int(random.next() % 12_001)], to = tables.cutoffs[Int(random.next() % 12_001)]
                let alpha = from.y * Float(0.01 + Double(random.next() % 100) / 100)
                let alphaTo = to.y * Float(0.01 + Double(random.next() % 100) / 100)
                let s = 2 * from.x / (1 + alpha), c = (1 - alpha) / (1 + alpha) - s
                let sTo = 2 * to.x / (1 + alphaTo), cTo = (1 - alphaTo) / (1 + alphaTo) - sTo
                let place = lane / 8 * 64 + lane % 8
                state[0][place + 24] = c
                state[0][place + 32] = s
                if cutoffs != .resting {
                    state[0][place + 40] = (cTo - c) / 64
                    state[0][place + 48] = (sTo - s) / 64
                }
                state[0][place + 56] = lane % 2 == 0 ? .greatestFiniteMagnitude : 0.004
            }
            for index in 0..<groups * 8 * VoiceKernels.row { lanes[1][index] = lanes[0][index] }
            for index in 0..<128 { state[1][index] = state[0][index] }
            kernels.lowPass(lanes[0], state[0], groups: groups, cutoffs)
            for group in 0..<groups {
                SwiftKernels.lowPass(lanes[1] + group * 8 * VoiceKernels.row, state[1] + group * 64, isScaled: isScaled)
            }
            #expect((0..<groups * 8 * VoiceKernels.row).allSatisfy { lanes[0][$0].bitPattern == lanes[1][$0].bitPattern })
            #expect((0..<128).allSatisfy { state[0][$0].bitPattern == state[1][$0].bitPattern })
            #expect((0..<groups * 8 * VoiceKernels.row).allSatisfy { lanes[0][$0].isFinite })
        }
    }

    @Test(arguments: [0, 1, 7, 8, 37, 63]) func mixingGivesTheSameBits(phase: Int) {
        let tables = ControlTables.tables(sampleRate: 48_000)
        let kernels = VoiceKernels(sevenths: UnsafePointer(tables.sevenths))
        let lines = UnsafeMutableRawPointer.allocate(byteCount: 3 * 512, alignment: 64).bindMemory(to: Float.self, capacity: 384)
        let row = UnsafeMutablePointer<Float>.allocate(capacity: VoiceKernels.row)
        defer {
            lines.deallocate()
            row.deallocate()
        }
        row.initialize(repeating: 0, count: VoiceKernels.row)
        var sums: [[UInt32]] = []
        for isC in [true, false] {
            for frame in 0..<384 { lines[frame] = Float(frame % 5) - 2 }
            let left = lines, right = lines + 128, send = lines + 256
            for number in 0..<50 {
                let gain = Float(number) * 0.013
                for frame in 0..<64 { row[8 + frame] = floats[number * 64 + frame] }
                if isC {
                    kernels.pan(row + 8, left + phase, right + phase, gain, 0.0003, 1 - gain, -0.0007)
                    kernels.send(row + 8, send + phase, gain, -0.0001)
                    kernels.mix(row + 8, left, right, nil, phase: phase, gain, 1 - gain, 0)
                    kernels.mix(row + 8, right, left, send, phase: phase, gain, -gain, 0.3)
                } else {
                    SwiftKernels.send(row + 8, left + phase, gain, 0.0003)
                    SwiftKernels.send(row + 8, right + phase, 1 - gain, -0.0007)
                    SwiftKernels.send(row + 8, send + phase, gain, -0.0001)
                    SwiftKernels.send(row + 8, left + phase, gain, 0)
                    SwiftKernels.send(row + 8, right + phase, 1 - gain, 0)
                    SwiftKernels.send(row + 8, right + phase, gain, 0)
                    SwiftKernels.send(row + 8, left + phase, -gain, 0)
                    SwiftKernels.send(row + 8, send + phase, 0.3, 0)
                }
            }
            sums.append((0..<384).map { lines[$0].bitPattern })
        }
        #expect(sums[0] == sums[1])
        // What lies before and behind the voice is as it was.
        for frame in 0..<128 where frame < phase || frame >= phase + 64 {
            #expect(sums[0][frame] == (Float(frame % 5) - 2).bitPattern)
        }
    }
}
