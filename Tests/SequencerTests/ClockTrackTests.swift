import MIDI
import RealtimeCore
import Sequencer
import Testing

/// MIDI's clock as arithmetic: where pulses lie, and that whoever follows them stands where the music stands.
@Suite struct ClockTrackTests {
    /// Somebody who follows: where it stands at each pulse that counts.
    struct Follower {
        private(set) var isRunning = false
        private(set) var next: Int64 = 0
        /// Pulses that counted, and their times.
        private(set) var heard: [(time: SampleTime, pulse: Int64)] = []
        /// Places that were told while it ran: many devices do not listen then.
        private(set) var toldWhileRunning = 0

        mutating func take(_ message: TimedClockMessage) {
            switch message.message {
            case .start: (isRunning, next) = (true, 0)
            case .continue: isRunning = true
            case .stop: isRunning = false
            case .position(let sixteenths):
                if isRunning { toldWhileRunning += 1 }
                next = Int64(sixteenths) * 6
            case .pulse where isRunning:
                heard.append((message.time, next))
                next += 1
            case .pulse: break
            }
        }
    }

    static func map(_ ticks: Int = 480, _ tempos: [(Int64, UInt32)] = [(0, 500_000)]) -> TempoMap {
        TempoMap(
            division: .ticksPerQuarter(ticks), tempos: tempos.map { (tick: $0.0, microsecondsPerQuarter: $0.1) },
            sampleRate: 48_000)
    }

