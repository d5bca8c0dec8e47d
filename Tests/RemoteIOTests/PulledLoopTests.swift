import CRealtime
import CarillonTestKit
import Graphs
import RTProbe
import RealtimeCore
import RemoteIO
import Testing

/// The audio loop with a device that pulls: cycles of a server, in a time that the test makes.
@Suite struct PulledLoopTests {
    /// A loop that has been lent to a device, whose cycles the test asks for. Time stands still but for what a test adds.
    final class Server {
        let rig = OfflineRig(sampleRate: 48_000, maximumFrames: 4096)
        let view = LoopView()
        let input = CaptureQueue(channels: 1, frames: 100_000)
        let gate: UnsafeMutablePointer<PullGate> = .allocate(capacity: 1)
        private let time: UnsafeMutablePointer<Int64> = .allocate(capacity: 1)
        private let loop: UnsafeMutablePointer<AudioLoop> = .allocate(capacity: 1)
        private let block = AudioBuffer(channels: 2, capacity: 16_384)
        private let output = AudioBuffer(channels: 2, capacity: 65_536)
        private let source = AudioBuffer(channels: 1, capacity: 65_536)
        private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?> = .allocate(capacity: 2)
        private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?> = .allocate(capacity: 1)
        private let side: PulledSide
        private let bell = rt_event_make()
        var position: Int64 = 5_000_000_000
        var isFreewheeling = false, isDeaf = false, slips: Int32 = 0
        var now: Int64 {
            get { time.pointee }
            set { time.pointee = newValue }
        }
        var status: DeviceStatus { view.status.value }

        /// Plays a ramp: the sample of a frame is its number, so each says where it is from.
        init(captures: Bool = false) throws {
            let ramp = (0..<400_000).map { Float($0) / 0x1p20 }
            try rig.graph.setOutput(rig.add(left: ramp, right: ramp.map { -$0 }))
            try rig.publish()
            let request = DeviceRequest(
                devices: ["server"], sampleRate: 48_000, periodFrames: 256, capture: captures, captureChannels: 1)
            let grant = DeviceGrant(
                request: request, device: "server", sampleRate: 48_000, periodFrames: 256, bufferFrames: 512,
                format: .float32, channels: 2, captureChannels: captures ? 1 : 0)
            side = PulledSide(grant)
            time.initialize(to: 1_000_000_000)
            let clock = rt_clock(
                clock: UnsafeMutableRawPointer(time),
                now: { $0.assumingMemoryBound(to: Int64.self).pointee },
                sleep: { clock, deadline, _ in
                    let time = clock.assumingMemoryBound(to: Int64.self)
                    time.pointee = max(time.pointee, deadline)
                    return 0
                })
            loop.initialize(
                to: AudioLoop(
                    rig.renderer, request, view: view, time: clock, block: block, devices: 1, tap: nil,
                    input: captures ? input : nil))
            gate.initialize(to: PullGate(loop, bell: bell))
            for channel in 0..<2 { outputs[channel] = output.channels[channel] }
            inputs[0] = source.channels[0]
            loop.pointee.begin()
            var turn = LoopTurn.done
            while turn != .lend {
                turn = loop.pointee.turn()
                if case .open = turn {
                    loop.pointee.adopt(side, gate: gate, converter: nil)
                    loop.pointee.answer(.opened)
                }
            }
            gate.pointee.open()
        }

        deinit {
            gate.pointee.shut()
            gate.deinitialize(count: 1)
            loop.deinitialize(count: 1)
            for channel in [0, 1] { outputs[channel] = nil }
            gate.deallocate()
            loop.deallocate()
            time.deallocate()
            outputs.deallocate()
            inputs.deallocate()
            rt_event_close(bell)
        }

