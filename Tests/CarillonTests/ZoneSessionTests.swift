import Carillon
import CarillonTestKit
import Graphs
import MIDI
import Patches
import RealtimeCore
import Testing

@testable import Sessions

/// A keyboard in zones: who hears what, and that nothing hangs.
@Suite struct ZoneSessionTests {
    /// Two square waves, each on a port of its own, and the zones.
    static func patch(_ zones: [Zone]) -> Patch {
        var patch = Patch()
        for (name, part) in [("bass", 0), ("lead", 16)] {
            var unit = PatchUnit(name, "square-wave", role: .instrument)
            unit.parts = PartList(part..<part + 16)
            patch.units.append(unit)
        }
        var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
        mixer.inputCount = 2
        patch.units += [mixer, PatchUnit("limiter", "limiter", role: .master)]
        patch.connections = [
            PatchConnection(PatchPort("bass"), to: PatchPort("mixer", 0)),
            PatchConnection(PatchPort("lead"), to: PatchPort("mixer", 1)),
            PatchConnection(PatchPort("mixer"), to: PatchPort("limiter")),
        ]
        patch.outputs = [PatchPort("limiter")]
        patch.zones = zones
        return patch
    }

    static func zone(_ name: String, _ unit: String, keys: String = "0-127", _ change: (inout Zone) -> Void = { _ in }) -> Zone {
        var zone = Zone(name)
        zone.unit = unit
        zone.keys = KeySpan(keys) ?? .all
        change(&zone)
        return zone
    }

    /// Each zone shows the sound of its own unit; one that plays no SoundFont shows none.
    @Test func zonesNameTheirSounds() throws {
        let text = """
            version: 1
            units:
              bass: {unit: soundfont, role: instrument}
              strings: {unit: soundfont, role: instrument}
              lead: {unit: square-wave, role: instrument}
              mix: {unit: multichannel-mixer, inputs: 3, role: master}
            zones:
              left: {keys: C1-B2, unit: bass, program: 33}
              right: {keys: C3-B4, unit: strings, program: 48}
              high: {keys: C5-G9, unit: lead}
            connections: [bass -> mix, "strings -> mix[1]", "lead -> mix[2]"]
            outputs: mix
            """
        var options = SessionInTime.options
        options.instrument = .soundFont(["embedded"])
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        let time = try SessionInTime(options), session = time.session
        try time.pass(0.1)
        let names = [33, 48].map { program in session.presets.first { $0.bank == 0 && $0.program == program }?.name }
        #expect(session.snapshot.zones.map(\.sound?.name) == names + [nil] && !names.contains(nil))
        try session.finish()
    }

    private static var split: [Zone] {
        [zone("left", "bass", keys: "0-B3") { $0.transpose = -12 }, zone("right", "lead", keys: "C4-127")]
    }

    private func voices(_ time: SessionInTime, _ unit: String) throws -> Int {
        let node = try #require(time.session.engine.graph.node(named: unit))
        return Int(node.instance.readout("voices") ?? node.instance.readout("active-voices") ?? -1)
    }

    private func session(_ zones: [Zone]) throws -> SessionInTime {
        var options = SessionInTime.options
        options.ports = 1
        options.patch = Self.patch(zones)
        return try SessionInTime(options)
    }

    @Test func eachHandHasItsInstrument() throws {
        let time = try session(Self.split)
        for key: UInt8 in [48, 59, 60, 64, 67] { try time.session.receive(.noteOn(key)) }
        try time.pass(0.1)
        #expect(try voices(time, "bass") == 2 && voices(time, "lead") == 3)
        #expect(Set(time.onsets.map(\.key)) == [36, 47, 60, 64, 67])
        for key: UInt8 in [48, 59, 60, 64, 67] { try time.session.receive(.noteOff(key)) }
        #expect(time.session.snapshot.levels.count == 2 && time.session.snapshot.levels.allSatisfy { $0.peak > -40 })
        try time.pass(3)
        #expect(try voices(time, "bass") == 0 && voices(time, "lead") == 0)
        #expect(time.session.snapshot.levels.allSatisfy { $0.average < -60 }, "\(time.session.snapshot.levels)")
        try time.session.finish()
    }

    @Test func layersSoundTogetherAndSwitchByVelocity() throws {
        let time = try session([
            Self.zone("soft", "bass") { $0.hardest = 80 }, Self.zone("all", "lead") { $0.velocity = TouchCurve(fixed: 100) },
        ])
        try time.session.receive(.noteOn(60, velocity: 60))
        try time.session.receive(.noteOn(62, velocity: 100))
        try time.pass(0.1)
        #expect(try voices(time, "bass") == 1 && voices(time, "lead") == 2)
        // One message reaches a part once, however many zones it has.
        let router = try ZoneRouter(Self.patch([Self.zone("a", "bass", keys: "0-59"), Self.zone("b", "bass", keys: "60-127")]))
        #expect(router.events(for: .controller(64, 127)) == [.controller(64, 127)])
        try time.session.finish()
    }

