import CarillonTestKit
import DSP
import Graphs
import UnitAPI

/// A sine of `frequency` hertz at 48 kHz.
func sine(
    _ frequency: Double, amplitude: Double = 1, frames: Int, phase: Double = 0, rate: Double = 48_000
) -> [Float] {
    (0..<frames).map { Float(amplitude * DeterministicMath.sine(turns: Double($0) * frequency / rate + phase)) }
}

/// White noise, the same in every run.
func noise(amplitude: Float = 1, frames: Int, seed: UInt64 = 1) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<frames).map { _ in amplitude * random.sample() }
}

/// A click of height 1 at the first frame, then silence.
func click(frames: Int) -> [Float] { [1] + [Float](repeating: 0, count: frames - 1) }

/// Root of the mean square.
func level(_ x: some Collection<Float>) -> Double {
    (x.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(x.count, 1))).squareRoot()
}

/// Decibels of a ratio of amplitudes.
func decibels(_ ratio: Double) -> Double { DeterministicMath.log2(ratio) * 6.020599913279624 }

/// The amplitude of the part of `x` at `frequency` hertz, by correlation under a Hann window.
func amplitude(_ x: some Collection<Float>, at frequency: Double, rate: Double = 48_000) -> Double {
    var re = 0.0, im = 0.0, sum = 0.0
    for (i, sample) in x.enumerated() {
        let window = 0.5 - 0.5 * DeterministicMath.cosine(turns: Double(i) / Double(x.count))
        re += Double(sample) * window * DeterministicMath.cosine(turns: Double(i) * frequency / rate)
        im += Double(sample) * window * DeterministicMath.sine(turns: Double(i) * frequency / rate)
        sum += window
    }
    return 2 * (re * re + im * im).squareRoot() / sum
}

/// What comes out of a unit with one stereo input, given `left` and `right` and then silence up to `frames`.
func play<U: AudioUnit & ~Copyable>(
    _ unit: U.Type, left: [Float], right: [Float], frames: Int? = nil, block: Int = 512, rate: Double = 48_000,
    values: [String: Float] = [:], elements: [String: [Float]] = [:]
) throws -> OfflineRig {
    let rig = OfflineRig(sampleRate: rate)
    let setup = rig.setup(startValues: values, elementValues: elements)
    let node = try rig.graph.add(try UnitInstance.make(unit, setup))
    try rig.graph.connect(try rig.add(left: left, right: right), to: node)
    try rig.graph.setOutput(node)
    try rig.publish()
    rig.render(frames ?? left.count, block: block)
    return rig
}

/// Whether the unit sleeps at the end of what the rig has rendered.
func isAsleep(_ rig: OfflineRig) -> Bool { rig.graph.nodes[0].instance.memory.pointee.isAsleep }

/// The steepest bend of a curve: a click is one, a swell is none.
func steepestBend(_ x: ArraySlice<Float>) -> Float {
    zip(zip(x, x.dropFirst()), x.dropFirst(2)).reduce(0) { max($0, abs($1.0.0 - 2 * $1.0.1 + $1.1)) }
}
