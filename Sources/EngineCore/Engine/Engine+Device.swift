import DSP
import Graphs
import RealtimeCore
import RemoteIO
import UnitAPI
import Units

/// The engine and its device: one output pulls the renderer, at the engine's rate.
extension Engine {
    /// Runs on a device, in simulated time or offline, until `stop()`.
    ///
    /// The capture side is opened if the graph has a `DeviceInput`; one that is added later is silent until the next start. The
    /// same holds for a `VoiceProcessor` that listens to the device. The sound of a `DeviceOutput` is played on the device that
    /// it names.
    ///
    /// - Returns: the granted settings: if the device's rate is not the engine's, `hasRateConversion` is true.
    /// - Throws: `alreadyRunning`; `alreadyPulled` if another output has the renderer; `DeviceError` if the device is not
    ///   available, not at the rate that it must have, or its port has another engine; `ParameterError` for channels that
    ///   cannot be; `Fault` if the engine's rate is impossible. The engine is as it was.
    @discardableResult
    public func start(on choice: DeviceChoice = .device()) throws(Fault) -> DeviceGrant {
        if let output { throw .alreadyRunning(on: output.grant.device) }
        try graph.checkRate()
        var request = choice.request
        request.sampleRate = Int(sampleRate.rounded())
        request.eventMargin = request.sampleRate / 1000
        guard let port = choice.port else { return try startOffline(request) }
        guard [.idle, .stopped].contains(port.status.phase) else {
            throw Fault(
                DeviceError.busy(device: port.grant?.device ?? request.devices.first ?? "the device", owner: "another engine"))
        }
        if let layout = request.layout, request.deviceLayout == nil {
            // The requested layout is the device's; the rendered one is the graph's, as it is now.
            request.deviceLayout = layout
            request.layout = outputLayout
            request.channels = outputLayout.channels
        }
        let feeds: DeviceFeeds
        do { feeds = try DeviceFeeds(of: graph) } catch { throw Fault(error) }
        if let input = feeds.input { request.capture(for: input) }
        let grant: DeviceGrant, feeder: PeriodicThread?
        do {
            grant = try feeds.open(port, renderer, request)
            companionService.attend()
            feeder = port.hasOwnThread ? try companionService.makeThread { feeds.follow(port) } : nil
        } catch {
            port.stop()
            feeds.disconnect()
            throw Fault(error)
        }
        let output = EngineOutput(grant: grant, port: port, feeds: feeds, feeder: feeder)
        do {
            try port.start { [companionService] in
                feeds.follow(port)
                companionService.attend()
            }
        } catch { throw Fault(error) }
        self.output = output
        midi.follow(port)
        otherDevices.begin(beside: port, grant, sampleRate: sampleRate, graph)
        return grant
    }

    private func startOffline(_ request: DeviceRequest) throws(Fault) -> DeviceGrant {
        let layout = request.deviceLayout ?? request.layout
        try Fault.check(request.channels, "channels", 1...64)
        let grant = DeviceGrant(
            request: request, device: "offline", sampleRate: request.sampleRate, periodFrames: request.periodFrames,
            bufferFrames: request.periodFrames * request.periods, format: .float32,
            channels: layout?.channels ?? request.channels, layout: layout)
        let offline =
            if let layout {
                try offlineOutput(layout: layout, threads: request.threads)
            } else {
                try offlineOutput(channels: request.channels, threads: request.threads)
            }
        output = EngineOutput(grant: grant, offline: offline)
        return grant
    }

    /// Releases the device; the graph stays as it is, and the engine may start again where it ended.
    ///
    /// - Throws: `notRunning`.
    public func stop() throws(Fault) {
        if output == nil { throw .notRunning }
        otherDevices.end()
        midi.follow(nil)
        output = nil
        renderer.collect()
    }

    /// True while something pulls: between `start(on:)` and `stop()`, also while a device that was lost is waited for.
    public var isRunning: Bool { output != nil }

    /// The settings that were granted, the last device's while none is open; nil where the engine does not run.
    public var grant: DeviceGrant? { output?.port?.grant ?? output?.grant }

    /// Frames from the moment that the device captures a sound to the moment that the same device can play it through the
    /// graph, without the delay of converters and cables; 0 if the graph had no `DeviceInput` when the engine started. It
    /// changes when another device of the list plays.
    public var inputLatency: Int { output?.feeds?.input?.latency ?? 0 }

    /// The state of the device and its events; nil offline and while the engine does not run.
    public var deviceStatus: DeviceStatus? { output?.port?.status }

    /// The soonest sample time that an event sent now reaches with certainty: the next slice, and on a device one slice and a
    /// margin more, since that may be rendered already when the event arrives.
    public var now: SampleTime { renderer.sampleTime + (output?.port?.margin ?? 0) }

    /// Returns the sample time at `duration` after `now`, rounded to a frame; 2^53 frames at most.
    public func time(after duration: Duration) -> SampleTime { now + frames(duration) }