        func pull(_ frames: Int) {
            gate.pointee.pull(
                rt_cycle(
                    frames: Int64(frames), position: position, time: now, is_freewheeling: isFreewheeling, is_deaf: isDeaf,
                    input_slips: slips, output_count: 2, input_count: 1, outputs: UnsafePointer(outputs),
                    inputs: UnsafePointer(inputs)))
            position += Int64(frames)
            now += Int64(frames) * 1_000_000_000 / 48_000
        }

        /// A cycle; the sample times that were heard in it.
        func cycle(_ frames: Int = 256, capturing: Float = 0) -> [Int] {
            source.channels[0].update(repeating: capturing, count: frames)
            pull(frames)
            let (left, right) = (output[channel: 0], output[channel: 1])
            #expect((0..<frames).allSatisfy { left[$0] == -right[$0] })
            return (0..<frames).map { Int(left[$0] * 0x1p20) }
        }
    }

    @Test func eachCycleRendersJustTheFramesThatItAsksFor() throws {
        let server = try Server()
        var next = server.cycle()[0]
        next += 256
        for frames in [256, 64, 1, 1024, 20_000, 256] {
            #expect(server.cycle(frames) == Array(next..<next + frames))
            next += frames
        }
        #expect(server.status.phase == .running && server.status.counts == DeviceCounts())
        #expect(server.status.sampleTime == SampleTime(Int64(next)))
    }

    @Test func framesThatTheServerWentOnByAreMadeUpForUnheardAndSoundFadesIn() throws {
        let server = try Server()
        let before = server.cycle()
        // A second client was too slow, or the kernel: three cycles are missing.
        server.position += 768
        let after = server.cycle(1024)
        #expect(after[0] == 0, "sound rises from silence")
        #expect(after[480...] == ArraySlice((before[255] + 769 + 480)..<(before[255] + 769 + 1024)))
        #expect(server.status.counts.xruns == 0, "nobody said that it was an xrun")
        // A clock of the server's that goes back is no reason to.
        server.position -= 5000
        #expect(server.cycle()[0] == after[1023] + 1)
    }

    @Test func aFrameMoreOrLessIsNoOtherPeriod() throws {
        let server = try Server()
        for _ in 0..<60 { _ = server.cycle() }
        let reanchored = server.status.time
        for cycle in 0..<60 { _ = server.cycle(256 - cycle % 2) }
        #expect(server.gate.pointee.periodFrames == 256)
        #expect(server.status.time?.latency == reanchored?.latency)
        _ = server.cycle(240)
        #expect(server.gate.pointee.periodFrames == 240 && server.status.time?.latency == 480 + 48)
    }

    @Test func aGapLongerThanASecondLetsTheSongWait() throws {
        let server = try Server()
        let before = server.cycle()
        server.position += 480_000
        #expect(server.cycle(1024)[1023] == before[255] + 48_000 + 1024)
    }

    @Test func xrunsAreCountedOnceEach() throws {
        let server = try Server()
        _ = server.cycle()
        server.gate.pointee.noteXrun()
        server.gate.pointee.noteXrun()
        let heard = server.cycle()
        #expect(server.status.counts.xruns == 2 && server.status.phase == .running)
        #expect(server.cycle()[0] == heard[255] + 1, "the server goes on, and so does the sound")
        #expect(server.status.counts.xruns == 2)
    }

    @Test func whatIsNotCapturedInTimeIsMissingAndCountsOnce() throws {
        let server = try Server(captures: true)
        _ = server.cycle(256, capturing: 1)
        server.isDeaf = true
        for _ in 0..<3 { _ = server.cycle(256, capturing: 2) }
        #expect(server.status.captureXruns == 1 && server.status.capturedFrames == 256)
        server.isDeaf = false
        server.slips = 2
        _ = server.cycle(256, capturing: 3)
        #expect(server.status.captureSlips == 2 && server.status.captureXruns == 1)
        var times: [SampleTime] = [], values: [Float] = []
        while server.input.drain({ time, samples, _ in
            times.append(time)
            values.append(samples[0])
        }) {}
        // The gap stays a gap, in its place.
        #expect(values == [1, 3] && times.count == 2 && times[1] - times[0] == 4 * 256)
        #expect(server.status.counts == DeviceCounts() && server.status.phase == .running)
    }

