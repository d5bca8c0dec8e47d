import Glibc
import MIDI
import Testing

@testable import Samplers

/// Zones: who answers, what adds up, who ends whom. Sections 7.3, 8.1 and 9.4 of the SoundFont Technical Specification 2.04.
@Suite struct OracleZoneTests {
    typealias Zone = OracleSoundFont.Zone

    /// A step in every instrument zone; attenuation of 500 and 1 000 centibels tells them apart.
    private func font(_ zones: [Zone], preset: [Zone] = [Zone()]) -> OracleSoundFont {
        var font = OracleSoundFont(Oracle.step)
        font.instruments = [
            zones.map { zone in
                var zone = zone
                if zone.target != nil || zones.count == 1 { zone.modulators += OracleSoundFont.flat }
                return zone
            }
        ]
        font.presets = [preset]
        return font
    }

    private func gain(_ font: OracleSoundFont, key: UInt8 = 60, velocity: UInt8 = 127) throws -> Double {
        try Oracle.play(font, key: key, velocity: velocity, frames: 1_000).gain(900)
    }

    private static func range(_ low: Int, _ high: Int) -> Int { low | high << 8 }

    @Test func keysAndVelocitiesChooseZones() throws {
        let font = font([
            Zone(generators: [(43, Self.range(40, 60)), (56, 0), (54, 1)]),
            Zone(generators: [(43, Self.range(61, 80)), (44, Self.range(1, 63)), (56, 0), (54, 1), (48, 500)]),
            Zone(generators: [(44, Self.range(100, 127)), (56, 0), (54, 1), (48, 1_000)]),
        ])
        let (one, two, three) = (1.0, pow(10, -1.0), pow(10, -2.0))
        let cases: [(UInt8, UInt8, Double)] = [
            (39, 64, 0), (40, 64, one), (60, 99, one), (61, 63, two), (61, 64, 0), (80, 1, two), (81, 50, 0),
            (60, 100, one + three), (60, 127, one + three), (61, 100, three), (81, 127, three),
        ]
        for (key, velocity, wanted) in cases {
            let heard = try gain(font, key: key, velocity: velocity)
            #expect(abs(heard - wanted) < 0.002, "key \(key), velocity \(velocity): \(heard), not \(wanted)")
        }
    }

    @Test func aPresetsRangeNarrowsItsInstruments() throws {
        let zones = [Zone(generators: [(43, Self.range(50, 70)), (56, 0), (54, 1)])]
        let font = font(zones, preset: [Zone(generators: [(43, Self.range(60, 90)), (44, Self.range(64, 127))])])
        for (key, velocity, wanted) in [(59, 100, 0.0), (60, 100, 1), (70, 100, 1), (71, 100, 0), (65, 63, 0), (65, 64, 1)] {
            #expect(abs(try gain(font, key: UInt8(key), velocity: UInt8(velocity)) - wanted) < 0.002)
        }
    }

    @Test func presetsAddToInstruments() throws {
        // 12.5 + 25 dB in the file's own scale, and no less than none.
        let own = Zone(generators: [(54, 1), (48, 500)])
        #expect(abs(20 * log10(try gain(font([own], preset: [Zone(generators: [(48, 250)])]))) + 30) < 0.02)
        #expect(abs(20 * log10(try gain(font([own], preset: [Zone(generators: [(48, -250)])]))) + 10) < 0.02)
        #expect(abs(20 * log10(try gain(font([own], preset: [Zone(generators: [(48, -2_500)])])))) < 0.02)
        // Layers of two preset zones are both heard.
        let both = try gain(font([own], preset: [Zone(), Zone(generators: [(48, 500)])]))
        #expect(abs(both - 0.11) < 0.001)
    }

