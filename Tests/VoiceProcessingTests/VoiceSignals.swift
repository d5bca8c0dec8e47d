import CRealtime
import CarillonTestKit
import DSP

/// What the tests speak, and the room in which it is heard; all of it from seeds.
enum VoiceSignals {
    /// Formants of five vowels of a man (G. E. Peterson, H. L. Barney, 1952), hertz.
    private static let vowels: [[Double]] = [
        [730, 1_090, 2_440], [270, 2_290, 3_010], [300, 870, 2_240], [530, 1_840, 2_480], [570, 840, 2_410],
    ]

    /// Something like speech: pulses through the formants of vowels, hisses, and pauses; root mean square `level`.
    static func speech(seconds: Double, rate: Double, pitch: Double, level: Float, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed), sound = [Float](repeating: 0, count: Int(seconds * rate))
        var n = 0, phase = 0.0
        while n < sound.count {
            let length = Int((0.22 + 0.08 * Double(random.sample())) * rate), kind = random.next() % 10
            let isVowel = kind < 7, height = pitch * (1 + 0.2 * Double(random.sample()))
            let formants = isVowel ? vowels[Int(random.next() % 5)] : [2_000, 3_200, 4_400]
            let poles = formants.enumerated().filter { $1 < 0.45 * rate }.map { index, frequency in
                let radius = DeterministicMath.exp2(-4.532 * Double(80 + 40 * index) / rate)    // pi / ln 2
                return (2 * radius * DeterministicMath.cosine(turns: frequency / rate), radius, 1 / Double(1 + index))
            }
            var memory = poles.map { _ in (0.0, 0.0) }
            for k in 0..<min(length, sound.count - n) {
                var drive = 0.15 * Double(random.sample())
                if isVowel {
                    drive *= 0.07
                    phase += height / rate
                    if phase >= 1 {
                        phase -= 1
                        drive += 1
                    }
                }
                var sum = 0.0
                for (index, (turn, radius, weight)) in poles.enumerated() {
                    let (old, older) = memory[index]
                    let new = drive * (1 - radius) + turn * old - radius * radius * older
                    memory[index] = (new, old)
                    sum += weight * new
                }
                if kind < 9 { sound[n + k] = Float(sum * DeterministicMath.sine(turns: 0.5 * Double(k) / Double(length))) }
            }
            n += length + (kind == 9 ? Int(0.3 * rate) : 0)
        }
        let scale = level / root(sound[...])
        return sound.map { min(max($0 * scale, -1), 1) }
    }

    static func noise(seconds: Double, rate: Double, level: Float, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<Int(seconds * rate)).map { _ in random.sample() * level * 1.732 }
    }

    /// `sound` as it comes back from a room: after 4 ms straight, then four thousand echoes a second that die away by 60 dB in
    /// `decay` seconds; all of it half as strong.
    static func echo(of sound: [Float], rate: Double, decay: Double = 0.25, seed: UInt64 = 777) -> [Float] {
        var random = SeededRandom(seed: seed), taps = [(Int(0.004 * rate), 1.0)]
        var time = 0.005
        while time < 1.2 * decay {
            taps.append((Int(time * rate), Double(random.sample()) * 0.35 * DeterministicMath.exp2(-9.966 * time / decay)))
            time += (1 + 0.9 * Double(random.sample())) / 4_000
        }
        let energy = taps.reduce(0) { $0 + $1.1 * $1.1 }
        var heard = [Float](repeating: 0, count: sound.count)
        for (delay, gain) in taps where delay < sound.count {
            let factor = Float(0.5 * gain / DeterministicMath.squareRoot(energy))
            heard.withUnsafeMutableBufferPointer { heard in
                sound.withUnsafeBufferPointer {
                    rt_add_scaled(heard.baseAddress! + delay, $0.baseAddress!, factor, $0.count - delay)
                }
            }
        }
        return heard
    }

    static func sum(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 + $1 } }

    /// Root mean square.
    static func root(_ x: ArraySlice<Float>) -> Float {
        Float(DeterministicMath.squareRoot(x.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(x.count, 1))))
    }

    /// The same in decibels.
    static func level(_ x: ArraySlice<Float>) -> Float { Decibels.level(ofAmplitude: root(x)) }

    /// How strong `voice` is in `sound`, decibels: 0 as strong as it is. What does not go with it does not count.
    static func share(of voice: ArraySlice<Float>, in sound: ArraySlice<Float>) -> Float {
        var both = 0.0, own = 1e-30
        for (a, b) in zip(voice, sound) {
            both += Double(a) * Double(b)
            own += Double(a) * Double(a)
        }
        return Decibels.level(ofAmplitude: Float(abs(both / own)))
    }
}
