import Carillon
import MIDI
import Reports
import Testing

@testable import SongRendering

/// Controller 32 alone as a bank: a song without a reset, and a SoundFont that has the bank.
@Suite struct LowerBankTests {
    private static func song(_ bank: [(UInt8, UInt8)], reset: [UInt8]? = nil) -> Song {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = bank.map {
            (20, .message(MIDIMessage(status: 0xB0, data1: $0.0, data2: $0.1)))
        }
        if let reset { events.append((0, .systemExclusive(reset))) }
        events.append((30, .message(MIDIMessage(status: 0xC0, data1: 0))))
        return RenderedSong.song(events + RenderedSong.note(480, 200) + RenderedSong.note(960, 200), end: 1_440)
    }

    /// Bank 0 has a click, bank 8 a tone.
    private static var font: TinySoundFont {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Click"), (8, 0, "Tone"), (128, 0, "Kit")]
        font.instrument = 1
        return font
    }

    @Test func itPlaysWhereItIsUntilAReset() throws {
        let gs: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7]
        try Self.font.write { path in
            for instrument in [RenderOptions.Instrument.soundFont([path]), .fluidSynth([path])] {
                func render(
                    _ bank: [(UInt8, UInt8)], _ reset: [UInt8]? = nil, from: Double? = nil
                ) throws -> (samples: [Float], remarks: [Remark]) {
                    var options = RenderedSong.options(instrument: instrument)
                    if let from { options.passage.from = .seconds(from) }
                    let song = Self.song(bank, reset: reset)
                    return (
                        try RenderedSong.render(song, options).samples[0],
                        try SongRenderer(song, options: options).graph.remarks
                    )
                }
                let tone = try render([(0, 8)]), click = try render([])
                #expect(tone.samples != click.samples)
                for bank in [[(32, 8)], [(0, 0), (32, 8)]] as [[(UInt8, UInt8)]] {
                    let lower = try render(bank)
                    #expect(lower.samples == tone.samples)
                    #expect(lower.remarks.count { $0.sentence.contains("controller 32 alone") } == 1, "\(lower.remarks)")
                }
                let missing = try render([(32, 9)]), after = try render([(32, 8)], gs), plain = try render([], gs)
                #expect(missing.samples == click.samples && missing.remarks == click.remarks)
                #expect(after.samples == plain.samples && after.remarks == plain.remarks)
                let late = try render([(32, 8)], from: 0.75), lateTone = try render([(0, 8)], from: 0.75)
                #expect(late.samples == lateTone.samples)
            }
        }
    }

    @Test func anInspectionNamesIt() throws {
        try Self.font.write { font in
            try TinySoundFont.write(SongWriter.bytes(of: Self.song([(32, 8)]))) { path in
                let found = try SongInspection(path: path, soundFonts: [font])
                #expect(found.presets.map(\.asked) == ["bank 8 program 0"] && found.presets[0].found?.name == "Tone")
                let remark = "  repaired: \(font): controller 32 alone is taken as the bank"
                #expect(found.lines.count { $0.hasPrefix(remark) } == 1, "\(found.lines)")
            }
        }
    }

    @Test func aSessionPlaysItToo() throws {
        try Self.font.write { path in
            let graph = try SongRenderer(Self.song([(32, 8)]), options: RenderedSong.options(instrument: .soundFont([path])))
                .graph
            #expect(graph.names.sound(PresetRequest(lowerBank: 8, program: 0))?.name == "Tone")
            #expect(graph.names.plain(PresetRequest(lowerBank: 8, program: 0)) == PresetRequest(bank: 8, program: 0))
            #expect(graph.names.plain(PresetRequest(lowerBank: 9, program: 0)) == PresetRequest(bank: 0, program: 0))
        }
    }
}
