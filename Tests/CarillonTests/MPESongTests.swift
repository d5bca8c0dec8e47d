import AudioFiles
import Carillon
import Foundation
import MIDI
import SongFiles
import Testing

@testable import SongRendering

/// Songs in MPE: each note on a channel of its own, and the program on the channel that manages them.
@Suite struct MPESongTests {
    /// Two notes of a violin: on channels 2 and 3 of a zone, or on channel 1 and no zone.
    private static func song(inZone isZone: Bool) -> Song {
        func message(_ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) -> (tick: Int64, kind: SongEvent.Kind) {
            (0, .message(MIDIMessage(status: status, data1: first, data2: second)))
        }
        let zone = isZone ? [message(0xB0, 101, 0), message(0xB0, 100, 6), message(0xB0, 6, 15)] : []
        var notes = RenderedSong.note(10, 480, key: 60) + RenderedSong.note(20, 480, key: 67)
        for index in notes.indices where isZone {
            if case .message(var message) = notes[index].kind {
                message.status |= index < 2 ? 1 : 2
                notes[index].kind = .message(message)
            }
        }
        return RenderedSong.song(zone + [message(0xC0, 40)] + notes, end: 960)
    }

    @Test func aZonePlaysTheProgramOfItsManager() throws {
        let zone = try RenderedSong.render(Self.song(inZone: true), RenderedSong.options())
        let plain = try RenderedSong.render(Self.song(inZone: false), RenderedSong.options())
        #expect(zone.samples == plain.samples && zone.samples[0].contains { abs($0) > 0.01 })
        #expect(zone.report.remarks == [])
    }

    @Test func fluidsynthPlaysItToo() throws {
        let options = RenderedSong.options(instrument: .fluidSynth([RenderedSong.soundFont]))
        let zone = try RenderedSong.render(Self.song(inZone: true), options)
        let plain = try RenderedSong.render(Self.song(inZone: false), options)
        #expect(zone.samples[0].contains { abs($0) > 0.01 } && zone.report.remarks == [])
        // Each member has a bus of its own: the same notes, added up in another order.
        #expect(zip(zone.samples[0], plain.samples[0]).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test func theInspectionShowsThePresetThatPlays() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "mpe-\(UUID().uuidString).mid").path
        defer { unlink(path) }
        try SongWriter.write(Self.song(inZone: true), path: path)
        let inspection = try SongInspection(path: path, soundFonts: [RenderedSong.soundFont])
        #expect(inspection.presets.map(\.asked) == ["bank 0 program 40"])
        #expect(inspection.summary.parts.filter { $0.noteCount > 0 }.map { $0.presets.map(\.program) } == [[40], [40]])
    }

    @Test func aSessionIsPreparedForTheZone() throws {
        let demand = SongDemand([try Timeline(Self.song(inZone: true), sampleRate: 48_000)])
        #expect(demand.sortedParts == [0, 1, 2])
        #expect(demand.scans(with: nil)[0]?.requests == [PresetRequest(bank: 0, program: 40)])
    }
}
