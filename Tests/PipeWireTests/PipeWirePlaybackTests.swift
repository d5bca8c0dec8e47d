import CarillonTestKit
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Testing
import UnitAPI
import Units

@testable import ALSA
@testable import PipeWire

/// Playback and capture on a real PipeWire daemon.
@Suite(.serialized, .enabled(if: PipeWireDaemon.isThere, "no PipeWire daemon: \(PipeWireDaemon.refusal ?? "")"))
struct PipeWirePlaybackTests {
    /// Noise that no two places have in common.
    private static func noise(rate: Int = 48_000) throws -> OfflineRig {
        let rig = OfflineRig(sampleRate: Double(rate), maximumFrames: 1024)
        try rig.graph.setOutput(rig.add(Noise.self))
        try rig.publish()
        return rig
    }

    private static func request(rate: Int = 48_000, capture: Bool = false) -> DeviceRequest {
        DeviceRequest(
            devices: ["pipewire:none"], sampleRate: rate, periodFrames: 256, capture: capture,
            captureDevice: capture ? "pipewire:none" : nil)
    }

    private static func unit(
        _ renderer: Renderer, _ request: DeviceRequest, node: String = "carillon", input: CaptureQueue? = nil
    ) throws -> RemoteIOUnit {
        try RemoteIOUnit(
            renderer: renderer, request: request, input: input,
            systems: [PipeWireSystem(remote: PipeWireDaemon.remote, nodeName: node)])
    }

    private static func plays(_ unit: RemoteIOUnit) -> Bool {
        let before = unit.status.slices
        return eventually { unit.state == .running && unit.status.slices > before + 50 }
    }

    @Test func whatComesOutOfTheSinkIsTheOfflineRender() throws {
        let daemon = try PipeWireDaemon()
        let queue = CaptureQueue(channels: 2, frames: 4_800_000)
        let recorder = try Self.unit(Renderer(), Self.request(capture: true), node: "recorder", input: queue)
        try recorder.start()
        let rig = try Self.noise()
        let unit = try Self.unit(rig.renderer, Self.request())
        try unit.start()
        try #require(daemon.play("recorder") && daemon.play("carillon"))
        try #require(daemon.link("hall:monitor_FL", "recorder:input_FL") && daemon.link("hall:monitor_FR", "recorder:input_FR"))
        #expect(Self.plays(unit) && Self.plays(recorder))
        // A machine that is busy loses cycles; a second in one piece is what is asked for, however long that takes.
        var recording = [[Float]](repeating: [], count: 2), found: Int?
        let isFound = eventually {
            for channel in recording.indices { recording[channel].removeAll(keepingCapacity: true) }
            let enough = eventually {
                while queue.drain({ _, samples, frames in
                    for channel in 0..<2 {
                        recording[channel] += UnsafeBufferPointer(
                            start: samples + channel * queue.blockFrames, count: frames)
                    }
                }) {}
                return recording[0].count > 96_000
            }
            guard enough else { return false }
            found = Self.place(recording, before: unit.status.sampleTime, frames: 8192)
            return found != nil
        }
        #expect(isFound)
        #expect(unit.counters.unexpected == 0 && unit.counters.losses == 0 && unit.grant.periodFrames == 256)
        #expect(unit.status.clippedSamples == 0 && !unit.grant.hasRateConversion)
        unit.stop()
        recorder.stop()
    }

    /// Where a piece of so many frames of the recording is equal, bit for bit, to what is rendered offline; nil where none is.
    private static func place(_ recording: [[Float]], before end: SampleTime, frames: Int) -> Int? {
        guard let rig = try? noise() else { return nil }
        rig.render(Int(end.rawValue) + 16_384)
        var places: [SIMD2<Float>: Int] = [:]
        for index in rig.recording[0].indices {
            places[SIMD2(rig.recording[0][index], rig.recording[1][index])] = index
        }
        for start in stride(from: 0, to: recording[0].count - frames, by: frames / 2) {
            guard let place = places[SIMD2(recording[0][start], recording[1][start])], recording[0][start] != 0,
                place + frames <= rig.recording[0].count
            else { continue }
            let isEqual = (0..<2).allSatisfy {
                recording[$0][start..<start + frames].elementsEqual(rig.recording[$0][place..<place + frames])
            }
            if isEqual { return place }
        }
        return nil
    }

