import Carillon
import CarillonTestKit
import MIDI
import Patches
import Testing

@testable import Sessions

/// A session whose patch becomes another while it is played: what a saved file does.
@Suite struct AppliedPatchTests {
    private static let split = [
        ZoneSessionTests.zone("left", "bass", keys: "0-B3"), ZoneSessionTests.zone("right", "lead", keys: "C4-127"),
    ]

    private func session() throws -> SessionInTime {
        var options = SessionInTime.options
        options.ports = 1
        options.patch = ZoneSessionTests.patch(Self.split)
        return try SessionInTime(options)
    }

    private func voices(_ time: SessionInTime, _ unit: String) throws -> Int {
        let node = try #require(time.session.engine.graph.node(named: unit))
        return Int(node.instance.readout("voices") ?? node.instance.readout("active-voices") ?? -1)
    }

    /// A patch with other values, zones and perhaps an effect behind the lead; the bass stays as it is.
    private func changed(using random: inout SeededRandom) -> Patch {
        var zones = Self.split
        zones[1].transpose = Int.random(in: -12...12, using: &random)
        if Bool.random(using: &random) { zones.append(ZoneSessionTests.zone("layer", "lead", keys: "C5-127")) }
        var patch = ZoneSessionTests.patch(zones)
        patch[unit: "mixer"]?.values["volume"] = [Float.random(in: -20...0, using: &random)]
        if Bool.random(using: &random) {
            patch.units.append(PatchUnit("room", "reverb"))
            patch.connections[1] = PatchConnection(PatchPort("lead"), to: PatchPort("room"))
            patch.connections.append(PatchConnection(PatchPort("room"), to: PatchPort("mixer", 1)))
        }
        return patch
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func heldNotesGoOnThroughAnySave(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let time = try session()
        try time.session.receive(.noteOn(36))
        try time.pass(0.1)
        let bass = try #require(time.session.engine.graph.node(named: "bass")?.id)
        for save in 0..<60 {
            let key = UInt8.random(in: 60...90, using: &random)
            try time.session.receive(.noteOn(key))
            try time.session.apply(changed(using: &random))
            try time.pass(0.03)
            #expect(try voices(time, "bass") == 1, "save \(save)")
            #expect(time.session.engine.graph.node(named: "bass")?.id == bass)
            // The key is lifted under other zones than those it was struck in.
            if Bool.random(using: &random) { try time.session.apply(changed(using: &random)) }
            try time.session.receive(.noteOff(key))
            #expect(time.session.snapshot.levels.contains { $0.average > -60 })
        }
        try time.session.receive(.noteOff(36))
        try time.pass(4)
        #expect(try voices(time, "bass") == 0 && voices(time, "lead") == 0)
        let counters = time.session.engine.renderer.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0)
        try time.session.finish()
    }

    @Test func aPatchThatCannotBeChangesNothing() throws {
        let time = try session()
        try time.session.receive(.noteOn(40))
        try time.pass(0.1)
        let before = time.session.engine.patch
        var zoneless = ZoneSessionTests.patch(Self.split)
        zoneless.zones[0].unit = "nobody"
        var unknown = ZoneSessionTests.patch(Self.split)
        unknown.units.append(PatchUnit("x", "no-such-unit"))
        var loud = ZoneSessionTests.patch(Self.split)
        loud[unit: "mixer"]?.values["volume"] = [1e9]
        var keyboard = ZoneSessionTests.patch(Self.split)
        keyboard.zones[0].keyboard = "Keystation"
        var silent = ZoneSessionTests.patch(Self.split)
        silent.outputs = []
        for patch in [zoneless, unknown, loud, keyboard, silent] {
            #expect(throws: Fault.self) { try time.session.apply(patch) }
            #expect(time.session.engine.patch == before)
            try time.pass(0.05)
            #expect(try voices(time, "bass") == 1)
        }
        try time.session.finish()
    }

    @Test func aSoundThatAZoneBeginsWithIsSetWhenItComes() throws {
        let time = try session()
        var patch = ZoneSessionTests.patch(Self.split)
        patch.zones[1].program = 5
        try time.session.apply(patch)
        var programs = 0
        time.session.onPerformance = { performance in
            for case .music(.message(let message)) in performance.entries.map(\.event) where message.kind == .programChange {
                #expect(message.data1 == 5 && message.port == 1)
                programs += 1
            }
        }
        try time.pass(0.1)
        try time.session.apply(patch)
        try time.pass(0.1)
        #expect(programs == 1)
        try time.session.finish()
    }

