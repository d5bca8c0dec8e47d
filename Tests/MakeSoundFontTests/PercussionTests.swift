import Glibc
import Testing

@testable import SoundFontSynthesis

/// Struck things have modes beside the harmonics, and noise when the stick meets them: measured on the committed file.
@Suite struct PercussionTests {
    let font: SoundFontFile

    init() throws { font = try parsed.get() }

    private func sample(_ name: String) throws -> RecordedSample {
        RecordedSample(try #require(font.headers.first { $0.name == name }, "\(name)"), of: font)
    }

    private func preset(_ number: Int) throws -> SoundFontFile.Preset {
        try #require(font.presets.first { $0.bank == 0 && $0.number == number })
    }

    /// The stroke has power beside the lowest mode, which rings alone in the end.
    @Test(arguments: [("Taiko 41L", 0.75), ("Taiko 41R", 0.75), ("Tom 53L", 0.8), ("Synth drum 53L", 0.96)])
    func `a stroke on a skin is more than one sine`(name: String, most: Double) throws {
        let sound = try sample(name)
        let end = Double(sound.loop.lowerBound) / sound.rate - 0.1
        let stroke = sound.share(of: sound.frequency, at: 0, for: 0.1)
        let tail = sound.share(of: sound.frequency, at: end, for: 0.1)
        #expect(stroke < most, "\(name): \(stroke) of the stroke is the fundamental")
        #expect(tail > 0.9 && tail > stroke + 0.03, "\(name): \(tail) of the end is the fundamental")
    }

    @Test(arguments: [
        ("Glockenspiel 67L", [2.756, 5.404, 8.93]), ("Glockenspiel 86R", [2.756, 5.404]), ("Music box 60L", [3.98, 10.4, 21.7]),
        ("Agogo 76L", [2.245, 3.93]), ("Taiko 41L", [1.42, 2.45]), ("Steel drum 60L", [1.125, 2.63]),
    ]) func `modes sound where the body has them, not where harmonics are`(name: String, modes: [Double]) throws {
        let sound = try sample(name)
        let whole = sound.power(at: 0.02, for: 0.2)
        for mode in modes {
            let level = sound.power(of: mode * sound.frequency, at: 0.02, for: 0.2) / whole
            #expect(level > 1e-4, "\(name): mode \(mode) at \(10 * log10(level)) dB")
        }
    }

    @Test(arguments: [("Glockenspiel 67L", 0.3, 1), ("Agogo 76L", 0.03, 0.7), ("Steel drum 60L", 0.003, 0.1)])
    func `metal rings on beside its harmonics`(name: String, least: Double, most: Double) throws {
        let part = try sample(name).inharmonicity
        #expect(part > least && part < most, "\(name): \(part)")
    }

    /// A twelfth and a fifth below the key at middle C, and half as far apart as the keys.
    @Test(arguments: [(116, -19), (117, -7), (118, -7)])
    func `drums lie below their keys`(number: Int, semitones: Int) throws {
        for zone in try preset(number).zones {
            let header = font.headers[zone.generators[53] ?? 0]
            #expect(zone.generators[58] == 60 && zone.generators[56] == 50 && header.key == 60 + semitones)
        }
    }

    /// Decibels a second while a key is down, from the envelope's decay over 100 dB.
    @Test(arguments: [(13, 40.0...75.0), (28, 8.0...14), (45, 20.0...35), (105, 10.0...19), (116, 15.0...60), (9, 18.0...26)])
    func `a struck or plucked note falls as fast as its body lets it`(number: Int, fall: ClosedRange<Double>) throws {
        for zone in try preset(number).zones {
            let seconds = exp2(Double(zone.generators[36] ?? -12000) / 1200)
            #expect(fall.contains(100 / seconds), "\(number): \(100 / seconds) dB/s")
        }
    }

    @Test func `a muted guitar is damped by the hand, not by the envelope`() throws {
        for name in ["Muted 43L", "Muted 55R", "Muted 68L"] {
            let sound = try sample(name)
            let fall = 10 * log10(sound.power(at: 0.01, for: 0.05) / sound.power(at: 0.26, for: 0.05))
            #expect(fall > 15 && fall < 32, "\(name): \(fall) dB in a quarter of a second")
        }
    }
}
