import Carillon
import Testing

/// Units that follow a song: their tempo is the song's, and their steps lie on its sixteenths, to the frame.
@Suite struct SongTempoTests {
    /// Four bars in 4/4 at 120, from the third bar on at 90, with notes that nobody hears.
    private static func song(change: Int64 = 2 * 1920, tempo: UInt32 = 666_667) throws -> Timeline {
        let notes = (0..<16).flatMap { beat in
            [
                SongEvent(tick: Int64(beat) * 480, .message(MIDIMessage(status: 0x9F, data1: 60, data2: 100))),
                SongEvent(tick: Int64(beat) * 480 + 240, .message(MIDIMessage(status: 0x8F, data1: 60, data2: 0))),
            ]
        }
        let events = notes + [SongEvent(tick: change, .tempo(microsecondsPerQuarter: tempo))]
        let track = Track(events: events.sorted { $0.tick < $1.tick }, endTick: 4 * 1920)
        return try Timeline(Song(tracks: [track]), sampleRate: 48_000)
    }

    /// An engine with a drum machine that ticks every sixteenth, short enough that silence lies between.
    private static func engine(_ values: [String: Float] = [:], held: String? = nil, maximumFrames: Int = 512) throws -> (
        Engine, NodeID
    ) {
        let engine = Engine(maximumFrames: maximumFrames)
        var properties: [String: PropertyValue] = ["steps": .text("clave: xxxx xxxx xxxx xxxx")]
        if let held { properties["held"] = .text(held) }
        let values = ["pattern": 0, "decay": 20].merging(values) { $1 }
        let id = try engine.edit { graph in
            let id = try graph.add(DrumMachine.self, startValues: values, properties: properties)
            try graph.setOutput(id)
            return id
        }
        return (engine, id)
    }

    /// The frames behind silence on which something sounds.
    private static func onsets(_ sound: [Float]) -> [Int] {
        sound.indices.filter { frame in
            sound[frame] != 0 && sound[max(frame - 60, 0)..<frame].allSatisfy { $0 == 0 }
        }
    }

    /// The sixteenths of a song, from its beginning on.
    private static func sixteenths(_ timeline: Timeline, _ range: Range<Int> = 0..<64) -> [Int] {
        range.map { Int(timeline.tempoMap.time(ofTick: Int64($0) * 120).rawValue) }
    }

    /// Whether every frame has a partner no further away than a frame.
    private static func isNear(_ found: [Int], _ wanted: [Int], within frames: Int = 1) -> Bool {
        found.count == wanted.count && zip(found, wanted).allSatisfy { abs($0 - $1) <= frames }
    }

    @Test(arguments: [64, 333, 4096]) func stepsLieOnTheSongsSixteenthsThroughAChangeOfTempo(_ frames: Int) throws {
        let timeline = try Self.song(), (engine, id) = try Self.engine(maximumFrames: frames)
        try engine.start(on: .offline)
        engine.play(timeline, at: .zero)
        var sound: [Float] = []
        let end = Int(timeline.summary.end.rawValue)
        while sound.count < end { sound += try engine.render(frames: min(frames, end - sound.count))[0] }
        let found = Self.onsets(sound), wanted = Self.sixteenths(timeline)
        #expect(Self.isNear(found, wanted), "\(zip(found, wanted).map { $0 - $1 })")
        #expect(abs(try engine.value(DrumMachine.Parameter.tempo, of: id) - 90) < 1e-3)
    }

    /// The machine starts while the song is in the middle of a beat: its first step is the song's next sixteenth.
    @Test func whoStartsInTheMiddleJoinsTheBar() throws {
        let timeline = try Self.song(), (engine, id) = try Self.engine(["running": 0])
        try engine.start(on: .offline)
        engine.play(timeline, at: .zero)
        try engine.set(DrumMachine.Parameter.running, 1, of: id, at: SampleTime(40_001))
        let sound = try engine.render(frames: 96_000)[0]
        #expect(Self.isNear(Self.onsets(sound), Self.sixteenths(timeline, 7..<16)))
        #expect(try engine.graph.node(id).instance.readout("step") == 16)
    }

