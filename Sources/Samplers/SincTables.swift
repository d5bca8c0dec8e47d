import DSP
import Synchronization

/// The tables of `SincWeights`, made once for each number of points in a process, for any sample rate. Control side; never
/// changed.
final class SincTables: @unchecked Sendable {
    let points: Int
    let weights: UnsafeMutablePointer<Float>
    let widest: UnsafeMutablePointer<UInt64>

    private static let made = Mutex<[Int: SincTables]>([:])

    /// Returns the tables for `points` points. They stay for the life of the process: 0.3 MB for 16 points, 0.6 MB for 32.
    static func tables(points: Int) -> SincTables {
        made.withLock { made in
            if let known = made[points] { return known }
            let tables = SincTables(points)
            made[points] = tables
            return tables
        }
    }

    private init(_ points: Int) {
        self.points = points
        let size = (SincWeights.rows + 1) * points
        weights = .allocate(capacity: SincWeights.tables * size)
        weights.initialize(repeating: 0, count: SincWeights.tables * size)
        widest = .allocate(capacity: SincWeights.tables)
        let window = Self.window(points)
        for semitone in 0..<SincWeights.tables {
            let step = DeterministicMath.exp2(Double(semitone) / 12)
            (widest + semitone).initialize(to: UInt64(step * DeterministicMath.exp2(0.5 / 12) * 4_294_967_296))
            fill(weights + semitone * size, cutoff: 1 / step, window)
        }
    }

    /// The window at distances in 128ths of a frame from its middle; its shape suppresses by 90 dB and more. From there to
    /// what passes it takes 0.18 of the sample's rate with 32 points, twice that with 16.
    private static func window(_ points: Int) -> [Double] {
        let window = KaiserWindow(beta: 9), reach = points / 2 * SincWeights.rows
        return (0...reach).map { window.weight(Double($0) / Double(reach)) }
    }

    /// `cutoff` is a share of the sample's half rate. A row's weights add up to 1, so that a steady level stays one.
    private func fill(_ table: UnsafeMutablePointer<Float>, cutoff: Double, _ window: [Double]) {
        var half = window
        for distance in 1..<half.count {
            let turns = cutoff * Double(distance) / Double(SincWeights.rows) / 2
            half[distance] *= DeterministicMath.sine(turns: turns) / (2 * Double.pi * turns)
            // At the sample's own rate a position on a frame gives that frame.
            if cutoff == 1 && distance % SincWeights.rows == 0 { half[distance] = 0 }
        }
        for row in 0...SincWeights.rows {
            let distances = (0..<points).map { abs(row - ($0 - points / 2 + 1) * SincWeights.rows) }
            // In the first row the point at the left lies beside the window, in the last the one at the right.
            let values = distances.map { $0 < half.count ? half[$0] : 0 }
            let sum = values.reduce(0, +)
            for point in 0..<points { table[row * points + point] = Float(values[point] / sum) }
        }
    }
}