    @Test func whatIsLinkedToNothingSleepsAndTheSongGoesOn() throws {
        let daemon = try PipeWireDaemon()
        let unit = try Self.unit(try Self.noise().renderer, Self.request())
        try unit.start()
        #expect(eventually { unit.state == .suspended && unit.counters.substituteSlices > 20 })
        try #require(daemon.play("carillon"))
        #expect(Self.plays(unit))
        let suspends = unit.counters.suspends
        daemon.unlink("carillon")
        #expect(eventually { unit.state == .suspended && unit.counters.suspends == suspends + 1 })
        let then = unit.status.sampleTime
        #expect(eventually { unit.status.sampleTime - then > 4800 })
        try #require(daemon.play("carillon"))
        #expect(Self.plays(unit) && unit.counters.losses == 0 && unit.counters.unexpected == 0)
        unit.stop()
    }

    @Test func aDaemonThatDiesIsALostDeviceAndOneThatComesIsPlayedOn() throws {
        var daemon: PipeWireDaemon? = try PipeWireDaemon()
        let unit = try Self.unit(try Self.noise().renderer, Self.request())
        try unit.start()
        try #require(daemon?.play("carillon") == true)
        try #require(Self.plays(unit))
        daemon?.kill()
        daemon = nil
        #expect(eventually { unit.state == .lost && unit.counters.losses == 1 })
        let then = unit.status.sampleTime
        #expect(eventually { unit.status.sampleTime - then > 4800 && unit.lastError?.code == ECONNREFUSED })
        let other = try PipeWireDaemon()
        try #require(other.play("carillon"))
        #expect(Self.plays(unit))
        #expect(unit.counters.returns >= 1 && unit.lastError == nil)
        unit.stop()
    }

    @Test func anEngineOfAnotherRateIsConvertedByPipeWire() throws {
        let daemon = try PipeWireDaemon()
        let unit = try Self.unit(try Self.noise(rate: 44_100).renderer, Self.request(rate: 44_100))
        try unit.start()
        try #require(daemon.play("carillon"))
        #expect(Self.plays(unit))
        #expect(unit.grant.sampleRate == 44_100 && !unit.grant.hasRateConversion)
        unit.stop()
    }

    @Test func twoPortsPlayAtOnceOnThreadsThatAreToldAsTheyAre() throws {
        let daemon = try PipeWireDaemon()
        let first = try Self.unit(try Self.noise().renderer, Self.request())
        let second = try Self.unit(try Self.noise().renderer, Self.request(), node: "another")
        try first.start()
        try second.start()
        try #require(daemon.play("carillon") && daemon.play("another"))
        #expect(Self.plays(first) && Self.plays(second))
        #expect(eventually { first.threadPriority?.isMemoryLocked == false })
        second.stop()
        #expect(Self.plays(first))
        first.stop()
    }

    @Test func aCaptureStreamThatIsThrownOutIsToldAndWhatPlaysPlaysOn() throws {
        let daemon = try PipeWireDaemon()
        let unit = try Self.unit(
            try Self.noise().renderer, Self.request(capture: true), input: CaptureQueue(channels: 2, frames: 48_000))
        try unit.start()
        try #require(daemon.play("carillon"))
        #expect(Self.plays(unit) && unit.captureError == nil)
        #expect(daemon.throwOutCapture(of: "carillon"))
        #expect(eventually { unit.captureError != nil })
        let error = try #require(unit.captureError)
        #expect("\(error)".hasPrefix("pipewire:none: ") && error.code == EIO, "\(error)")
        #expect(Self.plays(unit) && unit.counters.losses == 0)
        unit.stop()
    }

