import Carillon
import CarillonTestKit
import Glibc
import MIDI
import Patches
import RemoteIO
import Testing

@testable import EngineCore
@testable import Sessions

/// Edits at random of the patch that sounds, alone and as the current one of a set list: the same samples. tools/soak has more
/// of them.
@Suite(.serialized) struct PatchEditTests {
    private static let seeds: [UInt64] = Array(1...20)
    private static let count = getenv("CARILLON_SOAK_EDITS").flatMap { Int(String(cString: $0)) } ?? 1000

    /// A small patch: a lead of one kind or another, what comes after it, and the zones that play it.
    private static func patch(_ random: inout SeededRandom) -> Patch {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
        var patch = SetListSamples.bells(hasLimiter: chance(2), hasReverb: chance(8), hasDrone: chance(3))
        patch[unit: "mixer"]?.values["volume"] = [Float(Int.random(in: -12...0, using: &random))]
        if chance(3) { patch[unit: "bell"]?.component = "square-wave" }
        if chance(3) { patch[unit: "bell"]?.parts = chance(2) ? PartList([0]) : PartList(0..<32) }
        if chance(4) {
            patch.units.append(PatchUnit("second", "square-wave", role: .instrument))
            patch.connections.append(PatchConnection(PatchPort("second"), to: PatchPort("mixer")))
        }
        if chance(3) {
            patch.zones = [
                ZoneSessionTests.zone("low", "bell", keys: "0-B3") { $0.program = chance(2) ? 7 : nil },
                ZoneSessionTests.zone("high", patch[unit: "second"] == nil ? "bell" : "second"),
            ]
            var quiet = Scene("quiet")
            quiet.values[ParameterAddress("mixer.volume")!] = -20
            quiet.zones = ["low"]
            patch.scenes = [quiet]
        }
        return patch
    }

    /// The samples of a session in which so many edits happen; the same for each seed, whatever else is in the list.
    private static func played(_ seed: UInt64, edits: Int, in list: [Patch]) throws -> (samples: [[Float]], ringing: Int) {
        var random = SeededRandom(seed: seed)
        let time = try SessionInTime(SetListSamples.options([patch(&random)] + list)), session = time.session
        var held: Set<UInt8> = [], ringing = 0
        for _ in 0..<edits {
            for _ in 0..<2 {
                let key = UInt8.random(in: 54...66, using: &random)
                if held.remove(key) != nil {
                    try session.receive(.noteOff(key))
                } else {
                    held.insert(key)
                    try session.receive(.noteOn(key))
                }
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try session.perform(.set("mixer.volume=\(Int.random(in: -9...0, using: &random)) dB"))
            case 1 where !session.engine.scenes.isEmpty: try session.perform(.scene(.next))
            default: break
            }
            try session.apply(patch(&random))
            ringing = max(ringing, session.engine.graph.nodes.count(where: \.isLeaving))
            if Bool.random(using: &random) { try time.pass(Double(Int.random(in: 1...3, using: &random)) / 100) }
        }
        for key in held { try session.receive(.noteOff(key)) }
        try time.pass(0.5)
        let counters = session.engine.renderer.counters
        #expect(counters.faults == 0)
        try session.finish()
        return (time.port.played, ringing)
    }

    @Test(arguments: seeds) func editsSoundTheSameAloneAndInASetList(_ seed: UInt64) throws {
        let edits = Self.count / Self.seeds.count
        let alone = try Self.played(seed, edits: edits, in: [])
        let listed = try Self.played(
            seed, edits: edits, in: [SetListSamples.bells(hasDrone: true), SetListSamples.bells(hasReverb: true)])
        for (one, other) in zip(alone.samples, listed.samples) {
            let difference = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }
            #expect(difference == nil, "frame \(difference?.offset ?? 0) of \(one.count)")
            #expect(one.count == other.count && one.contains { abs($0) > 0.05 })
        }
        #expect(alone.ringing == listed.ringing && alone.ringing > 0)
    }
}