    /// Returns `duration` in frames of this engine, rounded, and within 2^53 of 0.
    public func frames(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(nearest: Double(seconds) * sampleRate + Double(attoseconds) * 1e-18 * sampleRate)
    }

    /// Renders the next `frames` frames, 0...`maximumFrames`, and shows them: valid until the next pull.
    ///
    /// Companions are served before, so that a file player never runs dry here.
    ///
    /// - Throws: `notRunning`, `notOffline`; `ParameterError` for any other number of frames.
    @discardableResult
    public func pull(_ frames: Int) throws(Fault) -> AudioBuffer {
        guard let output else { throw .notRunning }
        guard let offline = output.offline else { throw .notOffline(on: output.grant.device) }
        try Fault.check(frames, "frames", 0...maximumFrames)
        pull(frames, from: offline)
        return offline.buffer
    }

    /// Renders the next `frames` frames of an output that is known to be offline.
    func pull(_ frames: Int, from offline: OfflineOutput) {
        companionService.attend()
        playback?.advance()
        offline.pull(frames)
    }

    /// Renders the next `frames` frames, channel by channel. - Throws: `notRunning`, `notOffline`; `ParameterError` for less
    /// than 0.
    public func render(frames: Int) throws(Fault) -> [[Float]] {
        try Fault.check(frames, "frames", 0...Int.max)
        var sound = Array(repeating: [Float](), count: output?.grant.channels ?? 0)
        var left = frames
        repeat {
            let count = min(left, maximumFrames)
            let buffer = try pull(count)
            for channel in sound.indices { sound[channel] += buffer[channel: channel][..<count] }
            left -= count
        } while left > 0
        return sound
    }

    /// Renders so much sound, rounded to a frame, as `render(frames:)` does.
    public func render(for duration: Duration) throws(Fault) -> [[Float]] { try render(frames: frames(duration)) }

    /// An output for the loudspeakers of `layout`, nil for those of the graph as it is now: if these differ, the sound is
    /// folded (`SpeakerFold`). The rest as `offlineOutput(channels:threads:frames:)`.
    public func offlineOutput(layout: SpeakerLayout?, threads: Int = 1, frames: Int? = nil) throws(Fault) -> OfflineOutput {
        try graph.checkRate()
        if let frames { try Fault.check(frames, "frames", 1...Graph.longestSlice) }
        let source = outputLayout, helpers = try RenderThreads.helpers(of: threads)
        do {
            return try OfflineOutput(
                renderer: renderer, from: source, to: layout ?? source.heard, maximumFrames: frames ?? maximumFrames,
                threads: helpers)
        } catch { throw .alreadyPulled }
    }

    /// An output of this engine for a program that pulls it by itself. - Throws: `alreadyPulled`, `DeviceError` if no thread
    /// can be started, `ParameterError` for a number that cannot be.
    ///
    /// - Parameters:
    ///   - channels: 1...1024.
    ///   - threads: the number that render at the same time, including the one that pulls, at most `RenderThreads.limit`. It
    ///     changes no sample.
    ///   - frames: the most frames of a pull, 1...`Graph.longestSlice`; nil: those of a slice. Several threads get more done if
    ///   a pull has many slices.
    public func offlineOutput(channels: Int = 2, threads: Int = 1, frames: Int? = nil) throws(Fault) -> OfflineOutput {
        try graph.checkRate()
        try Fault.check(channels, "channels", 1...1024)
        if let frames { try Fault.check(frames, "frames", 1...Graph.longestSlice) }
        let helpers = try RenderThreads.helpers(of: threads)
        do {
            return try OfflineOutput(
                renderer: renderer, channels: channels, maximumFrames: frames ?? maximumFrames, threads: helpers)
        } catch { throw .alreadyPulled }
    }
}

extension DeviceRequest {
    /// Opens the capture side, for a unit that hears it: with as many channels as it has where it is not stereo.
    package mutating func capture(for input: InputFeed) {
        capture = true
        if input.channels != 2 { captureChannels = input.channels }
    }
}

extension RenderThreads {
    /// The threads that help the one that pulls; nil for none.
    fileprivate static func helpers(of threads: Int) throws(Fault) -> RenderThreads? {
        if threads <= 1 { return nil }
        do { return try RenderThreads(min(threads, limit) - 1) } catch { throw Fault(error) }
    }
}

extension Fault {
    /// A device's refusal in terms of the engine's start.
    init(_ error: DeviceError) { self = error == .alreadyPulled ? .alreadyPulled : Fault(error, as: nil) }

    /// The graph has too many units that would hear the device.
    init(_ excess: DeviceFeeds.Excess) {
        switch excess {
        case .inputs(let count): self = .severalInputs(count: count)
        case .voiceProcessors(let count): self = .severalVoiceProcessors(count: count)
        }
    }
}
