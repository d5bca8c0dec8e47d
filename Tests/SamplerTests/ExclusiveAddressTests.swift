import MIDI
import Testing

/// Every address that is followed is heard as the makers' manuals say.
@Suite struct ExclusiveAddressTests {
    @Test(arguments: ["GS", "XG", "GM2"]) func addressesAreHeardAsTheManualsSay(_ standard: String) throws {
        for line in Self.lines where line.name.hasPrefix(standard + " ") {
            let (share, least) = line.tolerance
            for (value, wanted) in line.values {
                let heard = try ExclusiveListener(line: line).heard(value)
                let isRight =
                    wanted == ExclusiveAddress.silence ? heard < -90 : abs(heard - wanted) <= max(share * abs(wanted), least)
                #expect(isRight, "\(line.name) at \(value): \(heard), not \(wanted)")
            }
        }
    }

    @Test func eachFollowedAddressHasALine() {
        let addresses = Dictionary(grouping: Self.lines, by: \.name).mapValues(\.count)
        var wanted: Set<String> = [], all = 0
        // Those of insertion effects are heard in the tests of their types.
        for row in ExclusiveParameter.rows where row.isFollowed && !row.effect.hasPrefix("the insertion effect") {
            all += row.count
            for address in Self.each(row.address) {
                let name = "\(row.standard) \(address)"
                wanted.insert(name)
                // GM2's rows are of several parameters each.
                let count = row.standard != "GM2" || address.hasPrefix("08") ? 1 : row.count
                #expect(addresses[name] == count, "\(name): \(row.name)")
            }
        }
        #expect(addresses.keys.filter { !wanted.contains($0) } == [])
        #expect(all >= 250)
        // A switch has two values, a reset one.
        for line in Self.lines { #expect(!line.values.isEmpty && Set(line.values.map(\.value)).count == line.values.count) }
    }

    private static let lines = ExclusiveAddress.roland + ExclusiveAddress.yamaha + ExclusiveAddress.generalMIDI2

    /// The addresses of a row: a range stands for each number in it; but the first of several bytes that make one value.
    private static func each(_ address: String) -> [String] {
        let parts = address.split(separator: " "), ends = parts[parts.count - 1].split(separator: "-")
        guard ends.count == 2, let first = Int(ends[0], radix: 16), let last = Int(ends[1], radix: 16) else { return [address] }
        let whole = ["40 00 00-03", "00 00 00-03", "40 1x 17-18", "08 0x 09-0A"]
        let rest = parts.dropLast().joined(separator: " ")
        return (first...(whole.contains(address) ? first : last)).map { "\(rest) \(ExclusiveAddress.digits($0))" }
    }
}
