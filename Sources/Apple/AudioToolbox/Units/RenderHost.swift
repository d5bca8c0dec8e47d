internal import EngineCore
internal import Graphs
internal import MIDI
internal import RealtimeCore
internal import RemoteIO
import Synchronization
internal import UnitAPI
internal import Units

/// The plan of an output unit, or of a unit that the program renders by itself: an engine whose graph is that unit with all that
/// leads to it.
final class RenderHost: @unchecked Sendable {
    private struct SourcePlace: Hashable {
        let unit: ObjectIdentifier
        let bus: Int
    }

    private struct Content {
        var units: [ObjectIdentifier: (unit: UnitObject, node: NodeID)] = [:]
        var sources: [SourcePlace: (source: SourceUnit, node: NodeID)] = [:]
        var captured: NodeID?
    }

    let engine: Engine
    unowned let root: UnitObject
    /// The layout in which a callback gets captured frames.
    let capture: SliceMemory?
    /// The layout in which its end is rendered for the program.
    private let result: SliceMemory
    private var content = Content()
    /// Where another module edits the graph: called with the node of a unit that was made anew, and the new one.
    private let onReplacement: ((NodeID, NodeID) -> Void)?
    private var isAdopted: Bool { onReplacement != nil }
    let slices = RenderSlices()
    private var offline: OfflineOutput?
    let output = DeviceRun()
    private let errorCode = Atomic<Int32>(0)

    init(_ root: UnitObject) throws {
        self.root = root
        onReplacement = nil
        let main = root.kind.isOutput ? root.inputs[0].format : root.outputs[0].format
        guard main.mSampleRate >= 1_000, let layout = PCMLayout(root.outputs[0].format) else {
            throw Refusal(kAudioUnitErr_FormatNotSupported)
        }
        engine = Engine(sampleRate: main.mSampleRate, maximumFrames: root.maximumFrames)
        result = SliceMemory(layout, frames: root.maximumFrames)
        capture =
            root.kind.captures && root.device.captures
            ? PCMLayout(root.outputs[1].format).map { SliceMemory($0, frames: root.maximumFrames) } : nil
    }

    init(_ root: UnitObject, adopting engine: Engine, _ node: NodeID, _ onReplacement: @escaping (NodeID, NodeID) -> Void) {
        (self.root, self.engine, self.onReplacement, capture) = (root, engine, onReplacement, nil)
        result = SliceMemory(.planar(rate: engine.sampleRate, channels: 2), frames: 1)
        content.units[ObjectIdentifier(root)] = (root, node)
    }

    var isRunning: Bool { output.isRunning }

    /// The slice is over where a device pulls.
    func endOfDevice(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?) {
        if !slices.isPulled { slices.end(frames, list) }
    }

    /// The last error of a callback, once.
    var lastError: OSStatus {
        get { errorCode.exchange(0, ordering: .relaxed) }
        set { errorCode.store(newValue, ordering: .relaxed) }
    }

    func node(of unit: UnitObject) -> NodeID? { content.units[ObjectIdentifier(unit)]?.node }

    /// Makes the graph what the units say, in one edit; it may sound meanwhile.
    func sync() throws {
        if isAdopted {
            let node = content.units[ObjectIdentifier(root)]?.node
            guard let node, let found = engine.graph[node], found.isBypassed != root.effect.isBypassed else { return }
            return try engine.edit { graph in try graph.bypass(node, root.effect.isBypassed) }
        }
        var next = content
        let wanted = reachable()
        try engine.edit { graph in
            for (id, entry) in next.units where !wanted.contains(where: { ObjectIdentifier($0) == id }) {
                try graph.remove(entry.node)
                for player in entry.unit.scheduledFiles.detach() { try graph.remove(player) }
                next.units[id] = nil
            }
            for unit in wanted where next.units[ObjectIdentifier(unit)] == nil {
                if unit.own !== self { unit.closeOwn() }
                let node = try graph.add(UnitMaking.instance(of: unit, graph, host: self))
                next.units[ObjectIdentifier(unit)] = (unit, node)
            }
            for unit in wanted { try unit.scheduledFiles.attach(to: &graph) }
            if capture != nil, next.captured == nil {
                next.captured = try DeviceRun.addInput(to: &graph, channels: capturedChannels, at: engine.now)
            }
            try connect(&graph, &next, wanted)
            for unit in wanted where unit.kind.isEffect {
                guard let node = next.units[ObjectIdentifier(unit)]?.node, let found = graph[node] else { continue }
                if found.isBypassed != unit.effect.isBypassed { try graph.bypass(node, unit.effect.isBypassed) }
            }
            if let node = next.units[ObjectIdentifier(root)]?.node { try graph.setOutput(node) }
        }
        for (id, entry) in content.units where next.units[id] == nil { entry.unit.move(to: nil) }
        content = next
        for unit in wanted {
            let isNew = unit.host !== self
            unit.move(to: self, node: next.units[ObjectIdentifier(unit)]?.node)
            if isNew { unit.settle() }
        }
        tellNotifies()
        // A callback that renders this plan must not take the memory for it.
        if !root.kind.hasDevice, offline == nil { offline = makeOffline() }
    }

