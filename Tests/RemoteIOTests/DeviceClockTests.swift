import CarillonTestKit
import RealtimeCore
import Testing

@testable import RemoteIO

/// A device in simulation: a clock that drifts, a pointer that moves in steps, a thread that wakes late.
private struct SimulatedDevice {
    let sampleRate: Double
    /// The true rate, frames per nanosecond.
    let rate: Double
    /// Nanoseconds between two moves of the pointer; 0 for a smooth one.
    let step: Double
    let period: Int
    let periods: Int
    private var random = SeededRandom(seed: 7)
    /// Frames written so far.
    private(set) var written: Int
    private(set) var now = 0.0

    init(sampleRate: Double, partsPerMillion: Double, step: Double, period: Int, periods: Int) {
        self.sampleRate = sampleRate
        rate = sampleRate * (1 + partsPerMillion * 1e-6) / 1e9
        self.step = step
        self.period = period
        self.periods = periods
        written = period * periods
    }

    /// What has truly been played at a moment.
    func truth(_ time: Double) -> Double { time * rate }
    /// What the device says.
    func pointer(_ time: Double) -> Int { Int(truth(step > 0 ? (time / step).rounded(.down) * step : time)) }

    /// The next wake-up: when it is and what the pointer is then; a period is written.
    mutating func wake() -> (time: Int64, pointer: Int64) {
        let threshold = Double(written - period * (periods - 1))
        var time = threshold / rate
        if step > 0 { time = (time / step).rounded(.up) * step }
        // An exponential of 100 us in the mean, and now and then three milliseconds more.
        var late = -100_000 * random.logarithm()
        if random.uniform() < 0.02 { late += 3e6 * random.uniform() }
        now = max(now, time + late)
        defer { written += period }
        return (Int64(now), Int64(pointer(now)))
    }
}

extension SeededRandom {
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
    /// The logarithm of a uniform number, by the series of atanh.
    mutating func logarithm() -> Double {
        var x = max(uniform(), 1e-9), exponent = 0.0
        while x < 0.5 {
            x *= 2
            exponent -= 1
        }
        let y = (x - 1) / (x + 1)
        var sum = 0.0, power = y
        for k in stride(from: 1, to: 60, by: 2) {
            sum += power / Double(k)
            power *= y * y
        }
        return 2 * sum + exponent * 0.6931471805599453
    }
}

@Suite struct DeviceClockTests {
    struct Machine: Sendable, CustomStringConvertible {
        var rate: Double, drift: Double, stepMilliseconds: Double, period: Int, periods: Int
        var description: String { "\(Int(rate)) Hz \(Int(drift)) ppm, steps of \(stepMilliseconds) ms, \(period) x \(periods)" }
    }

    /// The promise that live playing rests on.
    @Test(arguments: [
        Machine(rate: 48000, drift: 200, stepMilliseconds: 4, period: 512, periods: 2),
        Machine(rate: 48000, drift: -200, stepMilliseconds: 4, period: 512, periods: 2),
        Machine(rate: 44100, drift: 200, stepMilliseconds: 4, period: 256, periods: 3),
        Machine(rate: 48000, drift: -200, stepMilliseconds: 4, period: 128, periods: 4),
        Machine(rate: 96000, drift: 37, stepMilliseconds: 1, period: 256, periods: 2),
        Machine(rate: 48000, drift: -200, stepMilliseconds: 0, period: 64, periods: 2),
    ])
    func eventsOnAGridLandWithinTwoFramesOfIt(_ machine: Machine) {
        var device = SimulatedDevice(
            sampleRate: machine.rate, partsPerMillion: machine.drift, step: machine.stepMilliseconds * 1e6,
            period: machine.period, periods: machine.periods)
        var clock = DeviceClock(sampleRate: machine.rate, latency: machine.period * machine.periods)
        var events: [(grid: Double, landed: Double)] = []
        var late = 0
        // Every 37 ms an event, for two minutes, of which the first ten seconds are for settling.
        var eventTime: Int64 = 10_000_000_000
        while device.now < 120e9 {
            let before = device.written
            let wake = device.wake()
            // What was stamped since the last wake-up was placed by the mapping of then.
            while eventTime < wake.time {
                let placed = clock.time.eventTime(atNanoseconds: eventTime)
                events.append((device.truth(Double(eventTime)), Double(placed.rawValue)))
                if placed.rawValue < Int64(before - 16) { late += 1 }
                eventTime += 37_000_000
            }
            clock.update(time: wake.time, pointer: wake.pointer)
        }
        let offsets = events.map { $0.landed - $0.grid }.sorted()
        let middle = offsets[offsets.count / 2]
        let worst = offsets.map { abs($0 - middle) }.max() ?? .infinity
        let exact = Double(machine.period * machine.periods)
        print(
            "\(machine): \(offsets.count) events, at most \(worst.rounded(toPlaces: 2)) frames from their grid, "
                + "all of them \((middle - exact).rounded(toPlaces: 2)) frames from the exact place")
        #expect(worst <= 2)
        #expect(abs(middle - exact) <= 4)
        #expect(late == 0)
        #expect(clock.isSettled && clock.reanchorCount == 0)
        #expect(abs(clock.rate * 1e9 / machine.rate - 1 - machine.drift * 1e-6) < 5e-6)
    }

