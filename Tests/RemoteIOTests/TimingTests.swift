import RealtimeCore
import Testing

@testable import RemoteIO

@Suite struct LoadGovernorTests {
    /// Runs slices of 5 ms at a load for `seconds`.
    private func run(_ governor: inout LoadGovernor, load: Double, seconds: Double) {
        for _ in 0..<Int(seconds * 200) { _ = governor.update(render: Int64(5e6 * load), budget: 5_000_000) }
    }

    @Test func loadIsShedStepByStepAndTakenUpAgainSlowly() {
        var governor = LoadGovernor()
        run(&governor, load: 0.7, seconds: 10)
        #expect(governor.level == 0 && governor.rises == 0)
        run(&governor, load: 0.85, seconds: 0.005)
        #expect(governor.level == 1)
        run(&governor, load: 0.85, seconds: 0.04)
        #expect(governor.level == 1)
        run(&governor, load: 0.85, seconds: 0.2)
        #expect(governor.level == 3)
        // Between the thresholds nothing moves.
        run(&governor, load: 0.7, seconds: 60)
        #expect(governor.level == 3)
        run(&governor, load: 0.3, seconds: 1.9)
        #expect(governor.level == 3)
        run(&governor, load: 0.3, seconds: 4.2)
        #expect(governor.level == 0 && governor.rises == 3 && governor.falls == 3)
    }

    @Test func aSliceThatTookAllItsTimeIsAnsweredAtOnce() {
        var governor = LoadGovernor()
        for _ in 0..<3 { _ = governor.update(render: 6_000_000, budget: 5_000_000) }
        #expect(governor.level == 3)
        #expect(governor.update(render: 100_000_000, budget: 5_000_000) == 3)
    }

    @Test func aLoadAtTheThresholdDoesNotFlutter() {
        var governor = LoadGovernor()
        // Shedding helps: the load is 85 % without and 65 % with it.
        for _ in 0..<20000 {
            _ = governor.update(render: governor.level == 0 ? 4_250_000 : 3_250_000, budget: 5_000_000)
        }
        #expect(governor.rises == 1 && governor.falls == 0)
    }

    @Test func theLoadShownRisesAtOnceAndFallsWithinATenthOfASecond() {
        var governor = LoadGovernor()
        _ = governor.update(render: 2_500_000, budget: 5_000_000)
        #expect(governor.load == 0.5)
        run(&governor, load: 0, seconds: 0.1)
        #expect(governor.load < 0.2)
        _ = governor.update(render: 1, budget: 0)
    }
}

@Suite struct SubstituteClockTests {
    @Test(arguments: [8000, 44100, 48000, 96000, 384_000]) func yearsDoNotMakeItDrift(_ rate: Int) {
        let clock = SubstituteClock(frame: 1000, at: 5, sampleRate: rate)
        let year: Int64 = 365 * 86400
        #expect(clock.nanoseconds(atFrame: 1000 + year * Int64(rate)) == 5 + year * 1_000_000_000)
        #expect(clock.frame(atNanoseconds: 5 + year * 1_000_000_000) == 1000 + year * Int64(rate))
        for frame in [Int64(1000), 1001, 1511, 1_000_000_007] {
            let time = clock.nanoseconds(atFrame: frame)
            #expect((clock.frame(atNanoseconds: time) - frame).magnitude <= 1)
            #expect(clock.frame(atNanoseconds: time + 1) >= frame - 1)
        }
        #expect(clock.nanoseconds(atFrame: 1000 - Int64(rate)) == 5 - 1_000_000_000)
    }

    @Test(arguments: [8000, 11025, 44100, 48000, 96000, 384_000])
    func itsOriginFollowsWithoutMovingAFrame(_ rate: Int) {
        let still = SubstituteClock(frame: -77, at: 123_456_789, sampleRate: rate)
        var moving = still
        moving.follow(123_456_789 + 3_600_000_000_000)
        #expect(moving == still)
        moving.follow(0)
        #expect(moving == still)
        // A hundred days, looked at every 1777 s and a bit.
        var now = still.originNanoseconds, moves = 0
        while now < 8_640_000_000_000_000 {
            now += 1_777_000_000_000 + now % 1_000_003
            let before = moving
            moving.follow(now)
            if moving != before { moves += 1 }
            let reach = now - moving.originNanoseconds
            #expect(reach <= 3_600_000_000_000 && reach >= 60_000_000_000)
            for nanoseconds in [-59_999_999_999, -1, 0, 1, 20_833, 1_000_000_000, 86_400_000_000_001] as [Int64] {
                #expect(moving.frame(atNanoseconds: now + nanoseconds) == still.frame(atNanoseconds: now + nanoseconds))
            }
            let frame = still.frame(atNanoseconds: now)
            for offset in [-rate, -1, 0, 1, 63, 512, rate] {
                let frame = frame + Int64(offset)
                #expect(moving.nanoseconds(atFrame: frame) == still.nanoseconds(atFrame: frame))
            }
        }
        #expect(moves > 2000)
    }