    @Test func freewheelingHasNeitherGapsNorXrunsNorTime() throws {
        let server = try Server()
        let before = server.cycle()
        server.isFreewheeling = true
        server.position += 100_000
        server.gate.pointee.noteXrun()
        #expect(server.cycle()[0] == before[255] + 1)
        server.position -= 300_000
        #expect(server.cycle()[255] == before[255] + 512)
        let late = server.view.report.wakeLateness.summary.count
        #expect(late == 1 && server.status.counts.xruns == 0 && server.gate.pointee.isFreewheeling)
        // Where it ends the server's count of frames may be anything.
        server.isFreewheeling = false
        server.position += 70_000
        #expect(server.cycle()[0] == before[255] + 513)
        #expect(server.view.report.wakeLateness.summary.count == 2)
    }

    @Test func anEventOfNowIsPlacedInTheCycleAfterTheNext() throws {
        let server = try Server()
        for _ in 0..<200 { _ = server.cycle() }
        let time = try #require(server.status.time), next = server.status.sampleTime
        // At the beginning of the cycle that comes: one cycle on, and the margin.
        #expect(time.latency == 512 + 48)
        #expect(abs(time.eventTime(atNanoseconds: server.now) - (next + 256 + 48)) <= 1)
        #expect(abs(time.sampleRate - 48_000) < 1)
    }

    @Test func whatIsCapturedBearsTheTimeThatWasHeardMeanwhile() throws {
        let server = try Server(captures: true)
        for cycle in 1...10 {
            let heard = server.cycle(256, capturing: Float(cycle))
            var times: [SampleTime] = []
            while server.input.drain({ time, samples, frames in
                times.append(time)
                #expect(frames == 256 && samples[0] == Float(cycle) && samples[255] == Float(cycle))
            }) {}
            #expect(times == [SampleTime(Int64(heard[0] - 512))])
        }
        #expect(server.status.capturedFrames == 2560)
        // A longer cycle is captured in one piece of time as well; two of those lie between a sound and its answer.
        let heard = server.cycle(20_000)
        var next = SampleTime(Int64(heard[0] - 40_000))
        while server.input.drain({ time, _, frames in
            #expect(time == next)
            next = time + frames
        }) {}
        #expect(next == SampleTime(Int64(heard[0] - 40_000 + 20_000)))
    }

    @Test func aShutGateIsSilentAndTheSongStandsStill() throws {
        let server = try Server()
        let before = server.cycle()
        server.gate.pointee.shut()
        #expect(server.cycle().allSatisfy { $0 == 0 })
        let answered = server.gate.pointee.answered
        server.gate.pointee.open()
        server.position -= 256
        #expect(server.cycle()[0] == before[255] + 1)
        #expect(server.gate.pointee.answered == answered + 1)
        #expect(server.gate.pointee.loss == nil)
        server.gate.pointee.lose(19)
        #expect(server.gate.pointee.loss == 19)
    }

    /// All that a device's thread does, watched by the probe.
    @Test(.enabled(if: rt_probe_counts())) func aCycleAllocatesNothingAndTakesNoLock() throws {
        let server = try Server(captures: true)
        for _ in 0..<10 { server.pull(256) }
        _ = rt_probe_take()
        rt_enter()
        for cycle in 0..<200 {
            if cycle % 20 == 3 { server.position += 100 }
            if cycle % 50 == 7 { server.gate.pointee.noteXrun() }
            server.isFreewheeling = cycle > 100 && cycle < 120
            server.pull(cycle % 30 == 0 ? 512 : 256)
        }
        rt_leave()
        let first = String(cString: rt_probe_first()), counts = rt_probe_take()
        #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "\(first)")
    }
}
