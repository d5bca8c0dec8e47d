import MIDI
import RealtimeCore
import Testing

/// Where the music stands, after what was said of it.
@Suite struct MusicClockTests {
    private func clock(_ said: [(MusicalTime, Int64)]) -> MusicClock {
        var clock = MusicClock()
        for (time, frame) in said { clock.follow(time, at: SampleTime(frame), sampleRate: 48_000) }
        return clock
    }

    @Test func aMeterHasWholePartsInEveryBeatAndBar() {
        for unit in UInt8(0)...7 {
            let meter = Meter(beats: 7, unit: unit)
            #expect(meter.partsPerBeat * Int64(meter.denominator) == 4 * MusicalTime.partsPerQuarter)
            #expect(meter.partsPerBar == 7 * meter.partsPerBeat)
        }
        for beats in UInt8(1)...12 {
            for unit in UInt8(1)...4 { #expect(MusicalTime.partsPerRound % Meter(beats: beats, unit: unit).partsPerBar == 0) }
        }
        #expect(MusicalTime.partsPerRound <= Int64(Int32.max))
        #expect(Meter(beats: 0, unit: 9) == Meter(beats: 1, unit: 7))
    }

    @Test func timePassesEvenlyFromWhatWasSaid() {
        let clock = clock([(.tempo(60), 1_000), (.frame(500), 1_000), (.place(26_880), 1_000), (.tempo(120), 25_000)])
        // Half a quarter note at 60, then one at 120.
        #expect(clock.place(at: SampleTime(25_000), sampleRate: 48_000) == Int32(26_880 + 13_440))
        #expect(clock.place(at: SampleTime(49_000), sampleRate: 48_000) == Int32(2 * 26_880 + 13_440))
        #expect(clock.frame(at: SampleTime(49_000)) == 48_500)
    }

    @Test func whoHeardNothingIsToldAllOfIt() {
        let meter = Meter(beats: 6, unit: 3)
        let said: [(MusicalTime, Int64)] = [
            (.tempo(90), 0), (.meter(bar: 3, meter), 0), (.beat(18), 0), (.frame(0), 0), (.place(0), 0),
        ]
        func sayings(_ clock: MusicClock, at frame: Int64) -> [MusicalTime] {
            (0..<MusicClock.sayings).map { clock.saying($0, at: SampleTime(frame), sampleRate: 48_000) }
        }
        let quarter: Int64 = 32_000
        #expect(
            sayings(clock(said), at: quarter)
                == [.tempo(90), .meter(bar: 3, meter), .beat(18), .frame(32_000), .place(26_880)])
        #expect(sayings(clock(said + [(.stopped, quarter)]), at: 2 * quarter).last == .stopped)
    }
}