    @Test(arguments: [25, 1000, 87600]) func afterDaysWithoutADeviceAnEventIsStillInTime(_ hours: Int64) {
        var clock = SubstituteClock(frame: 0, at: 1_000, sampleRate: 48000)
        let now = 1_000 + hours * 3_600_000_000_000
        clock.follow(now)
        let time = clock.deviceTime(latency: 816)
        #expect(time.sampleTime(atNanoseconds: now) == SampleTime(hours * 3600 * 48000))
        #expect(time.eventTime(atNanoseconds: now + 1_000_000) == SampleTime(hours * 3600 * 48000 + 48 + 816))
        #expect(time.nanoseconds(at: SampleTime(hours * 3600 * 48000)) == now)
    }
}

@Suite struct CaptureQueueTests {
    @Test func slicesComeOutAsTheyWentInWithTheirTimes() {
        let queue = CaptureQueue(channels: 2, frames: 1000, blockFrames: 100)
        let slice = AudioBuffer(channels: 1, capacity: 250)
        for i in 0..<250 { slice.channels[0][i] = Float(i) }
        queue.push(slice.channels, channelCount: 1, frames: 250, at: SampleTime(7000))
        var times: [SampleTime] = [], left: [Float] = [], right: [Float] = []
        while queue.drain({ time, samples, frames in
            times.append(time)
            left += UnsafeBufferPointer(start: samples, count: frames)
            right += UnsafeBufferPointer(start: samples + queue.blockFrames, count: frames)
        }) {}
        #expect(times == [SampleTime(7000), SampleTime(7100), SampleTime(7200)])
        #expect(left == (0..<250).map(Float.init) && right.allSatisfy { $0 == 0 } && right.count == 250)
    }

    @Test func aSliceWithoutRoomIsDroppedWholeAndCounted() {
        let queue = CaptureQueue(channels: 1, frames: 400, blockFrames: 100)
        let slice = AudioBuffer(channels: 1, capacity: 300)
        queue.push(slice.channels, channelCount: 1, frames: 300, at: .zero)
        queue.push(slice.channels, channelCount: 1, frames: 150, at: SampleTime(300))
        #expect(queue.droppedFrames == 150)
        var frames = 0
        while queue.drain({ frames += $2 }) {}
        #expect(frames == 300)
        queue.push(slice.channels, channelCount: 1, frames: 150, at: SampleTime(450))
        #expect(queue.droppedFrames == 150)
    }
}

@Suite struct ThreadPriorityTests {
    @Test func whatWasNotGrantedComesWithTheLineThatWouldGrantIt() {
        let refused = ThreadPriority(scheduling: .normal, wanted: 70, isMemoryLocked: false)
        #expect(refused.description.contains("\"@audio - rtprio 70\""))
        #expect(refused.description.contains("/etc/security/limits.d/audio.conf"))
        #expect(!refused.isRealTime && !refused.description.contains("\n"))
        let nice = ThreadPriority(scheduling: .nice(-11), wanted: 60, isMemoryLocked: true)
        #expect(nice.description.contains("nice -11") && nice.description.contains("rtprio 60"))
        let granted = ThreadPriority(scheduling: .realTime(70), wanted: 70, isMemoryLocked: true)
        #expect(granted.description == "real time: SCHED_FIFO 70, memory locked" && granted.isRealTime)
    }
}

@Suite struct StreamGrantTests {
    @Test func theGrantShowsWhatWasWantedWhereItDiffers() {
        let request = DeviceRequest(sampleRate: 48000, periodFrames: 256, periods: 3)
        var grant = DeviceGrant(
            request: request, device: "hw:0", sampleRate: 48000, periodFrames: 256, bufferFrames: 768, format: .int16,
            channels: 2)
        #expect(grant.isAsWanted && !grant.hasRateConversion && grant.sliceFrames == 256)
        #expect(grant.description == "hw:0: 48000 Hz, 256 frames x 3 periods, S16, 2 channels")
        grant.sampleRate = 44100
        grant.periodFrames = 240
        grant.bufferFrames = 480
        #expect(grant.hasRateConversion && grant.sliceFrames == 256 && !grant.isAsWanted)
        #expect(grant.description.contains("44100 Hz (wanted 48000), rate converted"))
        #expect(grant.description.contains("2 periods (wanted 3)"))
    }
}

@Suite struct TimingReportTests {
    @Test func theReportHasALineForEachQuestion() {
        let report = TimingReport()
        report.wakeLateness.add(123_456)
        var counts = DeviceCounts()
        counts.count(.wokeLate)
        let lines = report.text(xruns: counts).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[1].contains("1 values") && lines[1].contains("max 123.5"))
        #expect(lines[4].hasPrefix("xruns: 1 (render late 0, woke late 1, driver 0)"))
    }
}
