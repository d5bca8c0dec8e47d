/// The kernels of `effects.c` once more, frame by frame: the same operations in the same order, without lanes.
enum EffectKernelsInSwift {
    static func lowCut(
        _ left: [Float], _ right: [Float], state: inout [Float], cut: Float, drive: Float, step: Float
    ) -> [[Float]] {
        let p1 = 1 - cut, p2 = p1 * p1, p3 = p2 * p1, p4 = p2 * p2
        let powers = [p1, p2, p3, p4, p4 * p1, p4 * p2, p4 * p3, p4 * p4]
        var gains = (0..<8).map { drive + Float($0) * step }
        var output = [[Float]](repeating: [], count: 2)
        for start in stride(from: 0, to: 64, by: 8) {
            for (side, input) in [left, right].enumerated() {
                let x = Array(input[start..<start + 8])
                var low = x.map { cut * $0 }
                for (distance, power) in [(1, p1), (2, p2), (4, p4)] {
                    low = (0..<8).map { low[$0] + power * ($0 < distance ? 0 : low[$0 - distance]) }
                }
                let last = low[7]
                low = (0..<8).map { low[$0] + powers[$0] * state[side] }
                state[side] = last + powers[7] * state[side]
                output[side] += (0..<8).map { (x[$0] - low[$0]) * gains[$0] }
            }
            gains = gains.map { $0 + step * 8 }
        }
        return output
    }

    /// Returns what comes out and what goes into the lines.
    static func diffuse(_ x: [Float], old: [[Float]], gain: Float) -> (output: [Float], fresh: [[Float]]) {
        var x = x
        var fresh: [[Float]] = []
        for line in old {
            let inner = zip(x, line).map { $0 + gain * $1 }
            fresh.append(inner)
            x = zip(line, inner).map { $0 - gain * $1 }
        }
        return (x, fresh)
    }

    static func feed(
        _ rows: [[Float]], spacing s: Int, taps: [Float], moves: Bool, _ left: [Float], _ right: [Float]
    ) -> [[Float]] {
        var lines = [[Float]](repeating: [], count: 16)
        for i in 0..<64 {
            let a = (0..<16).map { j -> Float in
                let x = rows[j]
                let outer = moves ? taps[j] + Float(i) * taps[32 + j] : taps[j]
                let middle = moves ? taps[16 + j] + Float(i) * taps[48 + j] : taps[16 + j]
                return middle * x[i + 2 * s] + outer * ((x[i] + x[i + 4 * s]) + 4 * (x[i + s] + x[i + 3 * s]))
            }
            var mixed = a
            for distance in [1, 2, 4, 8] {
                mixed = (0..<16).map { j -> Float in
                    j & distance == 0 ? mixed[j] + mixed[j + distance] : mixed[j - distance] - mixed[j]
                }
            }
            let l = left[i], r = right[i]
            let inputs = [l, r, l, -r, r, -l, -r, -l, -l, r, l, r, r, l, r, -l]
            for (j, input) in inputs.enumerated() { lines[j].append(mixed[j] + input) }
        }
        return lines
    }

    /// Takes a row of 80 and returns the next.
    static func glide(_ from: [Float], row: [Float], start: [Float], end: [Float]) -> [Float] {
        let steps = zip(start, end).map { ($1 - $0) * (1 / 64) }
        var weights = (0..<4).map { j in (0..<8).map { start[j] + Float($0) * steps[j] } }
        var next = Array(row.suffix(16))
        for i in 0..<64 {
            let w = weights.map { $0[i % 8] }
            next.append((w[0] * from[i] + w[1] * from[i + 1]) + (w[2] * from[i + 2] + w[3] * from[i + 3]))
            if i % 8 == 7 { weights = (0..<4).map { j in weights[j].map { $0 + 8 * steps[j] } } }
        }
        return next
    }

    static func taps(_ x: [[Float]], early: [[Float]], gain: Float) -> [[Float]] {
        let frames = 0..<64
        return [
            frames.map { i -> Float in
                let sum = ((x[0][i] - x[3][i]) - (x[4][i] - x[7][i])) - ((x[8][i] - x[11][i]) + (x[12][i] - x[15][i]))
                return gain * early[0][i] + sum
            },
            frames.map { i -> Float in
                let sum = ((x[1][i] + x[2][i]) + (x[5][i] + x[6][i])) + ((x[9][i] + x[10][i]) - (x[13][i] + x[14][i]))
                return gain * early[1][i] + sum
            },
        ]
    }

    static func voices(_ ring: [Float], mask: Int, position: Int, _ voices: [Int64], phase: Int, count: Int) -> [Float] {
        (0..<count).map { i -> Float in
            let voices = (0..<3).map { v -> Float in
                let delay = voices[2 * v] + voices[2 * v + 1] * Int64(phase + i)
                let f = Float((UInt32(truncatingIfNeeded: delay) >> 8)) * (1 / 16_777_216)
                let start = (position + i - Int(delay >> 32) - 2) & mask
                let d = ring[start], c = ring[start + 1], b = ring[start + 2], a = ring[start + 3]
                let t = b - c, slope = c - a
                let twist = (t + t + t) + (d - a), bend = ((a - b) - t) - twist
                return b + f * 0.5 * (slope + f * (bend + f * twist))
            }
            return (voices[0] + voices[1]) + voices[2]
        }
    }

    static func truePeaks(_ peaks: [Float], _ x: [Float], _ h: [Float]) -> [Float] {
        func sum(_ taps: Range<Int>, _ k: Int, from first: Int) -> Float {
            taps.dropFirst().reduce(h[taps.lowerBound] * x[k + taps.lowerBound - first]) { $0 + h[$1] * x[k + $1 - first] }
        }
        return peaks.indices.map { k in
            let s = (0..<6).map { sum($0 * 4..<$0 * 4 + 4, k, from: 0) }
            let whole = abs((s[2] + s[3]) + ((s[0] + s[5]) + (s[1] + s[4])))
            let t = (0..<6).map { sum(24 + $0 * 2..<26 + $0 * 2, k, from: 18) }
            let inner = abs((t[2] + t[3]) + (t[1] + t[4]) + (t[0] + t[5]))
            let peak = whole > peaks[k] ? whole : peaks[k]
            return inner > peak ? inner : peak
        }
    }
}