    private func passage(
        _ start: Int64, _ position: Int64, rate: Double = 1, map: TempoMap = ClockTrackTests.map()
    ) throws -> ClockPassage {
        try #require(
            ClockPassage(start: SampleTime(start), along: map, position: position, rate: PlaybackRate(nearest: rate)))
    }

    private func idle(_ start: Int64, tempo: Double = 120) -> ClockPassage {
        ClockPassage(start: SampleTime(start), tempo: tempo, sampleRate: 48_000, isCounted: false)
    }

    private func all(_ passages: [ClockPassage], to end: Int64 = 480_000) -> [TimedClockMessage] {
        ClockTrack(passages, sampleRate: 48_000).messages(from: .zero, to: SampleTime(end))
    }

    // MARK: Pulses

    @Test(arguments: [1, 5, 24, 96, 100, 120, 480, 32_767]) func pulsesLieOnTheirTicksAndBetweenThem(_ ticks: Int) throws {
        var random = Dice(seed: UInt64(ticks))
        for _ in 0..<20 {
            var tick: Int64 = 0
            let tempos = (0..<random.roll(1...6)).map { _ -> (Int64, UInt32) in
                defer { tick += Int64(random.roll(1...(ticks * 4))) }
                return (tick, UInt32(random.roll(60_000...2_000_000)))
            }
            let map = Self.map(ticks, tempos)
            var last = SampleTime.zero
            for pulse in Int64(0)..<600 {
                let time = try #require(map.time(ofPulse: pulse)), place = pulse * Int64(ticks)
                // Between the ticks around it, and on the tick where there is one.
                if place % 24 == 0 { #expect(time == map.time(ofTick: place / 24)) }
                #expect(map.time(ofTick: place / 24) <= time && time <= map.time(ofTick: place / 24 + 1))
                #expect(pulse == 0 || time >= last)
                #expect(try #require(map.pulse(from: time)) <= pulse)
                #expect(try map.time(ofPulse: #require(map.pulse(from: time))) == time)
                if time > last, pulse > 0 { #expect(map.pulse(from: last + 1) == pulse) }
                last = time
            }
        }
        let film = TempoMap(division: .smpte(.pal, ticksPerFrame: 40), tempos: [], sampleRate: 48_000)
        #expect(film.time(ofPulse: 3) == nil && film.pulse(from: .zero) == nil)
        #expect(ClockPassage(start: .zero, along: film, position: 0, rate: .nominal) == nil)
    }

    // MARK: What is told

    @Test func aSongFromItsBeginning() throws {
        let sent = all([idle(0), try passage(48_000, 0), idle(144_000)], to: 150_000)
        let orders = sent.filter { $0.message != .pulse }
        // The start comes a millisecond before the first beat, which is a pulse, and the stop where the song ends.
        #expect(
            orders == [
                TimedClockMessage(.start, at: SampleTime(47_952)), TimedClockMessage(.stop, at: SampleTime(144_000)),
            ])
        var follower = Follower()
        for message in sent { follower.take(message) }
        #expect(follower.heard.map(\.pulse) == Array(0..<96))
        #expect(follower.heard.allSatisfy { $0.time.rawValue == 48_000 + $0.pulse * 1000 })
        // Before and behind, the tempo alone.
        #expect(sent.count { $0.message == .pulse && $0.time < SampleTime(47_904) } == 48)
        #expect(sent.contains(TimedClockMessage(.pulse, at: SampleTime(144_000))))
    }

    @Test func aJumpIsToldInSixteenthsAndStandsRight() throws {
        // From pulse 30 to pulse 61, which lies in the eleventh sixteenth: on from the twelfth, pulse 66.
        let sent = all([try passage(1_000, 0), try passage(31_000, 61_000)], to: 61_000)
        #expect(
            sent.filter { $0.message != .pulse }.suffix(3) == [
                TimedClockMessage(.stop, at: SampleTime(30_904)), TimedClockMessage(.position(11), at: SampleTime(30_904)),
                TimedClockMessage(.continue, at: SampleTime(35_952)),
            ])
        var follower = Follower()
        for message in sent { follower.take(message) }
        #expect(follower.heard.last { $0.time < SampleTime(31_000) }?.pulse == 29)
        #expect(follower.heard.first { $0.time >= SampleTime(31_000) }?.pulse == 66)
        #expect(follower.heard.first { $0.time >= SampleTime(31_000) }?.time == SampleTime(36_000))
        #expect(follower.toldWhileRunning == 0)
        // Pulses go on in between, so that nobody loses the tempo.
        #expect(sent.count { $0.message == .pulse && (31_000..<36_000).contains($0.time.rawValue) } == 5)
    }

    @Test func anotherTempoIsNoJump() throws {
        let first = try passage(0, 0)
        let sent = all([first, try passage(10_500, 10_500, rate: 2), try passage(20_000, 29_500, rate: 0.5)], to: 60_000)
        #expect(sent.filter { $0.message != .pulse } == [])
        let times = sent.map(\.time.rawValue)
        #expect(times.prefix(11).elementsEqual(stride(from: Int64(0), through: 10_000, by: 1000)))
        // Pulse 11 lies 500 frames of the song behind the change.
        #expect(times[11] == 10_750 && times[12] == 11_250)
        #expect(times == times.sorted() && Set(times).count == times.count)
    }

    @Test func theFarEndOfASongIsToldAsFarAsItCan() throws {
        let sent = all([idle(0), try passage(48_000, 1_000_000_000)], to: 100_000)
        #expect(sent.contains { $0.message == .position(16_383) })
    }

    // MARK: By chance

    /// Passages by chance: songs, jumps, halts, other tempos.
    private func passages(_ random: inout Dice) throws -> [ClockPassage] {
        let map = Self.map(
            [24, 96, 100, 480].randomElement(using: &random) ?? 480,
            [
                (0, UInt32(random.roll(100_000...1_500_000))),
                (Int64(random.roll(1...500)), UInt32(random.roll(100_000...1_500_000))),
            ])
        var time: Int64 = 1000, position: Int64 = 0, rate = 1.0, runs = false
        return try (0..<random.roll(1...8)).map { _ in
            let length = Int64(random.roll(1...60_000))
            defer { time += length }
            if runs { position += PlaybackRate(nearest: rate).scoreFrames(ofClock: length) }
            switch random.roll(0...3) {
            case 0:
                runs = false
                return idle(time, tempo: Double(random.roll(30...300)))
            case 1: position = Int64(random.roll(0...500_000))
            case 2: rate = Double(random.roll(1...30)) / 10
            default: break
            }
            runs = true
            return try passage(time, position, rate: rate, map: map)
        }
    }

    @Test func whatIsAskedForInPiecesIsWhatIsAskedForAtOnce() throws {
        var random = Dice(seed: 11)
        for _ in 0..<300 {
            let track = ClockTrack(try passages(&random), sampleRate: 48_000)
            let whole = track.messages(from: .zero, to: SampleTime(300_000))
            var pieces: [TimedClockMessage] = [], time: Int64 = 0
            while time < 300_000 {
                let end = min(time + Int64(random.roll(1...40_000)), 300_000)
                pieces += track.messages(from: SampleTime(time), to: SampleTime(end))
                time = end
            }
            #expect(pieces == whole)
            #expect(whole.map(\.time) == whole.map(\.time).sorted())
        }
    }

    @Test func whoeverFollowsStandsWhereTheMusicStands() throws {
        var random = Dice(seed: 12)
        var heard = 0
        for _ in 0..<300 {
            let passages = try passages(&random)
            var follower = Follower()
            for message in all(passages, to: 300_000) { follower.take(message) }
            #expect(follower.toldWhileRunning == 0)
            for (time, pulse) in follower.heard {
                let passage = try #require(passages.last { $0.start <= time })
                #expect(passage.isCounted)
                // A frame of the clock is some frames of the song: less than a twelfth of a pulse at these tempos.
                #expect(abs(passage.position(at: time) - Double(pulse)) < 0.11, "\(passage) \(time) \(pulse)")
            }
            heard += follower.heard.count
        }
        #expect(heard > 5000)
    }

    @Test func evenBeatsAreThoseOfTheMetronome() {
        let beat = ClockPassage(start: SampleTime(1000), tempo: 100, sampleRate: 48_000, isCounted: true)
        for pulse in Int64(0)..<10_000 { #expect(beat.time(ofPulse: pulse).rawValue == 1000 + pulse * 1200) }
        let odd = ClockPassage(start: .zero, tempo: 97, sampleRate: 44_100, isCounted: true)
        for quarter in Int64(0)..<1000 {
            let exact = Double(quarter) * 44_100 * 60 / 97
            #expect((exact - 0.001...exact + 1).contains(Double(odd.time(ofPulse: quarter * 24).rawValue)))
        }
        let later = odd.from(SampleTime(100_000))
        #expect(later.pulse(from: SampleTime(100_000)) == odd.pulse(from: SampleTime(100_000)))
        #expect(abs(later.position(at: SampleTime(150_000)) - odd.position(at: SampleTime(150_000))) < 1e-6)
    }
}

/// Numbers by chance, the same every time.
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
