import Carillon
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer
import Testing
import Units

@testable import Sessions

/// The words of Audio Units that have to do with songs and with what becomes of a device. Each test is called as the word; the
/// guide "For Core Audio developers" lists them.
extension AudioUnitWordsTests {
    @Test func hostCallbacks() throws {
        // Three quarters at 90, then 120: a unit with a tempo is told both, each on its frame.
        let track = Track(
            events: [
                SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 666_667)),
                SongEvent(tick: 1_440, .tempo(microsecondsPerQuarter: 500_000)),
                SongEvent(tick: 1_440, .message(MIDIMessage(status: 0x9F, data1: 60, data2: 1))),
            ], endTick: 3_840)
        let timeline = try Timeline(Song(tracks: [track]), sampleRate: 48_000)
        let engine = Engine(sampleRate: 48_000)
        let delay = try engine.edit { graph in
            let delay = try graph.add(Delay.self, startValues: ["sync": 1])
            try graph.connect(try graph.addSteady(0), to: delay)
            try graph.setOutput(delay)
            return delay
        }
        try engine.start(on: .offline)
        engine.play(timeline, at: .zero)
        let change = Int(timeline.tempoMap.time(ofTick: 1_440).rawValue)
        _ = try engine.render(frames: change)
        #expect(abs(try engine.value(Delay.Parameter.tempo, of: delay) - 90) < 1e-3)
        _ = try engine.render(frames: 1)
        #expect(try engine.value(Delay.Parameter.tempo, of: delay) == 120)
        // The place is three quarter notes behind the bar line.
        let told = timeline.events.compactMap { if case .time(.place(let place)) = $0.event { Int64(place) } else { nil } }
        #expect(told == [3 * MusicalTime.partsPerQuarter])
    }

    @Test func sequencer() throws {
        // Tracks: all together, or one.
        func track(_ key: UInt8, channel: UInt8, eighths: Int = 16) -> Track {
            Track(
                events: (0..<eighths).map { beat in
                    SongEvent(
                        tick: Int64(beat) * 240,
                        .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: beat % 2 == 0 ? 100 : 0)))
                }, endTick: Int64(eighths) * 240)
        }
        let song = Song(tracks: [track(60, channel: 0), track(67, channel: 1)])
        let whole = try Timeline(song, sampleRate: 48_000), second = try Timeline(song, sampleRate: 48_000, track: 2)
        #expect(whole.summary.parts.map(\.channel) == [0, 1] && second.summary.parts.map(\.channel) == [1])
        // Beats, seconds and samples, there and back.
        let map = whole.tempoMap
        #expect(map.time(ofTick: 960) == SampleTime(48_000) && map.tick(at: SampleTime(48_000)) == 960)
        #expect(map.position(ofTick: 960) == BarPosition(bar: 1, beat: 3, tick: 0) && map.tick(ofBar: 2) == 1_920)
        // A destination: the units that hear the part. A rate, a loop, a place.
        let engine = Engine(sampleRate: 48_000)
        try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 1, to: square)
        }
        try engine.start(on: .offline)
        let playback = try engine.play(song: song)
        try playback.setTempo(2, at: .zero)
        try playback.loop(.bars(2, to: 3), at: .zero)
        try playback.seek(to: .bar(2), at: .zero)
        _ = try engine.render(frames: 4_800)
        #expect(playback.isLooping && playback.tempo == 2 && playback.position.frame == 96_000 + 9_600)
        // A bar takes 48 000 frames at twice the speed: it is in the second round.
        _ = try engine.render(frames: 48_000)
        #expect(playback.position.frame == 96_000 + 9_600)
        // Mute and solo, by channel, in a session.
        var options = SessionInTime.options
        options.instrument = .soundFont([RenderedSong.soundFont])
        let time = try SessionInTime(
            options,
            [
                SessionSong(
                    name: "two", song: Song(tracks: [track(60, channel: 0, eighths: 96), track(67, channel: 1, eighths: 96)]))
            ])
        func level() throws -> Float {
            try time.pass(3)
            let from = time.port.played[0].count
            try time.pass(1)
            return time.port.played[0][from...].map(abs).max() ?? 0
        }
        #expect(try level() > 0.01)
        try time.session.perform(.mute(channel: 1, true))
        try time.session.perform(.mute(channel: 2, true))
        #expect(try level() < 1e-3)
        try time.session.perform(.mute(channel: 2, false))
        try time.session.perform(.solo(channel: 2, true))
        #expect(try level() > 0.01)
        #expect(time.transport?.soloed == [2] && time.transport?.muted == [1])
        try time.session.finish()
    }

    @Test func audioSession() throws {
        // Wanted and granted, side by side.
        let engine = try EngineDeviceTests.sineEngine(44_100), port = SimulatedPort(sampleRate: 48_000)
        let grant = try engine.start(on: .simulated(port, period: 441))
        #expect(grant.request.sampleRate == 44_100 && grant.sampleRate == 48_000 && !grant.isAsWanted)
        #expect(grant.description.contains("48000 Hz (wanted 44100)"))
        // Interruption and return, as events.
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(60)])
        var events: [AudioSessionEvent] = []
        time.session.onAudioSession = { events.append($0) }
        time.port.troubles = [.absence(at: 1, lasting: 1)]
        try time.pass(3.5)
        #expect(events.map(\.description) == ["simulated is gone", "simulated is back"])
        try time.session.finish()
    }
}
