import AudioFiles
import Carillon
import DSP
import Glibc
import MIDI
import Patches
import RealtimeCore
import Sequencer
import Testing
import UnitAPI

@testable import Sessions

/// One tempo of a session; the metronome, its count, and what waits for a beat.
@Suite struct SessionTempoTests {
    private static func live() -> LiveOptions {
        var options = SessionInTime.options
        options.ports = 1
        return options
    }

    /// An arpeggiator and a drum machine, with settings of the one.
    private static func patch(_ settings: (inout PatchUnit) -> Void) -> Patch {
        var patch = Patch(), arpeggio = PatchUnit("arpeggio", "arpeggiator"), drums = PatchUnit("drums", "drum-machine")
        settings(&arpeggio)
        drums.values["running"] = [0]
        patch.units = [
            arpeggio, drums, PatchUnit("tone", "square-wave", role: .instrument), PatchUnit("mix", "multichannel-mixer"),
        ]
        patch.units[3].inputCount = 2
        patch.connections = [
            PatchConnection(PatchPort("arpeggio"), to: PatchPort("tone")),
            PatchConnection(PatchPort("tone"), to: PatchPort("mix", 0)),
            PatchConnection(PatchPort("drums"), to: PatchPort("mix", 1)),
        ]
        patch.outputs = [PatchPort("mix")]
        return patch
    }

    private static func tempos(_ session: Session) throws -> [Float] {
        try ["arpeggio.tempo", "drums.tempo"].map { try session.engine.value($0) }
    }

    // MARK: - One tempo

    @Test func unitsHaveTheTempoOfTheSessionFromTheStart() throws {
        let tables: [(settings: @Sendable (inout PatchUnit) -> Void, tempos: [Float])] = [
            ({ _ in }, [120, 120]), ({ $0.values["tempo"] = [96] }, [96, 96]),
            ({ ($0.values["tempo"], $0.properties["held"]) = ([96], .text("tempo")) }, [96, 120]),
        ]
        for (settings, tempos) in tables {
            var options = Self.live()
            options.patch = Self.patch(settings)
            let time = try SessionInTime(options), session = time.session
            try time.pass(0.2)
            #expect(try Self.tempos(session) == tempos)
            #expect(session.snapshot.tempo == Double(tempos[1]))
            try session.perform(.tempo(140))
            try time.pass(0.2)
            #expect(try Self.tempos(session)[1] == 140)
            #expect(session.snapshot.tempo == 140 && session.snapshot.metronome == nil)
            // A metronome that begins later has it.
            try session.perform(.metronome(true, tempo: nil))
            try time.pass(0.1)
            #expect(session.snapshot.metronome?.tempo == 140)
            try session.finish()
        }
    }

