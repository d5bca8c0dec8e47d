import CarillonTestKit
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Testing
import UnitAPI
import Units

@testable import ALSA
@testable import JACK

/// Playback and capture on a real JACK server.
@Suite(.serialized, .enabled(if: JACKServer.isThere, "no JACK server: \(JACKServer.refusal ?? "")"))
struct JACKPlaybackTests {
    /// Noise that no two places have in common.
    private static func noise(rate: Int = 48_000) throws -> OfflineRig {
        let rig = OfflineRig(sampleRate: Double(rate), maximumFrames: 1024)
        try rig.graph.setOutput(rig.add(Noise.self))
        try rig.publish()
        return rig
    }

    private static func request(_ devices: String..., rate: Int = 48_000, capture: Bool = false) -> DeviceRequest {
        DeviceRequest(
            devices: devices, sampleRate: rate, periodFrames: 256, capture: capture, captureDevice: capture ? "jack:none" : nil)
    }

    private static func unit(
        _ server: JACKServer, _ renderer: Renderer, _ request: DeviceRequest, client: String = "carillon",
        input: CaptureQueue? = nil
    ) throws -> RemoteIOUnit {
        try RemoteIOUnit(
            renderer: renderer, request: request, input: input, systems: [JACKSystem(server: server.name, clientName: client)])
    }

    /// Silence that listens: what is played to its inputs is in `queue`.
    private static func recorder(_ server: JACKServer, _ queue: CaptureQueue) throws -> RemoteIOUnit {
        let unit = try unit(
            server, Renderer(), request("jack:none", capture: true), client: "recorder", input: queue)
        try unit.start()
        return unit
    }

    /// What is in the queue, of two channels, as far as it came in one piece behind the last gap.
    private static func drain(_ queue: CaptureQueue, into recording: inout [[Float]]) {
        while queue.drain({ _, samples, frames in
            for channel in 0..<2 {
                recording[channel] += UnsafeBufferPointer(start: samples + channel * queue.blockFrames, count: frames)
            }
        }) {}
    }

    @Test func whatIsPlayedInFreewheelIsTheOfflineRenderFrameForFrame() throws {
        let server = try JACKServer()
        let queue = CaptureQueue(channels: 2, frames: 2_000_000)
        let recorder = try Self.recorder(server, queue)
        let rig = try Self.noise()
        let unit = try Self.unit(server, rig.renderer, Self.request("jack:recorder"))
        try unit.start()
        try #require(eventually { unit.status.slices > 20 && recorder.status.slices > 20 })
        #expect(unit.grant.isAsWanted || unit.grant.periods == 2, "\(unit.grant)")
        let visitor = try JACKVisitor(server: server.name)
        #expect(JACKCalls.setFreewheel(visitor.client, true))
        var recording = [[Float]](repeating: [], count: 2)
        // The server changes its pace with its next cycle or so; from there on nothing is ever late.
        let begun = unit.status.sampleTime
        try #require(eventually { unit.status.sampleTime - begun > 48_000 })
        Self.drain(queue, into: &recording)
        recording = [[], []]
        let xruns = unit.counters.xruns, lateness = unit.report.wakeLateness.summary.count
        try #require(
            eventually {
                Self.drain(queue, into: &recording)
                return recording[0].count > 480_000
            })
        #expect(unit.counters.xruns == xruns && unit.report.wakeLateness.summary.count == lateness)
        let end = unit.status.sampleTime
        #expect(JACKCalls.setFreewheel(visitor.client, false))
        let slices = unit.status.slices
        #expect(eventually { unit.status.slices > slices + 20 && unit.deviceTime != nil })
        unit.stop()
        recorder.stop()
        #expect(queue.droppedFrames == 0)

