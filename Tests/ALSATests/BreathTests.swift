import CRealtime
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Testing

@testable import ALSA

/// The audio thread waits now and then even where it has much to catch up with: the kernel ends a process whose
/// real-time thread never does. On libasound's device that swallows all, which every machine has.
@Suite(.serialized) struct BreathTests {
    /// A thread whose device is open; so short slices that it has no hope of catching up with an hour.
    static func thread() throws -> AudioThread {
        let request = DeviceRequest(devices: ["plug:null"], sampleRate: 384_000, periodFrames: 16, periods: 4)
        let thread = try AudioThread(renderer: Renderer(), request: request, capture: nil, input: nil)
        try #require(thread.stream != nil)
        thread.begin()
        return thread
    }

    /// How often this thread has waited: given the processor back of its own accord.
    static var waits: Int {
        var usage = rusage()
        // RUSAGE_THREAD, which the C library shows only to programs that ask for its extensions.
        getrusage(1, &usage)
        return usage.ru_nvcsw
    }

    @Test func aStartThatCannotCatchUpEndsAndWaitsNowAndThen() throws {
        let thread = try Self.thread()
        let start = rt_monotonic_nanoseconds(), before = Self.waits
        thread.loop.pointee.substitute = SubstituteClock(frame: 0, at: start - 3_600_000_000_000, sampleRate: 384_000)
        #expect(thread.loop.pointee.startDevice() == .started)
        let taken = rt_monotonic_nanoseconds() - start, waits = Self.waits - before
        print("start: \(taken / 1_000_000) ms, \(waits) waits, \(thread.renderer.sampleTime.rawValue) frames")
        #expect(taken >= 1_000_000_000 && taken < 3_000_000_000)
        #expect(waits >= 5)
    }

    @Test func aRestartWaitsNowAndThen() throws {
        let thread = try Self.thread()
        // Nine tenths of a second to catch up with, of which a quarter is used at most.
        let start = rt_monotonic_nanoseconds()
        thread.loop.pointee.clock.update(time: start, pointer: 345_600)
        let before = Self.waits, frames = thread.renderer.sampleTime
        thread.loop.pointee.busySince = start - 60_000_000
        #expect(thread.loop.pointee.restartDevice() == .started)
        let taken = rt_monotonic_nanoseconds() - start, waits = Self.waits - before
        print("restart: \(taken / 1_000_000) ms, \(waits) waits, \(thread.renderer.sampleTime - frames) frames")
        #expect(thread.renderer.sampleTime - frames >= 1000 && taken < 2_000_000_000)
        #expect(waits >= 1)
    }

    @Test func aThreadThatIsToEndDoesNotCatchUp() throws {
        let thread = try Self.thread()
        let start = rt_monotonic_nanoseconds()
        thread.loop.pointee.substitute = SubstituteClock(frame: 0, at: start - 3_600_000_000_000, sampleRate: 384_000)
        thread.requestStop()
        #expect(thread.loop.pointee.startDevice() == .stop)
        #expect(rt_monotonic_nanoseconds() - start < 900_000_000)
    }
}
