import Carillon
import Testing

/// Units that follow a song's bars: the metronome clicks on them, a drum machine's pattern begins anew with each.
@Suite struct SongMeterTests {
    /// Two bars each in 4/4, 3/4, 7/8 and 5/4, with other tempi inside of bars; notes that nobody hears.
    private static let song: Song = {
        let meters = ([(4, 4), (3, 4), (7, 8), (5, 4)] as [(UInt8, Int)]).map { TimeSignature($0, over: $1) }
        var events: [SongEvent] = [], tick: Int64 = 0
        for (index, meter) in meters.enumerated() {
            let bar = Int64(meter.numerator) * 1_920 / Int64(meter.denominator)
            events.append(SongEvent(tick: tick, .timeSignature(meter)))
            events.append(SongEvent(tick: tick + 500, .tempo(microsecondsPerQuarter: 500_000 + UInt32(index) * 70_001)))
            tick += 2 * bar
        }
        events += (0..<(tick / 240)).map { SongEvent(tick: $0 * 240, .message(MIDIMessage(status: 0x9F, data1: 60, data2: 0))) }
        return Song(tracks: [Track(events: events.sorted { $0.tick < $1.tick }, endTick: tick)])
    }()

    /// The frames on which bars begin, and those on which beats do, up to the end.
    private static func beats(_ timeline: Timeline) -> (bars: [Int], beats: [Int]) {
        let map = timeline.tempoMap, end = map.tick(at: timeline.summary.end)
        let places = stride(from: Int64(0), to: end, by: 240).filter { map.position(ofTick: $0)?.tick == 0 }
        func frames(_ ticks: [Int64]) -> [Int] { ticks.map { Int(map.time(ofTick: $0).rawValue) } }
        return (frames(places.filter { map.position(ofTick: $0)?.beat == 1 }), frames(places))
    }

    private static func engine<U: AudioUnit & ~Copyable>(
        _ unit: U.Type, _ values: [String: Float] = [:], _ properties: [String: PropertyValue] = [:], frames: Int = 512
    ) throws -> (Engine, NodeID) {
        let engine = Engine(maximumFrames: frames)
        let id = try engine.edit { graph in
            let id = try graph.add(unit, startValues: values, properties: properties)
            try graph.setOutput(id)
            return id
        }
        try engine.start(on: .offline)
        return (engine, id)
    }

    private static func machine(_ steps: String, frames: Int = 512) throws -> (Engine, NodeID) {
        try engine(
            DrumMachine.self, ["pattern": 0, "decay": 20, "width": 0], ["steps": .text("clave: \(steps)")], frames: frames)
    }

    /// The frames behind silence on which something sounds, and the peak of what follows.
    private static func onsets(_ sound: [Float], quiet: Int) -> [(frame: Int, peak: Float)] {
        var found: [(frame: Int, peak: Float)] = [], silence = quiet
        for (frame, sample) in sound.enumerated() {
            if sample == 0 {
                silence += 1
                continue
            }
            if silence >= quiet { found.append((frame, 0)) }
            silence = 0
            found[found.count - 1].peak = max(found[found.count - 1].peak, abs(sample))
        }
        return found
    }

    /// The first sample of a click is a sine's zero.
    private static func clicks(_ sound: [Float]) -> [(frame: Int, peak: Float)] {
        onsets(sound, quiet: 240).map { ($0.frame - 1, $0.peak) }
    }