    /// A unit that comes into the graph while the song plays knows where it stands.
    @Test func whatComesIntoTheGraphLaterKnowsToo() throws {
        let timeline = try Self.song(), (engine, first) = try Self.engine(["gain": -60])
        try engine.start(on: .offline)
        engine.play(timeline, at: .zero)
        let before = try engine.render(frames: 206_000)[0]
        #expect(before.allSatisfy { abs($0) < 0.01 })
        let second = try engine.edit { graph in
            let mixer = try graph.add(MultichannelMixer.self, inputs: 2)
            let second = try graph.add(
                DrumMachine.self, startValues: ["pattern": 0, "decay": 20],
                properties: ["steps": .text("clave: xxxx xxxx xxxx xxxx")])
            try graph.connect(first, to: mixer, input: 0)
            try graph.connect(second, to: mixer, input: 1)
            try graph.setOutput(mixer)
            return second
        }
        _ = try engine.render(frames: 2_000)
        #expect(abs(try engine.value(DrumMachine.Parameter.tempo, of: second) - 90) < 1e-3)
        let sound = try engine.render(frames: 60_000)[0].map { abs($0) < 0.005 ? 0 : $0 }
        let wanted = Self.sixteenths(timeline).map { $0 - 208_000 }.filter { (0..<60_000).contains($0) }
        let found = wanted.map { frame in sound[max(frame - 40, 0)...].firstIndex { $0 != 0 } ?? -1 }
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 60 }, "\(zip(found, wanted).map { $0 - $1 })")
    }

    @Test func whatIsHeldKeepsItsOwnTempo() throws {
        let timeline = try Self.song(), (engine, id) = try Self.engine(["tempo": 60], held: "tempo")
        try engine.start(on: .offline)
        engine.play(timeline, at: .zero)
        let sound = try engine.render(frames: 96_000)[0]
        #expect(Self.onsets(sound) == (0..<8).map { $0 * 12_000 })
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 60)
        #expect(throws: (any Error).self) { _ = try Self.engine(held: "swing") }
    }

    /// At another tempo, from another place, in a loop, and behind the song's end.
    @Test func theTransportTakesThemAlong() throws {
        let (engine, id) = try Self.engine()
        try engine.start(on: .offline)
        let song = RenderedSong.song(
            (0..<16).map {
                ($0 * 480, .message(MIDIMessage(status: 0x9F, data1: 60, data2: $0 % 2 == 0 ? 100 : 0)))
            }, end: 4 * 1920)
        let playback = try engine.play(song: song)
        try playback.setTempo(2, at: SampleTime(48_000))
        // A quarter note takes 24 000 frames, then 12 000.
        let first = try engine.render(frames: 96_000)[0]
        let wanted = (0..<8).map { $0 * 6_000 } + (0..<16).map { 48_000 + $0 * 3_000 }
        #expect(Self.isNear(Self.onsets(first), wanted), "\(Self.onsets(first))")
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 240)
        // Half a beat into a bar: the next step is an eighth's second sixteenth.
        try playback.seek(to: .seconds(2.1), at: SampleTime(96_000))
        let second = try engine.render(frames: 12_000)[0]
        let late = Self.onsets(second)
        // 0.1 s are 0.8 sixteenths of 0.125 s; the rest, 0.2 of them, pass twice as fast.
        #expect(late.contains { abs($0 - 600) <= 1 } && late.contains { abs($0 - 3_600) <= 1 }, "\(late)")
        try playback.stop(at: SampleTime(108_000))
        let third = try engine.render(frames: 24_000)[0]
        // It goes on alone at the tempo that it had.
        #expect(Self.onsets(third).count == 8)
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 240)
    }

    /// A loop whose length is no whole number of bars begins its bar anew with every round.
    @Test func aLoopBeginsItsBarAnew() throws {
        let (engine, id) = try Self.engine()
        try engine.start(on: .offline)
        let song = RenderedSong.song(
            (0..<6).map {
                ($0 * 240, .message(MIDIMessage(status: 0x9F, data1: 60, data2: $0 % 2 == 0 ? 100 : 0)))
            }, end: 3 * 480)
        _ = try engine.play(song: song, loop: true)
        _ = try engine.render(frames: 3 * 24_000 + 1)
        // A bar of three beats is over, and the first step of the next was the first of the pattern.
        #expect(try engine.graph.node(id).instance.readout("step") == 1)
        _ = try engine.render(frames: 3 * 24_000)
        #expect(try engine.graph.node(id).instance.readout("step") == 1)
    }

    /// In a session in which no song plays, they follow the metronome.
    @Test func whereNoSongPlaysTheMetronomeLeads() throws {
        let time = try SessionInTime()
        let engine = time.session.engine
        let id = try engine.edit { graph in
            let id = try graph.add(DrumMachine.self)
            try graph.connect(id, to: try #require(graph.output).node)
            return id
        }
        try time.pass(0.3)
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 120)
        try time.session.perform(.metronome(true, tempo: 96))
        try time.pass(0.2)
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 96)
        // A quarter note is 0.625 s: a second later the machine is in the seventh sixteenth of the metronome's bar.
        try time.pass(0.85)
        #expect(try engine.graph.node(id).instance.readout("step") == 7)
        try time.session.perform(.metronome(false, tempo: nil))
        try time.pass(0.2)
        #expect(try engine.value(DrumMachine.Parameter.tempo, of: id) == 96)
        try time.session.finish()
    }
}