    @Test func whatHasCapturedIsOpenedAnewWhereItIsThrownOut() throws {
        let daemon = try PipeWireDaemon()
        let unit = try Self.unit(
            try Self.noise().renderer, Self.request(capture: true), input: CaptureQueue(channels: 2, frames: 480_000))
        try unit.start()
        try #require(daemon.play("carillon"))
        try #require(daemon.link("booth:capture_FL", "carillon:input_FL"))
        try #require(Self.plays(unit) && eventually { unit.status.capturedFrames > 4800 })
        #expect(daemon.throwOutCapture(of: "carillon"))
        #expect(eventually { unit.counters.losses == 1 && unit.counters.returns == 1 })
        let captured = unit.status.capturedFrames
        try #require(daemon.play("carillon"))
        try #require(daemon.link("booth:capture_FL", "carillon:input_FL"))
        #expect(Self.plays(unit) && eventually { unit.status.capturedFrames > captured + 4800 } && unit.captureError == nil)
        unit.stop()
    }

    /// With element 0 disabled a stream of silence asks for what is captured.
    @Test func whatCapturesAloneIsNotHeard() throws {
        let daemon = try PipeWireDaemon()
        let monitor = CaptureQueue(channels: 2, frames: 4_800_000)
        let recorder = try Self.unit(Renderer(), Self.request(capture: true), node: "recorder", input: monitor)
        try recorder.start()
        var request = Self.request(capture: true)
        request.playback = false
        let unit = try Self.unit(
            try Self.noise().renderer, request, input: CaptureQueue(channels: 2, frames: 480_000))
        #expect(unit.grant.captureChannels == 2 && unit.grant.description.contains("nothing played"))
        try unit.start()
        try #require(daemon.play("recorder") && daemon.play("carillon"))
        try #require(daemon.link("booth:capture_FL", "carillon:input_FL"))
        try #require(daemon.link("hall:monitor_FL", "recorder:input_FL"))
        #expect(Self.plays(unit) && eventually { unit.status.capturedFrames > 4800 && recorder.status.capturedFrames > 48_000 })
        unit.stop()
        recorder.stop()
        var peak: Float = 0
        while monitor.drain({ _, samples, frames in for i in 0..<frames { peak = max(peak, abs(samples[i])) } }) {}
        #expect(peak == 0)
    }

    @Test func whatNobodyGivesIsNotCapturedAndCounts() throws {
        let daemon = try PipeWireDaemon()
        let queue = CaptureQueue(channels: 2, frames: 4_800_000)
        let unit = try Self.unit(try Self.noise().renderer, Self.request(capture: true), input: queue)
        try unit.start()
        try #require(daemon.play("carillon"))
        #expect(Self.plays(unit))
        // Linked to nothing it hears nothing, which is not the same as silence.
        #expect(unit.status.capturedFrames == 0 && unit.status.captureXruns == 0)
        try #require(daemon.link("booth:capture_FL", "carillon:input_FL"))
        #expect(eventually { unit.status.capturedFrames > 4800 })
        let xruns = unit.status.captureXruns
        daemon.unlink("booth:capture_FL", "carillon:input_FL")
        #expect(eventually { unit.status.captureXruns > xruns })
        let captured = unit.status.capturedFrames
        #expect(Self.plays(unit) && unit.status.capturedFrames == captured && unit.counters.losses == 0)
        unit.stop()
    }

    @Test func whatPilesUpBetweenTheStreamsIsLeftOutAndCounts() throws {
        let daemon = try PipeWireDaemon()
        let unit = try Self.unit(
            try Self.noise().renderer, Self.request(capture: true), input: CaptureQueue(channels: 2, frames: 4_800_000))
        try unit.start()
        try #require(daemon.play("carillon"))
        try #require(daemon.link("booth:capture_FL", "carillon:input_FL"))
        try #require(Self.plays(unit) && eventually { unit.status.capturedFrames > 4800 })
        let slips = unit.status.captureSlips
        // Nobody asks for what is captured meanwhile, for as long as 32 periods of the song take.
        daemon.unlink("carillon")
        try #require(eventually { unit.state == .suspended })
        let slices = unit.counters.substituteSlices
        try #require(eventually { unit.counters.substituteSlices >= slices + 32 })
        try #require(daemon.play("carillon"))
        #expect(eventually { unit.status.captureSlips > slips })
        #expect(Self.plays(unit) && unit.counters.losses == 0)
        unit.stop()
    }

