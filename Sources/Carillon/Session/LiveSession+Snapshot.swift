import ALSA
import Graph
import RealtimeCore
import RemoteIO

extension LiveSession {
    /// What it shows of itself now.
    public var snapshot: SessionSnapshot {
        var snapshot = SessionSnapshot()
        let status = unit.status, counters = engine.renderer.counters
        snapshot.sampleTime = engine.renderer.sampleTime
        snapshot.device = device(status)
        snapshot.load = status.load
        snapshot.worstLoad = worstLoad.value
        snapshot.sheddingLevel = status.sheddingLevel
        snapshot.xrunsRenderLate = status.counts.renderLate
        snapshot.xrunsWokeLate = status.counts.wokeLate
        snapshot.xrunsDriver = status.counts.driver
        snapshot.lateEvents = counters.lateEvents
        snapshot.lostEvents = counters.lostEvents + (sequencer?.counters.dropped ?? 0) + gaps.events
        snapshot.hasSequencer = sequencer != nil
        snapshot.sources = sources
        snapshot.notes = keys.notes
        snapshot.voices = voices
        snapshot.levels = levels
        snapshot.limiter = graph.limiterWork(in: engine)
        snapshot.gain = options.gain
        snapshot.seconds = Double(snapshot.sampleTime.rawValue) / Double(options.sampleRate)
        snapshot.channels = channels
        snapshot.captureFault = captureFault?.description
        snapshot.transport = player?.snapshot(at: snapshot.sampleTime, muted: muted, soloed: soloed)
        return snapshot
    }

    /// Histograms of how exact it was in time and, with `LiveOptions.measuresUnits`, what each unit took that had anything to
    /// do, as text. Once it is finished.
    public var timingReport: String {
        let units = engine.graph.nodes.compactMap { node in
            // The first slice asks all; those that nothing came to slept from then on.
            node.instance.renderTime.flatMap { time in
                time.summary.count > 1 ? TimingReport.line("unit \(node.name), us", nanoseconds: time) : nil
            }
        }
        return ([unit.report.text(xruns: unit.counters)] + units).joined(separator: "\n")
    }

    /// What a person may want to know and has not been told: sources that came and went, loops, lost events.
    public func takeNotices() -> [String] { sequencer?.takeNotices().map(\.description) ?? [] }

    private func device(_ status: DeviceStatus) -> SessionSnapshot.Device {
        var device = SessionSnapshot.Device()
        let grant = unit.grant
        device.wanted = options.devices
        device.state = "\(status.phase)"
        device.wantedRate = options.sampleRate
        device.wantedPeriod = options.period
        device.wantedPeriods = options.periods
        device.thread = unit.threadPriority?.description
        device.fault = unit.lastError?.description
        guard status.phase != .lost, status.phase != .opening else { return device }
        device.name = grant.device
        device.rate = grant.sampleRate
        device.period = grant.periodFrames
        device.periods = grant.periods
        device.format = grant.isNull ? nil : "\(grant.format)"
        device.channels = grant.channels
        if let time = status.time {
            // The event's own latency ends when its frame leaves the buffer; the limiter's comes on top.
            let frames = options.isImmediate ? grant.bufferFrames : Int(time.latency)
            device.latencyMilliseconds = Double(frames + graph.latency) / Double(options.sampleRate) * 1000
        }
        return device
    }

    private var sources: [SessionSnapshot.Source] {
        (sequencer?.sources ?? []).map { source in
            SessionSnapshot.Source(
                name: source.name, identity: source.identity.description, isConnected: source.isConnected,
                reason: source.reason.description, heldNotes: source.heldNotes.count, events: source.eventCount)
        }
    }

    /// Left and right of what leaves.
    var levels: [SessionSnapshot.Level] {
        graph.meter.map(sides(of:)) ?? []
    }

    private var channels: [SessionSnapshot.Channel] {
        // It has one strip for all.
        if options.instrument == .squareWave { return [] }
        return zip(graph.strips, graph.stripMeters).map { strip, meter in
            let sides = sides(of: meter)
            let level = SessionSnapshot.Level(
                peak: sides.map(\.peak).max() ?? -.infinity, average: sides.map(\.average).max() ?? -.infinity)
            return SessionSnapshot.Channel(number: strip.part + 1, level: level)
        }
    }

    /// Left and right of what a meter hears.
    private func sides(of meter: NodeID) -> [SessionSnapshot.Level] {
        guard let node = engine.graph.nodes.first(where: { $0.id == meter }) else { return [] }
        return ["left", "right"].map { side in
            SessionSnapshot.Level(
                peak: Double(node.instance.readout("peak-\(side)") ?? -.infinity),
                average: Double(node.instance.readout("average-\(side)") ?? -.infinity))
        }
    }
}
