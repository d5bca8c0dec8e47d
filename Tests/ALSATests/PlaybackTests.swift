import CRealtime
import Glibc
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Testing
import UnitAPI
import Units

@testable import ALSA

/// Playback and capture on a real ALSA kernel: what is played comes back through the loopback card.
@Suite(.serialized, .enabled(if: RealKernel.isPresent, "no ALSA kernel with loopback and virtual MIDI cards"))
struct PlaybackTests {
    /// A renderer that plays one steady tone.
    private static func tone(sampleRate: Int = 48000) throws -> Renderer {
        var graph = Graph(sampleRate: Double(sampleRate), maximumFrames: 1024)
        let square = try graph.add(SquareWave.self)
        try graph.setOutput(square)
        try graph.route(part: 0, to: square)
        let renderer = Renderer()
        renderer.adopt(try GraphCompiler.compile(graph))
        _ = renderer.send(
            RenderCommand(
                time: .immediately, node: nil, event: .music(.message(MIDIMessage(status: 0x90, data1: 69, data2: 100)))))
        return renderer
    }

    private static func request(_ device: String, period: Int = 512, periods: Int = 3) -> DeviceRequest {
        DeviceRequest(devices: [device], sampleRate: 48000, periodFrames: period, periods: periods)
    }

    @Test func theLoopbackGrantsWhatIsAskedAndPlays() throws {
        let unit = try RemoteIOUnit(renderer: Self.tone(), request: Self.request(RealKernel.loopbackPlayback))
        #expect(unit.grant.isAsWanted, "\(unit.grant)")
        try unit.start()
        #expect(RemoteIOUnitTests.eventually(10) { unit.status.slices > 300 && unit.state == .running })
        let status = unit.status
        unit.stop()
        print("\(unit.grant)\n\(unit.threadPriority.map(\.description) ?? "")\n\(unit.report.text(xruns: status.counts))")
        print("measured rate \(status.time?.sampleRate ?? 0), \(status)")
        #expect(status.counts.unexpected == 0 && status.counts.losses == 0)
    }