    @Test func theClockIsOfUseFromTheFirstPairOn() {
        var clock = DeviceClock(sampleRate: 48000, latency: 100)
        #expect(!clock.hasAnchor)
        clock.update(time: 5_000_000_000, pointer: 1000)
        #expect(clock.time.sampleTime(atNanoseconds: 5_000_000_000) == SampleTime(1000))
        #expect(clock.time.sampleTime(atNanoseconds: 5_001_000_000) == SampleTime(1048))
        #expect(clock.time.eventTime(atNanoseconds: 5_001_000_000) == SampleTime(1148))
        #expect(clock.time.nanoseconds(at: SampleTime(1048)) == 5_001_000_000)
    }

    @Test func afterAnXrunTheClockStartsAgainAndKeepsTheRate() {
        var clock = DeviceClock(sampleRate: 48000, latency: 0)
        var time: Int64 = 0
        for k in 0..<2000 {
            time = Int64(Double(k) * 512 / 48009.6 * 1e9)
            clock.update(time: time, pointer: Int64(k * 512))
        }
        let rate = clock.rate
        #expect(abs(rate * 1e9 - 48009.6) < 0.1)
        clock.reanchor()
        clock.update(time: time + 50_000_000, pointer: 1_000_000)
        #expect(clock.rate == rate)
        #expect(clock.time.sampleTime(atNanoseconds: time + 50_000_000) == SampleTime(1_000_000))
        #expect(!clock.isSettled && clock.reanchorCount == 1)
    }

    @Test func aPointerThatIsSecondsAwayIsBelievedWhenItStaysThere() {
        var clock = DeviceClock(sampleRate: 48000, latency: 0)
        for k in 0..<100 { clock.update(time: Int64(k) * 10_000_000, pointer: Int64(k * 480)) }
        clock.update(time: 1_000_000_000, pointer: 10_000_000)
        #expect(clock.time.sampleTime(atNanoseconds: 1_000_000_000) == SampleTime(48000))
        for k in 101..<104 { clock.update(time: Int64(k) * 10_000_000, pointer: Int64(k * 480) + 10_000_000) }
        #expect(clock.time.sampleTime(atNanoseconds: 1_030_000_000) == SampleTime(10_049_440))
    }

    @Test func aDeviceThatLosesTimeIsFollowedAtOnceAndKeepsItsRate() {
        var clock = DeviceClock(sampleRate: 48000, latency: 0)
        for k in 0..<1000 { clock.update(time: Int64(k) * 10_000_000, pointer: Int64(k * 480)) }
        let rate = clock.rate
        // A single late look is not believed; that it stays 50 ms behind is.
        clock.update(time: 10_000_000_000, pointer: 480_000 - 2400)
        #expect(clock.time.sampleTime(atNanoseconds: 10_000_000_000) == SampleTime(480_000))
        for k in 1001..<1101 { clock.update(time: Int64(k) * 10_000_000, pointer: Int64(k * 480) - 2400) }
        #expect(abs(clock.time.sampleTime(atNanoseconds: 11_000_000_000) - SampleTime(525_600)) <= 1)
        #expect(clock.reanchorCount == 1 && abs(clock.rate / rate - 1) < 1e-6)
    }

    @Test(arguments: [Int64.min, Int64.max, 0, -1, 1 << 62]) func nothingThatADeviceSaysStopsTheProgram(_ extreme: Int64) {
        var clock = DeviceClock(sampleRate: 192_000, latency: Int(Int32.max))
        for a in [Int64.min, -5, 0, 5, .max] {
            clock.update(time: a, pointer: extreme)
            clock.update(time: extreme, pointer: a)
            _ = clock.time.eventTime(atNanoseconds: extreme)
            _ = clock.time.nanoseconds(at: SampleTime(extreme))
        }
        clock.reanchor()
        // From there it knows the time again.
        for second in 1...3 { clock.update(time: Int64(second) * 1_000_000_000, pointer: Int64(second) * 192_000) }
        #expect(abs(clock.time.sampleTime(atNanoseconds: 4_000_000_000).rawValue - 4 * 192_000) < 500, "\(clock.time)")
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
