import ALSA
import Graph
import RealtimeCore
import RemoteIO
import SoundFonts

extension LiveSession {
    /// The session as it shows itself now.
    public var snapshot: SessionSnapshot {
        var snapshot = SessionSnapshot()
        let status = port.status, meters = meters, desk = desk, counters = engine.renderer.counters
        snapshot.sampleTime = engine.renderer.sampleTime
        snapshot.device = device(status)
        snapshot.deviceOutputs = engine.deviceOutputs
        snapshot.load = status.load
        snapshot.worstLoad = worstLoad.value
        snapshot.sheddingLevel = status.sheddingLevel
        snapshot.xrunsRenderLate = status.counts.renderLate
        snapshot.xrunsWokeLate = status.counts.wokeLate
        snapshot.xrunsDriver = status.counts.driver
        snapshot.lateEvents = counters.lateEvents
        snapshot.lostEvents = counters.lostEvents + counters.unheardEvents + (sequencer?.counters.dropped ?? 0) + unrecorded
        snapshot.hasSequencer = sequencer != nil
        snapshot.sources = sources
        snapshot.outputs = outputs.snapshot
        snapshot.notes = notesOfPatches
        snapshot.voices = meters.voices
        snapshot.levels = meters.levels
        snapshot.limiter = graph.limiterWork(in: engine)
        snapshot.gain = options.gain
        snapshot.seconds = Double(snapshot.sampleTime.rawValue) / Double(options.sampleRate)
        let strips = Set(graph.strips.map(\.part))
        snapshot.channels = meters.channels.compactMap { channel in
            var channel = channel
            channel.instrument = instrument(of: channel.number - 1)
            if channel.instrument == nil { channel.sound = sound(of: channel.number - 1) }
            let hasName = channel.instrument != nil || channel.sound != nil
            return hasName || strips.contains(channel.number - 1) ? channel : nil
        }
        snapshot.volume = desk.volume
        snapshot.keyTranspose = keyTranspose
        snapshot.metronome = metronome.snapshot
        snapshot.following = followingSnapshot
        if let controls = liveFilter.controls {
            (snapshot.scenes, snapshot.scene) = (controls.scenes, controls.scene)
            snapshot.learning = controls.learning?.description
        }
        snapshot.zones = liveFilter.zones?.shown ?? []
        snapshot.captureFault = captureFault?.description
        snapshot.transport = playlist?.snapshot(at: snapshot.sampleTime, muted: desk.muted, soloed: desk.soloed)
        snapshot.layers = playlist?.layers.states ?? []
        snapshot.patches = patches.map { $0.list.snapshot(ringing: $0.stage.formers.count) }
        (snapshot.parameterEdition, snapshot.songEdition) = (views.parameterEdition, views.songEdition)
        return snapshot
    }

    /// Returns the sound that a part asks for, of the patch that sounds.
    private func sound(of part: Int) -> SoundPreset? {
        let part = graph.parts(ofChannel: part)[0]
        return names.sound(sounds.request(part: graph.ports.engine(part: part) ?? part))
    }

    /// The keys that are down, on the channels of the patch that each of them plays.
    private var notesOfPatches: [SessionSnapshot.Note] {
        if patches == nil && graph.ownParts.isEmpty { return keys.notes }
        // Layers of one channel have one key.
        let notes = keys.notes.map { note in
            let part = patches?.stage.patchPart(note.channel - 1) ?? note.channel - 1
            return SessionSnapshot.Note(channel: graph.channel(ofPart: part) + 1, key: note.key)
        }
        return Set(notes).sorted { ($0.channel, $0.key) < ($1.channel, $1.key) }
    }

    /// Names what a part of a patch plays that is no SoundFont: the instrument that hears it, else the strip itself.
    private func instrument(of part: Int) -> String? {
        if options.patch == nil { return nil }
        let played = graph.parts(ofChannel: part)[0], place = graph.ports.engine(part: played) ?? played
        let heard = (0..<256).contains(place) ? engine.graph.routes[place] : []
        let players = engine.graph.nodes.filter { heard.contains($0.id) && $0.role == .instrument }
        if players.contains(where: { SoundFontSelection.isNamed($0.instance.descriptor.name) }) { return nil }
        return players.first?.name
            ?? graph.strips.first { $0.part == part }.flatMap { strip in
                engine.graph.nodes.first { $0.id == strip.node }?.name
            }
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
        let device = port.report.map { [$0.text(xruns: port.status.counts)] } ?? []
        return (device + units).joined(separator: "\n")
    }

    /// Takes out what a person may want to know and has not been told: sources that came and went, loops, lost events, songs
    /// that were left out, commands that were refused.
    public func takeNotices() -> [String] {
        defer { notices = [] }
        return notices + (sequencer?.takeNotices().map(\.description) ?? []) + (playlist?.takeNotices() ?? [])
    }

    private func device(_ status: DeviceStatus) -> SessionSnapshot.Device {
        var device = SessionSnapshot.Device()
        device.wanted = options.devices
        device.state = "\(status.phase)"
        device.wantedRate = options.sampleRate
        device.wantedPeriod = options.period
        device.wantedPeriods = options.periods
        device.thread = port.threadPriority?.description
        device.fault = port.lastError?.description
        // Nobody is to wait for anything else: nothing is heard, by wish.
        if status.phase == .lost, options.devices.contains("null") {
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
}