    @Test func whatIsPlayedIsCapturedOnTheSameClock() throws {
        var request = Self.request(RealKernel.loopbackPlayback)
        request.capture = true
        request.captureDevice = RealKernel.loopbackCapture
        let input = CaptureQueue(channels: 2, frames: 96000)
        let output = CaptureQueue(channels: 2, frames: 96000)
        // A busy machine starves the emulated one; an undisturbed run is what is asked about.
        for attempt in 1...5 {
            let unit = try RemoteIOUnit(renderer: Self.tone(), request: request, capture: output, input: input)
            try unit.start()
            #expect(RemoteIOUnitTests.eventually { unit.status.capturedFrames > 60000 })
            unit.stop()
            if unit.counters.xruns == 0, unit.status.captureXruns == 0 { break }
            try #require(attempt < 5, "\(unit.counters)")
            while output.drain({ _, _, _ in }) || input.drain({ _, _, _ in }) {}
        }
        var played: [Float] = [], captured: [Float] = [], origin: SampleTime?
        while output.drain({ _, samples, frames in played += UnsafeBufferPointer(start: samples, count: frames) }) {}
        while input.drain({ time, samples, frames in
            origin = origin ?? time
            captured += UnsafeBufferPointer(start: samples, count: frames)
        }) {}
        let first = try #require(origin)
        // The same wave, and no sample lost in between: the offset of the first match holds to the end.
        let start = try #require(captured.indices.first { captured[$0] != 0 }) + 4800
        let offset = (-4096...4096).first { offset in
            (0..<2000).allSatisfy { i in
                let k = Int(first.rawValue) + start + i + offset
                return played.indices.contains(k) && abs(played[k] - captured[start + i]) < 1e-6
            }
        }
        print("captured \(captured.count) frames from \(first), \(offset.map { "\($0)" } ?? "no") frames from its stamp")
        let shift = try #require(offset)
        let length = min(captured.count - start, played.count - Int(first.rawValue) - start - shift)
        #expect(length > 40000)
        #expect(
            (0..<length).allSatisfy { i in
                abs(played[Int(first.rawValue) + start + i + shift] - captured[start + i]) < 1e-6
            })
    }

    /// Element 0 disabled: what captures keeps the time of a unit of its own, and is all that it opens.
    @Test func aDeviceThatOnlyCapturesKeepsTheTime() throws {
        var request = Self.request("null")
        (request.capture, request.captureDevice) = (true, RealKernel.loopbackCapture)
        let input = CaptureQueue(channels: 2, frames: 192_000)
        // A busy machine starves the emulated one; an undisturbed run is what is asked about.
        for attempt in 1...5 {
            let player = try RemoteIOUnit(renderer: Self.tone(), request: Self.request(RealKernel.loopbackPlayback))
            try player.start()
            let unit = try RemoteIOUnit(renderer: Renderer(), request: request, input: input)
            #expect(unit.grant.device == RealKernel.loopbackCapture && unit.grant.channels == 0)
            #expect(unit.grant.captureChannels == 2 && unit.grant.isAsWanted)
            try unit.start()
            #expect(RemoteIOUnitTests.eventually { unit.status.capturedFrames > 1_000 })
            // To open the second one takes the emulated machine's only processor longer than a large process's buffer lasts.
            let former = player.counters.xruns
            #expect(RemoteIOUnitTests.eventually { unit.status.capturedFrames > 60_000 })
            let rendered = unit.renderer.sampleTime.rawValue, captured = unit.status.capturedFrames
            unit.stop()
            player.stop()
            print("\(unit.grant): \(unit.status)")
            #expect(unit.counters.unexpected == 0 && unit.counters.losses == 0)
            if unit.counters.xruns == 0, unit.status.captureXruns == 0, player.counters.xruns == former {
                #expect(abs(Int(rendered) - captured) <= 4 * 512)
                break
            }
            try #require(attempt < 5, "\(unit.counters)")
            while input.drain({ _, _, _ in }) {}
        }
        var next: SampleTime?, seams = 0, peak: Float = 0
        while input.drain({ time, samples, frames in
            if let next, next != time { seams += 1 }
            next = time + frames
            for i in 0..<frames { peak = max(peak, abs(samples[i])) }
        }) {}
        #expect(seams == 0 && peak > 0.01, "\(seams), \(peak)")
    }

    @Test func aCardWithAClockOfItsOwnIsCapturedInStep() throws {
        var request = Self.request(RealKernel.loopbackPlayback)
        (request.capture, request.captureDevice, request.followsCapture) = (true, RealKernel.loopbackCapture, true)
        // As slow as cards go: in a build for debugging a sinc takes its time.
        (request.sampleRate, request.periodFrames) = (8_000, 256)
        // A block may be short, and takes the room of a long one.
        let input = CaptureQueue(channels: 2, frames: 960_000)
        // A busy machine starves the emulated one; an undisturbed run is what is asked about.
        for attempt in 1...5 {
            let unit = try RemoteIOUnit(renderer: Self.tone(sampleRate: 8_000), request: request, input: input)
            try unit.start()
            #expect(RemoteIOUnitTests.eventually(30) { unit.status.capturedFrames > 40_000 })
            unit.stop()
            let status = unit.status
            print("measured \(status.captureDrift) ppm, \(status.captureSlips) slips, \(status.counts.xruns) xruns")
            if status.counts.xruns == 0, status.captureXruns == 0, status.captureSlips == 0 {
                #expect(abs(status.captureDrift) < 100)
                break
            }
            try #require(attempt < 5, "\(status)")
            while input.drain({ _, _, _ in }) {}
        }
        var next: SampleTime?, seams = 0, peak: Float = 0
        while input.drain({ time, samples, frames in
            if let next, next != time { seams += 1 }
            next = time + frames
            for i in 0..<frames { peak = max(peak, abs(samples[i])) }
        }) {}
        #expect(seams == 0 && input.droppedFrames == 0)
        #expect(peak > 0.01)
    }

    @Test(.enabled(if: RealKernel.isDisposable))
    func aDeviceThatVanishesAndReturnsIsPlayingAgainWithinASecondAndTimeHasGoneOn() throws {
        let renderer = try Self.tone()
        let unit = try RemoteIOUnit(renderer: renderer, request: Self.request(RealKernel.loopbackPlayback))
        try unit.start()
        #expect(RemoteIOUnitTests.eventually { unit.status.slices > 100 })
        let open = Self.openDescriptors()
        // A busy machine starves the emulated one: rounds without an xrun count.
        var errors: [Int] = [], rounds = 0
        while errors.count < 5, rounds < 10 {
            rounds += 1
            let round = rounds, xruns = unit.counters.xruns
            let before = try #require(unit.deviceTime)
            Self.bind("unbind")
            #expect(RemoteIOUnitTests.eventually { unit.state == .lost || unit.state == .opening })
            usleep(700_000)
            #expect(unit.counters.losses == round)
            let slices = unit.status.slices
            usleep(200_000)
            #expect(unit.status.slices > slices + 2)
            Self.bind("bind")
            let returned = rt_monotonic_nanoseconds()
            #expect(RemoteIOUnitTests.eventually { unit.state == .running })
            let delay = Double(rt_monotonic_nanoseconds() - returned) / 1e6
            #expect(delay < 1000)
            usleep(300_000)
            let now = rt_monotonic_nanoseconds()
            let after = try #require(unit.deviceTime)
            // Where the song would have been, had nothing happened.
            let expected = before.sampleTime(atNanoseconds: now), actual = after.sampleTime(atNanoseconds: now)
            print("round \(round): back after \(delay) ms, \(actual - expected) frames from where it would have been")
            if unit.counters.xruns == xruns { errors.append(abs(actual - expected)) }
        }
        #expect(Self.openDescriptors() == open)
        unit.stop()
        try #require(!errors.isEmpty)
        #expect(errors.sorted()[errors.count / 2] <= 512)
        print("\(unit.counters)")
        #expect(unit.counters.returns == rounds && unit.counters.unexpected == 0)
    }

    @Test(.enabled(if: RealKernel.isDisposable)) func theListOfDevicesIsFollowedDownAndUpAgain() throws {
        var request = Self.request(RealKernel.loopbackPlayback)
        request.devices = [RealKernel.loopbackPlayback, RealKernel.dummy]
        let unit = try RemoteIOUnit(renderer: Self.tone(), request: request)
        try unit.start()
        #expect(RemoteIOUnitTests.eventually { unit.status.slices > 50 && unit.status.device == 0 })
        Self.bind("unbind")
        #expect(RemoteIOUnitTests.eventually { unit.state == .running && unit.status.device == 1 })
        #expect(unit.grant.device == RealKernel.dummy)
        Self.bind("bind")
        #expect(RemoteIOUnitTests.eventually { unit.state == .running && unit.status.device == 0 })
        #expect(unit.grant.device == RealKernel.loopbackPlayback)
        print("\(unit.counters)")
        #expect(unit.counters.switches == 1 && unit.counters.losses == 1 && unit.counters.unexpected == 0)
        unit.stop()
    }

    @Test(.enabled(if: RealKernel.isDisposable)) func aDeviceThatAnotherProgramHoldsIsNamed() throws {
        let holder = try RemoteIOUnit(renderer: Renderer(), request: Self.request(RealKernel.dummy))
        let error = #expect(throws: DeviceError.self) {
            _ = try RemoteIOUnit(renderer: Renderer(), request: Self.request("hw:Dummy,0,0"))
        }
        print(error.map(\.description) ?? "")
        if case .busy(_, let owner) = error { #expect(owner != nil) } else { Issue.record("\(String(describing: error))") }
        holder.stop()
    }

    @Test func aDeviceThatHasNotTheRateIsConvertedFor() throws {
        let renderer = try Self.tone(sampleRate: 96000)
        var request = Self.request(RealKernel.dummy)
        request.sampleRate = 96000
        let unit = try RemoteIOUnit(renderer: renderer, request: request)
        #expect(unit.grant.sampleRate == 48000 && unit.grant.hasRateConversion && unit.grant.format == .int16)
        try unit.start()
        #expect(RemoteIOUnitTests.eventually { unit.status.slices > 200 })
        let first = (renderer.sampleTime, rt_monotonic_nanoseconds())
        usleep(1_000_000)
        let second = (renderer.sampleTime, rt_monotonic_nanoseconds())
        let rate = Double(second.0 - first.0) / Double(second.1 - first.1) * 1e9
        print("\(unit.grant): \(rate) frames per second, \(unit.counters)")
        #expect(abs(rate / 96000 - 1) < 0.1)
        #expect(unit.state == .running && unit.counters.unexpected == 0)
        unit.stop()
    }

    /// Plug-ins that convert and mix stand between: `default` may be one of them.
    @Test(arguments: ["default", "plughw:Loopback,0,1", "plug:dmix:Dummy"])
    func pluginsOfALSAPlayToo(_ device: String) throws {
        let unit = try RemoteIOUnit(renderer: Self.tone(), request: Self.request(device, period: 1024))
        try unit.start()
        #expect(RemoteIOUnitTests.eventually { unit.status.slices > 80 })
        print("\(unit.grant): \(unit.status)")
        #expect(unit.state == .running && unit.counters.losses == 0 && unit.counters.unexpected == 0)
        unit.stop()
    }

    @Test func theListOfDevicesSaysWhatEachCanDo() throws {
        let devices = PCMDirectory.devices()
        let loopback = try #require(devices.first { $0.name == "hw:Loopback,0" && !$0.isCapture })
        let able = try #require(loopback.capabilities)
        #expect(able.commonRates.contains(48000) && able.formats.contains(.int16) && able.channels.contains(2))
    }

    /// How many descriptors this process has.
    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Takes the loopback card away from its driver, or gives it back.
    private static func bind(_ action: String) {
        let file = open("/sys/bus/platform/drivers/snd_aloop/\(action)", O_WRONLY)
        #expect(file >= 0)
        let name = Array("snd_aloop.0".utf8)
        #expect(write(file, name, name.count) == name.count, "\(errno)")
        close(file)
    }
}
