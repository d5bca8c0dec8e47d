import CarillonTestKit
import MIDI
import RealtimeCore
import Testing

@testable import Sequencer

struct TempoMapTests {
    /// The oracle: whole numbers of any length, in base 2^32, for sums and one division, written apart from the code
    /// under test.
    private struct Natural {
        var digits: [UInt64]

        init(_ value: UInt64) { digits = [value & 0xFFFF_FFFF, value >> 32] }

        mutating func add(_ other: Natural) {
            var carry: UInt64 = 0
            for index in 0..<max(digits.count, other.digits.count) + 1 {
                if index == digits.count { digits.append(0) }
                let sum = digits[index] + (index < other.digits.count ? other.digits[index] : 0) + carry
                digits[index] = sum & 0xFFFF_FFFF
                carry = sum >> 32
            }
            while digits.count > 1, digits.last == 0 { digits.removeLast() }
        }

        func times(_ factor: UInt64) -> Natural {
            var product = Natural(0)
            product.digits = [UInt64](repeating: 0, count: digits.count + 3)
            for (index, digit) in digits.enumerated() {
                for (place, half) in [factor & 0xFFFF_FFFF, factor >> 32].enumerated() {
                    var carry = digit * half
                    var at = index + place
                    while carry > 0 {
                        let sum = product.digits[at] + (carry & 0xFFFF_FFFF)
                        product.digits[at] = sum & 0xFFFF_FFFF
                        carry = (carry >> 32) + (sum >> 32)
                        at += 1
                    }
                }
            }
            return product
        }

        /// Long division by a number below 2^32.
        func dividedBy(_ divisor: UInt64) -> UInt64 {
            var remainder: UInt64 = 0
            var quotient: UInt64 = 0
            for digit in digits.reversed() {
                let value = remainder << 32 | digit
                quotient = quotient << 32 | value / divisor
                remainder = value % divisor
            }
            return quotient
        }
    }

    /// Nearest frame, halves up, of a sum of microseconds times ticks; two divisions, since 2e6 * quarter may pass
    /// 2^32.
    private static func frame(_ sum: Natural, rate: UInt64, quarter: UInt64) -> Int64 {
        var doubled = sum.times(rate).times(2)
        doubled.add(Natural(quarter * 1_000_000))
        // floor(floor(x / a) / b) is floor(x / ab).
        return Int64(Natural(doubled.dividedBy(2_000_000)).dividedBy(quarter))
    }

