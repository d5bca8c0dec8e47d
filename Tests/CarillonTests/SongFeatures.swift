import Carillon
import CarillonTestKit
import Glibc

/// What a song sounds like, in numbers that a person can check against the score: for each bar where it begins, the
/// spectral centroid of its beginning, and the level of every 100 ms.
struct SongFeatures: Equatable {
    struct Bar: Equatable {
        let number: Int
        /// The frame of the rendering at which it begins.
        let frame: Int
        /// Hz, of the first 8192 frames under a Blackman-Harris window; 0 for silence.
        let centroid: Double
        /// dBFS of both channels, of each 100 ms from its beginning on; what is left over at the end is left out.
        let levels: [Double]
    }

    /// The first frame above -80 dBFS; -1 for silence.
    let firstSound: Int
    let bars: [Bar]

    private static let silence = -99.9, block = 8192

    /// Measures `samples`, channels x frames, of a song that was rendered from its beginning.
    init(_ samples: [[Float]], _ timeline: Timeline) {
        let frames = samples[0].count, cell = timeline.sampleRate / 10
        firstSound = (0..<frames).first { i in samples.contains { abs($0[i]) > 0.0001 } } ?? -1
        var bars: [Bar] = []
        func start(_ bar: Int) -> Int {
            timeline.tempoMap.tick(ofBar: Int64(bar)).map { Int(timeline.tempoMap.time(ofTick: $0).rawValue) } ?? frames
        }
        var number = 1
        while start(number) + Self.block <= frames {
            let first = start(number), end = min(start(number + 1), frames)
            let levels = stride(from: first, through: end - cell, by: cell).map { from in
                var sum = 0.0
                for channel in samples { for i in from..<from + cell { sum += Double(channel[i]) * Double(channel[i]) } }
                return max(10 * log10(sum / Double(cell * samples.count) + 1e-12), Self.silence)
            }
            bars.append(
                Bar(
                    number: number, frame: first, centroid: Self.centroid(samples, first, rate: timeline.sampleRate),
                    levels: levels.map(Self.rounded)))
            number += 1
        }
        self.bars = bars
    }

    private static func centroid(_ samples: [[Float]], _ start: Int, rate: Int) -> Double {
        let window = Spectrum.window(block)
        let mono = (0..<block).map { i in
            samples.reduce(0) { $0 + Double($1[start + i]) } * window[i]
        }
        let bins = Spectrum.magnitudes(mono)
        let power = bins.reduce(0) { $0 + $1 * $1 }
        if power < 1e-9 { return 0 }
        let moment = bins.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element * $1.element }
        return rounded(moment / power * Double(rate) / Double(block))
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    // MARK: - As text

    /// `sound N`, then a line for each bar: number, frame, centroid, levels.
    var text: String {
        let lines = bars.map { bar in
            "\(bar.number) \(bar.frame) \(bar.centroid) | " + bar.levels.map { "\($0)" }.joined(separator: " ")
        }
        return (["sound \(firstSound)"] + lines).joined(separator: "\n") + "\n"
    }

    /// From its text; nil for anything else.
    init?(_ text: String) {
        var bars: [Bar] = [], firstSound: Int?
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == "sound" {
                firstSound = Int(words[1])
                continue
            }
            guard words.count >= 4, words[3] == "|", let number = Int(words[0]), let frame = Int(words[1]),
                let centroid = Double(words[2])
            else { return nil }
            let levels = words[4...].compactMap { Double($0) }
            if levels.count != words.count - 4 { return nil }
            bars.append(Bar(number: number, frame: frame, centroid: centroid, levels: levels))
        }
        guard let firstSound else { return nil }
        self.firstSound = firstSound
        self.bars = bars
    }

    // MARK: - Differences

    /// Where it differs from `golden`, as sentences. What lies below -70 dBFS is not compared.
    func differences(from golden: SongFeatures) -> [String] {
        var found: [String] = []
        if firstSound != golden.firstSound { found.append("first sound at \(firstSound), was \(golden.firstSound)") }
        if bars.count != golden.bars.count { found.append("\(bars.count) bars, were \(golden.bars.count)") }
        for (bar, old) in zip(bars, golden.bars) {
            let place = "bar \(bar.number)"
            if bar.frame != old.frame { found.append("\(place) begins at frame \(bar.frame), was \(old.frame)") }
            if abs(bar.centroid - old.centroid) > 0.02 * old.centroid + 0.1 {
                found.append("\(place): centroid \(bar.centroid) Hz, was \(old.centroid)")
            }
            if bar.levels.count != old.levels.count {
                found.append("\(place): \(bar.levels.count) x 100 ms, were \(old.levels.count)")
            }
            for (index, (level, before)) in zip(bar.levels, old.levels).enumerated()
            where max(level, before) > -70 && abs(level - before) > 0.2 {
                found.append("\(place) at \(index * 100) ms: \(level) dBFS, was \(before)")
            }
        }
        return found
    }
}