    func tellNotifies() { slices.publish(content.units.values.flatMap(\.unit.notifies)) }

    private func reachable() -> [UnitObject] {
        var found: [UnitObject] = [root], next = 0
        while next < found.count {
            for element in found[next].inputs {
                if case .unit(let unit, _) = element.source, !found.contains(where: { $0 === unit }) { found.append(unit) }
            }
            next += 1
        }
        return found
    }

    private var capturedChannels: Int { min(max(capture?.layout.channels ?? 0, 2), 8) }

    private func connect(_ graph: inout Graph, _ next: inout Content, _ units: [UnitObject]) throws {
        var edges: Set<[Bus]> = [], sources: Set<SourcePlace> = []
        func source(_ callback: AURenderCallbackStruct, _ place: SourcePlace, _ layout: PCMLayout?) throws -> NodeID {
            sources.insert(place)
            if let former = next.sources[place] {
                if former.source.callback.isSame(as: callback) { return former.node }
                try graph.remove(former.node)
            }
            let unit = try SourceUnit(
                callback, bus: UInt32(place.bus), layout, host: self,
                capturedChannels: capture == nil ? 0 : capturedChannels, rate: engine.sampleRate, frames: engine.maximumFrames)
            let node = try graph.add(
                unit.makeInstance(UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)))
            next.sources[place] = (unit, node)
            return node
        }
        for unit in units {
            guard let node = next.units[ObjectIdentifier(unit)]?.node else { continue }
            for player in unit.scheduledFiles.nodes { edges.insert([player[0], node[0]]) }
            // Element 1 of an output unit is its device.
            for (index, element) in unit.inputs.enumerated() where !(unit.kind.isOutput && index > 0) {
                switch element.source {
                case .none: break
                case .unit(let other, let bus):
                    if unit === root, other === root, bus == 1, let captured = next.captured {
                        edges.insert([captured[0], node[index]])
                    } else if let from = next.units[ObjectIdentifier(other)]?.node {
                        edges.insert([from[bus], node[index]])
                    }
                case .callback(let callback):
                    guard let layout = PCMLayout(element.format) else { throw Refusal(kAudioUnitErr_FormatNotSupported) }
                    let from = try source(callback, SourcePlace(unit: ObjectIdentifier(unit), bus: index), layout)
                    edges.insert([from[0], node[index]])
                }
            }
        }
        if let callback = root.device.inputCallback, capture != nil, let end = next.units[ObjectIdentifier(root)]?.node {
            let from = try source(callback, SourcePlace(unit: ObjectIdentifier(root), bus: 1), nil)
            // It is silent; what leads nowhere would not be rendered.
            edges.insert([from[0], end[0]])
        }
        for (place, former) in next.sources where !sources.contains(place) {
            try graph.remove(former.node)
            next.sources[place] = nil
        }
        if let captured = next.captured {
            for (_, former) in next.sources { edges.insert([captured[0], former.node[0]]) }
        }
        try follow(edges, &graph)
    }

    private func follow(_ edges: Set<[Bus]>, _ graph: inout Graph) throws {
        var missing = edges
        for edge in graph.connections {
            let ends = [edge.source[edge.sourceBus], edge.destination[edge.destinationBus]]
            if missing.remove(ends) == nil {
                try graph.disconnect(
                    edge.source, output: edge.sourceBus, from: edge.destination, input: edge.destinationBus)
            }
        }
        for ends in missing.sorted(by: { ($0[1].node, $0[1].index) < ($1[1].node, $1[1].index) }) {
            try graph.connect(ends[0], to: ends[1])
        }
    }

    /// Delivers an event so many frames after the start of the next slice; 0 with it.
    func send(_ event: UnitEvent, to unit: UnitObject, after frames: Int) -> OSStatus {
        guard let node = node(of: unit) else { return kAudioUnitErr_Uninitialized }
        let time = frames == 0 ? SampleTime.immediately : engine.now + frames
        return engine.renderer.send(RenderCommand(time: time, node: node, event: event))
            ? noErr : kAudioUnitErr_MIDIOutputBufferFull
    }

    func pull(_ frames: Int, _ stamp: AudioTimeStamp, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        if isAdopted || root.kind.hasDevice && isRunning { return kAudioUnitErr_CannotDoInCurrentContext }
        if frames > engine.maximumFrames { return kAudioUnitErr_TooManyFramesToProcess }
        let status = result.prepare(list, frames: frames)
        guard status == noErr else { return status }
        if offline == nil { offline = makeOffline() }
        guard let offline else { return kAudioUnitErr_CannotDoInCurrentContext }
        // A callback is served by the plan around it.
        if RenderContext.current == nil {
            do { try engine.maintain() } catch { return UnitFaults.status(of: error) }
        }
        slices.pulls(stamp, from: engine.renderer.sampleTime)
        offline.pull(frames)
        slices.end(frames, list)
        slices.isDone()
        for channel in 0..<result.layout.channels {
            if let samples = offline.buffer[channel: channel].baseAddress { result.encode(samples, channel, frames, into: list) }
        }
        return lastError
    }

    func giveCaptured(
        _ context: RenderContext, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        guard let capture, let planes = context.captured else { return kAudioUnitErr_NoConnection }
        if frames > context.frames { return kAudioUnitErr_TooManyFramesToProcess }
        let status = capture.prepare(list, frames: frames)
        guard status == noErr else { return status }
        for channel in 0..<capture.layout.channels {
            capture.encode(planes[min(channel, context.capturedChannels - 1)], channel, frames, into: list)
        }
        return noErr
    }

    /// Makes a unit anew, with other samples.
    func replace(_ unit: UnitObject) throws {
        guard let former = node(of: unit) else { return }
        var node = former
        try engine.edit { graph in
            node = try graph.add(UnitMaking.instance(of: unit, graph, host: self))
            try graph.replace(former, with: node)
        }
        content.units[ObjectIdentifier(unit)] = (unit, node)
        unit.move(to: self, node: node)
        onReplacement?(former, node)
    }

    /// A unit has gone: what listened to it is silent.
    func forget(_ unit: UnitObject) {
        for entry in content.units.values {
            for index in entry.unit.inputs.indices {
                if case .unit(let source, _) = entry.unit.inputs[index].source, source === unit {
                    entry.unit.inputs[index].source = .none
                }
            }
        }
        do { try sync() } catch { report("\(error)") }
    }

    func start() -> OSStatus {
        guard let node = node(of: root) else { return kAudioUnitErr_Uninitialized }
        // The device pulls from now on.
        while !root.claim() { usleep(100) }
        offline = nil
        root.unclaim()
        do {
            let settings = root.device, channels = PCMLayout(root.inputs[0].format)?.channels ?? 2
            guard let device = AudioDevices.name(of: settings.number, capturing: !settings.plays) else {
                return kAudioHardwareBadDeviceError
            }
            try output.start(engine, node, on: device, channels: channels, plays: settings.plays) { [weak self] in self?.serve() }
            return noErr
        } catch {
            report("\(error) (\(DeviceRun.remedy))")
            return kAudioHardwareBadDeviceError
        }
    }

    private func serve() {
        UnitCalls.locked {
            do { if isRunning { try engine.maintain() } } catch { report("\(error)") }
        }
    }

    private func makeOffline() -> OfflineOutput? {
        do { return try engine.offlineOutput(channels: result.layout.channels) } catch { return nil }
    }

    /// The way for music from this plan's own callbacks, beside the queue of all other threads.
    func sendLive(_ event: MusicEvent, to node: NodeID, after frames: Int) -> OSStatus {
        let time = frames == 0 ? SampleTime.immediately : engine.renderer.sampleTime + frames
        let command = RenderCommand(time: time, node: node, event: .music(event))
        return engine.renderer.sendLive(command) ? noErr : kAudioUnitErr_MIDIOutputBufferFull
    }

    func close() {
        if !isAdopted { output.end(engine) }
        offline = nil
        for entry in content.units.values { entry.unit.move(to: nil) }
        content = Content()
    }
}

extension AURenderCallbackStruct {
    func isSame(as other: AURenderCallbackStruct) -> Bool {
        unsafeBitCast(inputProc, to: UInt.self) == unsafeBitCast(other.inputProc, to: UInt.self)
            && inputProcRefCon == other.inputProcRefCon
    }
}
