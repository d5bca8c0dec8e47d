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
}
