import Carillon
import CarillonTestKit
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Zones that play out: what goes to which port, and that nothing that began outside is left hanging there.
@Suite struct ZoneOutputTests {
    private func session(_ zones: [Zone], clock: [String] = []) throws -> SessionInTime {
        var options = SessionInTime.options
        options.ports = 1
        options.patch = ZoneSessionTests.patch(zones)
        options.patch?.clock = clock
        return try SessionInTime(options)
    }

    private static func zone(_ name: String, _ output: String, _ change: (inout Zone) -> Void = { _ in }) -> Zone {
        var zone = Zone(name)
        zone.output = output
        change(&zone)
        return zone
    }

    private func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0, output: UInt8 = 0) -> MIDIMessage {
        MIDIMessage(status: status, data1: data1, data2: data2, port: MIDIOutput.firstPort + output)
    }

    @Test func aZoneOfAnOutputAloneIsThru() throws {
        let time = try session([Self.zone("thru", "Synth")])
        #expect(time.outlet.outputs.map(\.name) == ["Synth"] && time.outlet.outputs[0].systemExclusiveInputs == Set(0..<16))
        let played: [(UInt8, UInt8, UInt8)] = [
            (0x90, 60, 90), (0xA0, 60, 12), (0xB3, 7, 100), (0xC3, 17, 0), (0xD0, 44, 0), (0xE0, 1, 70), (0x80, 60, 33),
            (0x95, 0, 1), (0x85, 0, 0), (0xE0, 0, 64), (0xD0, 0, 0),
        ]
        for (status, data1, data2) in played {
            try time.session.receive(.message(MIDIMessage(status: status, data1: data1, data2: data2)))
        }
        #expect(time.outlet.sent.map(\.message) == played.map { message($0.0, $0.1, $0.2) })
        try time.pass(0.1)
        // Nothing of it is heard inside, nor recorded.
        #expect(time.onsets.isEmpty && time.session.engine.renderer.counters.unheardEvents == 0)
        try time.session.finish()
        #expect(time.outlet.sent.count == played.count)
    }

    @Test func theSnapshotTellsWhereEachGoes() throws {
        let time = try session([Self.zone("thru", "Synth")], clock: ["Drums"])
        #expect(
            time.session.snapshot.outputs == [
                .init(name: "Synth", getsBeat: false, port: "Synth", state: "plays out to Synth"),
                .init(name: "Drums", getsBeat: true, port: "Drums", state: "plays out to Drums"),
            ])
        try time.session.finish()
        // Where there is nothing to play out through, that is said of each.
        var options = SessionInTime.options
        options.connections.clock = ["Drums"]
        let outputs = try Session(options, on: SimulatedPort()).snapshot.outputs
        #expect(outputs.map(\.name) == ["Drums"] && outputs.allSatisfy { $0.port == nil && !$0.state.isEmpty })
    }

    @Test func aZoneMayPlayInsideAndOutside() throws {
        let time = try session([
            Self.zone("both", "Synth") {
                ($0.unit, $0.channel, $0.transpose) = ("bass", 3, -12)
                $0.keys = KeySpan("C3-B3") ?? .all
                $0.velocity = TouchCurve(fixed: 100)
            },
            Self.zone("far", "usb:0499:1617") { ($0.channel, $0.ignoredControllers) = (10, [1]) },
        ])
        for event: MusicEvent in [.noteOn(50), .noteOn(72, velocity: 5), .controller(1, 9), .controller(64, 127)] {
            try time.session.receive(event)
        }
        #expect(
            time.outlet.sent.map(\.message) == [
                message(0x92, 38, 100), message(0x99, 50, 100, output: 1), message(0x99, 72, 5, output: 1), message(0xB2, 1, 9),
                message(0xB2, 64, 127), message(0xB9, 64, 127, output: 1),
            ])
        try time.pass(0.1)
        #expect(time.onsets.map(\.key) == [38])
        try time.session.finish()
    }

    @Test func whatBeganOutsideEndsThere() throws {
        let time = try session([Self.zone("thru", "Synth")])
        func start() throws {
            try time.session.receive(.noteOn(60))
            try time.session.receive(.noteOn(64))
            try time.session.receive(.controller(64, 127))
            try time.session.receive(.pitchBend(1))
        }
        let ends = [message(0x80, 60, 64), message(0x80, 64, 64), message(0xB0, 64, 0), message(0xE0, 0, 64)]
        func ended(since count: Int) -> Set<MIDIMessage> { Set(time.outlet.sent.dropFirst(count).map(\.message)) }
        try start()
        try time.session.perform(.panic(.all))
        #expect(ended(since: 4) == Set(ends))
        try start()
        let count = time.outlet.sent.count
        try time.session.finish()
        #expect(ended(since: count) == Set(ends))
    }

    @Test func aHeldKeyEndsWhereItBeganWhateverTheZonesAreByThen() throws {
        let time = try session([Self.zone("first", "Synth") { $0.channel = 2 }])
        try time.session.receive(.noteOn(60))
        try time.session.apply(
            ZoneSessionTests.patch([
                Self.zone("first", "Organ") { $0.transpose = 7 }, ZoneSessionTests.zone("inside", "lead"),
            ]))
        // The former output keeps its number.
        #expect(time.outlet.outputs.map(\.name) == ["Synth", "Organ"])
        try time.session.receive(.noteOn(62))
        try time.session.receive(.noteOff(60))
        try time.session.apply(ZoneSessionTests.patch([ZoneSessionTests.zone("inside", "lead")]))
        try time.session.receive(.noteOff(62))
        #expect(
            time.outlet.sent.map(\.message) == [
                message(0x91, 60, 100), message(0x90, 69, 100, output: 1), message(0x81, 60, 64),
                message(0x80, 69, 64, output: 1),
            ])
        try time.pass(0.2)
        #expect(time.held.values.allSatisfy { $0 == 0 })
        try time.session.finish()
        #expect(time.outlet.sent.count == 4)
    }

    @Test func notesOfASurfaceGoOutToo() throws {
        let time = try session([Self.zone("thru", "Synth") { $0.transpose = 2 }])
        try time.session.perform(.note(channel: 1, key: 60, velocity: 80, seconds: 0.1))
        try time.session.perform(.note(channel: 2, key: 61, velocity: 80, seconds: nil))
        try time.pass(0.3)
        #expect(time.outlet.sent.map(\.message) == [message(0x90, 62, 80), message(0x91, 63, 80), message(0x80, 62, 64)])
        // A tenth of a second, as exact as it is looked after.
        let moments = time.outlet.sent.map(\.nanoseconds)
        #expect(abs(moments[2] - moments[0] - 100_000_000) <= 20_000_000)
        try time.session.finish()
        #expect(time.outlet.sent.last?.message == message(0x81, 63, 64))
    }

    @Test func aDeviceThatComesIsToldItsSound() throws {
        let time = try session([
            Self.zone("strings", "Synth") { ($0.channel, $0.bank, $0.program) = (4, 8, 48) },
            Self.zone("plain", "Other") { $0.channels = PartList([0]) },
        ])
        #expect(
            time.outlet.outputs[0].greeting == [
                MIDIMessage(status: 0xB3, data1: 0, data2: 8), MIDIMessage(status: 0xB3, data1: 32, data2: 0),
                MIDIMessage(status: 0xC3, data1: 48),
            ])
        #expect(time.outlet.outputs[1].greeting == [] && time.outlet.outputs[1].systemExclusiveInputs == [])
        try time.session.finish()
    }

    @Test func outputsAreAsManyAsThereIsRoomFor() throws {
        let many = (0..<16).map { Self.zone("zone \($0)", "port \($0)") }
        let time = try session(many)
        #expect(throws: Fault.self) { try time.session.apply(ZoneSessionTests.patch([Self.zone("more", "another")])) }
        // Nothing has changed.
        #expect(time.session.options.patch?.zones.count == 16)
        #expect(throws: Fault.self) { try session(many + [Self.zone("more", "another")]) }
        try time.session.finish()
    }

    @Test func theGraphSaysItsClockAndOutputsBack() throws {
        let time = try session([Self.zone("thru", "Synth")], clock: ["Drums", "Volca"])
        #expect(time.session.engine.patch == time.session.engine.patch)
        #expect(time.session.engine.patch.clock == ["Drums", "Volca"])
        #expect(time.session.engine.patch.zones == [Self.zone("thru", "Synth")])
        #expect(time.outlet.clock == ["Drums", "Volca"])
        try time.session.finish()
    }

    /// However zones overlap and change, what began outside has ended in the end.
    @Test(arguments: [1, 2, 3] as [UInt64]) func nothingHangsOutside(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func zones() -> [Zone] {
            (0..<4).map { index in
                let low = UInt8.random(in: 0...100, using: &random)
                return Self.zone("zone \(index)", ["Synth", "Organ", "Drums"].randomElement(using: &random) ?? "Synth") {
                    $0.keys = KeySpan(low...UInt8.random(in: low...127, using: &random))
                    $0.transpose = Int.random(in: -12...12, using: &random)
                    $0.hardest = UInt8.random(in: 60...127, using: &random)
                    $0.channel = Bool.random(using: &random) ? nil : Int.random(in: 1...16, using: &random)
                    if Bool.random(using: &random) { $0.unit = "lead" }
                }
            }
        }
        let time = try session(zones())
        for _ in 0..<400 {
            let key = UInt8.random(in: 20...110, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: try time.session.receive(.noteOn(key, velocity: UInt8.random(in: 1...127, using: &random)))
            case 4..<7: try time.session.receive(.noteOff(key))
            case 7: try time.session.receive(.controller(64, UInt8.random(in: 0...127, using: &random)))
            case 8: try time.session.perform(.transposeKeys(Int.random(in: -5...5, using: &random)))
            default:
                if Int.random(in: 0..<5, using: &random) == 0 { try time.session.apply(ZoneSessionTests.patch(zones())) }
            }
            try time.pass(0.01)
        }
        try time.session.finish()
        var sounding: [Int: Int] = [:], pedals: [Int: UInt8] = [:]
        for sent in time.outlet.sent.map(\.message) {
            let slot = sent.part * 128 + Int(sent.data1)
            switch sent.kind {
            case .noteOn where sent.data2 > 0: sounding[slot, default: 0] += 1
            case .noteOn, .noteOff: sounding[slot] = 0
            case .controlChange where sent.data1 == 64: pedals[sent.part] = sent.data2
            default: break
            }
        }
        #expect(sounding.count > 50 && sounding.values.allSatisfy { $0 == 0 })
        #expect(!pedals.isEmpty && pedals.values.allSatisfy { $0 < 64 })
    }
}
