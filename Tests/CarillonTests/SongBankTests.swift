import Carillon
import Glibc
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Songs that bring SoundFonts of their own (RMID).
@Suite struct SongBankTests {
    /// Louder or softer than the other, so that they are told apart.
    private static func font(_ name: String, attenuation: Int) -> [UInt8] {
        var font = TinySoundFont()
        font.presets = [(0, 0, name), (0, 7, name), (128, 0, "Kit of \(name)")]
        font.generators = [(48, attenuation), (54, 1)]
        return font.bytes
    }

    private static func options(_ song: String, _ fonts: [String]) throws -> (song: Song, options: RenderOptions) {
        let file = try SongReader.read(path: song)
        var options = RenderedSong.options(instrument: .soundFont(fonts))
        options.songBank = SongBank.bank(in: file, path: song).bank
        return (file.song, options)
    }

    @Test func aSongIsPlayedByItsOwnBankOnTopOfTheUsualOnes() throws {
        let notes = TinyRMID.song([(1, 0), (0, 0)])
        try TinySoundFont.write(Self.font("Usual", attenuation: 0)) { usual in
            let own = Self.font("Own", attenuation: 100)
            try TinySoundFont.write(own) { file in
                try TinyRMID(song: notes, bank: own).write { path in
                    let (song, options) = try Self.options(path, [usual])
                    let inside = try RenderedSong.render(song, options)
                    let named = RenderedSong.options(instrument: .soundFont([usual, file + ":1"]))
                    let outside = try RenderedSong.render(song, named).samples
                    #expect(inside.samples == outside)
                    var without = options
                    without.songBank = nil
                    let usually = try RenderedSong.render(song, without).samples
                    #expect(inside.samples != usually)
                    // Another preset stands in for it, and a measurement says so.
                    let measured = try SongMeasurement(song, options: without, processorTime: { 0 })
                    #expect(measured.reasons.contains { $0.kind == .substituted }, "\(measured.reasons)")
                    #expect(inside.seen == "" && inside.report.remarks == [])
                }
            }
        }
    }

    @Test func fluidsynthPlaysItToo() throws {
        let own = Self.font("Own", attenuation: 100)
        try TinySoundFont.write(own) { file in
            try TinyRMID(song: TinyRMID.song([(1, 0)]), bank: own).write { path in
                var (song, options) = try Self.options(path, [])
                options.instrument = .fluidSynth([RenderedSong.soundFont])
                let named = RenderedSong.options(instrument: .fluidSynth([RenderedSong.soundFont, file + ":1"]))
                let inside = try RenderedSong.render(song, options).samples,
                    outside = try RenderedSong.render(song, named).samples
                #expect(inside == outside)
            }
        }
    }

