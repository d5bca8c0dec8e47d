import Carillon
import Foundation
import Testing

/// Whether presets sound as they are called, measured.
@Suite struct PresetSoundTests {
    /// The level of a sine of full scale behind a unit with a preset, in decibels.
    private func response(_ component: String, _ preset: String, at hertz: [Double]) throws -> [Double] {
        try hertz.map { frequency in
            var patch = Patch()
            var tone = PatchUnit("tone", "oscillator")
            tone.values = ["frequency": [Float(frequency)], "level": [0]]
            var unit = PatchUnit("unit", component)
            unit.set(by: try #require(try UnitCatalog.named(component)?.factoryPresets().first { $0.name == preset }))
            patch.units = [tone, unit]
            patch.connections = [PatchConnection(PatchPort("tone"), to: PatchPort("unit"))]
            patch.outputs = [PatchPort("unit")]
            let engine = try Engine(patch: patch)
            try engine.start(on: .offline)
            let sound = try engine.render(frames: 19_200)[0][9_600...]
            return 20 * log10(Double(sound.reduce(Float(0)) { max($0, abs($1)) }))
        }
    }

    private static let players = (try? UnitCatalog.named("graphic-equalizer")?.factoryPresets().map(\.name)) ?? []

    @Test func thePlayersOfOldHaveTheirTwentyTwoNames() {
        #expect(
            Self.players == [
                "acoustic", "bass-booster", "bass-reducer", "classical", "dance", "deep", "electronic", "flat", "hip-hop",
                "jazz", "latin", "loudness", "lounge", "piano", "pop", "r-and-b", "rock", "small-speakers", "spoken-word",
                "treble-booster", "treble-reducer", "vocal-booster",
            ])
    }

    /// On the sliders, and between them, where two that are up add up.
    @Test(arguments: players) func noCurveRaisesFullScale(_ preset: String) throws {
        let places = (0..<20).map { 25 * pow(2, Double($0) / 2) }
        let levels = try response("graphic-equalizer", preset, at: places)
        #expect((levels.max() ?? 0) <= 0.02, "\(levels.max() ?? 0) dB")
        // Nor does it take more away than its name wants.
        #expect((levels.max() ?? -99) > -3, "\(levels.max() ?? 0) dB")
    }

    @Test func boostersAndReducersDoWhatTheyAreCalled() throws {
        let places = [50.0, 1_000, 12_000]
        func tilt(_ name: String) throws -> (bass: Double, treble: Double) {
            let levels = try response("graphic-equalizer", name, at: places)
            return (levels[0] - levels[1], levels[2] - levels[1])
        }
        let (bass, noBass) = (try tilt("bass-booster"), try tilt("bass-reducer"))
        let (treble, noTreble) = (try tilt("treble-booster"), try tilt("treble-reducer"))
        #expect(bass.bass > 4 && abs(bass.treble) < 0.5 && noBass.bass < -4 && abs(noBass.treble) < 0.5)
        #expect(treble.treble > 2 && treble.bass < -1 && noTreble.treble < -2 && noTreble.bass > 1)
        let (voice, loud) = (try tilt("spoken-word"), try tilt("loudness"))
        #expect(voice.bass < -6 && voice.treble < -2 && loud.bass > 4 && loud.treble > 1)
    }

