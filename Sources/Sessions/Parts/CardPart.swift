import ALSA
import EngineCore
import Graphs
import RealtimeCore
import RemoteIO

/// The device that a session plays on, with its events and its volume.
final class CardPart: SessionPart {
    let core: SessionCore
    private let songs: SongsPart?
    /// The parts of the graph that hear the device.
    let feeds: DeviceFeeds
    private var audioSession = AudioSession(), listening = CaptureWatch()
    /// Serves the units while the device plays in its own time.
    private var feeder: PeriodicThread?
    private(set) var worstLoad = WorstOfLate()
    /// Called when the device is lost, comes back, or another one plays.
    var onEvent: (AudioSessionEvent) -> Void = { _ in }

    init(_ core: SessionCore, _ feeds: DeviceFeeds, _ songs: SongsPart?) {
        (self.core, self.feeds, self.songs) = (core, feeds, songs)
    }

    /// Starts the device, and the others that units of the graph name.
    func start() throws(Fault) {
        let engine = core.engine
        if core.options.measuresUnits { for node in engine.graph.nodes { node.instance.measureTime() } }
        do {
            if core.port.hasOwnThread { feeder = try engine.companionService.makeThread() }
            try core.port.start(willPull: {})
        } catch { throw .unavailable(device: error, sequencer: nil) }
        engine.otherDevices.begin(beside: core.port, core.port.grant, sampleRate: engine.sampleRate, engine.graph)
    }

    /// Follows the device, and applies the policy for songs while the device is gone.
    func turn() throws(Fault) {
        feeds.follow(core.port)
        listen()
        let status = core.port.status
        worstLoad.take(status.load, at: Double(core.now.rawValue) / Double(core.options.sampleRate))
        for event in audioSession.events(status, core.port.grant) {
            onEvent(event)
            switch event {
            case .interruptionBegan:
                if let word = try songs?.interrupt(by: core.options.device.onLoss) { core.tell(["\(event): \(word)"]) }
            case .interruptionEnded: try songs?.resume(by: core.options.device.onLoss)
            case .routeChanged: break
            }
        }
    }

    func stop() {
        core.engine.otherDevices.end()
        core.port.stop()
        feeder?.stop()
    }

    /// Reports, once, that a device that is to capture delivers nothing, and why; and that it delivers again.
    private func listen() {
        let port = core.port, status = port.status, news = listening.look(status, sampleRate: core.options.sampleRate)
        // The loss of a device is reported already.
        guard let grant = port.grant, grant.captureChannels > 0, status.phase == .running else { return }
        switch news {
        case .deaf?: core.tell(["\(grant.device): \(CaptureWatch.reason(.running, port.captureError))"])
        case .hears?: core.tell(["\(grant.device): is heard now"])
        case nil: break
        }
    }

    var device: SessionSnapshot.Device {
        let options = core.options, port = core.port, status = port.status
        var device = SessionSnapshot.Device()
        device.wanted = options.device.names
        device.state = "\(status.phase)"
        device.wantedRate = options.sampleRate
        device.wantedPeriod = options.device.period
        device.wantedPeriods = options.device.periods
        device.thread = port.threadPriority?.description
        device.fault = port.lastError?.description
        // The list allows the null device, so the session does not count as waiting for another: it is silent by choice.
        if status.phase == .lost, options.device.names.contains("null") {
            (device.name, device.state) = ("null", "\(DeviceState.Phase.null)")
        }
        guard status.phase != .lost, status.phase != .opening, let grant = port.grant else { return device }
        device.name = grant.device
        device.rate = grant.sampleRate
        device.period = grant.periodFrames
        device.periods = grant.periods
        device.format = grant.isNull ? nil : "\(grant.format)"
        device.channels = grant.channels
        if let time = status.time {
            // The event's own latency ends when its frame leaves the buffer; the limiter's comes on top.
            let frames = options.device.isImmediate ? grant.bufferFrames : Int(time.latency)
            device.latencyMilliseconds = Double(frames + core.graph.latency) / Double(options.sampleRate) * 1000
        }
        return device
    }

    /// The volume of the card, after the whole signal chain; it applies to every program.
    var volume: CardVolume {
        get throws(Fault) {
            return try CardVolume(mixer)
        }
    }

    func turn(_ change: HardwareVolumeChange) throws(Fault) {
        let volume = try mixer
        switch change {
        case .decibels(let decibels): try volume.set(decibels: decibels)
        case .percent(let percent): try volume.set(share: percent / 100)
        case .mute(let isMuted): try volume.set(isMuted: isMuted)
        }
    }

    private var mixer: HardwareVolume {
        get throws(Fault) {
            guard let grant = core.port.grant, !grant.isNull else { throw .noDevice }
            return try SoundSystems.hardwareVolume(of: grant.device)
        }
    }
}

extension Session {
    /// Called when the device is lost, comes back, or another one plays. Session's thread.
    public var onAudioSession: (AudioSessionEvent) -> Void {
        get { self[CardPart.self]?.onEvent ?? { _ in } }
        set { self[CardPart.self]?.onEvent = newValue }
    }

    /// Histograms of its timing and, with `LiveOptions.measuresUnits`, of the time of each unit that had anything to do, as
    /// text. Once it is finished.
    public var timingReport: String {
        let units = engine.graph.nodes.compactMap { node in
            // The first slice asks all; those that nothing came to slept from then on.
            node.instance.renderTime.flatMap { time in
                time.summary.count > 1 ? TimingReport.line("unit \(node.name), us", nanoseconds: time) : nil
            }
        }
        let device = core.port.report.map { [$0.text(xruns: core.port.status.counts)] } ?? []
        return (device + units).joined(separator: "\n")
    }
}
