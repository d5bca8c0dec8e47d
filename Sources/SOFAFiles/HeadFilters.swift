import DSP

/// The filters of both ears for directions five degrees apart, at the rate of an engine: what is rendered with.
///
/// Each response is parted into a delay, up to its onset, and what follows. Between measured directions both are
/// interpolated for themselves, since responses that are not in step would cancel each other; the three nearest directions
/// weigh by the inverse square of their distance, and one that is the same counts alone. Delays are whole frames.
/// Source: J.-M. Jot, V. Larcher, O. Warusfel, "Digital Signal Processing Issues in the Context of Binaural and Transaural
/// Stereophony", AES convention 98 (1995), on parting delay and spectrum. Onsets: the first sample of a seventh of the peak.
public struct HeadFilters: Sendable {
    /// Directions around.
    @inlinable public static var azimuths: Int { @_noLocks @inline(__always) get { 72 } }
    /// Directions from below to above.
    @inlinable public static var elevations: Int { @_noLocks @inline(__always) get { 37 } }
    /// Frames of a response in front of its onset.
    public static let lead = 4

    /// Frames of a filter.
    public let length: Int
    /// The left filter and the right one, direction by direction.
    public let taps: [Float]
    /// Frames by which they are late, the least being 0.
    public let delays: [Int32]
    /// The largest of them.
    public let longestDelay: Int

    /// Returns the place of the direction in the lists: `azimuth` in degrees to the right of ahead, `elevation` up.
    public static func cell(azimuth: Int, elevation: Int) -> Int {
        let around = ((azimuth + 2) % 360 + 360) % 360 / 5
        return (min(max(elevation, -90), 90) + 92) / 5 * azimuths + around
    }

    /// The filters of `responses` at `sampleRate`, up to 10.7 ms long.
    ///
    /// What comes from ahead is as loud as it went in, for music rather than for white noise: power is averaged over third
    /// octaves from 100 Hz to 10 kHz, so that the ear canal's resonance, around 3 kHz, does not decide.
    public init(_ responses: HeadResponses, sampleRate: Double) {
        let resampler = ResponseResampler(length: responses.length, from: responses.sampleRate, to: sampleRate)
        let count = responses.places.count, length = min(resampler.length, Int(0.0107 * sampleRate))
        var shapes = [Float](repeating: 0, count: 2 * count * length), onsets = [Double](repeating: 0, count: 2 * count)
        let fade = max(length / 8, 1)
        for index in 0..<2 * count {
            let response = resampler.resampled(responses.samples[index * responses.length..<(index + 1) * responses.length])
            let peak = response.reduce(Float(0)) { max($0, abs($1)) }
            let onset = response.firstIndex { abs($0) >= peak / 7 } ?? 0
            onsets[index] = Double(onset) + Double(responses.delays[index]) * sampleRate / responses.sampleRate
            for tap in 0..<length where response.indices.contains(onset - Self.lead + tap) {
                let end = length - tap
                shapes[index * length + tap] = response[onset - Self.lead + tap] * (end < fade ? Float(end) / Float(fade) : 1)
            }
        }
        let directions = responses.places.map { Self.unit(Double($0.ahead), Double($0.left), Double($0.up)) }
        let nearest = onsets.min() ?? 0, level = Self.level(shapes, length, directions, sampleRate)
        var taps = [Float](repeating: 0, count: 2 * Self.azimuths * Self.elevations * length), delays: [Int32] = []
        for cell in 0..<Self.azimuths * Self.elevations {
            let azimuth = Double(cell % Self.azimuths) * 5 / 360, elevation = Double(cell / Self.azimuths * 5 - 90) / 360
            let flat = DeterministicMath.cosine(turns: elevation)
            let weights = Self.weights(
                of: (
                    flat * DeterministicMath.cosine(turns: azimuth), -flat * DeterministicMath.sine(turns: azimuth),
                    DeterministicMath.sine(turns: elevation)
                ), among: directions)
            for ear in 0..<2 {
                var delay = 0.0
                for (index, weight) in weights {
                    delay += weight * (onsets[2 * index + ear] - nearest)
                    let from = (2 * index + ear) * length, to = (2 * cell + ear) * length, gain = Float(weight * level)
                    taps.withUnsafeMutableBufferPointer { taps in
                        shapes.withUnsafeBufferPointer { shapes in
                            for tap in 0..<length { taps[to &+ tap] += shapes[from &+ tap] * gain }
                        }
                    }
                }
                delays.append(Int32(delay.rounded()))
            }
        }
        (self.length, self.taps, self.delays) = (length, taps, delays)
        longestDelay = Int(delays.max() ?? 0)
    }

    private static func unit(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
        let size = (x * x + y * y + z * z).squareRoot()
        // Rounded: the library's own conversion of angles may differ from machine to machine in its last bits.
        func rounded(_ x: Double) -> Double { size > 0 ? (x / size * 100_000).rounded() / 100_000 : 0 }
        return (rounded(x), rounded(y), rounded(z))
    }

    private static func level(
        _ shapes: [Float], _ length: Int, _ directions: [(Double, Double, Double)], _ sampleRate: Double
    ) -> Double {
        let ahead = weights(of: (1, 0, 0), among: directions)[0].index
        let bands = (0...20).map { 100 * DeterministicMath.exp2(Double($0) / 3) }.filter { $0 < 0.45 * sampleRate }
        var power = 0.0
        for ear in 0..<2 {
            let taps = shapes[(2 * ahead + ear) * length..<(2 * ahead + ear + 1) * length]
            for band in bands { power += Self.power(of: taps, at: band / sampleRate) / Double(bands.count) }
        }
        return power > 0 ? 1 / power.squareRoot() : 1
    }

    /// The square of a filter's gain at a frequency, in turns a sample.
    private static func power(of taps: ArraySlice<Float>, at frequency: Double) -> Double {
        var re = 0.0, im = 0.0
        for (index, tap) in taps.enumerated() {
            re += Double(tap) * DeterministicMath.cosine(turns: Double(index) * frequency)
            im += Double(tap) * DeterministicMath.sine(turns: Double(index) * frequency)
        }
        return re * re + im * im
    }

    private static func weights(
        of wanted: (Double, Double, Double), among directions: [(Double, Double, Double)]
    ) -> [(index: Int, weight: Double)] {
        var nearest: [(index: Int, distance: Double)] = []
        for (index, direction) in directions.enumerated() {
            let x = direction.0 - wanted.0, y = direction.1 - wanted.1, z = direction.2 - wanted.2
            let distance = x * x + y * y + z * z
            if nearest.count == 3 && distance >= nearest[2].distance { continue }
            if nearest.count == 3 { nearest.removeLast() }
            let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
            nearest.insert((index, distance), at: place)
        }
        if nearest[0].distance < 1e-6 { return [(nearest[0].index, 1)] }
        let sum = nearest.reduce(0) { $0 + 1 / $1.distance }
        return nearest.map { ($0.index, 1 / $0.distance / sum) }
    }
}
