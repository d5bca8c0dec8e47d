import Carillon
import Testing

/// A parameter that every band of a unit has, from the text to the patch and back.
@Suite struct BandParameterTests {
    @Test func aBandIsSetByItsNumberAndStandsInThePatch() throws {
        let engine = Engine(sampleRate: 48_000)
        let equalizer = try engine.edit { (graph) throws(Fault) in
            let equalizer = try graph.add(Equalizer.self)
            try graph.setOutput(equalizer)
            return equalizer
        }
        let output = try OfflineOutput(renderer: engine.renderer, channels: 2, maximumFrames: 4096)
        output.pull(64)
        #expect(engine.patch[unit: "equalizer"]?.values == [:])
        try engine.set("equalizer.gain[1]=6 dB")
        try engine.set(Equalizer.Parameter.type, 0, element: 7, of: equalizer)
        output.pull(64)
        #expect(try engine.value(Equalizer.Parameter.gain, element: 1, of: equalizer) == 6)
        let patch = engine.patch
        #expect(patch[unit: "equalizer"]?.values == ["gain": [0, 6, 0, 0, 0, 0, 0, 0], "type": [2, 1, 1, 1, 1, 1, 1, 0]])

        let copy = try Engine(patch: patch, sampleRate: 48_000)
        #expect(copy.patch == patch)
        #expect(try copy.value("equalizer.gain[1]") == 6 && copy.value("equalizer.frequency[7]") == 12_000)
        for wrong in ["equalizer.gain[8]=0", "equalizer.level[1]=0"] {
            #expect(throws: Fault.self) { try copy.set(wrong) }
        }
    }
}
