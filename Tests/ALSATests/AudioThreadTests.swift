import CRealtime
import Glibc
import Graphs
import RTProbe
import RealtimeCore
import RemoteIO
import SampleRate
import Testing

@testable import ALSA

/// What the audio thread does around the render callback, watched by the probe.
@Suite(.serialized) struct AudioThreadTests {
    /// Runs `steps` steps of a thread that is past its start, between the probe's marks. Returns what was counted.
    static func watch(_ thread: AudioThread, warmUp: Int, steps: Int) throws -> rt_violations {
        // Counting is per thread, and the tests' pool may move on.
        final class Result: @unchecked Sendable { var counts = rt_violations(), first = "", phase = DeviceState.Phase.idle }
        let result = Result()
        var handle = pthread_t()
        final class Work { let run: () -> Void; init(_ run: @escaping () -> Void) { self.run = run } }
        let work = Unmanaged.passRetained(
            Work {
                thread.begin()
                for _ in 0..<warmUp { _ = thread.step() }
                _ = rt_probe_take()
                rt_enter()
                for _ in 0..<steps { _ = thread.step() }
                rt_leave()
                result.first = String(cString: rt_probe_first())
                result.counts = rt_probe_take()
                result.phase = thread.loop.pointee.machine.phase
            })
        #expect(
            pthread_create(
                &handle, nil,
                { context in
                    context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
                    return nil
                }, work.toOpaque()) == 0)
        pthread_join(handle, nil)
        let counts = result.counts
        print("\(steps) steps, \(result.phase): \(counts)")
        #expect(counts.allocations == 0 && counts.frees == 0 && counts.objects == 0, "\(result.first)")
        #if !DEBUG
            #expect(counts.arc == 0 && counts.metadata == 0 && counts.casts == 0 && counts.once == 0, "\(result.first)")
        #endif
        return counts
    }

    /// Two devices that are both away are tried in turn: what is told stays the same.
    @Test func theFaultOfAListIsThatOfItsFirstDevice() throws {
        let names = ["hw:Gone,0", "hw:Gone,1"]
        let request = DeviceRequest(devices: names + ["null"], periodFrames: 64)
        let thread = try AudioThread(
            renderer: Renderer(), request: request, capture: nil, input: nil,
            openCard: { (name, _, _) throws(DeviceError) in throw .unresponsive(device: name) })
        var told: Set<String> = []
        for name in names + names {
            _ = thread.refuse(.unresponsive(device: name), of: name)
            told.insert("\(thread.notes.withLock { $0.error }.map { "\($0)" } ?? "none")")
        }
        #expect(told.count == 1 && told.first?.contains("hw:Gone,0") == true, "\(told)")
    }

    @Test(.enabled(if: rt_probe_counts())) func aSliceWithoutADeviceAllocatesNothing() throws {
        let request = DeviceRequest(devices: ["null"], sampleRate: 384_000, periodFrames: 64)
        let capture = CaptureQueue(channels: 2, frames: 1000)
        let thread = try AudioThread(renderer: Renderer(), request: request, capture: capture, input: nil)
        let counts = try Self.watch(thread, warmUp: 10, steps: 500)
        #expect(counts.locks == 0)
        #expect(thread.view.status.value.slices > 500 && capture.droppedFrames > 0)
    }

    @Test(.enabled(if: rt_probe_counts() && RealKernel.isPresent)) func aSliceForADeviceAllocatesNothing() throws {
        var request = DeviceRequest(devices: [RealKernel.loopbackPlayback], periodFrames: 512, periods: 4)
        request.capture = true
        request.captureDevice = RealKernel.loopbackCapture
        let input = CaptureQueue(channels: 2, frames: 96000)
        let thread = try AudioThread(renderer: Renderer(), request: request, capture: nil, input: input)
        _ = try Self.watch(thread, warmUp: 40, steps: 200)
        #expect(thread.view.status.value.capturedFrames > 40000)
    }

    @Test(.enabled(if: rt_probe_counts() && RealKernel.isPresent)) func aConvertedSliceAllocatesNothing() throws {
        let request = DeviceRequest(devices: [RealKernel.dummy], sampleRate: 96000, periodFrames: 1024, periods: 4)
        let thread = try AudioThread(renderer: Renderer(), request: request, capture: nil, input: nil)
        _ = try Self.watch(thread, warmUp: 60, steps: 200)
        #expect(thread.notes.withLock { $0.grant.hasRateConversion })
    }

    @Test(.enabled(if: RealKernel.isPresent)) func aThreadThatWakesTooLateIsToldSoAndPlaysOn() throws {
        let request = DeviceRequest(devices: [RealKernel.loopbackPlayback], periodFrames: 512, periods: 3)
        // A busy machine starves the emulated one; a run with this one xrun only is what is asked about.
        for attempt in 1...6 {
            let thread = try AudioThread(renderer: Renderer(), request: request, capture: nil, input: nil)
            thread.begin()
            for _ in 0..<60 { try #require(thread.step()) }
            let before = thread.loop.pointee.machine.counts, clock = thread.loop.pointee.clock.time
            // Three buffers and more.
            usleep(150_000)
            for _ in 0..<60 { try #require(thread.step()) }
            let state = thread.loop.pointee.machine
            #expect(state.counts.wokeLate > before.wokeLate)
            #expect(state.counts.unexpected == 0 && state.counts.losses == 0)
            if attempt < 6, state.counts.xruns != before.xruns + 1 { continue }
            #expect(state.phase == .running)
            // The song is where it would have been, but for what the emulated machine adds.
            let now = rt_monotonic_nanoseconds()
            let after = thread.loop.pointee.clock.time.sampleTime(atNanoseconds: now)
            let error = after - clock.sampleTime(atNanoseconds: now)
            print("\(state.counts): \(error) frames from where it would have been")
            #expect(abs(error) <= 1024)
            return
        }
    }
}

@Suite struct RateConverterTests {
    @Test(arguments: [(48000, 44100), (44100, 48000), (48000, 96000), (96000, 8000)])
    func aSteadyLevelStaysWhatItIsAtAnyRate(_ from: Int, _ to: Int) throws {
        let source = AudioBuffer(channels: 2, capacity: 256), output = AudioBuffer(channels: 2, capacity: 480)
        for i in 0..<256 {
            source.channels[0][i] = 0.5
            source.channels[1][i] = -0.25
        }
        let converter = try RateConverter(from: from, to: to, channels: 2)
        defer { converter.close() }
        var made = 0, pulled = 0
        while made < 4 * to {
            let count = converter.output(output.channels, frames: 480, from: source.channels) {
                pulled += 256
                return 256
            }
            #expect(count == 480)
            made += 480
        }
        for i in 0..<480 {
            #expect(abs(output.channels[0][i] - 0.5) < 1e-4)
            #expect(abs(output.channels[1][i] + 0.25) < 1e-4)
        }
        // What went in is what came out and what is still inside.
        let inside = converter.delay + Double(converter.waiting) * Double(to) / Double(from)
        #expect(abs(Double(pulled) * Double(to) / Double(from) - Double(made) - inside) < 2)
    }
}