    @Test func whatCannotPlayItSaysSo() throws {
        try TinyRMID(bank: Self.font("Own", attenuation: 0)).write { path in
            var (song, options) = try Self.options(path, [])
            options.instrument = .squareWave
            let graph = try SongRenderer(song, options: options).graph
            #expect(
                graph.remarks.contains { $0.description.hasPrefix("\(path): its SoundFont is not played") }
                    && graph.songBank == nil)
        }
        try TinyRMID(bank: Array(Self.font("Own", attenuation: 0).prefix(300))).write { path in
            let found = SongBank.bank(in: try SongReader.read(path: path), path: path)
            #expect(found.bank == nil && found.remark?.contains("is not played: \(path): cut short") == true)
            let told = try SongInspection(path: path, soundFonts: [RenderedSong.soundFont]).remarks
            #expect(told.filter { $0.sentence == found.remark }.map(\.kind) == [.substituted])
        }
    }

    @Test func anInspectionNamesItAndWhatItAnswers() throws {
        try TinyRMID(song: TinyRMID.song([(1, 0), (0, 0)]), bank: Self.font("Own", attenuation: 0)).write { path in
            let told = try SongInspection(path: path, soundFonts: [RenderedSong.soundFont])
            #expect(told.bank?.source.bankOffset == 1 && told.bank?.presets.map(\.name) == ["Own", "Own", "Kit of Own"])
            #expect(told.presets.last?.found?.name == "Own" && told.presets.last?.substitution == nil)
            #expect(told.lines.contains { $0.hasPrefix("SoundFont in the song: Tiny, SoundFont 2, ") })
            let alone = try SongInspection(path: path, soundFonts: [RenderedSong.soundFont], playsBank: false)
            #expect(alone.bank == nil && alone.presets.last?.substitution == "other-bank")
        }
    }

    @Test func aBankBeyondTheLimitOfSongsIsNoReasonToRefuseTheSong() throws {
        let file = TinyRMID(bank: Self.font("Own", attenuation: 0))
        try file.write { path in
            var limits = SongLimits()
            limits.bytes = file.song.count + 20
            let song = try SongReader.read(path: path, strict: true, limits: limits)
            #expect(song.byteCount == file.bytes.count && song.song.tracks.count == 1)
            limits.bytes -= 1
            #expect(throws: SongError.self) { try SongReader.read(path: path, limits: limits) }
        }
    }

    // MARK: - In a session

    private func session(_ songs: [SessionSong]) throws -> SessionInTime {
        var options = SessionInTime.options
        options.instrument = .soundFont([RenderedSong.soundFont])
        return try SessionInTime(options, songs)
    }

    private func sound(_ time: SessionInTime) -> String? { time.session.snapshot.channels.first?.sound?.name }

    @Test func eachSongOfAListHasItsOwnBankAndNoOther() throws {
        let notes = TinyRMID.song([(0, 0)], repeats: 12)
        try TinyRMID(song: notes, bank: Self.font("First", attenuation: 0), offset: [0, 0]).write { first in
            try TinySoundFont.write(notes) { plain in
                try TinyRMID(song: notes, bank: Self.font("Last", attenuation: 0), offset: [0, 0]).write { last in
                    let time = try session([first, plain, last, plain].map { SessionSong(name: $0, path: $0) })
                    var heard: [String] = []
                    for place in 0..<4 {
                        let hasCome = try time.pass { time.session.playlist?.order.place == place }
                        #expect(hasCome)
                        try time.pass(0.5)
                        heard.append(try #require(sound(time)))
                        #expect(time.session.snapshot.channels.first.map { $0.level.peak > -60 } == true)
                    }
                    let usual = heard[1]
                    #expect(heard == ["First", usual, "Last", usual] && usual != "First" && usual != "Last")
                    let isOver = try time.pass { time.session.isOver }
                    #expect(isOver)
                    #expect(time.onsets.count == 48)
                    #expect(time.session.engine.renderer.counters.lostEvents == 0)
                    try time.session.finish()
                }
            }
        }
    }

    @Test func instrumentsOfASongsBankAreToldWhatKeyboardsPlay() throws {
        let notes = TinyRMID.song([(0, 0)], repeats: 4)
        try TinySoundFont.write(notes) { plain in
            try TinyRMID(song: notes, bank: Self.font("Own", attenuation: 0), offset: [0, 0]).write { own in
                var options = SessionInTime.options
                options.instrument = .soundFont([RenderedSong.soundFont])
                options.ports = 2
                let time = try SessionInTime(options, [plain, own].map { SessionSong(name: $0, path: $0) })
                var told: [(time: SampleTime, message: MIDIMessage)] = []
                time.session.onPerformance = { performance in
                    for entry in performance.entries {
                        if case .music(.message(let message)) = entry.event, message.kind == .programChange, message.port == 1 {
                            told.append((entry.time, message))
                        }
                    }
                }
                try time.session.perform(.program(channel: 18, bank: 0, program: 7))
                try time.pass(0.2)
                #expect(told.map(\.message.data1) == [7])
                let isThere = try time.pass { time.session.playlist?.order.place == 1 }
                #expect(isThere && time.session.graph.songBank != nil)
                try time.pass(0.2)
                // On the frame on which the new instruments take over.
                #expect(told.map(\.message.data1) == [7, 7] && told.last?.message.part == 17)
                #expect(told.last.map { $0.time.rawValue > 48_000 } == true)
                try time.session.finish()
            }
        }
    }

    @Test func aSessionThatCannotPlayABankSaysSoWhenItsSongComes() throws {
        let notes = TinyRMID.song([(0, 0)])
        try TinySoundFont.write(notes) { plain in
            try TinyRMID(song: notes, bank: Self.font("Own", attenuation: 0)).write { own in
                let time = try SessionInTime(SessionInTime.options, [plain, own].map { SessionSong(name: $0, path: $0) })
                var remarks = time.session.takeRemarks()
                let isOver = try time.pass { time.session.isOver }
                remarks += time.session.takeRemarks()
                let words = remarks.map(\.description)
                #expect(isOver && words.count { $0.hasPrefix("\(own): its SoundFont is not played") } == 1, "\(words)")
                try time.session.finish()
            }
        }
    }

    @Test func aSongThatPlaysOnKeepsItsInstrumentsAlthoughTheNextOnesWereReady() throws {
        // One program change, at the beginning: new instruments have to be told of it.
        let notes = TinyRMID.song([(0, 7)], repeats: 24)
        try TinySoundFont.write(notes) { plain in
            try TinyRMID(song: notes, bank: Self.font("Own", attenuation: 0), offset: [0, 0]).write { own in
                let time = try session([plain, own].map { SessionSong(name: $0, path: $0) })
                try time.pass(0.5)
                let usual = try #require(sound(time))
                let isReady = try time.pass { time.session.playlist?.following != nil }
                #expect(isReady)
                #expect(time.session.graph.songBank != nil)
                try time.session.perform(.seek(.seconds(0)))
                try time.pass(0.5)
                #expect(time.session.graph.songBank == nil)
                // Past the frame on which the other song would have begun.
                try time.pass(4.5)
                #expect(
                    time.session.playlist?.order.place == 0 && sound(time) == usual && time.session.playlist?.following == nil)
                let instruments = time.session.engine.graph.nodes.filter { $0.role == .instrument }
                #expect(instruments.count == 1 && instruments.first?.instance.readout("unplayable-notes") == 0)
                #expect(time.session.snapshot.channels.first.map { $0.level.peak > -60 } == true)
                #expect(time.session.engine.renderer.counters.lostEvents == 0)
                try time.session.finish()
            }
        }
    }
}
