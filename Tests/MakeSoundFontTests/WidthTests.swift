import Glibc
import Testing

@testable import SoundFontSynthesis

/// The sides of stereo pairs, and how long families ring after their keys: measured on the committed file.
@Suite struct WidthTests {
    let font: SoundFontFile

    init() throws { font = try parsed.get() }

    private func presets(_ numbers: ClosedRange<Int>) -> [SoundFontFile.Preset] {
        font.presets.filter { $0.bank == 0 && numbers.contains($0.number) }
    }

    /// Chromatic percussion, guitars, reeds and pipes.
    @Test(arguments: [8...15, 24...31, 64...71, 72...79])
    func `each program of the family is a stereo pair`(numbers: ClosedRange<Int>) {
        for preset in presets(numbers) {
            let pans = preset.zones.map { $0.generators[17] ?? 0 }
            #expect(pans.contains(-500) && pans.contains(500), "\(preset.name)")
            for zone in preset.zones {
                let header = font.headers[zone.generators[53] ?? 0]
                #expect(header.kind == (zone.generators[17] == -500 ? 4 : 2), "\(header.name)")
                #expect(font.headers[header.link].link == zone.generators[53], "\(header.name)")
            }
        }
    }

    /// The difference of the sides lies 8 to 40 dB below their sum: wide, and the partials add up in mono.
    @Test func `sides differ and still add up`() {
        var pairs = 0
        for header in font.headers where header.kind == 4 && !header.name.hasPrefix("Grand") {
            let left = RecordedSample(header, of: font), right = RecordedSample(font.headers[header.link], of: font)
            #expect(left.rate == right.rate && left.loop == right.loop && left.name.dropLast() == right.name.dropLast())
            var sum = 0.0, difference = 0.0
            for (l, r) in zip(left.frames, right.frames) {
                sum += (l + r) * (l + r)
                difference += (l - r) * (l - r)
            }
            let width = 10 * log10(difference / sum)
            #expect(width > -40 && width < -8, "\(header.name): \(width) dB")
            pairs += 1
        }
        #expect(pairs > 60)
    }

    /// The median of the families' milliseconds from a key's end to -20 dB; the envelope falls in straight lines of 100 dB.
    @Test(arguments: [
        (40...47, 140.0), (48...55, 250), (56...63, 58), (64...71, 48), (72...79, 55), (88...95, 430), (104...111, 90),
    ]) func `families ring on after their keys`(numbers: ClosedRange<Int>, least: Double) {
        let times = presets(numbers).map { preset in
            preset.zones.map { 200 * exp2(Double($0.generators[38] ?? -12000) / 1200) }.max() ?? 0
        }.sorted()
        let median = (times[3] + times[4]) / 2
        #expect(median >= least, "\(numbers): \(median) ms")
    }

    /// Two players of one part, a little apart in pitch and place.
    @Test func `horns are two`() throws {
        let horn = try #require(presets(60...60).first)
        let places = Set(horn.zones.map { [$0.generators[17] ?? 0, $0.generators[52] ?? 0] })
        #expect(places.count == 2 && Set(places.map { ($0[0] < 0) }).count == 2)
        #expect(Set(horn.zones.map { $0.generators[53] ?? 0 }).count == horn.zones.count)
    }
}
