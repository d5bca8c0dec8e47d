import Carillon
import MIDI
import Patches
import Reports
import Testing

@testable import EngineCore
@testable import Sessions

/// A patch of a list that stays through all entries.
@Suite struct AlwaysPatchTests {
    private static func options(zone: String = "", entries: Int = 2) throws -> LiveOptions {
        var options = SetListSamples.options(Array(repeating: SetListSamples.bells(), count: entries))
        let text = """
            version: 1
            units:
              drone: {unit: square-wave, role: instrument}
              mixer: {unit: multichannel-mixer, role: master}
            connections: [drone -> mixer]
            outputs: mixer
            \(zone)
            """
        options.list.always = try PatchFile(text: text, units: UnitCatalog.entries).patch
        return options
    }

    private func note(_ key: UInt8, _ isDown: Bool) -> MusicEvent {
        .message(MIDIMessage(status: isDown ? 0x90 : 0x80, data1: key, data2: 100))
    }

    /// A key that it plays sounds on through changes of the patch, the same unit, and ends when it is lifted.
    @Test func aKeyOfItSoundsThroughAllChanges() throws {
        let time = try SessionInTime(Self.options(zone: "zones: {low: {keys: C-1-B2, unit: drone}}")), session = time.session
        let unit = try #require(session.engine.graph.nodes.first { $0.name == "always.drone" }).id
        try session.receive(note(36, true))
        try time.pass(0.2)
        func peak(_ seconds: Double) throws -> Float {
            let before = time.port.played[0].count
            try time.pass(seconds)
            return time.port.played[0][before...].reduce(0) { max($0, abs($1)) }
        }
        #expect(try peak(0.2) > 0.01)
        for place in [PatchPlace.next, .previous, .next] {
            // The patch plays the key too; its own unit is another one each time.
            try session.perform(.patch(place))
            try time.pass(0.3)
            #expect(try peak(0.3) > 0.01 && session.engine.graph.nodes.first { $0.name == "always.drone" }?.id == unit)
        }
        try session.receive(note(36, false))
        try time.pass(3)
        #expect(try peak(0.5) < 0.001)
        // What is set by hand stays with it.
        try session.perform(.set("always.mixer.volume=-6 dB"))
        try session.perform(.patch(.previous))
        try time.pass(0.3)
        #expect(try session.engine.value("always.mixer.volume") == -6)
        try session.finish()
    }

    @Test(arguments: ["zones: {low: {keys: C-1-B2, unit: drone}}", ""]) func itsZonesDecideWhatItHears(_ zone: String) throws {
        let time = try SessionInTime(Self.options(zone: zone)), session = time.session
        let drone = try #require(session.engine.graph.nodes.first { $0.name == "always.drone" })
        func voices() -> Int { drone.instance.isAtRest ? 0 : 1 }
        try session.receive(note(72, true))
        try time.pass(0.2)
        #expect((voices() > 0) == zone.isEmpty)
        try session.receive(note(36, true))
        try time.pass(0.2)
        #expect(voices() > 0)
        try session.perform(.panic(.all))
        try time.pass(1)
        #expect(voices() == 0)
        try session.finish()
    }

    /// Another version of it comes while it sounds: the unit stays with its key and what was set by hand, zones are the new ones, and
    /// units that come are heard.
    @Test func anotherVersionComesWhileItSounds() throws {
        let low = "zones: {low: {keys: C-1-B2, unit: drone}}"
        let time = try SessionInTime(Self.options(zone: low)), session = time.session
        func unit(_ name: String) -> NodeID? { session.engine.graph.nodes.first { $0.name == name }?.id }
        let drone = try #require(unit("always.drone"))
        try session.perform(.set("always.mixer.volume=-6 dB"))
        try session.receive(note(36, true))
        try time.pass(0.3)
        var new = try #require(Self.options(zone: "zones: {low: {keys: C-1-B1, unit: drone}}").list.always)
        try session.exchange(always: new)
        try time.pass(0.3)
        #expect(unit("always.drone") == drone)
        #expect(try session.engine.value("always.mixer.volume") == -6)
        // The key sounds on, and ends where it began, though its zone hears it no more.
        let instance = try #require(session.engine.graph.nodes.first { $0.id == drone }?.instance)
        #expect(!instance.isAtRest)
        try session.receive(note(36, false))
        try time.pass(3)
        #expect(instance.isAtRest)
        try session.receive(note(36, true))
        try time.pass(0.2)
        #expect(instance.isAtRest)
        // Where a unit comes, others may get other ports: what they cannot end any more ends then.
        try session.receive(note(20, true))
        try time.pass(0.2)
        #expect(!instance.isAtRest)
        var high = Zone("high")
        high.unit = "second"
        new.units.append(PatchUnit("second", "square-wave", role: .instrument))
        new.connections.append(PatchConnection(PatchPort("second"), to: PatchPort("mixer")))
        new.zones.append(high)
        try session.exchange(always: new)
        for isDown in [false, true, false] {
            try session.receive(note(20, isDown))
            try time.pass(0.2)
            if isDown { #expect(!instance.isAtRest && session.engine.graph[unit("always.second")!]?.instance.isAtRest == false) }
        }
        try time.pass(3)
        #expect(instance.isAtRest)
        // It does not leave.
        #expect(throws: Fault.self) { try session.exchange(always: nil) }
        try time.pass(0.2)
        #expect(unit("always.drone") == drone)
        try session.finish()
    }

    /// It stays beside one entry too, and beside songs.
    @Test func oneEntryIsEnough() throws {
        let time = try SessionInTime(Self.options(entries: 1)), session = time.session
        try session.receive(note(60, true))
        try time.pass(0.2)
        #expect(time.port.played[0].contains { abs($0) > 0.01 })
        #expect(session.engine.graph.nodes.contains { $0.name == "always.drone" })
        try session.finish()
    }
}
