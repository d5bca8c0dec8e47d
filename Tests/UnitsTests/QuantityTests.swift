import Testing
import UnitAPI
import Units

/// Numbers with units: one grammar, both ways.
@Suite struct QuantityTests {
    private static let read: [(String, ParameterSpec.Unit, Double)] = [
        ("3", .decibels, 3), ("3dB", .decibels, 3), ("-60 DB", .decibels, -60), ("+.5db", .decibels, 0.5),
        ("44.1k", .hertz, 44_100), ("44.1 kHz", .hertz, 44_100), ("44100 Hz", .hertz, 44_100), ("96K", .hertz, 96_000),
        ("1e3", .hertz, 1000), ("1.5e-1khz", .hertz, 150),
        ("2.5", .seconds, 2.5), ("250ms", .seconds, 0.25), ("1m", .seconds, 60), ("1 min", .seconds, 60),
        ("1m30s", .seconds, 90), ("1h 2m 3.5s", .seconds, 3723.5), ("12h", .seconds, 43_200), ("2d", .seconds, 172_800),
        ("1:30", .seconds, 90), ("1:02:03.5", .seconds, 3723.5), ("90:00", .seconds, 5400), ("-1", .seconds, -1),
        ("-50%", .pan, -50), ("-50", .pan, -50), ("0.8", .ratio, 0.8), ("80%", .ratio, 0.8), ("0.8x", .ratio, 0.8),
        ("10%", .percent, 10), ("-2 semitones", .semitones, -2), ("1 semitone", .semitones, 1), ("7cents", .cents, 7),
        ("64voices", .voices, 64), ("256 frames", .frames, 256), ("1 frame", .frames, 1), ("4", .none, 4),
        ("on", .toggle, 1), ("No", .toggle, 0), ("Linear", .choice(["none", "linear"]), 1),
    ]

    @Test(arguments: read) func aNumberMeansTheSameWithItsUnitAndWithout(
        _ text: String, _ unit: ParameterSpec.Unit, _ value: Double
    ) throws {
        let read = try Quantity(text, unit)
        #expect(abs(read.value - value) <= abs(value) * 1e-15, "\(text) is \(read.value)")
    }

    private static let refused: [(String, ParameterSpec.Unit, Quantity.Fault)] = [
        ("", .decibels, .notANumber), ("fast", .hertz, .notANumber), ("nan", .decibels, .notANumber),
        ("inf", .seconds, .notANumber), ("1e999", .hertz, .notANumber), ("--3", .decibels, .notANumber),
        ("1:60", .seconds, .notANumber), ("1:-5", .seconds, .notANumber), ("1:2:3:4", .seconds, .notANumber),
        (":", .seconds, .notANumber), ("1.5:30", .seconds, .notANumber),
        ("3 Hz", .decibels, .wrongUnit), ("3dB", .hertz, .wrongUnit), ("1.2.3", .decibels, .wrongUnit), ("5k", .none, .wrongUnit),
        ("30s1m", .seconds, .wrongUnit), ("1m30", .seconds, .wrongUnit), ("1m1m", .seconds, .wrongUnit),
        ("3e", .hertz, .wrongUnit), ("1k", .frames, .wrongUnit),
        ("maybe", .toggle, .notOneOf(["on", "off"])), ("cubic", .choice(["none", "linear"]), .notOneOf(["none", "linear"])),
    ]

    @Test(arguments: refused) func whatIsNoQuantityOfTheUnitIsRefused(
        _ text: String, _ unit: ParameterSpec.Unit, _ fault: Quantity.Fault
    ) {
        #expect(throws: fault) { try Quantity(text, unit) }
    }

    @Test func peopleReadWhatTheyWouldWrite() {
        let written: [(Double, ParameterSpec.Unit, String)] = [
            (-6, .decibels, "-6 dB"), (2.5, .seconds, "2.5 s"), (0.25, .seconds, "250 ms"), (0, .seconds, "0 s"),
            (1200, .hertz, "1.2 kHz"), (440, .hertz, "440 Hz"), (1, .frames, "1 frame"), (512, .frames, "512 frames"),
            (-1, .semitones, "-1 semitone"), (1, .toggle, "on"), (1, .choice(["a", "b"]), "b"), (0.1, .ratio, "0.1"),
        ]
        for (value, unit, text) in written { #expect(Quantity(value, unit).description == text) }
        #expect(Quantity(384_001, .hertz).exactDescription == "384001 Hz")
    }

    /// Text, value, text at 101 points of every parameter there is.
    @Test func everyParameterReadsWhatItWrites() throws {
        for spec in StandardUnits.entries.flatMap(\.parameters) {
            for step in 0...100 {
                let text = spec.text(spec.value(atFraction: Float(step) / 100))
                let again = try spec.value(text)
                #expect(spec.text(again) == text, "\(spec.name)")
            }
        }
    }

    @Test func whatIsRefusedIsToldWhatIsValid() {
        let rate = ParameterSpec("rate", 8_000...384_000, default: 48_000, unit: .hertz, help: "Sample rate.")
        for text in ["fast", "1", "3dB", "44100.5"] {
            let error = #expect(throws: ParameterError.self) { try rate.wholeNumber(text) }
            #expect(error?.description.contains("choose from 8 to 384 kHz") == true, "\(text)")
        }
        #expect(throws: ParameterError.self) { try rate.check(.nan) }
        #expect(throws: ParameterError.self) { try rate.check(384_001) }
    }
}
