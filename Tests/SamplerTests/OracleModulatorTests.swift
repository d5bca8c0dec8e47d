import Glibc
import MIDI
import Testing

@testable import Samplers

/// Modulators: every curve, direction and polarity, every source, measured on attenuation and pitch against sections 8.2
/// to 8.4 and 9.5 of the SoundFont Technical Specification 2.04.
@Suite struct OracleModulatorTests {
    typealias Line = OracleSoundFont.Line

    /// What a source is worth: section 8.2.4 and figures 1 to 4 of 8.4; curves over 96 dB, 127 the highest step.
    private func law(_ value: Int, isNegative: Bool, isBipolar: Bool, curve: Int) -> Double {
        let x = Double(value) / 128
        func convex(_ x: Double) -> Double { x <= 0 ? 0 : min(max(1 + 40.0 / 96 * log10(x * 128 / 127), 0), 1) }
        func concave(_ x: Double) -> Double { 1 - convex(127.0 / 128 - x) }
        func shape(_ x: Double) -> Double {
            switch curve {
            case 0: x
            case 1: concave(x)
            case 2: convex(x)
            default: x >= 0.5 ? 1 : 0
            }
        }
        let top = 127.0 / 128, way = isNegative ? top - x : x
        let place = isBipolar && way != top ? 2 * way - 1 : way
        if curve == 3 { return isBipolar ? (place >= 0 ? 1 : -1) : place >= 0.5 ? 1 : 0 }
        return place < 0 ? -shape(-place) : min(shape(place), top)
    }

    /// Cents that a ramp is moved by after each of some events, 512 frames each. Amounts go to fine tuning.
    private func cents(
        _ lines: [Line], _ events: [MusicEvent], key: UInt8 = 60, velocity: UInt8 = 127, preset: [Line] = [],
        generators: [(Int, Int)] = []
    ) throws -> [Double] {
        var font = OracleSoundFont(Oracle.ramp, [(56, 0)] + generators, lines)
        font.presets = [[.init(modulators: preset)]]
        let sound = try Oracle.play(
            font, key: key, velocity: velocity, frames: 512 * (events.count + 1),
            events.enumerated().map { (512 * $0.offset + 256, $0.element) })
        return events.indices.map { sound.cents(512 * $0 + 256 + 160, 512 * $0 + 256 + 500) }
    }

    private func expect(_ heard: Double, _ wanted: Double, _ what: String, at location: SourceLocation = #_sourceLocation) {
        #expect(abs(heard - wanted) < 0.5, "\(what): \(heard) cents instead of \(wanted)", sourceLocation: location)
    }

    @Test(arguments: 0..<16) func everyCurveHasItsShape(number: Int) throws {
        let (isNegative, isBipolar, curve) = (number & 1 != 0, number & 2 != 0, number >> 2)
        let source = OracleSoundFont.controller(20, isNegative: isNegative, isBipolar: isBipolar, curve: curve)
        let values = [0, 1, 20, 63, 64, 65, 100, 126, 127]
        let heard = try cents(
            [Line(source: source, destination: 52, amount: 1_000)], values.map { .controller(20, UInt8($0)) })
        for (value, heard) in zip(values, heard) {
            let law = law(value, isNegative: isNegative, isBipolar: isBipolar, curve: curve)
            // Curves are straight between their 128 entries; near their steep end that is seen.
            let slack = curve == 1 || curve == 2 ? 6.0 : 0.5
            #expect(abs(heard - 1_000 * law) < slack, "\(value): \(heard) cents instead of \(1_000 * law)")
        }
    }