    @Test func hallsRingAsLongAsTheyAreLarge() throws {
        func ring(_ preset: String) throws -> Double {
            var patch = Patch()
            var unit = PatchUnit("hall", "reverb")
            unit.set(by: try #require(try UnitCatalog.named("reverb")?.factoryPresets().first { $0.name == preset }))
            var clap = PatchUnit("clap", "square-wave")
            clap.parts = PartList([0])
            patch.units = [clap, unit]
            patch.connections = [PatchConnection(PatchPort("clap"), to: PatchPort("hall"))]
            patch.outputs = [PatchPort("hall")]
            let engine = try Engine(patch: patch)
            try engine.send(.noteOn(72), at: .zero)
            try engine.send(.noteOff(72), at: SampleTime(4_800))
            try engine.start(on: .offline)
            let sound = try engine.render(frames: 192_000)[0]
            func power(_ range: Range<Int>) -> Double { sound[range].reduce(0) { $0 + Double($1) * Double($1) } + 1e-30 }
            // Decibels lost between the end of the first and of the second half second of it.
            return 10 * log10(power(14_400..<24_000) / power(38_400..<48_000))
        }
        let losses = try ["room", "chamber", "concert-hall", "cathedral"].map(ring)
        #expect(losses == losses.sorted(by: >), "\(losses)")
        #expect(losses[0] > 40 && losses[3] < 8, "\(losses)")
    }

    /// Level and mean frequency of one note of the synthesizer, from so many seconds on.
    private struct Note {
        let sound: [Float]

        init(_ preset: String, key: UInt8, held: Double = 1) throws {
            var patch = Patch()
            var unit = PatchUnit("synth", "polysynth")
            unit.set(by: try #require(try UnitCatalog.named("polysynth")?.factoryPresets().first { $0.name == preset }))
            unit.parts = PartList([0])
            patch.units = [unit]
            patch.outputs = [PatchPort("synth")]
            let engine = try Engine(patch: patch)
            try engine.send(.noteOn(key, velocity: 100), at: .zero)
            try engine.send(.noteOff(key), at: SampleTime(Int64(held * 48_000)))
            try engine.start(on: .offline)
            sound = try engine.render(frames: 144_000)[0]
        }

        func level(_ second: Double) -> Double {
            let part = sound[Int(second * 48_000)..<Int(second * 48_000) + 4_800]
            return 10 * log10(part.reduce(0) { $0 + Double($1) * Double($1) } / 4_800 + 1e-20)
        }

        /// How bright it is: the mean frequency by power of its slope beside its height, in hertz.
        func brightness(_ second: Double) -> Double {
            let part = Array(sound[Int(second * 48_000)..<Int(second * 48_000) + 4_800])
            let slope = zip(part.dropFirst(), part).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
            return (slope / part.reduce(1e-20) { $0 + pow(Double($1), 2) }).squareRoot() * 48_000 / (2 * .pi)
        }

        var peak: Float { sound.reduce(0) { max($0, abs($1)) } }
    }

    @Test func aBassIsLowAndClosesAfterTheStroke() throws {
        let bass = try Note("bass", key: 40)
        #expect(bass.brightness(0.02) > 1.2 * bass.brightness(0.6), "\(bass.brightness(0.02)), \(bass.brightness(0.6))")
        #expect(bass.brightness(0.6) < 250 && bass.level(0.5) > -40 && bass.level(1.4) < bass.level(0.5) - 30)
    }

    @Test func aPadSwellsAndRingsOn() throws {
        let pad = try Note("pad", key: 60, held: 1.5)
        #expect(pad.level(1.3) > pad.level(0.02) + 12 && pad.level(1.9) > pad.level(1.3) - 15)
    }

    @Test func aPluckIsGoneSoonAndLosesItsTrebleFirst() throws {
        let pluck = try Note("pluck", key: 60)
        #expect(pluck.level(0) > pluck.level(0.8) + 20 && pluck.brightness(0) > 1.5 * pluck.brightness(0.4))
    }

    @Test func brassBrightensAsItBegins() throws {
        let brass = try Note("brass", key: 60)
        #expect(brass.brightness(0.2) > 1.15 * brass.brightness(0), "\(brass.brightness(0)), \(brass.brightness(0.2))")
        #expect(brass.level(0.8) > brass.level(0.3) - 6)
    }

    @Test func keysAndBellsDieAwayAndTheOrganDoesNot() throws {
        for name in ["keys", "bells"] {
            let note = try Note(name, key: 60, held: 2.9)
            #expect(note.level(0.05) > note.level(2) + 8, "\(name)")
        }
        let organ = try Note("organ", key: 60, held: 2.9)
        #expect(abs(organ.level(0.1) - organ.level(2.5)) < 1)
    }

    @Test func allAreAboutAsLoudAndNoneClips() throws {
        for preset in try #require(try UnitCatalog.named("polysynth")?.factoryPresets()) {
            let note = try Note(preset.name, key: preset.name.contains("bass") ? 40 : 60, held: 1.5)
            let loudest = stride(from: 0.0, to: 1.6, by: 0.1).map { note.level($0) }.max() ?? -99
            #expect((-33 ... -18).contains(loudest) && note.peak < 0.6, "\(preset.name): \(loudest) dB, peak \(note.peak)")
        }
    }
}
