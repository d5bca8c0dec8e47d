import Carillon
import CarillonTestKit
import Patches
import Testing

/// `soundfont` is whatever plays SoundFonts, `fluidsynth` is libfluidsynth: two words for one unit as long as there is one.
@Suite struct SoundFontNamesTests {
    private static func source(_ name: String) -> String {
        """
        version: 1
        soundfonts: [embedded]
        units:
          piano:
            unit: \(name)
            role: instrument
            parts: 1-16
            polyphony: 16
          limiter:
            role: master
        connections:
          - piano -> limiter
        outputs: limiter
        """
    }

    private func heard(_ patch: Patch) throws -> [Float] {
        let engine = try Engine(patch: patch, maximumFrames: 512)
        let output = try engine.offlineOutput()
        try engine.send(.noteOn(60))
        var sound: [Float] = []
        for _ in 0..<20 {
            output.pull(512)
            sound += UnsafeBufferPointer(start: output.buffer.channels[0], count: 512)
        }
        return sound
    }

    @Test func bothNamesSoundTheSameAndStayTheWordThatWasWritten() throws {
        var sounds: [[Float]] = []
        for name in ["soundfont", "sampler"] {
            let file = try PatchFile(text: Self.source(name), path: "piano.yaml", units: UnitCatalog.entries)
            #expect(file.patch[unit: "piano"]?.component == name)
            let engine = try Engine(patch: file.patch, maximumFrames: 512)
            #expect(engine.patch[unit: "piano"]?.component == name)
            let saved = try PatchFile.text(of: engine.patch, units: UnitCatalog.entries)
            #expect(saved.contains("unit: \(name)"), "\(saved)")
            #expect(PatchSchema.text(units: UnitCatalog.entries).contains("\"\(name)\""))
            let entry = try #require(UnitCatalog.named(name))
            #expect(UnitCatalog.first(matching: entry.descriptor.component)?.name == name)
            sounds.append(try heard(file.patch))
        }
        #expect(sounds[0] == sounds[1] && sounds[0].contains { abs($0) > 0.001 })
    }

    @Test func aSessionGivesEitherItsSoundFontsAndItsSounds() throws {
        for name in ["soundfont", "sampler", "fluidsynth"] {
            var options = SessionInTime.options
            options.ports = 1
            options.instrument = .soundFont([])
            options.patch = try PatchFile(text: Self.source(name), path: "piano.yaml", units: UnitCatalog.entries).patch
            let time = try SessionInTime(options)
            #expect(time.session.graph.soundFonts == ["embedded"] && !time.session.presets.isEmpty)
            try time.session.perform(.program(channel: 1, bank: 0, program: 40))
            try time.pass(0.1)
            try time.session.finish()
        }
    }
}
