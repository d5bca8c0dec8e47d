import CFluidSynth
import Carillon
import CarillonTestKit
import DSP
import Patches
import Testing
import UnitAPI
import Units

/// Songs are mixed for the effects of other synthesizers: at the same controllers ours are as loud as libfluidsynth's.
@Suite struct SongEffectTests {
    /// A bare libfluidsynth that plays our own SoundFont, one note after the other, and nothing else.
    private struct Phrase: CustomStringConvertible {
        let description: String
        var program: Int32 = 0, channel: Int32 = 0
        let keys: ClosedRange<Int32>
        /// Seconds that a note is held; the next begins half a second later.
        var length = 0.1

        /// Sounds in the middle: libfluidsynth sends both voices of a pair to its effects as if they lay there.
        static let all = [
            Phrase(description: "trumpet", program: 56, keys: 50...61),
            Phrase(description: "drums", channel: 9, keys: 35...59),
            Phrase(description: "trombone", program: 57, keys: 45...60, length: 0.3),
            Phrase(description: "organ", program: 19, keys: 40...49, length: 0.5),
        ]

        /// Left and right, with the sends of the whole channel at `reverb` and `chorus`.
        func play(reverb: Int32, chorus: Int32) -> [[Float]] {
            precondition(fluid_library_load("libfluidsynth.so.3") == nil)
            let fluid = fluid_library_functions()
            let settings = fluid.new_fluid_settings()
            _ = fluid.fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
            let synth = fluid.new_fluid_synth(settings)
            defer {
                fluid.delete_fluid_synth(synth)
                fluid.delete_fluid_settings(settings)
            }
            let font = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/soundfonts/carillon.sf2"
            precondition(fluid.fluid_synth_sfload(synth, font, 1) >= 0)
            if channel != 9 { _ = fluid.fluid_synth_program_change(synth, channel, program) }
            _ = fluid.fluid_synth_cc(synth, channel, 91, reverb)
            _ = fluid.fluid_synth_cc(synth, channel, 93, chorus)
            let held = Int(length * 48_000) / 64, step = held + 375
            var left: [Float] = [], right: [Float] = []
            for block in 0..<(keys.count * step + 2000) {
                let key = keys.lowerBound + Int32(block / step)
                if key <= keys.upperBound && block % step == 0 { _ = fluid.fluid_synth_noteon(synth, channel, key, 100) }
                if key <= keys.upperBound && block % step == held { _ = fluid.fluid_synth_noteoff(synth, channel, key) }
                var l = [Float](repeating: 0, count: 64), r = l
                _ = fluid.fluid_synth_write_float(synth, 64, &l, 0, 1, &r, 0, 1)
                left += l
                right += r
            }
            return [left, right]
        }
    }

    private func energy(_ x: [[Float]]) -> Double {
        x.reduce(0) { $0 + $1.reduce(0) { $0 + Double($1) * Double($1) } }
    }

    /// Ten times the logarithm of a ratio.
    private func decibels(_ ratio: Double) -> Double { Double(Decibels.level(ofAmplitude: Float(ratio.squareRoot()))) }

    /// What `effect` makes of `dry`, sent as a strip with that controller sends it, set as a song's patch sets it.
    private func wet<U: AudioUnit & ~Copyable>(_: U.Type, _ dry: [[Float]], controller: Int32) throws -> [[Float]] {
        let patch = try SongPatch(for: nil, parts: [0], options: RenderOptions()).patch
        let unit = try #require(patch[unit: U.descriptor.name])
        let rig = OfflineRig()
        let sent = dry.map { $0.map { $0 * Float(controller) / 127 } }
        let node = try rig.add(U.self, startValues: unit.values.compactMapValues(\.first))
        try rig.graph.connect(try rig.add(left: sent[0], right: sent[1]), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(sent[0].count)
        return rig.recording
    }

    @Test(arguments: [40, 127] as [Int32])
    func reverbAndChorusAreAsLoudAsFluidSynthsAtTheSameControllers(controller: Int32) throws {
        for phrase in Phrase.all {
            let dry = phrase.play(reverb: 0, chorus: 0)
            func fluid(_ heard: [[Float]]) -> Double { energy(zip(heard, dry).map { zip($0, $1).map { $0 - $1 } }) }
            let reverb =
                energy(try wet(Reverb.self, dry, controller: controller))
                / fluid(phrase.play(reverb: controller, chorus: 0))
            let chorus =
                energy(try wet(Chorus.self, dry, controller: controller))
                / fluid(phrase.play(reverb: 0, chorus: controller))
            #expect(abs(decibels(reverb)) < 1.5, "\(phrase): reverb \(decibels(reverb)) dB")
            #expect(abs(decibels(chorus)) < 1.5, "\(phrase): chorus \(decibels(chorus)) dB")
        }
    }
}
