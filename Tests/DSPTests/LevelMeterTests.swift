import DSP
import Testing

@Suite struct LevelMeterTests {
    @Test func itHearsEveryFrameAndNoneBehindThem() {
        let sound = (1...64).map { Float($0) / 64 }
        for count in 0...63 {
            var meter = LevelMeter(sampleRate: 48_000)
            meter.hear(sound, count)
            #expect(meter.newPeak == Float(count) / 64)
        }
    }
}
