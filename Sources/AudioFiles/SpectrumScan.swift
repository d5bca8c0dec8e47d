import DSP

/// The spectra of a sound that goes by, all channels together: the level of each of some bands, a spectrum every 1 024 frames.
/// Control side, one thread.
package final class SpectrumScan {
    /// Frames of a spectrum; the next one begins in its middle.
    package static let size = 2_048

    private let channels: Int
    /// The first line of each band, and the first after the last band.
    private let edges: [Int]
    private let transform = RealTransform(size: SpectrumScan.size)
    private let weights = (0..<SpectrumScan.size).map {
        0.5 - 0.5 * DeterministicMath.cosine(turns: Double($0) / Double(SpectrumScan.size))
    }
    private var window = [Double](repeating: 0, count: SpectrumScan.size)
    private var filled = 0
    private var weighted = [Double](repeating: 0, count: SpectrumScan.size)
    private var lines = [Double](repeating: 0, count: SpectrumScan.size / 2 + 1)
    /// Levels of each spectrum, in decibels, from the lowest band to the highest; a full-scale sine has 0.
    package private(set) var levels: [[Float]] = []

    /// Creates a scan of `channels` channels. `edges`: frequencies between which the bands lie, in hertz, one more than bands.
    package init(channels: Int, sampleRate: Int, edges: [Double]) {
        self.channels = channels
        self.edges = edges.map { Int($0 * Double(Self.size) / Double(sampleRate)) }
    }

    /// Takes the next frames, one pointer per channel.
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        for i in 0..<frames {
            var sum = 0.0
            for channel in 0..<channels { sum += Double(samples[channel][i]) }
            window[filled] = sum / Double(channels)
            filled += 1
            if filled == Self.size { look() }
        }
    }

    /// Ends the sound: one that is shorter than a spectrum is filled up with silence.
    package func finish() {
        if !levels.isEmpty { return }
        for i in filled..<Self.size { window[i] = 0 }
        look()
    }

    private func look() {
        for i in 0..<Self.size { weighted[i] = window[i] * weights[i] }
        weighted.withUnsafeBufferPointer { from in
            lines.withUnsafeMutableBufferPointer { to in
                if let from = from.baseAddress, let to = to.baseAddress { transform.magnitudes(from, to) }
            }
        }
        levels.append(
            (0..<edges.count - 1).map { band in
                var most = 0.0
                for line in edges[band]..<max(edges[band + 1], edges[band] + 1) where line < lines.count {
                    most = max(most, lines[line])
                }
                // Hann's weights are a half on average, and a sine has half its amplitude on either side of 0 Hz.
                return Float(6.020599913279624 * DeterministicMath.log2(max(most * 4 / Double(Self.size), 1e-9)))
            })
        for i in 0..<Self.size / 2 { window[i] = window[i + Self.size / 2] }
        filled = Self.size / 2
    }
}
