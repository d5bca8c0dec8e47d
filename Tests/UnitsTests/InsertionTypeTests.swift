import MIDI
import Testing
import UnitAPI
import Units

/// The tables of insertion effects against the units that they name.
@Suite struct InsertionTypeTests {
    private static let followed = (InsertionType.roland + InsertionType.yamaha).filter(\.isFollowed)

    /// The unit at a place of the row, and the strip after the last.
    private func unit(_ type: InsertionType, _ place: Int) -> UnitEntry? {
        let name = place < type.units.count ? type.units[place] : "channel-strip"
        return StandardUnits.entries.first { $0.descriptor.name == name }
    }

    @Test func everySettingNamesAParameterAndStaysInItsRange() throws {
        for type in Self.followed {
            for (place, setting) in type.settings.enumerated() {
                let entry = try #require(unit(type, setting.unit), "\(type.name): unit \(setting.unit)")
                let spec = try #require(
                    entry.parameters.first { $0.name == setting.parameter }, "\(type.name): \(setting.parameter)")
                #expect(setting.element == 0 || setting.element < entry.descriptor.bands)
                for byte in 0...127 {
                    let value = setting.value([Int](repeating: byte, count: 20))
                    let slack = 1e-4 * max(abs(spec.range.lowerBound), abs(spec.range.upperBound))
                    let isInside = value >= spec.range.lowerBound - slack && value <= spec.range.upperBound + slack
                    if !isInside { Issue.record("\(type.name), \(place) \(setting.parameter), byte \(byte): \(value)") }
                    if !isInside { break }
                }
            }
        }
    }

    @Test func initialBytesAreThereForEveryTypeThatHasUnits() {
        for type in InsertionType.roland where !type.units.isEmpty { #expect(type.initial.count == 20, "\(type.name)") }
        for type in InsertionType.yamaha where !type.units.isEmpty { #expect(type.initial.count == 16, "\(type.name)") }
        // An event numbers settings from 32 on, in a byte.
        for type in Self.followed { #expect(type.settings.count < 128) }
    }

    /// Every place of every type can be written as a property, and moves what the type sets there.
    @Test func placesAreProperties() throws {
        var links = [InsertionLink(slot: 3, .part(15)), InsertionLink(slot: 5, .system)]
        for (number, type) in InsertionType.all.enumerated() where type.isFollowed {
            for unit in -1...type.units.count {
                links.append(InsertionLink(slot: 5, .unit(unit, ofType: number, isWet: unit == 0)))
            }
        }
        #expect(Set(links.map(\.text)).count == links.count)
        for link in links {
            var name = "channel-strip"
            if case .unit(let unit, let number, _) = link.place, InsertionType.all[number].units.indices.contains(unit) {
                name = InsertionType.all[number].units[unit]
            }
            let entry = try #require(StandardUnits.entries.first { $0.name == name })
            _ = try entry.make(UnitSetup(sampleRate: 48_000, properties: [InsertionLink.property: .text(link.text)]))
            #expect(InsertionLink(link.text) == link)
        }
        for text in ["", "0", "0 part 17", "0 gs 0199 0", "0 gs 0110 3", "0 xg 0110 0", "0 gs 4500 0", "system"] {
            #expect(InsertionLink(text) == nil)
            #expect(throws: UnitError.self) {
                try UnitInstance.make(
                    ChannelStrip.self, UnitSetup(sampleRate: 48_000, properties: [InsertionLink.property: .text(text)]))
            }
        }
    }
}
