import RemoteIO
import Testing

/// A device with a pointer that moves evenly, or in steps, and an interrupt a period that wakes its program where there is
/// room for a period; served by the policy.
@Suite struct FillPolicyTests {
    /// What happened: the room at each fill, and whether the device ran empty.
    private struct Run {
        var rooms: [Int] = []
        var looks = 0
        var isEmpty = false
    }

    /// Time in frames. `delay` is the wake-up's, by the number of the fill; `load` the share of a slice's time that rendering
    /// it takes; `step` the pointer's; `late` how late interrupts come.
    private func play(
        period: Int, periods: Int, load: Double, fills: Int, step: Int = 1, late: Double = 0, keepsFull: Bool = false,
        delay: (Int) -> Double
    ) -> Run {
        var policy = FillPolicy(period: period, buffer: period * periods, keepsFull: keepsFull)
        let buffer = Double(period * periods), whole = Double(period)
        var run = Run(), written = buffer, now = 0.0
        policy.start(written: period * periods)
        func room(_ time: Double) -> Int { Int(time / Double(step)) * step - Int(written - buffer) }
        while run.rooms.count < fills {
            // What wakes: room that is there already, the next interrupt with enough of it, or the look.
            var interrupt = ((now - late) / whole).rounded(.down) * whole + whole + late
            while room(interrupt) < policy.wakeFrames { interrupt += whole }
            let due = written - buffer + Double(policy.stride)
            let look = max(now + Double(policy.pause), due + Double(policy.patience))
            let wake = room(now) >= policy.wakeFrames ? now : min(interrupt, look)
            if wake == look, wake < interrupt { run.looks += 1 }
            now = wake + delay(run.rooms.count)
            run.isEmpty = run.isEmpty || now > written
            var left = room(now)
            if left < policy.wakeFrames { continue }
            run.rooms.append(left)
            while case let frames = policy.slice(room: left), frames > 0 {
                now += Double(frames) * load
                run.isEmpty = run.isEmpty || now > written
                written += Double(frames)
                left -= frames
            }
        }
        return run
    }

    @Test(arguments: [2, 3], [64, 256, 1000]) func aPunctualDeviceGetsAPeriodAtEachInterrupt(_ periods: Int, _ period: Int) {
        for load in [0.1, 0.4] {
            let run = play(period: period, periods: periods, load: load, fills: 200) { _ in 3 }
            #expect(!run.isEmpty && run.looks == 0)
            #expect(run.rooms.allSatisfy { abs($0 - period) <= 4 })
        }
        // Where rendering takes more than half of the time it is not waited for the interrupt.
        for load in [0.6, 0.9] {
            let run = play(period: period, periods: periods, load: load, fills: 200) { _ in 3 }
            #expect(!run.isEmpty)
            #expect(run.rooms.allSatisfy { $0 <= period + period / 4 })
        }
    }

    /// Late once: from the next fill on there is room for a period each time, however full the machine is.
    @Test(arguments: [0.2, 0.3, 0.45, 0.6]) func oneThatWasLateOnceLosesNothing(_ late: Double) {
        for load in [0.2, 0.5, 0.8] {
            let run = play(period: 256, periods: 3, load: load, fills: 100) { $0 == 50 ? late * 256 : 2 }
            #expect(!run.isEmpty)
            if load < 0.5 { #expect(run.rooms[50] > 256) }
            #expect(run.rooms.dropFirst(53).allSatisfy { $0 <= 256 + 64 }, "\(load): \(run.rooms[50..<60])")
        }
    }

    /// What is left when it wakes, 0.3 periods, is less than a slice takes to render, and more than a quarter takes.
    @Test(arguments: [256, 512, 1024]) func oneThatIsNearlyEmptyGetsAQuarterAtOnce(_ period: Int) {
        let run = play(period: period, periods: 2, load: 0.5, fills: 60) { $0 == 50 ? 0.7 * Double(period) : 2 }
        #expect(!run.isEmpty)
        var policy = FillPolicy(period: period, buffer: 3 * period)
        #expect(policy.slice(room: period) == period)
        #expect(policy.slice(room: 2 * period - 1) == period)
        #expect(policy.slice(room: 2 * period) == period / 4)
        // Blocks of a SoundFont are not cut.
        var short = FillPolicy(period: 64, buffer: 128)
        #expect(short.slice(room: 64) == 64)
        var converted = FillPolicy(period: period, buffer: 2 * period, fillsRest: false)
        #expect(converted.slice(room: period) == period)
    }

    @Test func aDeviceThatReportsLateAndMovesInStepsIsKeptFull() {
        // The loopback card at 48 kHz: steps of 192 frames, interrupts up to two of them late.
        let run = play(period: 512, periods: 2, load: 0.4, fills: 300, step: 192, late: 384) { _ in 5 }
        #expect(!run.isEmpty)
        #expect(run.rooms.allSatisfy { $0 <= 512 + 2 * 192 })
    }

    /// Held up for longer than a period, once: kept full there is enough in the buffer.
    @Test(arguments: [2, 3], [256, 512]) func oneThatIsKeptFullStandsLongerDelays(_ periods: Int, _ period: Int) {
        for keepsFull in [false, true] {
            let run = play(period: period, periods: periods, load: 0.2, fills: 200, keepsFull: keepsFull) {
                $0 == 101 ? (Double(periods) - 0.7) * Double(period) : 3
            }
            #expect(run.isEmpty == !keepsFull)
            if keepsFull {
                #expect(run.rooms.dropFirst(110).allSatisfy { $0 <= period / 2 + 4 }, "\(run.rooms[100..<112])")
            }
        }
        // Slices are not cut shorter than a SoundFont's blocks, and a rate converter's not at all.
        #expect(FillPolicy(period: 64, buffer: 128, keepsFull: true).stride == 64)
        #expect(FillPolicy(period: 96, buffer: 192, keepsFull: true).stride == 64)
        #expect(FillPolicy(period: 512, buffer: 1024, fillsRest: false, keepsFull: true).stride == 512)
    }

    @Test func aRateConverterGetsWholePeriodsOnly() {
        var policy = FillPolicy(period: 100, buffer: 300, fillsRest: false)
        #expect([99, 100, 199].map { policy.slice(room: $0) } == [0, 100, 100])
        policy.start(written: 130)
        #expect(policy.offset == 30 && !policy.isInStep && policy.patience == 0)
    }

    @Test func slicesAreNeverLongerThanAPeriodAndNeverTiny() {
        for period in [1, 2, 3, 16, 255, 8192] {
            for room in 0...(2 * period) {
                var policy = FillPolicy(period: period, buffer: 2 * period)
                let frames = policy.slice(room: room)
                #expect(frames == 0 ? room < max(period / 4, 1) : frames <= min(room, period) && frames >= max(period / 4, 1))
                #expect(policy.offset == frames % period && policy.isInStep == (frames % period == 0))
            }
        }
    }
}