    private static func isNear(_ found: [Int], _ wanted: [Int]) -> Bool {
        found.count == wanted.count && zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }
    }

    private static func render(_ engine: Engine, _ count: Int, block: Int = 4_096) throws -> [Float] {
        var sound: [Float] = []
        while sound.count < count { sound += try engine.render(frames: min(block, count - sound.count))[0] }
        return sound
    }

    @Test(arguments: [64, 333, 4_096]) func theMetronomeClicksOnTheSongsBeatsAndBars(_ block: Int) throws {
        let timeline = try Timeline(Self.song, sampleRate: 48_000), wanted = Self.beats(timeline)
        let (engine, id) = try Self.engine(Metronome.self, frames: block)
        engine.play(timeline, at: .zero)
        let clicks = Self.clicks(try Self.render(engine, Int(timeline.summary.end.rawValue), block: block))
        #expect(Self.isNear(clicks.map(\.frame), wanted.beats), "\(zip(clicks.map(\.frame), wanted.beats).map { $0 - $1 })")
        #expect(Self.isNear(clicks.filter { $0.peak > 0.068 }.map(\.frame), wanted.bars))
        let instance = try engine.graph.node(id).instance
        #expect(instance.readout("beat") == 5 && instance.readout("bar") == 8)
        #expect(wanted.bars.count == 8 && wanted.beats.count == 38)
    }

    @Test func aMetronomeOfItsOwnTempoHearsNoSong() throws {
        let timeline = try Timeline(Self.song, sampleRate: 48_000)
        let (engine, _) = try Self.engine(Metronome.self, ["tempo": 60, "beats": 3], ["held": .text("tempo")])
        engine.play(timeline, at: .zero)
        let clicks = Self.clicks(try Self.render(engine, 200_000))
        #expect(clicks.map(\.frame) == [0, 48_000, 96_000, 144_000, 192_000])
        #expect(clicks.map { $0.peak > 0.068 } == [true, false, false, true, false])
        #expect(throws: (any Error).self) { _ = try Self.engine(Metronome.self, [:], ["held": .text("beats")]) }
    }

    /// It is let run in the middle of a bar, and joins it; behind the song it goes on alone in its own bars.
    @Test func aMetronomeJoinsTheBarAndGoesOnAlone() throws {
        let timeline = try Timeline(Self.song, sampleRate: 48_000), wanted = Self.beats(timeline)
        let (engine, id) = try Self.engine(Metronome.self, ["running": 0])
        let playback = try engine.play(song: Self.song)
        try engine.set(Metronome.Parameter.running, 1, of: id, at: SampleTime(30_001))
        let sound = try Self.render(engine, 150_000)
        #expect(Self.isNear(Self.clicks(sound).map(\.frame), wanted.beats.filter { (30_001..<150_000).contains($0) }))
        #expect(Self.clicks(sound).first { $0.peak > 0.068 }.map { abs($0.frame - wanted.bars[1]) <= 1 } == true)
        try playback.stop(at: SampleTime(150_000))
        let tempo = Double(try engine.value(Metronome.Parameter.tempo, of: id))
        let alone = Self.clicks(try Self.render(engine, 150_000)).map(\.frame)
        let periods = zip(alone.dropFirst(), alone).map { Double($0 - $1) }
        #expect(periods.count > 3 && periods.allSatisfy { abs($0 - 48_000 * 60 / tempo) <= 1 }, "\(periods)")
    }

    /// A loop from the second bar in 4/4 to the first in 3/4, and a jump into the middle of a beat.
    @Test func loopsAndJumpsTakeTheMetronomeAlong() throws {
        let timeline = try Timeline(Self.song, sampleRate: 48_000), wanted = Self.beats(timeline)
        let (engine, _) = try Self.engine(Metronome.self)
        let playback = try engine.play(song: Self.song)
        try playback.loop(.bars(2, to: 4))
        let begin = wanted.bars[1], length = wanted.bars[3] - begin
        let sound = try Self.render(engine, begin + 3 * length)
        let round = wanted.beats.filter { (begin..<(begin + length)).contains($0) }
        let all = wanted.beats.filter { $0 < begin } + (0..<3).flatMap { number in round.map { $0 + number * length } }
        let clicks = Self.clicks(sound)
        #expect(Self.isNear(clicks.map(\.frame), all), "\(clicks.map(\.frame)) \(all)")
        let bars = [0] + (0..<3).flatMap { number in [0, wanted.bars[2] - begin].map { begin + $0 + number * length } }
        #expect(Self.isNear(clicks.filter { $0.peak > 0.068 }.map(\.frame), bars))
    }

    /// Struck by the first step alone, the drum tells where the pattern begins: with each bar, and where a bar is longer than
    /// the pattern, four quarter notes later.
    @Test(arguments: [64, 333, 4_096]) func aPatternBeginsAnewWithEachBar(_ block: Int) throws {
        let timeline = try Timeline(Self.song, sampleRate: 48_000), (bars, beats) = Self.beats(timeline)
        let (engine, id) = try Self.machine("x... .... .... ....", frames: block)
        engine.play(timeline, at: .zero)
        let sound = try Self.render(engine, Int(timeline.summary.end.rawValue), block: block)
        let wanted = (bars + [beats[beats.count - 6], beats[beats.count - 1]]).sorted()
        let found = Self.onsets(sound, quiet: 60).map(\.frame)
        #expect(Self.isNear(found, wanted), "\(found) \(wanted)")
        #expect(try engine.graph.node(id).instance.readout("step") == 4)
    }

    /// Every sixteenth of bars that are no whole number of quarter notes, or of sixteenths.
    @Test(arguments: [(7, 8), (5, 16), (3, 4), (7, 32)] as [(UInt8, Int)])
    func stepsLieOnTheSixteenthsOfEveryBar(_ beats: UInt8, _ unit: Int) throws {
        let meter = TimeSignature(beats, over: unit)
        let bar = Int64(meter.numerator) * 1_920 / Int64(meter.denominator)
        let notes = (0..<40).map { SongEvent(tick: $0 * 96, .message(MIDIMessage(status: 0x9F, data1: 60, data2: 0))) }
        let events = [SongEvent(tick: 0, .timeSignature(meter)), SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 700_003))]
        let timeline = try Timeline(Song(tracks: [Track(events: events + notes, endTick: 3_840)]), sampleRate: 48_000)
        let (engine, _) = try Self.machine("xxxx xxxx xxxx xxxx")
        engine.play(timeline, at: .zero)
        let sound = try Self.render(engine, Int(timeline.tempoMap.time(ofTick: 3_840).rawValue))
        let wanted = stride(from: Int64(0), to: 3_840, by: Int64.Stride(max(bar, 1))).flatMap { begin in
            stride(from: begin, to: min(begin + bar, 3_840), by: 120).map { Int(timeline.tempoMap.time(ofTick: $0).rawValue) }
        }
        let found = Self.onsets(sound, quiet: 60).map(\.frame)
        #expect(Self.isNear(found, wanted), "\(zip(found, wanted).map { $0 - $1 }) \(found.count) \(wanted.count)")
    }

    /// In a session the metronome's bars are the drum machine's too.
    @Test func theSessionsMetronomeTellsItsMeter() throws {
        let time = try SessionInTime()
        let engine = time.session.engine
        let id = try engine.edit { graph in
            let id = try graph.add(DrumMachine.self)
            try graph.connect(id, to: try #require(graph.output).node)
            return id
        }
        try time.session.perform(.metronome(true, tempo: 240))
        try time.pass(0.1)
        let metronome = try #require(engine.graph.nodes.first { $0.name == "metronome" })
        try engine.set(Metronome.Parameter.beats, 3, of: metronome.id)
        try time.session.perform(.metronome(false, tempo: nil))
        try time.pass(0.1)
        try time.session.perform(.metronome(true, tempo: nil))
        // A bar of three quarter notes takes 0.75 s; each sixteenth 1/16 s.
        try time.pass(0.9)
        let step = try engine.graph.node(id).instance.readout("step")
        #expect(step == 2 || step == 3, "\(String(describing: step))")
        try time.session.finish()
    }
}