    @Test func attenuationFollowsAController() throws {
        let line = Line(source: OracleSoundFont.controller(20, isNegative: true), destination: 48, amount: 400)
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.step, [(54, 1)], [line]), frames: 4_000,
            [(0, .controller(20, 127)), (1_000, .controller(20, 64)), (2_000, .controller(20, 0))])
        // A modulator's centibels are whole ones: the factor of 0.4 is for generators.
        for (age, value) in [(900, 127.0), (1_900, 64), (2_900, 0)] {
            #expect(abs(sound.level(age) + 40 * (127 - value) / 128) < 0.02)
        }
    }

    // MARK: Sources

    @Test func velocityAndKey() throws {
        let velocity = Line(source: OracleSoundFont.source(2), destination: 52, amount: 640)
        expect(try cents([velocity], [.controller(3, 0)], velocity: 32)[0], 160, "velocity")
        let key = Line(source: OracleSoundFont.source(3), destination: 52, amount: 640)
        expect(try cents([key], [.controller(3, 0)], key: 48)[0], 240, "key")
    }

    @Test func pressures() throws {
        // Without the standard's vibrato by pressure.
        let still = Line(source: OracleSoundFont.source(13), destination: 6, amount: 0)
        let pressure = Line(source: OracleSoundFont.source(13), destination: 52, amount: 640)
        let channel = try cents([pressure, still], [.channelPressure(64), .channelPressure(0), .keyPressure(60, 64)])
        for (heard, wanted) in zip(channel, [320.0, 0, 0]) { expect(heard, wanted, "channel pressure") }
        let ofKey = Line(source: OracleSoundFont.source(10), destination: 52, amount: 640)
        let single = try cents([ofKey, still], [.keyPressure(60, 64), .keyPressure(61, 127), .channelPressure(100)])
        for heard in single { expect(heard, 320, "key pressure") }
    }

    @Test func bendAndItsRange() throws {
        // The standard's own line: two semitones unless somebody says otherwise.
        let bend: [MusicEvent] = [.bend(8_191), .bend(-8_192), .bend(4_096), .bend(0)]
        for (heard, wanted) in zip(try cents([], bend), [200 * 8_191 / 8_192.0, -200, 100, 0]) {
            expect(heard, wanted, "bend")
        }
        let range = try cents(
            [], [.bend(4_096), .controller(101, 0), .controller(100, 0), .controller(6, 12), .controller(38, 50)])
        expect(range[3], 600, "range")
        expect(range[4], 625, "range with hundredths")
        let own = Line(source: OracleSoundFont.source(16), destination: 52, amount: 6_350)
        expect(try cents([own], [.controller(3, 0)])[0], 100, "range as a source")
        let wheel = Line(source: OracleSoundFont.source(14, isNegative: true), destination: 52, amount: 100)
        expect(try cents([wheel], [.controller(3, 0)])[0], 50, "wheel one way")
    }

    @Test func theSecondSourceScalesTheFirst() throws {
        let line = Line(
            source: OracleSoundFont.controller(20), destination: 52, amount: 800,
            by: OracleSoundFont.controller(21, isBipolar: true))
        let heard = try cents([line], [.controller(20, 64), .controller(21, 96), .controller(21, 32), .controller(20, 32)])
        for (heard, wanted) in zip(heard, [-400.0, 200, -200, -100]) { expect(heard, wanted, "product") }
    }

    @Test func transform2DropsTheSign() throws {
        let line = Line(
            source: OracleSoundFont.controller(20, isBipolar: true), destination: 52, amount: 800, transform: 2)
        let heard = try cents([line], [.controller(20, 0), .controller(20, 32), .controller(20, 96)])
        for (heard, wanted) in zip(heard, [800.0, 400, 400]) { expect(heard, wanted, "absolute") }
    }

    // MARK: Lines

    @Test func aLineOfAZoneTakesTheStandardsPlace() throws {
        let line = Line(
            source: OracleSoundFont.source(14, isBipolar: true), destination: 52, amount: 6_350, by: OracleSoundFont.source(16))
        expect(try cents([line], [.bend(4_096)])[0], 50, "half the standard's bend")
    }

    @Test func twoLinesThatAreAlikeAreOne() throws {
        let source = OracleSoundFont.controller(20)
        let lines = [100, 300].map { Line(source: source, destination: 52, amount: $0) }
        expect(try cents(lines, [.controller(20, 64)])[0], 150, "the later one")
        let others = lines + [Line(source: OracleSoundFont.controller(20, isNegative: true), destination: 52, amount: 100)]
        expect(try cents(others, [.controller(20, 64)])[0], 150 + 6_300 / 128.0, "other directions are other lines")
    }

    @Test func aPresetsLineIsAdded() throws {
        let source = OracleSoundFont.controller(20)
        let line = Line(source: source, destination: 52, amount: 100)
        let more = Line(source: source, destination: 52, amount: 300)
        expect(try cents([line], [.controller(20, 64)], preset: [more])[0], 200, "same line")
        expect(try cents([], [.controller(20, 64)], preset: [more])[0], 150, "new line")
        let other = Line(source: OracleSoundFont.controller(21), destination: 52, amount: 300)
        expect(try cents([line], [.controller(20, 64), .controller(21, 64)], preset: [other])[1], 200, "another line")
    }

    @Test(arguments: [0, 6, 32, 38, 98, 101, 120]) func forbiddenControllersMoveNothing(number: Int) throws {
        let line = Line(source: OracleSoundFont.controller(number, isNegative: true), destination: 52, amount: 500)
        expect(try cents([line], [.controller(3, 0)])[0], 0, "controller \(number)")
    }

    @Test(arguments: [1, 4, 11, 127]) func forbiddenSourcesMoveNothing(number: Int) throws {
        let line = Line(source: OracleSoundFont.source(number, isNegative: true), destination: 52, amount: 500)
        expect(try cents([line], [.controller(3, 0)])[0], 0, "source \(number)")
    }

    @Test func aSourceOfNothingMovesNothing() throws {
        let line = Line(source: 0, destination: 52, amount: 500)
        expect(try cents([line], [.controller(3, 0)])[0], 0, "no source")
    }
}