    @Test(arguments: [(96, 44_100), (480, 48_000), (32_767, 192_000), (1, 8_000), (97, 22_051)])
    func everyTickIsExactAgainstBigIntegers(_ quarter: Int, _ rate: Int) {
        var random = SeededRandom(seed: UInt64(quarter * rate))
        var tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)] = []
        var tick: Int64 = 0
        for _ in 0..<2_000 {
            tempos.append((tick, .random(in: 1...0xFF_FFFF, using: &random)))
            tick += .random(in: 1...5_000, using: &random)
        }
        let map = TempoMap(division: .ticksPerQuarter(quarter), tempos: tempos, sampleRate: rate)
        var sum = Natural(0)
        for (index, tempo) in tempos.enumerated() {
            let next = index + 1 < tempos.count ? tempos[index + 1].tick : tick
            for probe in [tempo.tick, (tempo.tick + next) / 2, next - 1] {
                var time = sum
                time.add(Natural(UInt64(tempo.microsecondsPerQuarter)).times(UInt64(probe - tempo.tick)))
                let expected = Self.frame(time, rate: UInt64(rate), quarter: UInt64(quarter))
                #expect(map.time(ofTick: probe).rawValue == expected)
            }
            sum.add(Natural(UInt64(tempo.microsecondsPerQuarter)).times(UInt64(next - tempo.tick)))
        }
    }

    @Test func aWeekWithAHundredThousandTemposIsExact() {
        // Steps of 1 301 ticks, six seconds each, at a tempo that changes every time.
        var tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)] = []
        var sum = Natural(0)
        for step in 0..<100_000 {
            let tempo = UInt32(440_001 + step % 997)
            tempos.append((Int64(step) * 1_301, tempo))
            sum.add(Natural(UInt64(tempo)).times(1_301))
        }
        let map = TempoMap(division: .ticksPerQuarter(96), tempos: tempos, sampleRate: 44_100)
        let last = map.time(ofTick: 100_000 * 1_301)
        #expect(last.rawValue == Self.frame(sum, rate: 44_100, quarter: 96))
        #expect(last.rawValue > 44_100 * 86_400 * 6)
        #expect(map.tempoChanges == 99_999)
    }

    @Test func theTickOfAFrameIsTheLastThatHasBegun() {
        var random = SeededRandom(seed: 7)
        var tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)] = []
        for index in 0..<200 { tempos.append((Int64(index) * 700, .random(in: 2_000...900_000, using: &random))) }
        for division in [Division.ticksPerQuarter(480), .smpte(.ntscDrop, ticksPerFrame: 80)] {
            let map = TempoMap(division: division, tempos: tempos, sampleRate: 48_000)
            for _ in 0..<5_000 {
                let time = SampleTime(.random(in: 0...20_000_000, using: &random))
                let tick = map.tick(at: time)
                #expect(map.time(ofTick: tick) <= time)
                #expect(map.time(ofTick: tick + 1) > time)
            }
        }
    }

    @Test func smpteTicksAreExactForOneDay() {
        for rate in SMPTERate.allCases {
            let map = TempoMap(division: .smpte(rate, ticksPerFrame: 80), tempos: [(0, 1)], sampleRate: 48_000)
            let film = rate.framesPerSecond
            // Over as many seconds as the denominator every rate has a whole number of ticks.
            let day = Int64(film.numerator) * 80 * 86
            #expect(map.time(ofTick: day).rawValue == Int64(film.denominator) * 48_000 * 86)
            #expect(map.microsecondsPerQuarter(atTick: 5) == nil)
            #expect(map.position(ofTick: 5) == nil)
        }
    }

    @Test func halvesRoundUp() {
        // One tick is half a frame: 1 tick = 1 us at 500 kHz.
        let map = TempoMap(division: .ticksPerQuarter(1), tempos: [(0, 1)], sampleRate: 500_000)
        #expect((0...5).map { map.time(ofTick: $0).rawValue } == [0, 1, 1, 2, 2, 3])
    }

    @Test func aSongStartsAt120AndTheLastTempoOfATickHolds() {
        let map = TempoMap(
            division: .ticksPerQuarter(100), tempos: [(200, 1), (200, 1_000_000), (300, 0)],
            sampleRate: 1_000)
        #expect(map.time(ofTick: 200).rawValue == 1_000)
        #expect(map.time(ofTick: 300).rawValue == 2_000)
        #expect(map.time(ofTick: 400).rawValue == 3_000)
        #expect(map.microsecondsPerQuarter(atTick: 199) == 500_000)
        #expect(map.microsecondsPerQuarter(atTick: 200) == 1_000_000)
    }

    @Test func absurdTicksEndAtTheLastFrameInsteadOfTrapping() {
        let slow = TempoMap(
            division: .ticksPerQuarter(1), tempos: [(Int64.max / 2, .max), (Int64.max - 1, .max)],
            sampleRate: 1 << 24)
        #expect(slow.time(ofTick: .max) == TempoMap.lastFrame)
        #expect(slow.time(ofTick: .min) == .zero)
        #expect(slow.tick(at: TempoMap.lastFrame) > 0)
        #expect(slow.tick(at: SampleTime(.min)) == 0)
        let fast = TempoMap(division: .ticksPerQuarter(.max), tempos: [(5, 1)], sampleRate: -3)
        #expect(fast.tick(at: SampleTime(.max)) > 0)
        #expect(fast.time(ofTick: .max).rawValue > 0)
    }

    @Test func barsFollowTheMeters() {
        let map = TempoMap(
            division: .ticksPerQuarter(96), tempos: [],
            meters: [(768, TimeSignature(6, over: 8)), (1_200, TimeSignature(5, over: 128))], sampleRate: 48_000)
        #expect(map.position(ofTick: 0) == BarPosition(bar: 1, beat: 1, tick: 0))
        #expect(map.position(ofTick: 383) == BarPosition(bar: 1, beat: 4, tick: 95))
        #expect(map.position(ofTick: 384) == BarPosition(bar: 2, beat: 1, tick: 0))
        // 6/8: an eighth is 48 ticks, a bar 288; the bar that the next meter cuts short counts.
        #expect(map.position(ofTick: 768 + 288 + 50) == BarPosition(bar: 4, beat: 2, tick: 2))
        // 5/128: a beat is 3 ticks.
        #expect(map.position(ofTick: 1_200) == BarPosition(bar: 5, beat: 1, tick: 0))
        #expect(map.position(ofTick: 1_200 + 15 + 4) == BarPosition(bar: 6, beat: 2, tick: 1))
        #expect(map.position(ofTick: 1_200 + 15 + 4)?.description == "6:2:001")
    }

    /// A bar that a meter cuts short counts, and so does a beat: 4/4 of which three and a half beats are heard, then 6/8.
    @Test func whatASongSaysOfItsMeterCountsItsBarsAndBeats() {
        let map = TempoMap(
            division: .ticksPerQuarter(480), tempos: [],
            meters: [(tick: 3_600, TimeSignature(6, over: 8)), (tick: 5_040, TimeSignature(3, over: 4))],
            sampleRate: 48_000)
        func said(_ tick: Int64) -> [MusicalTime] {
            map.musicalTime(at: map.time(ofTick: tick)).compactMap { if case .time(let time) = $0 { time } else { nil } }
        }
        let eighths = Meter(beats: 6, unit: 3)
        #expect(said(0) == [.tempo(120), .meter(bar: 0, .common), .beat(0), .frame(0), .place(0)])
        #expect(said(3_600) == [.tempo(120), .meter(bar: 2, eighths), .beat(8), .frame(180_000), .place(0)])
        #expect(Array(said(3_840).suffix(2)) == [.frame(192_000), .place(13_440)])
        #expect(Array(said(5_040)[1...2]) == [.meter(bar: 3, Meter(beats: 3, unit: 2)), .beat(14)])
        // Within a song what has changed is said: no frame, which goes on.
        let first: [MusicalTime] = [.tempo(120), .meter(bar: 2, eighths), .beat(8), .place(0)]
        #expect(Array(map.timeChanges().map { $0.event }[..<4]) == first.map { MusicEvent.time($0) })
        let film = TempoMap(division: .smpte(.pal, ticksPerFrame: 40), tempos: [], sampleRate: 48_000)
        #expect(film.musicalTime(at: SampleTime(48_000)).isEmpty && film.timeChanges().isEmpty)
    }

    /// Bars of 7/8 for ten hours: the count begins anew with a bar.
    @Test func theCountOfAPlaceBeginsAnewWithABar() throws {
        let map = TempoMap(
            division: .ticksPerQuarter(480), tempos: [], meters: [(tick: 0, TimeSignature(7, over: 8))], sampleRate: 48_000)
        let round = MusicalTime.partsPerRound / MusicalTime.partsPerQuarter * 480
        for (tick, place) in [(round, 0), (round + 1_680, Meter(beats: 7, unit: 3).partsPerBar)] {
            let said = try #require(map.musicalTime(at: map.time(ofTick: tick)).last)
            #expect(said == .time(.place(Int32(place))))
            #expect(map.position(ofTick: tick)?.beat == 1)
        }
    }
}
