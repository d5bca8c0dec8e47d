import Carillon
import Glibc

// With these the programs of this package check what they hear, at 48 kHz.

/// Ends the program with a sentence where something is not as it should be.
public func expect(_ isAsItShould: Bool, _ sentence: @autoclosure () -> String) {
    if isAsItShould { return }
    let line = Array("\(CommandLine.arguments[0]): \(sentence())\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

/// How often a second the sound rises through zero, from its first rise to its last.
public func frequency(_ sound: some Sequence<Float>) -> Double {
    var rises: [Int] = [], before: Float = 0
    for (place, sample) in sound.enumerated() {
        if before < 0 && sample >= 0 { rises.append(place) }
        before = sample
    }
    guard let first = rises.first, let last = rises.last, last > first else { return 0 }
    return 48_000 * Double(rises.count - 1) / Double(last - first)
}

/// The root of the mean square.
public func level(_ sound: some Collection<Float>) -> Float {
    (sound.reduce(0) { $0 + $1 * $1 } / Float(max(sound.count, 1))).squareRoot()
}

/// The greatest difference between a sample and the next: a click is a great one.
public func largestStep(_ sound: [Float]) -> Float {
    zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
}

/// The frames on which sound begins after at least 1000 frames of silence, or at the very start.
public func onsets(_ sound: [Float]) -> [Int] {
    var found: [Int] = [], quiet = 1000
    for (place, sample) in sound.enumerated() {
        if sample != 0 && quiet >= 1000 { found.append(place) }
        quiet = sample == 0 ? quiet + 1 : 0
    }
    return found
}

/// A sine of a fifth of full scale.
public func sine(_ time: SampleTime, _ hertz: Double) -> Float {
    Float(0.2 * sin(2 * Double.pi * hertz * Double(time.rawValue) / 48_000))
}

/// Writes a second of a sine of a quarter of full scale, one channel at `rate`.
public func writeSine(_ hertz: Double, rate: Int, to path: String) throws {
    let sound = (0..<rate).map { Float(0.25 * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
    let writer = try AudioFileWriter(
        path: path, format: AudioFileFormat(.wav, encoding: .float32), channels: 1, sampleRate: rate)
    for start in stride(from: 0, to: rate, by: 4096) {
        let part = Array(sound[start..<min(start + 4096, rate)])
        try part.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: $0.count) }
    }
    try writer.finish()
}

/// The first channel of a file.
public func recording(_ path: String) throws -> [Float] {
    let reader = try AudioFileReader(path: path)
    return try reader.readAll()[0]
}

/// The frequency of a few that a sound has most of, among its own overtones too.
public func pitch(_ sound: some Collection<Float>, near candidates: [Double], rate: Double = 48_000) -> Double {
    func strength(_ hertz: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (place, sample) in sound.enumerated() {
            re += Double(sample) * cos(2 * .pi * hertz * Double(place) / rate)
            im += Double(sample) * sin(2 * .pi * hertz * Double(place) / rate)
        }
        return re * re + im * im
    }
    return candidates.max { strength($0) < strength($1) } ?? 0
}
