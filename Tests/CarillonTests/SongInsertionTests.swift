import Carillon
import Foundation
import Testing

@testable import SongRendering

/// Insertion effects of GS and XG in songs: heard on the parts that go through them, and nowhere else.
@Suite struct SongInsertionTests {
    typealias Event = (tick: Int64, kind: SongEvent.Kind)

    private static func gs(_ tick: Int64, _ address: [UInt8], _ data: UInt8...) -> Event {
        let sum = (address + data).reduce(0) { $0 + Int($1) } & 127
        return (tick, .systemExclusive([0xF0, 0x41, 0x10, 0x42, 0x12] + address + data + [UInt8((128 - sum) & 127), 0xF7]))
    }
    private static func xg(_ tick: Int64, _ address: [UInt8], _ data: UInt8...) -> Event {
        (tick, .systemExclusive([0xF0, 0x43, 0x10, 0x4C] + address + data + [0xF7]))
    }
    private static func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> Event {
        (tick, .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    /// An organ on the left and one on the right, without reverb, from `start` on for `length`.
    private static func organs(start: Int64 = 480, length: Int64 = 960, channels: [UInt8] = [0, 1]) -> [Event] {
        channels.flatMap { channel in
            [
                message(0, 0xC0 | channel, 16, 0), message(0, 0xB0 | channel, 10, channel == 0 ? 0 : 127),
                message(0, 0xB0 | channel, 91, 0), message(start, 0x90 | channel, 60 + channel * 3, 90),
                message(start + length, 0x80 | channel, 60 + channel * 3, 0),
            ]
        }
    }

    /// A type of GS for the first channel, and no reverb of its own.
    private static func efx(_ high: UInt8, _ low: UInt8, _ tick: Int64 = 10) -> [Event] {
        [
            gs(tick, [0x40, 0x03, 0x00], high, low), gs(tick, [0x40, 0x03, 0x17], 0), gs(tick, [0x40, 0x41, 0x22], 1),
        ]
    }

    private static func render(
        _ events: [Event], _ change: (inout RenderOptions) -> Void = { _ in }
    ) throws -> [[Float]] {
        var options = RenderedSong.options()
        options.tail = .exact
        change(&options)
        let (samples, report, seen) = try RenderedSong.render(RenderedSong.song(events, end: 2_400), options)
        #expect(seen.isEmpty && report.counters.faults == 0, "\(seen)")
        return samples
    }

    private static func level(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

    private static func difference(_ a: [Float], _ b: [Float]) -> Float { level(zip(a, b).map { $0 - $1 }) / level(b) }

    @Test(
        arguments: [(1, 0x10, "Overdrive"), (1, 0x11, "Distortion"), (1, 0x20, "Phaser"), (1, 0x25, "Tremolo")]
            as [(UInt8, UInt8, String)])
    func anEffectOfGSChangesItsPartAlone(high: UInt8, low: UInt8, name: String) throws {
        let plain = try Self.render(Self.organs()), heard = try Self.render(Self.organs() + Self.efx(high, low))
        #expect(heard[1] == plain[1] && Self.level(plain[1]) > 1)
        #expect(Self.difference(heard[0], plain[0]) > 0.01, "\(name) is not heard")
    }

    @Test func theRotarySpeakerChangesItsPartAlone() throws {
        let both = try Self.render(Self.organs() + Self.efx(1, 0x22))
        let one = try Self.render(Self.organs(channels: [0]) + Self.efx(1, 0x22))
        let other = try Self.render(Self.organs(channels: [1])),
            same = try Self.render(Self.organs(channels: [1]) + Self.efx(1, 0x22))
        #expect(other == same)
        for side in 0..<2 { #expect(Self.difference(zip(one[side], other[side]).map { $0 + $1 }, both[side]) < 1e-9) }
        #expect(Self.level(one[1]) > 0.1, "it turns to the right, too")
    }

    /// A tone of 65 Hz gets what the low shelf says: 12 dB at 76.
    @Test(arguments: [(52, -12), (64, 0), (70, 6), (76, 12)] as [(UInt8, Float)])
    func theEqualizersGainIsHeard(byte: UInt8, decibels: Float) throws {
        let notes = [
            Self.message(0, 0xC0, 80, 0), Self.message(0, 0xB0, 91, 0), Self.message(0, 0xB0, 7, 60),
            Self.message(480, 0x90, 24, 60), Self.message(2_300, 0x80, 24, 0),
        ]
        let efx = [
            Self.gs(10, [0x40, 0x03, 0x00], 1, 0), Self.gs(10, [0x40, 0x03, 0x03], 1, 64, 0, 64, 72, 0, 64, 56, 0, 64),
            Self.gs(10, [0x40, 0x03, 0x17], 0), Self.gs(10, [0x40, 0x41, 0x22], 1),
        ]
        let flat = try Self.render(notes + efx), raised = try Self.render(notes + efx + [Self.gs(11, [0x40, 0x03, 0x04], byte)])
        let found = 10 * log10(Self.fundamental(raised[0]) / Self.fundamental(flat[0]))
        #expect(abs(found - decibels) < 0.5, "\(found) dB")
    }

    /// The power of a song's tone of key 24, 32.7 Hz.
    private static func fundamental(_ samples: [Float]) -> Float {
        var real: Float = 0, imaginary: Float = 0
        for (index, x) in samples[48_000..<96_000].enumerated() {
            let phase = Float(index) * 2 * .pi * 32.703 / 48_000
            real += x * cos(phase)
            imaginary += x * sin(phase)
        }
        return real * real + imaginary * imaginary
    }

    /// A type that changes, parts that leave and come back: the same on any block and thread, and without a click.
    private static let moving =
        organs(length: 1_600) + efx(1, 0x10)
        + [
            gs(901, [0x40, 0x03, 0x00], 1, 0x22), gs(1_203, [0x40, 0x41, 0x22], 0), gs(1_404, [0x40, 0x03, 0x00], 1, 0x72),
            gs(1_405, [0x40, 0x41, 0x22], 1),
        ]

    @Test func changesFallOnTheirFrames() throws {
        let reference = try Self.render(Self.moving)
        for (block, threads) in [(1, 1), (333, 1), (4_096, 2)] {
            let same = try Self.render(Self.moving) { ($0.blockFrames, $0.threads) = (block, threads) }
            #expect(same == reference, "blocks of \(block), \(threads) threads")
        }
        // Up to the first change it is the song without it.
        let still = try Self.render(Self.organs(length: 1_600) + Self.efx(1, 0x10)), frame = 901 * 50
        // The filters of the overdrive sound before a change, by less than that.
        let first = zip(reference[0], still[0]).enumerated().first { abs($0.element.0 - $0.element.1) > 1e-6 }
        #expect((frame..<frame + 240).contains(first?.offset ?? 0), "\(String(describing: first))")
    }

    @Test func nothingClicks() throws {
        // A soft sine: a step would be its highest frequency.
        let heard = try Self.render(Self.moving), plain = try Self.render(Self.organs(length: 1_600))
        func bend(_ x: [Float]) -> Float {
            var most: Float = 0
            for i in 2..<x.count {
                let step: Float = x[i] - x[i - 1], before: Float = x[i - 1] - x[i - 2]
                most = max(most, abs(step - before))
            }
            return most
        }
        #expect(bend(Array(heard[0][45_050..<46_000])) < 3 * bend(Array(heard[0][30_000..<45_000])))
        #expect(bend(Array(heard[0][60_100..<66_000])) < 3 * bend(plain[0]))
    }

    @Test func aPassageBeginsWithItsEffect() throws {
        let events = Self.organs(length: 200) + Self.efx(1, 0x10) + [Self.gs(300, [0x40, 0x03, 0x03], 100)]
        let late = events + Self.organs(start: 1_920 * 8, length: 200)
        var options = RenderedSong.options()
        options.tail = .exact
        let whole = try RenderedSong.render(RenderedSong.song(late, end: 1_920 * 9), options).samples
        options.passage.from = .bar(8)
        let passage = try RenderedSong.render(RenderedSong.song(late, end: 1_920 * 9), options).samples
        let first = whole[0].count - passage[0].count
        #expect(passage[0] == Array(whole[0][first...]) && Self.level(passage[0]) > 0.1)
        let before = try RenderedSong.render(
            RenderedSong.song(Self.organs(start: 1_920 * 8, length: 200), end: 1_920 * 9), options)
        #expect(passage[0] != before.samples[0] && passage[1] == before.samples[1])
    }

    @Test func songsWithoutEffectsAndPartsOutsideThemHaveNoUnits() throws {
        let efx = Self.efx(1, 0x10), leaves = [Self.gs(10, [0x40, 0x41, 0x22], 0)]
        let songs: [[Event]] = [
            Self.organs(), Self.organs() + [efx[0]], Self.organs(channels: [1]) + efx, Self.organs() + efx + leaves,
        ]
        for events in songs {
            let renderer = try SongRenderer(RenderedSong.song(events), options: RenderedSong.options())
            #expect(!renderer.engine.graph.nodes.contains { $0.name.hasPrefix("efx") })
        }
        let renderer = try SongRenderer(RenderedSong.song(Self.organs() + Self.efx(1, 0x72)), options: RenderedSong.options())
        #expect(renderer.engine.graph.nodes.map(\.name).filter { $0.hasPrefix("efx") } == ["efx-switch-1", "efx-0000-strip"])
    }

    @Test func stemsOfAPartHaveItsEffect() throws {
        let song = RenderedSong.song(Self.organs() + Self.efx(1, 0x10), end: 2_400)
        var options = RenderedSong.options()
        options.tail = .exact
        let renderer = try SongRenderer(song, options: options, stems: StemChoice(.channel))
        #expect(renderer.stems.filter { $0.kind == .dry }.map(\.channels) == [[1], [2]])
        let shared = try SongRenderer(
            RenderedSong.song(Self.organs() + Self.efx(1, 0x10) + [Self.gs(10, [0x40, 0x42, 0x22], 1)]), options: options,
            stems: StemChoice(.channel))
        #expect(shared.stems.contains { $0.kind == .effect && $0.units == ["efx-0110-strip"] }, "\(shared.stems)")
    }

    private static let reset = xg(0, [0, 0, 0x7E], 0)

    @Test(arguments: [[0x03, 0x00, 0x00, 0x0C], [0x03, 0x03, 0x00, 0x0C], [0x02, 0x01, 0x40, 0x5B]] as [[UInt8]])
    func anInsertionOfXGChangesItsPartAlone(address: [UInt8]) throws {
        let place = Array(address[..<2]), plain = try Self.render([Self.reset] + Self.organs())
        let type = Self.xg(10, place + [address[2]], 0x4A, 0), part = Self.xg(10, place + [address[3]], 0)
        let heard = try Self.render([Self.reset] + Self.organs() + [type, part])
        #expect(heard[1] == plain[1] && Self.difference(heard[0], plain[0]) > 0.01)
        let left = try Self.render([Self.reset] + Self.organs() + [type, part, Self.xg(11, place + [address[3]], 0x7F)])
        #expect(left == plain, "no part goes through it")
        let moving =
            Self.organs() + [type, part, Self.xg(800, place + [address[3]], 1), Self.xg(901, place + [address[2]], 0x45, 0)]
        let moved = try Self.render([Self.reset] + moving)
        #expect(moved[1] != plain[1])
        #expect(try Self.render([Self.reset] + moving) { ($0.blockFrames, $0.threads) = (77, 2) } == moved)
    }

    /// A tremolo at full depth, sent to by the first part: as loud as its send and the return say, and silent without them.
    @Test func theVariationIsSentToByController94() throws {
        let variation = [Self.reset, Self.xg(10, [0x02, 0x01, 0x40], 0x4D, 0), Self.xg(10, [0x02, 0x01, 0x5A], 1)]
        let flat = [Self.xg(11, [0x02, 0x01, 0x44], 0, 64), Self.xg(11, [0x02, 0x01, 0x48], 0, 64)]
        let send = Self.message(12, 0xB0, 94, 127), plain = try Self.render([Self.reset] + Self.organs())
        let heard = try Self.render(variation + flat + Self.organs() + [send])
        #expect(heard[1] == plain[1])
        // An equalizer that does nothing adds what is sent.
        #expect(abs(10 * log10(Self.level(heard[0]) / Self.level(plain[0])) - 6.02) < 0.1)
        let half = try Self.render(variation + flat + Self.organs() + [send, Self.xg(13, [0x02, 0x01, 0x56], 32)])
        #expect(abs(10 * log10(Self.level(half[0]) / Self.level(plain[0])) - 3.52) < 0.1)
        #expect(try Self.render(variation + flat + Self.organs()) == plain)
        let inserted = variation + flat + Self.organs() + [send, Self.xg(14, [0x02, 0x01, 0x5A], 0)]
        #expect(try Self.render(inserted) == plain)
    }
}