    @Test func keyboardsAreToldApartByTheirPorts() throws {
        let router = try ZoneRouter(
            Self.patch([
                Self.zone("upper", "lead") { $0.keyboard = "Upper" }, Self.zone("lower", "bass") { $0.keyboard = "Lower" },
            ]))
        #expect(router.keyboards == ["Upper", "Lower"])
        let note = MIDIMessage(status: 0x90, data1: 60, data2: 90, port: 1)
        #expect(router.events(for: .message(note)) == [.message(MIDIMessage(status: 0x90, data1: 60, data2: 90, port: 0))])
        let both = try ZoneRouter(Self.patch([Self.zone("any", "bass"), Self.zone("upper", "lead") { $0.keyboard = "Upper" }]))
        #expect(both.keyboards == ["any", "Upper"])
        #expect(both.events(for: .message(note)).count == 2)
        #expect(both.events(for: .noteOn(60)).count == 1)
        #expect(
            both.events(for: .reset(.generalMIDI, port: 1)) == [.reset(.generalMIDI, port: 0), .reset(.generalMIDI, port: 1)])
    }

    @Test func controllersAndProgramsPassOrNot() throws {
        let router = try ZoneRouter(
            Self.patch([
                Self.zone("a", "lead") {
                    $0.channel = 3
                    $0.ignoredControllers = [1]
                    $0.passesPrograms = false
                    ($0.bank, $0.program) = (8, 48)
                    $0.pressure = TouchCurve(exponent: 2)
                }
            ]))
        func heard(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> [MIDIMessage] {
            router.events(for: .message(MIDIMessage(status: status, data1: data1, data2: data2))).compactMap {
                if case .message(let message) = $0 { message } else { nil }
            }
        }
        #expect(heard(0xB0, 1, 5).isEmpty && heard(0xC0, 5).isEmpty && heard(0xB0, 0, 1).isEmpty && heard(0xB0, 32, 1).isEmpty)
        #expect(heard(0xB0, 64, 127) == [MIDIMessage(status: 0xB2, data1: 64, data2: 127, port: 1)])
        #expect(heard(0xD0, 64) == [MIDIMessage(status: 0xD2, data1: 33, data2: 0, port: 1)])
        #expect(router.sounds == [.init(zone: "a", unit: "lead", part: 18, bank: 8, program: 48)])
        #expect(router.events(for: .partMode(.drums, port: 0, channel: 5)) == [.partMode(.drums, port: 1, channel: 2)])
    }

    /// However zones overlap, cross and transpose, every key that is lifted is silent in the end.
    @Test(arguments: [1, 2, 3] as [UInt64]) func noNoteHangsInRandomZones(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let zones = (0..<6).map { index in
            let low = UInt8.random(in: 0...100, using: &random)
            return Self.zone("zone \(index)", Bool.random(using: &random) ? "bass" : "lead") {
                $0.keys = KeySpan(low...UInt8.random(in: low...127, using: &random))
                $0.transpose = Int.random(in: -12...12, using: &random)
                $0.hardest = UInt8.random(in: 60...127, using: &random)
            }
        }
        let time = try session(zones)
        var down: Set<UInt8> = []
        for _ in 0..<400 {
            let key = UInt8.random(in: 20...110, using: &random)
            if down.remove(key) != nil {
                try time.session.receive(.noteOff(key))
            } else {
                down.insert(key)
                try time.session.receive(.noteOn(key, velocity: UInt8.random(in: 1...127, using: &random)))
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                try time.session.receive(.controller(64, UInt8.random(in: 0...127, using: &random)))
            }
            try time.pass(0.01)
        }
        for key in down { try time.session.receive(.noteOff(key)) }
        try time.session.receive(.controller(64, 0))
        try time.pass(2)
        #expect(try voices(time, "bass") == 0 && voices(time, "lead") == 0)
        let counters = time.session.engine.renderer.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0)
        try time.session.finish()
    }

    @Test func aPatchThatCannotBeIsRefusedAtTheStart() {
        var options = SessionInTime.options
        options.patch = Self.patch([Self.zone("x", "nobody")])
        #expect(throws: Fault.self) { try SessionInTime(options) }
    }

    @Test func theGraphSaysItsZonesBack() throws {
        let time = try session(Self.split)
        #expect(time.session.engine.patch.zones == Self.split)
        try time.session.finish()
    }
}