        let offline = try Self.noise()
        offline.render(Int(end.rawValue) + 8192)
        let sound = offline.recording
        let start = try #require(sound[0].firstIndex { $0 == recording[0][0] && $0 != 0 })
        #expect(sound[0][start..<start + 480_000].elementsEqual(recording[0][..<480_000]))
        #expect(sound[1][start..<start + 480_000].elementsEqual(recording[1][..<480_000]))
    }

    /// Six loudspeakers on two ports: folded down, and told, instead of four that lead nowhere.
    @Test func whatHasMoreLoudspeakersThanTheServerHasPortsIsFoldedDown() throws {
        let server = try JACKServer()
        let queue = CaptureQueue(channels: 2, frames: 2_000_000)
        let recorder = try Self.recorder(server, queue)
        let rig = OfflineRig(channels: 6)
        let levels: [Float] = [0.1, 0.2, 0.04, 0.08, 0.05, 0.9]
        let node = try rig.add(channels: levels.map { [Float](repeating: $0, count: 2_000_000) })
        try rig.graph.setOutput(node)
        try rig.publish()
        var request = Self.request("jack:recorder")
        (request.layout, request.channels) = (.surround51, 6)
        let unit = try Self.unit(server, rig.renderer, request)
        #expect(unit.grant.channels == 2 && unit.grant.layout == .stereo && unit.grant.foldedLayout == .surround51)
        try unit.start()
        var recording = [[Float]](repeating: [], count: 2)
        let half: Float = 0.70710678
        let wanted = [levels[0] + half * (levels[4] + levels[2]), levels[1] + half * (levels[4] + levels[3])]
        #expect(
            eventually {
                Self.drain(queue, into: &recording)
                return abs((recording[0].last ?? 0) - wanted[0]) < 1e-4 && abs((recording[1].last ?? 0) - wanted[1]) < 1e-4
            }, "\(recording.map { $0.last ?? 0 }) for \(wanted)")
        unit.stop()
        recorder.stop()
    }

    @Test func aServerThatDiesIsALostDeviceAndOneThatComesIsPlayedOn() throws {
        var server: JACKServer? = try JACKServer()
        let name = try #require(server?.name)
        let rig = try Self.noise()
        let unit = try Self.unit(try #require(server), rig.renderer, Self.request("jack"))
        try unit.start()
        try #require(eventually { unit.state == .running && unit.status.slices > 20 })
        server?.kill()
        server = nil
        #expect(eventually { unit.state == .lost && unit.counters.losses == 1 })
        // The song goes on, unheard.
        let then = unit.status.sampleTime
        #expect(eventually { unit.status.sampleTime - then > 4800 && unit.counters.substituteSlices > 0 })
        #expect(eventually { unit.lastError?.code == ECONNREFUSED })
        let other = try JACKServer(name: name)
        #expect(eventually { unit.state == .running && unit.counters.returns == 1 })
        let slices = unit.status.slices
        #expect(eventually { unit.status.slices > slices + 20 })
        #expect(unit.lastError == nil && unit.counters.unexpected == 0)
        unit.stop()
        withExtendedLifetime(other) {}
    }

    /// What libjack waits for then never comes, and its call never returns.
    @Test func aServerThatStandsStillKeepsNobodyWhoStops() throws {
        let server = try JACKServer()
        let unit = try Self.unit(server, try Self.noise().renderer, Self.request("jack"))
        try unit.start()
        try #require(eventually { unit.status.slices > 20 })
        server.freeze()
        unit.stop()
        #expect(unit.state == .stopped)
    }

    @Test func aServerThatStandsStillIsALostDeviceAndTheSongGoesOn() throws {
        let server = try JACKServer()
        let unit = try Self.unit(server, try Self.noise().renderer, Self.request("jack"))
        try unit.start()
        try #require(eventually { unit.status.slices > 20 })
        server.freeze()
        #expect(eventually { unit.counters.losses == 1 && unit.lastError == .unresponsive(device: "jack") })
        let then = unit.status.sampleTime
        #expect(eventually { unit.status.sampleTime - then > 4800 })
        unit.stop()
    }

    /// libjack blocks signals when its last client goes, in the thread that closes it.
    @Test func whoLooksRoundKeepsItsSignals() throws {
        let server = try JACKServer()
        var none = sigset_t(), before = sigset_t(), after = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        _ = try JACKVisitor(server: server.name)
        pthread_sigmask(SIG_SETMASK, &before, &after)
        #expect((1..<65).filter { sigismember(&after, $0) == 1 } == [])
    }

    @Test func cyclesOfAnotherLengthAreRenderedAndToldInTheGrant() throws {
        let server = try JACKServer()
        let unit = try Self.unit(server, try Self.noise().renderer, Self.request("jack:none"))
        try unit.start()
        try #require(eventually { unit.status.slices > 20 })
        #expect(unit.grant.periodFrames == 256 && unit.grant.bufferFrames == 512)
        let visitor = try JACKVisitor(server: server.name)
        #expect(JACKCalls.setPeriod(visitor.client, 64))
        #expect(eventually { unit.grant.periodFrames == 64 && unit.grant.bufferFrames == 128 })
        #expect(eventually { unit.deviceTime?.latency == 128 + 48 })
        #expect(JACKCalls.setPeriod(visitor.client, 1024))
        #expect(eventually { unit.grant.periodFrames == 1024 })
        let slices = unit.status.slices
        #expect(eventually { unit.status.slices > slices + 10 })
        #expect(unit.counters.losses == 0 && unit.state == .running)
        unit.stop()
    }

    @Test func twoPortsPlayAtOnceUnderNamesOfTheirOwn() throws {
        let server = try JACKServer()
        let first = try Self.unit(server, try Self.noise().renderer, Self.request("jack"))
        let second = try Self.unit(server, try Self.noise().renderer, Self.request("jack"))
        try first.start()
        try second.start()
        #expect(eventually { first.status.slices > 50 && second.status.slices > 50 })
        let visitor = try JACKVisitor(server: server.name)
        let outputs = visitor.ports(takeSound: false).filter { $0.hasPrefix("carillon") }
        #expect(outputs.prefix(2) == ["carillon:out_1", "carillon:out_2"] && outputs.count == 4, "\(outputs)")
        second.stop()
        let slices = first.status.slices
        #expect(eventually { first.status.slices > slices + 20 })
        #expect(visitor.ports(takeSound: false).filter { $0.hasPrefix("carillon") }.count == 2)
        first.stop()
    }

    /// Alone too: then the client has no outputs.
    @Test(arguments: [true, false]) func whatIsCapturedBearsTheTimeThatWasHeardMeanwhile(_ playback: Bool) throws {
        let server = try JACKServer()
        let rig = try Self.noise()
        let queue = CaptureQueue(channels: 2, frames: 960_000)
        // Its own output comes back to it a cycle later.
        var request = Self.request("jack:none", capture: true)
        (request.captureDevice, request.playback) = ("jack:source", playback)
        let source = try Self.unit(server, rig.renderer, Self.request("jack:none"), client: "source")
        try source.start()
        let unit = try Self.unit(server, Renderer(), request, input: queue)
        #expect(unit.grant.captureChannels == 2 && unit.inputLatency == 512 && unit.grant.channels == (playback ? 2 : 0))
        try unit.start()
        try #require(eventually { unit.status.capturedFrames > 24_000 })
        unit.stop()
        source.stop()
        var times: [SampleTime] = [], lengths: [Int] = [], isHeard = false
        while queue.drain({ time, samples, frames in
            times.append(time)
            lengths.append(frames)
            if samples[0] != 0 { isHeard = true }
        }) {}
        #expect(isHeard)
        // One piece follows the other, but where the server lost a cycle on a busy machine.
        let gaps = zip(times.dropFirst(), zip(times, lengths)).filter { $0 != $1.0 + $1.1 }.count
        #expect(gaps <= unit.counters.xruns + 2, "\(gaps) gaps, \(unit.counters)")
    }

    /// JACK gives zeros to whoever is linked to nothing.
    @Test func whatIsLinkedToNothingCapturesNothingAndSaysWhichChannels() throws {
        let server = try JACKServer()
        let queue = CaptureQueue(channels: 2, frames: 2_000_000)
        let recorder = try Self.recorder(server, queue)
        try #require(eventually { recorder.status.slices > 100 })
        #expect(recorder.status.capturedFrames == 0 && recorder.captureError == nil)
        let visitor = try JACKVisitor(server: server.name)
        #expect(JACKCalls.connect(visitor.client, "system:capture_1", "recorder:in_1"))
        #expect(eventually { recorder.status.capturedFrames > 0 && recorder.captureError != nil })
        #expect("\(recorder.captureError!)".hasPrefix("jack:none: channel 2 of 2 is linked to nothing and silent; link it"))
        #expect(JACKCalls.connect(visitor.client, "system:capture_2", "recorder:in_2"))
        #expect(eventually { recorder.captureError == nil })
        recorder.stop()
    }

    @Test func aServerOfAnotherRateIsConvertedTo() throws {
        let server = try JACKServer(rate: 44_100, period: 128)
        let unit = try Self.unit(server, try Self.noise().renderer, Self.request("jack:none"))
        #expect(unit.grant.sampleRate == 44_100 && unit.grant.hasRateConversion)
        try unit.start()
        #expect(eventually { unit.status.slices > 50 })
        unit.stop()
        var strict = Self.request("jack:none")
        strict.deviceRate = 48_000
        #expect(throws: DeviceError.rate(device: "jack:none", granted: 44_100, wanted: 48_000)) {
            _ = try Self.unit(server, Renderer(), strict)
        }
    }

    @Test func namesThatNobodyHasAreRefusedWithThoseThatThereAre() throws {
        let server = try JACKServer()
        #expect(throws: DeviceError.notFound(device: "jack:nobody", cards: ["jack:system"])) {
            _ = try Self.unit(server, Renderer(), Self.request("jack:nobody"))
        }
        // Another of the list is taken then.
        let unit = try Self.unit(server, Renderer(), Self.request("jack:nobody", "jack:system"))
        #expect(unit.grant.device == "jack:system")
        let entries = try JACKSystem(server: server.name).entries()
        #expect(entries.map(\.name) == ["jack", "jack:system"])
        #expect(entries.first == .init(name: "jack", inputs: 2, outputs: 2, sampleRate: 48_000, periodFrames: 256))
    }

    @Test func theThreadIsJACKsAndToldAsItIs() throws {
        let server = try JACKServer()
        let unit = try Self.unit(server, Renderer(), Self.request("jack"))
        try unit.start()
        // The server runs without real time, and so do its clients.
        #expect(eventually { unit.threadPriority?.scheduling == .normal })
        #expect(unit.threadPriority?.isMemoryLocked == false)
        unit.stop()
    }
}

/// What can be told where there is no server.
@Suite(.enabled(if: JACKCalls.isInstalled, "libjack-jackd2-0 is not installed")) struct JACKWithoutServerTests {
    @Test func noServerIsOneClearSentenceAndNoneIsStarted() {
        let system = JACKSystem(server: "carillon-nobody-\(getpid())")
        let error = #expect(throws: DeviceError.self) {
            _ = try RemoteIOUnit(renderer: Renderer(), request: DeviceRequest(devices: ["jack"]), systems: [system])
        }
        #expect(
            error?.description == "jack: no JACK server carillon-nobody-\(getpid()) answers; start one, such as jackd, "
                + "or choose another device")
        #expect(!system.isThere("jack", DeviceRequest()))
    }
}

@Suite struct JACKLibraryTests {
    @Test func aLibraryThatIsMissingIsNamedWithItsPackage() {
        #expect(JACKCalls.load("libjack-that-is-not-there.so.0")?.contains("libjack-that-is-not-there.so.0") == true)
        let error = DeviceError.missingLibrary(device: "jack", library: JACKCalls.libraryName, package: JACKCalls.package)
        #expect(error.description == "jack: libjack.so.0 is not installed; on Debian: apt-get install libjack-jackd2-0")
    }
}