    @Test func aSongThatPlaysGetsTheTempoInBeats() throws {
        // 600 quarter notes a minute as it is written.
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(40)]), session = time.session
        try time.pass(0.5)
        try session.perform(.tempo(300))
        try time.pass(1.5)
        let times = time.onsets.map(\.time)
        #expect(times.suffix(4).map { $0 - times[times.count - 5] } == [9_600, 19_200, 28_800, 38_400])
        #expect(session.snapshot.transport?.rate == 0.5 && session.snapshot.tempo == 300)
        try session.perform(.pause)
        try time.pass(0.2)
        #expect(session.snapshot.transport?.stateWord == "paused" && session.snapshot.tempo == 300)
        try session.perform(.tempo(2))
        #expect(session.snapshot.transport?.rate == 2)
        // 60 is the slowest at which this song can be played.
        #expect(throws: Fault.self) { try session.perform(.tempo(59)) }
        try session.finish()
        let alone = try SessionInTime(Self.live())
        #expect(throws: Fault.noSong) { try alone.session.perform(.tempo(0.9)) }
        try alone.session.finish()
    }

    @Test func tapsGiveTheMeanOfTheLastFourBeats() {
        var taps = TapTempo()
        // Seconds, and the tempo after each tap.
        let rows: [(Double, Double?)] = [
            (0, nil), (0.5, 120), (1.1, 60 / 0.55), (1.6, 60 / (1.6 / 3)), (2.1, 60 / (2.1 / 4)),
            (2.6, 60 / (2.1 / 4)), (4.7, nil), (5.2, 120),
        ]
        for (seconds, tempo) in rows {
            let found = taps.tap(at: SampleTime(Int64((seconds * 48_000).rounded())), sampleRate: 48_000)
            #expect(tempo.map { abs($0 - (found ?? 0)) < 0.01 } ?? (found == nil), "\(seconds)")
        }
    }

    @Test func tapsSetTheTempoUnlessAMasterDoes() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        let part = try #require(session[MetronomePart.self])
        for beat in 0..<5 { try part.tap(at: SampleTime(Int64(beat * 30_000))) }
        #expect(session.snapshot.tempo == 96)
        try part.tap(at: SampleTime(1_000_000))
        #expect(throws: Fault.self) { try part.tap(at: SampleTime(1_003_000)) }
        #expect(session.snapshot.tempo == 96)
        try session.finish()
        var options = SessionInTime.options
        options.connections.master = "clock"
        let following = try SessionInTime(options, [SessionInTime.listed(8)])
        for command in [ControlCommand.tap, .tempo(96), .tempo(0.9)] {
            #expect(throws: Fault.followsClock("clock")) { try following.session.perform(command) }
        }
        try following.session.finish()
    }

    // MARK: - Metronome

    /// The frames at which something begins after silence.
    private static func onsets(_ sound: [Float]) -> [Int] {
        var last = -10_000
        return sound.indices.filter { frame in
            guard abs(sound[frame]) > 0.001 else { return false }
            defer { last = frame }
            return frame - last > 1_000
        }
    }

    @Test func aDevicePlaysTheClicksAndNoCaptureHearsThem() throws {
        var options = Self.live()
        let path = "/tmp/carillon-clicks-\(getpid()).wav"
        options.capturePath = path
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }
        let time = try SessionInTime(options), session = time.session
        try session.perform(.metronome(true, tempo: 96, meter: Meter(beats: 7, unit: 3)))
        try time.pass(4)
        let found = Self.onsets(time.port.played[0]), metronome = try #require(session.snapshot.metronome)
        #expect(metronome.beats == 7 && metronome.unit == 8)
        // An eighth at 96 is 15 000 frames.
        #expect(found.count > 10 && Set(zip(found, found.dropFirst()).map { $1 - $0 }).isSubset(of: [14_999, 15_000, 15_001]))
        func peak(_ frame: Int) -> Float { time.port.played[0][frame..<frame + 1_000].reduce(0) { max($0, abs($1)) } }
        let peaks = found.dropLast().map(peak), most = peaks[0] * 0.9
        #expect(peaks.indices.filter { peaks[$0] > most } == Array(stride(from: 0, to: peaks.count, by: 7)))
        try session.finish()
        #expect(try AudioFileReader(path: path).readAll().allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    /// On each beat of a song, and after it in the session's own tempo.
    @Test func theMetronomeClicksOnTheBeatsOfASong() throws {
        // 300 a minute, in three beats, one note on each.
        var song = SessionInTime.song(12, beatFrames: 9_600)
        song.tracks[0].events.insert(SongEvent(tick: 0, .timeSignature(TimeSignature(3, over: 4))), at: 0)
        for index in song.tracks[0].events.indices {
            guard case .message(var message) = song.tracks[0].events[index].kind, message.beginsNote else { continue }
            message.data2 = 1
            song.tracks[0].events[index].kind = .message(message)
        }
        let time = try SessionInTime(SessionInTime.options, [SessionSong(name: "beats", song: song)]), session = time.session
        try session.perform(.stop)
        try session.perform(.metronome(true, tempo: 96))
        try session.perform(.volume(-60))
        try time.pass(1)
        try session.perform(.play)
        try time.pass(1.5)
        #expect(session.snapshot.metronome?.tempo == 300)
        let first = Int(try #require(time.onsets.last { $0.time > 48_000 && $0.time < 60_000 }).time)
        // They are as late as the song's sound is, by less than 1 000 frames.
        let clicks = Self.onsets(time.port.played[0]).filter { $0 > first - 100 && $0 < first + 60_000 }
        #expect(
            clicks.count >= 5 && clicks.enumerated().allSatisfy { abs($1 - clicks[0] - $0 * 9_600) <= 1 }
                && clicks[0] - first < 1_000, "\(first) \(clicks)")
        try session.perform(.pause)
        try time.pass(3)
        #expect(session.snapshot.metronome?.tempo == 96 && session.snapshot.tempo == 96)
        let rest = Self.onsets(time.port.played[0]).suffix(3)
        #expect(zip(rest, rest.dropFirst()).allSatisfy { abs($1 - $0 - 30_000) <= 1 }, "\(rest)")
        try session.finish()
    }

    @Test(arguments: [(1, nil), (2, Meter(beats: 3, unit: 2))] as [(Int, Meter?)])
    func aSongIsCountedIn(_ bars: Int, _ meter: Meter?) throws {
        // 240 a minute: a beat is 12 000 frames.
        var song = SessionInTime.song(12, beatFrames: 12_000)
        if let meter {
            song.tracks[0].events.insert(
                SongEvent(tick: 0, .timeSignature(TimeSignature(numerator: meter.beats, denominatorPower: meter.unit))), at: 0)
        }
        let time = try SessionInTime(SessionInTime.options, [SessionSong(name: "beats", song: song)]), session = time.session
        try session.perform(.stop)
        try session.perform(.metronome(false, tempo: nil, countIn: bars))
        try time.pass(0.5)
        #expect(time.onsets.allSatisfy { $0.time < 4_800 } && session.snapshot.metronome?.countIn == bars)
        let before = time.onsets.count
        try session.perform(.play)
        try time.pass(6)
        let beats = bars * Int(meter?.beats ?? 4), first = time.onsets[before].time
        #expect(time.onsets.dropFirst(before).prefix(4).map(\.time) == (0..<4).map { first + $0 * 12_000 })
        // The clicks: as many as counted, each on its frame before the song's first beat, and none on it.
        let found = Self.onsets(time.port.played[0]).filter { $0 > 24_000 }
        let wanted = (0...beats).map { found[0] + $0 * 12_000 }
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(found)")
        func peak(_ frame: Int) -> Float { time.port.played[0][frame + 2_000..<frame + 2_400].reduce(0) { max($0, abs($1)) } }
        // A click is over soon, and the song's note lasts.
        #expect(found.prefix(beats).allSatisfy { peak($0) < 0.001 } && peak(found[beats]) > 0.05, "\(found)")
        #expect(session.snapshot.metronome?.isRunning == false)
        try session.finish()
    }

    @Test func aCountThatIsCalledOffIsSilent() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(12, beatFrames: 24_000)])
        let session = time.session
        try session.perform(.stop)
        try session.perform(.metronome(false, tempo: nil, countIn: 4))
        try session.perform(.play)
        try time.pass(1)
        try session.perform(.pause)
        try time.pass(0.2)
        let before = time.onsets.count
        #expect(session.snapshot.metronome?.isRunning == false)
        try time.pass(8)
        #expect(time.onsets.count == before && session.snapshot.transport?.isPlaying == false)
        try session.finish()
    }

    // MARK: - Places

    @Test func aAndBLoopOnTheirTicks() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(60)]), session = time.session
        try time.pass(0.42)
        try session.perform(.setPassage)
        let start = try #require(session.snapshot.transport?.passageStart)
        try time.pass(0.5)
        try session.perform(.setPassage)
        let end = try #require(session.snapshot.transport?.passageEnd)
        try time.pass(4)
        let length = Int64((end * 48_000).rounded()) - Int64((start * 48_000).rounded())
        // Each of the notes of the loop comes again after its length, to the frame.
        let loops = time.onsets.map(\.time).suffix(25), all = Set(time.onsets.map(\.time))
        #expect(loops.dropFirst(10).allSatisfy { all.contains($0 - length) } && abs(length - 24_000) < 1_000)
        try session.perform(.clearPassage)
        #expect(session.snapshot.transport?.passageStart == nil)
        #expect(try time.pass(atMost: 20) { session.isOver })
        try session.finish()
    }

    @Test(arguments: [(TransportBoundary.beat, 4_800), (.bar, 19_200)] as [(TransportBoundary, Int64)])
    func theNextSongWaitsForABeat(_ boundary: TransportBoundary, _ frames: Int64) throws {
        let time = try SessionInTime(
            SessionInTime.options, [SessionInTime.listed(60, key: 60), SessionInTime.listed(60, key: 62)])
        let session = time.session
        try time.pass(0.53)
        try session.perform(.next(at: boundary))
        try time.pass(2)
        let first = time.onsets[0].time, second = try #require(time.onsets.first { $0.key == 62 }?.time)
        #expect((second - first) % frames == 0 && second - first > 24_000 && second - first <= 28_800 + frames)
        #expect(!time.onsets.contains { $0.key == 60 && $0.time >= second })
        // Nothing follows, and the song has no markers.
        for wrong in TransportBoundary.allCases { #expect(throws: Fault.self) { try session.perform(.next(at: wrong)) } }
        try session.finish()
    }

    @Test func aSongOrAListRepeats() throws {
        let time = try SessionInTime(
            SessionInTime.options, [SessionInTime.listed(4, key: 60), SessionInTime.listed(4, key: 62)])
        try time.session.perform(.repeats(.one))
        try time.pass(2)
        #expect(Set(time.onsets.map(\.key)) == [60] && time.onsets.count > 12)
        #expect(try time.session.perform(Verb.loop(true)) == .renamed(to: "repeat all, or repeat off"))
        #expect(time.session.snapshot.transport?.repetition == .all)
        try time.pass(2)
        #expect(Set(time.onsets.suffix(10).map(\.key)) == [60, 62])
        try time.session.finish()
    }

    @Test func theWholeSoundFades() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        try session.perform(.pressKey(channel: 1, key: 60, velocity: 100))
        try time.pass(0.5)
        try session.perform(.fade(to: -20, over: 2))
        try time.pass(2.5)
        #expect(session.snapshot.volume == -20)
        func decibels(_ seconds: Double) -> Float {
            let start = Int(seconds * 48_000)
            return Decibels.level(ofAmplitude: time.port.played[0][start..<start + 480].reduce(0) { max($0, abs($1)) })
        }
        let levels = [0.3, 1.5, 2.8].map(decibels).map { $0 - decibels(0.3) }
        #expect(zip(levels, [0, -10, -20]).allSatisfy { abs($0 - $1) < 0.5 }, "\(levels)")
        #expect(throws: Fault.self) { try session.perform(.fade(to: .nan, over: 1)) }
        #expect(throws: Fault.self) { try session.perform(.fade(to: 0, over: -1)) }
        try session.finish()
    }
}