    @Test func globalZonesSpeakWhereOthersAreSilent() throws {
        let global = Zone(target: nil, generators: [(54, 1), (48, 500), (56, 0)])
        #expect(abs(try gain(font([global, Zone()])) - 0.1) < 0.001)
        // A zone's own number is no sum with the global one's.
        #expect(abs(try gain(font([global, Zone(generators: [(48, 1_000)])])) - 0.01) < 0.0005)
        let outer = Zone(target: nil, generators: [(48, 500)])
        #expect(abs(try gain(font([global, Zone()], preset: [outer, Zone()])) - 0.01) < 0.0005)
        #expect(abs(try gain(font([global, Zone()], preset: [outer, Zone(generators: [(48, 0)])])) - 0.1) < 0.001)
    }

    @Test func presetsCannotMoveWhatBelongsToASample() throws {
        let font = font(
            [Zone(generators: [(54, 1)])], preset: [Zone(generators: [(46, 72), (47, 10), (57, 3), (58, 40), (0, 50)])])
        #expect(abs(try gain(font) - 1) < 0.001)
        var ramp = OracleSoundFont(Oracle.ramp)
        ramp.presets = [[Zone(generators: [(46, 72), (58, 40), (0, 5_000), (51, 2), (52, -10)])]]
        let sound = try Oracle.play(ramp, frames: 1_000)
        #expect(abs(sound.cents(400, 900) - 190) < 0.1 && sound.place(300) < 1_000)
    }

    @Test func fixedKeyAndVelocityTakeThePlaceOfTheNotes() throws {
        let pitch = try Oracle.play(OracleSoundFont(Oracle.ramp, [(46, 64)]), key: 40, frames: 1_500)
        #expect(abs(pitch.cents(400, 1_400) - 400) < 0.1)
        let font = OracleSoundFont(Oracle.step, [(54, 1), (47, 64)], isPlain: false)
        let events: [(Int, MusicEvent)] = [(-100, .change(7, 127))]
        let soft = try Oracle.play(font, velocity: 5, frames: 1_000, events)
        let loud = try Oracle.play(font, velocity: 127, frames: 1_000, events)
        #expect(abs(soft.level(900) - 40 * log10(64.0 / 127)) < 0.05)
        #expect(soft.left == loud.left)
    }

    // MARK: Exclusive classes

    /// Two zones, each for a key, of the classes; key 60 goes on when key 62 begins, or does not.
    private func isEnded(_ first: Int, _ second: Int, on channel: UInt8 = 0) throws -> Bool {
        let font = font([
            Zone(generators: [(43, Self.range(60, 60)), (54, 1), (57, first), (38, 6_000)]),
            Zone(generators: [(43, Self.range(62, 62)), (54, 1), (57, second), (48, 1_440)]),
        ])
        let sound = try Oracle.play(font, frames: 12_000, [(2_400, .key(62, on: channel))])
        #expect(sound.gain(2_300) > 0.99)
        return sound.gain(11_900) < 0.1
    }

    @Test func aClassEndsItsOwnAndNoOther() throws {
        #expect(try isEnded(3, 3))
        #expect(try !isEnded(3, 4))
        #expect(try !isEnded(0, 0))
        #expect(try !isEnded(0, 3))
        #expect(try !isEnded(3, 3, on: 5))
    }

    /// 96 dB in 2 000 timecents less than a second, and without a step.
    @Test func whoIsEndedFadesFast() throws {
        let font = font([
            Zone(generators: [(43, Self.range(60, 60)), (54, 1), (57, 9), (38, 6_000)]),
            Zone(generators: [(43, Self.range(62, 62)), (54, 1), (57, 9), (48, 1_440), (17, 500)]),
        ])
        let sound = try Oracle.play(font, frames: 9_000, [(2_400, .key(62))])
        sound.expectGain(2_500..<8_900, slack: 2) { pow(10, -96 * ($0 - 0.05) / Oracle.seconds(-2_000) / 20) }
    }

    @Test func layersOfOneNoteDoNotEndOneAnother() throws {
        let zone = Zone(generators: [(54, 1), (57, 7)])
        #expect(abs(try gain(font([zone, zone])) - 2) < 0.002)
    }
}
