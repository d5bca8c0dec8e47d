import Carillon
import CarillonTestKit
import Foundation
import Graphs
import MIDI
import Patches
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A patch that is saved with another SoundFont while keys are down: what is held sounds on until its key is lifted.
@Suite struct LeavingUnitTests {
    /// A SoundFont into a mixer.
    private static func patch(_ soundFont: String, gain: Float = 0) -> Patch {
        var patch = Patch()
        var lead = PatchUnit("lead", "soundfont", role: .instrument)
        lead.parts = PartList([0])
        patch.soundFonts = [soundFont]
        var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
        mixer.inputCount = 1
        mixer.values["volume"] = [gain]
        patch.units = [lead, mixer]
        patch.connections = [PatchConnection(PatchPort("lead"), to: PatchPort("mixer"))]
        patch.outputs = [PatchPort("mixer")]
        return patch
    }

    private static func session(_ soundFont: String, capture: String? = nil) throws -> SessionInTime {
        var options = LiveOptions()
        options.ports = 1
        options.device.period = 128
        options.patch = patch(soundFont)
        options.capturePath = capture
        return try SessionInTime(options)
    }

    private func former(_ session: Session) -> Graph.Node? { session.engine.graph.nodes.first(where: \.isLeaving) }
    private func voices(_ node: Graph.Node?) -> Float? { node?.instance.readout("active-voices") }

    @Test func aHeldKeyGoesOnUntilItIsLifted() throws {
        try TinySoundFont().write { first in
            try TinySoundFont(presets: [(0, 0, "Other")]).write { second in
                let time = try Self.session(first), session = time.session
                try session.receive(.noteOn(60))
                try time.pass(0.3)
                try session.apply(Self.patch(second))
                try time.pass(0.5)
                #expect(former(session)?.name == "leaving-1.lead" && voices(former(session)) == 1)
                #expect(session.snapshot.notes == [.init(channel: 1, key: 60)])
                #expect(session.snapshot.levels.allSatisfy { $0.average > -60 }, "\(session.snapshot.levels)")
                // A new key is the new unit's alone.
                try session.receive(.noteOn(67))
                try time.pass(0.2)
                #expect(voices(former(session)) == 1 && voices(session.engine.graph.node(named: "lead")) == 1)
                try session.receive(.noteOff(67))
                try time.pass(1)
                #expect(voices(former(session)) == 1)
                // Once lifted it dies away and goes.
                try session.receive(.noteOff(60))
                #expect(try time.pass(atMost: 10) { former(session) == nil })
                #expect(!session.engine.graph.nodes.contains { $0.owner.isHidden })
                try session.finish()
            }
        }
    }

    @Test func whoeverMakesTheGraphAgainKnowsThatItLeaves() throws {
        try TinySoundFont().write { first in
            try TinySoundFont(presets: [(0, 0, "Other")]).write { second in
                let time = try Self.session(first), session = time.session
                try session.receive(.noteOn(60))
                try time.pass(0.3)
                try session.apply(Self.patch(second))
                // Twice before anybody has looked: the first one rings on.
                try session.apply(Self.patch(second, gain: -1))
                #expect(former(session)?.name == "leaving-1.lead")
                // As a journal does that begins now.
                let again = try Engine(patch: session.engine.graph.structure)
                #expect(again.graph.nodes.filter(\.isLeaving).map(\.name) == ["leaving-1.lead"])
                // A patch is what lasts.
                #expect(!session.engine.patch.units.contains { ReservedNames.owner(of: $0.name) == .leaving })
                #expect(session.snapshot.voices == 1)
                try session.finish()
            }
        }
    }

    @Test func oneThatSaysNothingIsTakenAwayAtOnce() throws {
        try TinySoundFont().write { first in
            try TinySoundFont(presets: [(0, 0, "Other")]).write { second in
                let time = try Self.session(first), session = time.session
                try time.pass(0.3)
                try session.apply(Self.patch(second))
                #expect(former(session) == nil)
                try session.finish()
            }
        }
    }

    @Test func theEndOfASessionEndsItToo() throws {
        try TinySoundFont().write { first in
            try TinySoundFont(presets: [(0, 0, "Other")]).write { second in
                let time = try Self.session(first), session = time.session
                try session.receive(.noteOn(60))
                try time.pass(0.3)
                try session.apply(Self.patch(second))
                try time.pass(0.1)
                try session.perform(.panic(.all))
                // As long as a meter falls.
                try time.pass(5)
                #expect(session.snapshot.levels.allSatisfy { $0.average < -90 }, "\(session.snapshot.levels)")
                try session.finish()
            }
        }
    }

    @Test func savedAgainAndAgainItSoundsAsItsJournal() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-leaving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Foundation.remove(folder.path + "/take.wav") }
        let path = folder.path + "/take.wav"
        try TinySoundFont().write { first in
            try TinySoundFont(presets: [(0, 0, "Other")]).write { second in
                var random = SeededRandom(seed: 7), held: Set<UInt8> = [], most = 0
                let time = try Self.session(first, capture: path), session = time.session
                for round in 0..<40 {
                    let key = UInt8.random(in: 48...72, using: &random)
                    if held.remove(key) != nil {
                        try session.receive(.noteOff(key))
                    } else {
                        try session.receive(.noteOn(key))
                        held.insert(key)
                    }
                    if round % 3 == 0 { try session.apply(Self.patch(round % 2 == 0 ? second : first, gain: Float(-round % 5))) }
                    try time.pass(0.13)
                    most = max(most, session.engine.graph.nodes.count(where: \.isLeaving))
                }
                #expect(most > 2)
                try session.finish()
                let heard = try AudioFileReader(path: path).readAll()
                var replayed = [[Float]](repeating: [], count: 2)
                try JournalRenderer(try Journal(path: path + ".journal")).render { (samples, frames) in
                    for c in 0..<2 { replayed[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
                }
                let difference = zip(heard[0], replayed[0]).enumerated().first { $0.element.0 != $0.element.1 }
                #expect(difference == nil, "frame \(difference?.offset ?? 0) of \(heard[0].count)")
                #expect(heard[0].count == replayed[0].count && heard[0].contains { abs($0) > 0.01 })
            }
        }
    }
}
