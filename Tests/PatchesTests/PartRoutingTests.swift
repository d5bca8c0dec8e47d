import CarillonTestKit
import Testing
import UnitAPI

@testable import Patches

/// A zone that names a unit plays that unit and no other, whatever parts units name.
@Suite struct PartRoutingTests {
    private static func unit(_ name: String, _ parts: [Int], _ role: UnitRole? = .instrument) -> PatchUnit {
        var unit = PatchUnit(name, "square-wave", role: role)
        unit.parts = PartList(parts)
        return unit
    }

    private static func zone(_ unit: String?, channel: Int? = nil) -> Zone {
        var zone = Zone("zone \(unit ?? "all") \(channel ?? 0)")
        (zone.unit, zone.channel) = (unit, channel)
        return zone
    }

    /// Instruments with a strip each, which hears what its instrument says, and one zone for each of them.
    private static func patch(_ instruments: [(name: String, parts: [Int])]) -> Patch {
        var patch = Patch()
        for (name, parts) in instruments {
            patch.units += [unit(name, parts), unit("\(name)-strip", parts, .strip)]
            patch.connections += [
                PatchConnection(PatchPort(name), to: PatchPort("\(name)-strip")),
                PatchConnection(PatchPort("\(name)-strip"), to: PatchPort("mixer")),
            ]
            patch.zones.append(zone(name))
        }
        patch.units.append(PatchUnit("mixer", "multichannel-mixer", role: .master))
        patch.outputs = [PatchPort("mixer")]
        return patch
    }

    @Test func aPartThatNobodyElseHearsStays() {
        let patch = Self.patch([("bass", [0]), ("lead", [1, 16])]), routing = PartRouting(patch)
        #expect(patch.zones.map(routing.part(of:)) == [0, 1] && routing.ownParts.isEmpty)
        #expect(patch.hearing() == patch)
        #expect(routing.part(of: Self.zone(nil)) == nil && routing.part(of: Self.zone(nil, channel: 3)) == 2)
    }

    @Test func unitsThatShareAPartGetPartsOfTheirOwnAndTheirStripsWithThem() throws {
        let patch = Self.patch([("bass", [0]), ("lead", [0])]), routing = PartRouting(patch)
        #expect(patch.zones.map(routing.part(of:)) == [240, 224] && routing.ownParts == [0: [240, 224]])
        let heard = patch.hearing()
        let parts = ["bass", "bass-strip", "lead", "lead-strip", "mixer"].map { heard[unit: $0]?.parts.sorted }
        #expect(parts == [[0, 240], [0, 240], [0, 224], [0, 224], []])
        #expect(routing.leads("bass", to: "mixer") && !routing.leads("bass", to: "lead-strip"))
    }

    @Test func unitsThatHearAllPartsLeaveThePortsOfOthersAlone() {
        let patch = Self.patch([("bass", []), ("lead", []), ("drums", [9])]), heard = patch.hearing()
        let routing = PartRouting(patch)
        let played = patch.zones.compactMap(routing.part(of:))
        #expect(Set(played).count == 3 && played.map { $0 % 16 } == [0, 0, 9])
        for (zone, part) in zip(patch.zones, played) {
            #expect(heard.units.filter { $0.role == .instrument && $0.parts.parts.contains(part) }.map(\.name) == [zone.unit])
        }
        // Songs of any usual port reach both.
        #expect([0, 5, 16].allSatisfy { part in heard.units.count { $0.parts.parts.contains(part) } == 2 })
    }

    @Test func anInstrumentBehindAMIDIUnitThatIsPlayedItselfIsNoStrip() {
        var patch = Patch()
        patch.units = [Self.unit("arpeggiator", [0], .midi), Self.unit("lead", [0], nil)]
        patch.connections = [PatchConnection(PatchPort("arpeggiator"), to: PatchPort("lead"))]
        patch.outputs = [PatchPort("lead")]
        patch.zones = [Self.zone("arpeggiator"), Self.zone("lead")]
        let routing = PartRouting(patch), heard = patch.hearing()
        for zone in patch.zones {
            let part = routing.part(of: zone) ?? -1
            #expect(heard.units.filter { $0.parts.parts.contains(part) }.map(\.name) == [zone.unit], "\(part)")
        }
    }

    /// The law, of any patch: who hears a zone's part is its unit and what stands behind.
    @Test(arguments: 1...4) func everyZoneOfAnyPatchPlaysItsUnitAlone(_ seed: Int) throws {
        var patches = RandomPatch(seed: UInt64(seed)), random = SeededRandom(seed: UInt64(seed)), shared = 0
        for _ in 0..<200 {
            var patch = patches.next()
            let flat = patch.flat(prefix: "")
            for unit in flat.units where Bool.random(using: &random) && patch.zones.count < 12 {
                let count = min(flat.heardParts(of: unit).parts.count, 16)
                if count > 0 { patch.zones.append(Self.zone(unit.name, channel: Int.random(in: 1...count, using: &random))) }
            }
            let heard = try patch.hearing().flattened()
            let routing = PartRouting(of: patch)
            shared += routing.ownParts.count
            for zone in patch.zones {
                let unit = try #require(zone.unit), part = try #require(routing.part(of: zone))
                let listeners = heard.units.filter { $0.parts.parts.contains(part) }
                #expect(listeners.contains { $0.name == unit })
                for other in listeners where other.name != unit {
                    #expect(routing.leads(unit, to: other.name) && other.role?.isPlayed != true)
                }
            }
        }
        #expect(shared > 20)
    }

    @Test func moreUnitsThanThereArePortsAreRefused() {
        let names = (0..<17).map { "unit-\($0)" }
        #expect(throws: Never.self) { try Self.patch(names.prefix(15).map { ($0, [0]) }).check() }
        let crowd = Self.patch(names.map { ($0, [0]) })
        let refusal = #expect(throws: PatchError.self) { try crowd.check() }
        guard case .zone(crowd.zones[15].name, _)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test func whoHearsWhatTogetherIsToldWithItsZones() {
        var patch = Self.patch([("bass", [0, 1]), ("lead", [0, 1]), ("drums", [9])])
        patch.zones.append(Self.zone(nil))
        let shared = patch.sharedParts { $0.role == .instrument }
        #expect(
            shared == [
                SharedParts(
                    parts: PartList([0, 1]), units: ["bass", "lead"],
                    zones: [
                        .init(zone: patch.zones[0].name, units: ["bass"]), .init(zone: patch.zones[1].name, units: ["lead"]),
                        .init(zone: patch.zones[3].name, units: ["bass", "lead"]),
                    ])
            ])
        #expect(Self.patch([("bass", [0]), ("lead", [1])]).sharedParts { $0.role == .instrument }.isEmpty)
    }
}