    @Test func aPatchShowsItsChannelsAndWhatTheyPlay() throws {
        var options = SessionInTime.options
        options.ports = 1
        options.instrument = .soundFont([RenderedSong.soundFont])
        options.patch = try #require(PatchExample.named("split-bass-and-piano")).patch
        let time = try SessionInTime(options)
        try time.session.receive(.noteOn(40))
        try time.pass(0.2)
        let channels = time.session.snapshot.channels
        #expect(channels.map(\.number) == [1, 2])
        #expect(channels[0].sound != nil && channels[0].instrument == nil && channels[0].level.peak < -60)
        #expect(channels[1].sound == nil && channels[1].instrument == "bass" && channels[1].level.peak > -50)
        try time.session.finish()
    }

    @Test func channelsWithoutAStripHaveTheirSoundsToo() throws {
        var options = SessionInTime.options
        options.ports = 1
        options.instrument = .soundFont([RenderedSong.soundFont])
        var patch = Patch(), piano = PatchUnit("piano", "soundfont", role: .instrument),
            mixer = PatchUnit("mixer", "multichannel-mixer")
        var lead = PatchUnit("lead", "square-wave", role: .instrument)
        (piano.parts, lead.parts, mixer.inputCount) = (PartList(0..<3), PartList([4]), 2)
        patch.units = [piano, lead, mixer]
        patch.connections = [
            PatchConnection(PatchPort("piano"), to: PatchPort("mixer")),
            PatchConnection(PatchPort("lead"), to: PatchPort("mixer", 1)),
        ]
        patch.outputs = [PatchPort("mixer")]
        options.patch = patch
        let time = try SessionInTime(options), session = time.session
        try session.perform(.program(channel: 2, bank: 0, program: 48))
        try time.pass(0.1)
        let channels = session.snapshot.channels
        #expect(channels.map(\.number) == [1, 2, 3, 5], "\(channels)")
        #expect(channels.map { $0.sound?.program } == [0, 48, 0, nil] && channels.map(\.instrument) == [nil, nil, nil, "lead"])
        #expect(channels.allSatisfy { $0.level.peak == -.infinity })
        try session.finish()
    }

    /// What the file does not change stays as a hand has set it: volume, sends, a metronome.
    @Test func whatWasSetByHandStays() throws {
        let time = try session(), engine = time.session.engine
        try time.session.perform(.volume(-12))
        try time.session.perform(.set("bass.release=400ms"))
        try time.session.perform(.metronome(true, tempo: 77))
        try time.pass(0.5)
        var patch = ZoneSessionTests.patch(Self.split)
        patch[unit: "lead"]?.values["release"] = [0.3]
        try time.session.apply(patch)
        try time.pass(0.2)
        #expect(time.session.snapshot.volume == -12)
        #expect(try engine.value("bass.release") == 0.4 && engine.value("lead.release") == 0.3)
        #expect(time.session.snapshot.metronome?.isRunning == true && time.session.snapshot.metronome?.tempo == 77)
        // The volume is the session's: it comes on top of what the file says anew.
        patch[unit: "mixer"]?.values["volume"] = [-3]
        try time.session.apply(patch)
        try time.pass(0.2)
        #expect(try time.session.snapshot.volume == -12 && engine.value("mixer.volume") == -15)
        try time.session.finish()
    }

    @Test func aZoneThatChangesItsBankAloneChangesItsSound() throws {
        let time = try session()
        var patch = ZoneSessionTests.patch(Self.split), heard: [MIDIMessage] = []
        patch.zones[1].program = 5
        try time.session.apply(patch)
        try time.pass(0.1)
        time.session.onPerformance = { performance in
            for case .music(.message(let message)) in performance.entries.map(\.event) { heard.append(message) }
        }
        patch.zones[1].bank = 8
        try time.session.apply(patch)
        try time.pass(0.1)
        #expect(heard.contains(MIDIMessage(status: 0xB0, data1: 0, data2: 8, port: 1)))
        #expect(heard.last == MIDIMessage(status: 0xC0, data1: 5, data2: 0, port: 1))
        // Zones may go and come back.
        patch.zones = []
        try time.session.apply(patch)
        try time.session.apply(ZoneSessionTests.patch(Self.split))
        try time.session.finish()
    }
}
