import Graphs
import RealtimeCore
import RemoteIO
import Testing

/// A device that captures and plays nothing, element 0 disabled: it keeps the time of the renderer.
@Suite struct SoleCaptureTests {
    /// A port that captures the number of each frame, and what it handed over.
    private final class Microphone {
        let port = SimulatedPort(), renderer = Renderer()
        let queue = CaptureQueue(channels: 1, frames: 48_000, blockFrames: 64)
        var samples: [(time: Int64, sample: Float)] = []

        init(keepsFull: Bool = false, _ prepare: (SimulatedPort) -> Void = { _ in }) throws {
            port.captures = { frame, _ in Float(frame) }
            prepare(port)
            let request = DeviceRequest(
                devices: ["simulated"], periodFrames: 256, periods: 3, playback: false, capture: true, captureChannels: 1,
                keepsFull: keepsFull)
            let grant = try port.open(renderer, request, capture: nil, input: queue)
            #expect(grant.channels == 0 && grant.captureChannels == 1 && grant.isAsWanted)
            #expect(grant.description.hasSuffix("nothing played, capture 1 channels"))
            try port.start {}
        }

        func run(seconds: Int) {
            for _ in 0..<10 * seconds {
                port.advance(seconds: 0.1)
                while let block = queue.peek() {
                    for i in 0..<block.frames { samples.append((block.time.rawValue + Int64(i), block.samples[i])) }
                    queue.drop()
                }
            }
        }
    }

    @Test(arguments: [false, true]) func whatIsCapturedKeepsTheTime(_ keepsFull: Bool) throws {
        let microphone = try Microphone(keepsFull: keepsFull) { $0.hardware = SimulatedHardware(drift: 100, pointerStep: 1) }
        microphone.run(seconds: 20)
        let status = microphone.port.status
        #expect(status.phase == .running && status.counts.xruns == 0 && status.captureXruns == 0)
        #expect(microphone.port.played.isEmpty)
        // Every frame that there was is there, once, with the sample time that goes on with it.
        let samples = microphone.samples, first = try #require(samples.first)
        #expect(samples.count >= 20 * 48_000 - 256 && samples.count == status.capturedFrames)
        #expect(samples.indices.allSatisfy { samples[$0] == (first.time + Int64($0), first.sample + Float($0)) })
        // The renderer is as far as the card, which is 100 ppm fast.
        #expect(abs(microphone.renderer.sampleTime.rawValue - 960_096) <= 1024)
    }

    /// Late by less than the buffer nothing is lost; by more it begins anew, where it belongs.
    @Test func whatIsHeldUpTooLongBeginsAnew() throws {
        let microphone = try Microphone {
            $0.troubles = [
                .holdUp(at: 1, lasting: 0.009), .holdUp(at: 2, lasting: 0.05), .suspension(at: 3, lasting: 0.5),
                .absence(at: 5, lasting: 1),
            ]
        }
        microphone.run(seconds: 8)
        let status = microphone.port.status, samples = microphone.samples
        #expect(status.phase == .running && status.counts.xruns == 1 && status.counts.losses == 1 && status.counts.returns == 1)
        #expect(status.counts.unexpected == 0)
        var gaps: [Float] = []
        for (before, after) in zip(samples, samples.dropFirst()) where after.time != before.time + 1 {
            gaps.append(before.sample / 48_000)
            // A sample time goes with the frame that was captured then, to a period.
            #expect(abs(Float(after.time - before.time) - (after.sample - before.sample)) <= 256)
        }
        #expect(gaps.map { Int($0 + 0.1) } == [2, 3, 5], "\(gaps)")
    }

    @Test func anElementAtLeastIsEnabled() {
        let port = SimulatedPort()
        #expect(throws: DeviceError.self) {
            try port.open(Renderer(), DeviceRequest(devices: ["simulated"], playback: false), input: nil)
        }
    }

    /// The device that is opened where nothing is played.
    @Test(arguments: [
        (["null"], true, "hw:Mic", ["hw:Mic"]), (["hw:A"], false, "hw:Mic", ["hw:Mic"]), (["hw:A"], false, nil, ["hw:A"]),
        (["hw:A", "null"], false, "hw:Mic", ["hw:Mic", "null"]),
    ])
    func theCaptureDeviceIsOpened(_ devices: [String], _ playback: Bool, _ input: String?, _ opened: [String]) throws {
        let request = DeviceRequest(
            devices: devices, playback: playback, capture: true, captureDevice: input, followsCapture: input != nil)
        let alone = try request.resolved()
        #expect(alone.devices == opened && !alone.playback && alone.captureDevice == nil && !alone.followsCapture)
        #expect(alone.deviceChannels == 0)
    }

    @Test func whatPlaysAndCapturesStaysAsItIs() throws {
        for request in [
            DeviceRequest(devices: ["hw:A", "null"], capture: true, captureDevice: "hw:Mic", followsCapture: true),
            DeviceRequest(devices: ["null"], capture: true), DeviceRequest(devices: ["null"]),
        ] {
            #expect(try request.resolved() == request)
        }
    }
}
