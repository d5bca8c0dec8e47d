import Carillon
import DSP
import MIDI
import Patches
import Testing
import UnitAPI
import Units

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// The volume of a session, whatever its patch ends with. In simulated time.
@Suite struct VolumeTests {
    private static func patch(_ text: String) throws -> Patch {
        try PatchFile(text: "version: 1\n" + text, units: UnitCatalog.entries).patch
    }

    /// The ends that a patch may have: an instrument, an effect, a limiter of role master, a mixer without a role and one inside a
    /// patch, four loudspeakers.
    private static let ends = [
        "units: {organ: {unit: polysynth, preset: organ, role: instrument}}\noutputs: organ\n",
        """
        units:
          organ: {unit: polysynth, preset: organ, role: instrument}
          limiter: {role: master}
        connections: [organ -> limiter]
        outputs: limiter

        """,
        """
        units:
          volume: {unit: polysynth, preset: organ, role: instrument}
          desk: {unit: multichannel-mixer, volume: -2 dB}
        connections: [volume -> desk]
        outputs: desk

        """,
        """
        units: {organ: {unit: polysynth, preset: organ, role: instrument}}
        patches:
          drums:
            units: {mixer: {unit: multichannel-mixer, role: master}}
            inputs: mixer
            outputs: mixer
        connections: [organ -> drums]
        outputs: drums

        """,
        """
        units:
          organ: {unit: polysynth, preset: organ, role: instrument}
          room: {unit: spatial-mixer, rendering: vbap, layout: quad}
        connections: [organ -> room]
        outputs: "room[speakers]"

        """,
    ]

    /// The highest sample that is heard while a key is held, a tenth of a second after `before` was done.
    private func peak(_ patches: [Patch], _ before: (Session) throws -> Void) throws -> [Float] {
        var options = SetListSamples.options(patches)
        if patches.count == 1 { (options.patch, options.patches) = (patches[0], []) }
        let time = try SessionInTime(options)
        try before(time.session)
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)))
        try time.pass(0.3)
        _ = time.port.takeHeard()
        try time.pass(0.2)
        let peaks = time.port.takeHeard().map { $0.map { abs($0) }.max() ?? 0 }
        try time.session.finish()
        return peaks
    }

    @Test(arguments: ends.indices, [false, true]) func everyPatchHasAVolume(_ end: Int, isListed: Bool) throws {
        let patch = try Self.patch(Self.ends[end]), patches = isListed ? [patch, patch] : [patch]
        let whole = try peak(patches) { #expect($0.snapshot.volume == 0) }
        #expect(whole.contains { $0 > 0.01 })
        let half = try peak(patches) { session in
            try session.perform(.volume(-6))
            #expect(session.snapshot.volume == -6)
        }
        let gain = Decibels.amplitude(-6)
        for (whole, half) in zip(whole, half) { #expect(abs(half - whole * gain) < 1e-4 * gain, "\(half) \(whole)") }
        let none = try peak(patches) { try $0.perform(.volume(-120)) }
        #expect(none.allSatisfy { $0 == 0 })
    }

    @Test func theVolumeIsThatOfAllPatches() throws {
        let patch = try Self.patch(Self.ends[0]), time = try SessionInTime(SetListSamples.options([patch, patch]))
        let session = time.session
        try session.perform(.volume(-9))
        try time.pass(0.1)
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(session.snapshot.volume == -9)
        try session.perform(.volume(3))
        try time.pass(0.1)
        try session.perform(.patch(.previous))
        try time.pass(0.1)
        #expect(session.snapshot.volume == 3)
        try session.finish()
    }

    @Test func aVolumeThatIsRefusedReachesNoPatch() throws {
        let patch = try Self.patch(Self.ends[0])
        var options = SetListSamples.options([patch, patch])
        options.gain = 6
        let time = try SessionInTime(options), most = Double(MultichannelMixer.Parameter.volume.spec.range.upperBound)
        #expect(throws: Fault.self) { try time.session.perform(.volume(most)) }
        try time.session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(time.session.snapshot.volume == 0)
        try time.session.finish()
    }

    @Test func aGainTurnsAPatchWithoutAMixerToo() throws {
        var options = SetListSamples.options([])
        (options.patch, options.gain) = (try Self.patch(Self.ends[0]), -6)
        let time = try SessionInTime(options)
        #expect(time.session.snapshot.volume == 0)
        #expect(try time.session.engine.value("volume.volume") == -6)
        try time.session.finish()
    }

    @Test func namesThatASessionHasForItselfAreInNoMessage() throws {
        let patch = try Self.patch(Self.ends[1]), time = try SessionInTime(SetListSamples.options([patch, patch]))
        let session = time.session
        try session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)))
        try time.pass(0.1)
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(session.engine.graph.nodes.contains { $0.owner.isRinging })
        for command: ControlCommand in [
            .set("orgen.cutoff=1 kHz"), .panic(.unit("orgen")), .preset(unit: "orgen", name: "organ"),
        ] {
            let error = #expect(throws: Fault.self) { try session.perform(command) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("organ") && !text.contains("set-list") && !text.contains("former-"), "\(text)")
        }
        let ringing = session.engine.graph.nodes.filter(\.owner.isRinging)
        #expect(ringing.contains { $0.name == "former-1.organ" && $0.nameInPatch == "organ" })
        let owners = ["former-3.organ", "drums.organ", "leaving-1.drums.organ", "set-list.sum"].map(ReservedNames.owner)
        #expect(owners == [.former(3), .patch, .leaving, .setList])
        try session.finish()
    }
}