    @Test func nodesThatAreNotThereAreRefusedWithThoseThatAre() throws {
        let daemon = try PipeWireDaemon()
        func open(_ devices: String..., input: String? = nil) throws -> RemoteIOUnit {
            try Self.unit(
                Renderer(), DeviceRequest(devices: devices, capture: input != nil, captureDevice: input))
        }
        #expect(throws: DeviceError.notFound(device: "pipewire:cellar", cards: ["pipewire:hall"])) {
            _ = try open("pipewire:cellar")
        }
        // What only gives sound takes none, and the other way round.
        #expect(throws: DeviceError.notFound(device: "pipewire:booth", cards: ["pipewire:hall"])) {
            _ = try open("pipewire:booth")
        }
        #expect(throws: DeviceError.notFound(device: "pipewire:hall", cards: ["pipewire:booth"])) {
            _ = try open("pipewire:hall", input: "pipewire:hall")
        }
        // Another of the list is taken then; a number is as good as a name.
        #expect(try open("pipewire:cellar", "pipewire:hall", input: "pipewire:booth").grant.device == "pipewire:hall")
        let hall = try PipeWireCalls.nodes(for: "pipewire", remote: PipeWireDaemon.remote).first { $0.name == "hall" }
        let serial = try #require(hall?.serial)
        #expect(try open("pipewire:\(serial)").grant.device == "pipewire:\(serial)")
        withExtendedLifetime(daemon) {}
    }

    @Test func theNodesOfADaemonAreListed() throws {
        let daemon = try PipeWireDaemon()
        let system = PipeWireSystem(remote: PipeWireDaemon.remote)
        #expect(
            try system.entries() == [
                .init(name: "pipewire", description: "the session's choice"),
                .init(name: "pipewire:hall", description: "A hall"),
            ])
        #expect(
            try system.entries(capturing: true) == [
                .init(name: "pipewire", description: "the session's choice"),
                .init(name: "pipewire:booth", description: "A booth"),
            ])
        #expect(system.isThere("pipewire:hall", DeviceRequest()) && !system.isThere("pipewire:cellar", DeviceRequest()))
        withExtendedLifetime(daemon) {}
    }
}

/// What can be told without a daemon.
@Suite struct PipeWireWithoutDaemonTests {
    @Test func aNameSaysWhereToPlay() {
        #expect(PipeWireName("pipewire") == .session && PipeWireName("pipewire:none") == .nothing)
        #expect(PipeWireName("pipewire:hall") == .node("hall") && PipeWireName("pipewires") == nil)
        #expect(PipeWireName.session.target == nil && PipeWireName.nothing.target == "")
    }

    @Test(.enabled(if: PipeWireCalls.isInstalled, "libpipewire-0.3-0 is not installed"))
    func noDaemonIsOneClearSentence() {
        let system = PipeWireSystem(remote: "carillon-nobody-\(getpid())")
        let error = #expect(throws: DeviceError.self) {
            _ = try RemoteIOUnit(renderer: Renderer(), request: DeviceRequest(devices: ["pipewire"]), systems: [system])
        }
        #expect(
            error?.description == "pipewire: no PipeWire daemon answers; log in to a session that has one, or start it, "
                + "or choose another device")
        #expect(!system.isThere("pipewire", DeviceRequest()))
    }

    @Test func aLibraryThatIsMissingIsNamedWithItsPackage() {
        #expect(PipeWireCalls.load("libpipewire-nowhere.so")?.contains("libpipewire-nowhere.so") == true)
        let error = DeviceError.missingLibrary(
            device: "pipewire", library: PipeWireCalls.libraryName, package: PipeWireCalls.package)
        #expect(
            error.description == "pipewire: libpipewire-0.3.so.0 is not installed; on Debian: apt-get install "
                + "libpipewire-0.3-0")
    }
}
