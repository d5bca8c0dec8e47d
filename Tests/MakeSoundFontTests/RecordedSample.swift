import Glibc

@testable import SoundFontSynthesis

/// One sample of the committed file as a measurement sees it.
struct RecordedSample {
    let name: String
    /// Full scale = 1.
    let frames: [Double]
    let rate: Double
    /// The frequency in hertz that the header names.
    let frequency: Double
    let loop: Range<Int>

    init(_ header: SoundFontFile.Header, of font: SoundFontFile) {
        name = header.name
        frames = font.frames[header.start..<header.end].map { Double($0) / 32768 }
        rate = Double(header.rate)
        frequency = ExactMath.frequency(key: Double(header.key))
        loop = header.loopStart - header.start..<header.loopEnd - header.start
    }

    /// The mean square of the `seconds` from `start`.
    func power(at start: Double, for seconds: Double) -> Double {
        let part = frames[Int(start * rate)..<min(frames.count, Int((start + seconds) * rate))]
        return part.reduce(0) { $0 + $1 * $1 } / Double(max(1, part.count))
    }

    /// The part of the power of the `seconds` from `start` that lies around `hertz`, 0...1, under a Hann window.
    func share(of hertz: Double, at start: Double, for seconds: Double) -> Double {
        let count = Int(seconds * rate), first = Int(start * rate)
        var power = 0.0, weight = 0.0
        for i in 0..<count where first + i < frames.count {
            let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(i) / Double(count))
            power += window * window * frames[first + i] * frames[first + i]
            weight += window * window
        }
        return self.power(of: hertz, at: start, for: seconds) * weight / max(power, 1e-12)
    }

    /// The mean square of what lies within the resolution of `seconds` around `hertz`, under a Hann window.
    func power(of hertz: Double, at start: Double, for seconds: Double) -> Double {
        let count = Int(seconds * rate), first = Int(start * rate)
        var real = 0.0, imaginary = 0.0
        for i in 0..<count where first + i < frames.count {
            let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(i) / Double(count))
            let turn = 2 * Double.pi * hertz * Double(i) / rate
            real += window * frames[first + i] * cos(turn)
            imaginary += window * frames[first + i] * sin(turn)
        }
        return 8 * (real * real + imaginary * imaginary) / (Double(count) * Double(count))
    }

    /// The part of the power in one turn of the loop that lies off the harmonics of the header's frequency, 0...1.
    var inharmonicity: Double {
        let turn = Array(frames[loop])
        let periods = (frequency * Double(turn.count) / rate).rounded()
        var spectrum = 0.0, harmonics = 0.0
        for line in 1..<turn.count / 2 {
            let step = 2 * cos(2 * Double.pi * Double(line) / Double(turn.count))
            var a = 0.0, b = 0.0
            for value in turn { (a, b) = (value + step * a - b, a) }
            let power = max(0, a * a + b * b - step * a * b)
            spectrum += power
            if line % Int(periods) == 0 { harmonics += power }
        }
        return 1 - harmonics / max(spectrum, 1e-12)
    }
}
