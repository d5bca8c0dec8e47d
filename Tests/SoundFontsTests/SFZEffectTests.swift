import MIDI
import Testing

@testable import SoundFonts

/// `<effect>`, and what else stands before regions.
@Suite struct SFZEffectTests {
    private func read(_ text: String, loop: (Int, Int)? = nil) throws -> (file: SoundFontFile, list: RecipeList) {
        try TinySFZ(text: text, loop: loop).write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            return (library.files[0], library.recipes(for: [PresetRequest(bank: 0, program: 0)]))
        }
    }

    private func sends(_ text: String) throws -> [Float] {
        let generators = try read(text).list.generators
        return [generators[Generator.reverbSend.index], generators[Generator.chorusSend.index]]
    }

    @Test func whatGoesToAReverbGoesToTheMixers() throws {
        let region = "<region> sample=mono.wav effect1=50 effect2=40\n", reverb = "type=fverb reverb_input=100 reverb_wet=50"
        #expect(try sends(region) == [500, 400])
        #expect(try sends("<effect> \(reverb)\n\(region)") == [500, 0])
        #expect(try sends("<effect> \(reverb) bus=fx2 fx2tomain=100\n\(region)") == [200, 0])
        #expect(try sends("<effect> \(reverb) bus=fx2 fx2tomain=50 reverb_input=50\n\(region)") == [50, 0])
        #expect(try sends("<effect> \(reverb) directtomain=10\n<effect> \(reverb) bus=fx1 fx1tomain=80\n\(region)") == [250, 0])
        // A bus that does not come out is silent, and one without effects is dry.
        #expect(try sends("<effect> \(reverb) bus=fx1\n\(region)") == [0, 0])
        let list = try read("<effect> directtomain=20 fx1tomain=100\n\(region)").list
        #expect(abs(list.regions.plans[0].level.direct - 0.7) < 1e-6)
    }

    @Test func filtersAreTheRegionsOwnIfNothingElseLeavesIt() throws {
        let filter = "<effect> type=filter filter_cutoff=300 filter_type=hpf_2p\n", region = "<region> sample=mono.wav"
        let alone = try read(filter + region).list.regions.plans[0].filters
        #expect(alone[0].cutoff == 300 && alone[0].kind == .high2 && !alone[1].isOn)
        let second = try read(filter + region + " cutoff=100").list.regions.plans[0].filters
        #expect(second[0].cutoff == 100 && second[1].cutoff == 300 && second[1].kind == .high2)
        let own = try read(filter + region + " fil_type=pink").list.regions.plans[0].filters
        #expect(own[0].kind == .pink && own[1].kind == .high2)
        let both = try read(filter + "<effect> fx1tomain=100\n" + region + " effect1=100")
        #expect(!both.list.regions.plans[0].filters[0].isOn)
        #expect(both.file.faults == [.unknownOpcode(name: "type=filter", count: 1)])
        let many = try read(String(repeating: filter, count: 4) + region)
        #expect(many.file.faults == [.unknownOpcode(name: "type=filter", count: 2)])
    }

    @Test func otherEffectsAreRemarks() throws {
        let file = try read("<effect> type=delay delay_timel=1\n<effect> type=fverb reverb_size=3\n<region> sample=mono.wav").file
        #expect(file.faults == [.unknownOpcode(name: "reverb_size", count: 1), .unknownOpcode(name: "type=delay", count: 1)])
    }

    @Test func aBusThatThereIsNotIsARemark() throws {
        let read = try read("<effect> type=fverb bus=fxx reverb_input=100 reverb_wet=100\n<region> sample=mono.wav")
        #expect(read.file.faults == [.unknownOpcode(name: "bus=fxx", count: 1)])
        #expect(read.list.regions.plans[0].level.direct == 1 && read.list.generators[Generator.reverbSend.index] == 0)
    }

    @Test func keysMoveByTheControlThatStandsBefore() throws {
        let text = "<region> sample=mono.wav key=c4\n<control> octave_offset=-1\n<region> sample=mono.wav key=c4"
        #expect(try read(text).list.regions.plans.map(\.rule.lowestKey) == [60, 48])
    }

    @Test func anEndBeforeTheLoopOfTheFileEndsTheSample() throws {
        func mode(_ text: String) throws -> Float {
            try read("<region> sample=mono.wav \(text)", loop: (100, 899)).list.generators[Generator.sampleModes.index]
        }
        #expect(try mode("") == 1 && mode("end=950") == 1 && mode("end=500") == 0)
        #expect(try mode("end=500 loop_mode=loop_continuous") == 1)
        #expect(try mode("loop_mode=loop_continuous loop_start=9 loop_end=5") == 0)
    }

    @Test func envelopesHaveNamesWithoutEG() throws {
        let plan = try read("<region> sample=mono.wav cutoff=99 fil_attack=2 fil_depth=100 amp_vel2attack=3").list.regions
        #expect(plan.plans[0].envelopeCount == 1 && plan.contours[0].envelope.values[1] == 2)
        #expect(plan.plans[0].envelope.byVelocity[1] == 3)
    }

    @Test func aFilterThatThereIsNotLeavesTheSoundAsItIs() throws {
        let read = try read("<region> sample=mono.wav cutoff=99 fil_type=comb")
        #expect(!read.list.regions.plans[0].filters[0].isOn && read.file.faults == [.unknownOpcode(name: "fil_type", count: 1)])
    }
}
