import Carillon
import MIDI
import Testing

/// A channel that plays one program throughout sounds as a song that was written with it.
@Suite struct ChosenProgramTests {
    private static func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> (
        tick: Int64, kind: SongEvent.Kind
    ) { (tick, .message(MIDIMessage(status: status, data1: data1, data2: data2))) }

    /// Two channels and drums; `first` before the first note, `midway` a second later.
    private func song(
        _ first: [(tick: Int64, kind: SongEvent.Kind)], midway: [(tick: Int64, kind: SongEvent.Kind)] = []
    ) -> Song {
        var events = first + midway + [Self.message(0, 0xC1, 24), Self.message(0, 0xB0, 7, 90)]
        for beat in Int64(0)..<4 {
            events += RenderedSong.note(beat * 480, 400, key: UInt8(60 + beat))
            for (channel, key) in [(UInt8(1), UInt8(50)), (9, 38)] {
                events += [
                    Self.message(beat * 480 + 100, 0x90 | channel, key + UInt8(beat), 90),
                    Self.message(beat * 480 + 300, 0x80 | channel, key + UInt8(beat)),
                ]
            }
        }
        return RenderedSong.song(events, end: 4 * 480)
    }

    private func options(_ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderedSong.options()
        options.tail = .exact
        change(&options)
        return options
    }

    /// What asks for other programs at first and midway.
    private var asking: Song {
        song(
            [Self.message(0, 0xC0, 48)], midway: [Self.message(960, 0xB0, 0, 8), Self.message(960, 0xC0, 73)])
    }

    @Test(arguments: [PresetRequest(bank: 0, program: 40), PresetRequest(bank: 8, program: 5)])
    func itIsTheSongThatWasWrittenWithIt(_ preset: PresetRequest) throws {
        let written = song([Self.message(0, 0xB0, 0, UInt8(preset.bank)), Self.message(0, 0xC0, UInt8(preset.program))])
        for change: (inout RenderOptions) -> Void in [{ _ in }, { $0.passage.from = .seconds(1) }] {
            let wanted = try RenderedSong.render(written, options(change)).samples
            let asked = try RenderedSong.render(asking, options(change)).samples
            let chosen = try RenderedSong.render(
                asking,
                options {
                    change(&$0)
                    $0.channels.programs = [0: preset]
                })
            let isSame = chosen.samples == wanted, isOther = asked != wanted
            #expect(isSame && isOther && chosen.seen.isEmpty, "\(preset): \(chosen.seen)")
        }
    }

    @Test func drumsHaveTheKitThatIsChosen() throws {
        let wanted = try RenderedSong.render(song([Self.message(0, 0xC9, 25)]), options()).samples
        let chosen = try RenderedSong.render(song([]), options { $0.channels.programs = [9: PresetRequest(kit: 25)] }).samples
        let isSame = chosen == wanted
        #expect(isSame)
    }

    @Test func stemsAndLabelsSeeWhatPlays() throws {
        let preset = PresetRequest(bank: 0, program: 40)
        let written = try SongRenderer(song([Self.message(0, 0xC0, 40)]), options: options(), stems: StemChoice(.instrument))
        let renderer = try SongRenderer(
            asking,
            options: options {
                $0.channels.programs = [0: preset]
                $0.hasLabels = true
            }, stems: StemChoice(.instrument))
        #expect(renderer.stems == written.stems)
        _ = try renderer.render(into: { (_, _) throws(AudioFileError) in })
        let part = try #require(renderer.labels(of: asking)?.parts.first { $0.channel == 1 })
        #expect(part.programs.map(\.request) == [preset] && part.programs.map(\.notes) == [4])
    }

    @Test func aBankThatGeneralMIDIDoesNotHaveIsTold() throws {
        let standard: [(tick: Int64, kind: SongEvent.Kind)] = [(0, .systemExclusive([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]))]
        func remarks(_ preset: PresetRequest) throws -> [String] {
            try RenderedSong.render(song(standard), options { $0.channels.programs = [0: preset] }).report.remarks.map(
                \.description)
        }
        #expect(try remarks(PresetRequest(bank: 0, program: 40)).isEmpty)
        let told = try remarks(PresetRequest(bank: 8, program: 40))
        #expect(told.count == 1 && told[0].contains("channel 1") && told[0].contains("bank 8"))
    }
}
