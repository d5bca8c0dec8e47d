// [render]
import RealtimeCore

/// The gains of ten peaks in a row that together have the response of ten sliders at ten frequencies.
///
/// A peak an octave wide raises its neighbours too: with every slider at 6 dB a plain row of them would give 10 dB. So the
/// peaks' own gains are computed from the sliders: the effect of each at each frequency is a matrix, whose inverse is applied
/// to the remaining error, four times over. Source: V. Valimaki, J. Liski, "Accurate Cascade Graphic Equalizer", IEEE Signal
/// Processing Letters 24 (2017); the peaks are those of the "Audio EQ Cookbook", 1.3 octaves wide.
public struct GraphicBands: ~Copyable {
    /// The number of bands.
    @inlinable public static var count: Int { @_noLocks @inline(__always) get { 10 } }
    /// Octaves between the two frequencies at which a peak has half its decibels.
    private static var width: Double { @_noLocks get { 1.3 } }

    /// The bands that the sample rate has room for: the centres of the others are above 0.45 of it.
    public let usable: Int
    private var owned = OwnedMemory()
    /// The frequency of each band, in hertz, and how narrow its peak is.
    private let centres: UnsafeMutablePointer<Double>, qualities: UnsafeMutablePointer<Double>
    /// Row by row, for frequency j: the distance of each peak i; and what of the error at each frequency peak j mends.
    private let distances: UnsafeMutablePointer<Double>, mending: UnsafeMutablePointer<Double>
    /// The gain of each peak in decibels, its amplitude, and what is still missing.
    private let gains: UnsafeMutablePointer<Double>, amplitudes: UnsafeMutablePointer<Double>
    private let errors: UnsafeMutablePointer<Double>

    /// The ten octaves from 31.5 Hz to 16 kHz. Control side.
    public init(sampleRate: Double) {
        centres = owned.make(Self.count, of: 0)
        qualities = owned.make(Self.count, of: 0)
        distances = owned.make(Self.count * Self.count, of: 0)
        mending = owned.make(Self.count * Self.count, of: 0)
        gains = owned.make(Self.count, of: 0)
        amplitudes = owned.make(Self.count, of: 0)
        errors = owned.make(Self.count, of: 0)
        for (i, centre) in [31.5, 63, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000].enumerated() {
            centres[i] = centre
        }
        var usable = 0
        while usable < Self.count && centres[usable] < 0.45 * sampleRate { usable += 1 }
        self.usable = usable
        let halfTurns = (0..<usable).map { [centres] in centres[$0] / sampleRate }
        for i in 0..<usable {
            // The bilinear transform makes a peak narrower, the nearer it is to half the rate: the cookbook's remedy.
            let angle = 2 * Double.pi * halfTurns[i]
            let octaves = 0.5 * Self.width * angle / DeterministicMath.sine(turns: halfTurns[i])
            qualities[i] = 1 / (DeterministicMath.exp2(octaves) - DeterministicMath.exp2(-octaves))
        }
        var effect: [[Double]] = []
        for j in 0..<usable {
            for i in 0..<usable {
                let w =
                    DeterministicMath.tangent(turns: 0.5 * halfTurns[j])
                    / DeterministicMath.tangent(turns: 0.5 * halfTurns[i])
                let way = i == j ? 0 : (1 - w * w) / w * qualities[i]
                distances[j * Self.count + i] = way * way
            }
            effect.append(
                (0..<usable).map { [distances] in
                    Self.decibels(distances[j * Self.count + $0], amplitude: 3.1622776601683795) / 10
                })
        }
        for (j, row) in Self.inverse(effect).enumerated() {
            for (i, value) in row.enumerated() { mending[j * Self.count + i] = value }
        }
    }

    /// The inverse of a matrix, by Gauss and Jordan, with the greatest element as pivot.
    private static func inverse(_ matrix: [[Double]]) -> [[Double]] {
        let count = matrix.count
        var rows = matrix.enumerated().map { j, row in row + (0..<count).map { $0 == j ? 1 : 0 } }
        for pivot in 0..<count {
            let scale = 1 / rows[pivot][pivot]
            rows[pivot] = rows[pivot].map { $0 * scale }
            for j in 0..<count where j != pivot {
                let share = rows[j][pivot]
                for k in rows[j].indices { rows[j][k] -= share * rows[pivot][k] }
            }
        }
        return rows.map { Array($0[count...]) }
    }

    /// Returns the decibels that a peak of `amplitude` at its centre gives at a distance from it.
    @_noLocks private static func decibels(_ distance: Double, amplitude: Double) -> Double {
        3.010299956639812 * DeterministicMath.log2((distance + amplitude) / (distance + 1 / amplitude))
    }

    /// Returns the frequency of a band. Unit: hertz.
    @_noLocks public func centre(_ band: Int) -> Float { Float(centres[band]) }

    /// Returns the narrowness of a band's peak; 0 if the band is not usable.
    @_noLocks public func quality(_ band: Int) -> Float { Float(qualities[band]) }

    /// Returns the gain of a band's peak in decibels, after `solve`.
    @_noLocks public func gain(_ band: Int) -> Float { Float(gains[band]) }

    /// Works out the gains for ten sliders, in decibels.
    @_noLocks public func solve(_ sliders: UnsafePointer<Float>) {
        for i in 0..<usable { gains[i] = 0 }
        for _ in 0..<4 {
            for i in 0..<usable { amplitudes[i] = DeterministicMath.exp2(gains[i] * 0.16609640474436813) }
            for j in 0..<usable {
                var above = 1.0, below = 1.0
                for i in 0..<usable {
                    let distance = distances[j &* Self.count &+ i]
                    above *= distance + amplitudes[i]
                    below *= distance + 1 / amplitudes[i]
                }
                errors[j] = Double(sliders[j]) - 3.010299956639812 * DeterministicMath.log2(above / below)
            }
            for i in 0..<usable {
                var more = 0.0
                for j in 0..<usable { more += mending[i &* Self.count &+ j] * errors[j] }
                gains[i] += more
            }
        }
    }
}
