internal import EngineCore
internal import Graphs
internal import RealtimeCore
internal import Reports
internal import UnitAPI

/// Gets the sound of a bus, with the time of its first frame, on a thread of the tap's own.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
/// Called when something that was asked of a node is done.
public typealias AVAudioNodeCompletionHandler = () -> Void

/// A node of an engine's graph.
open class AVAudioNode: NSObject {
    weak var owner: AVAudioEngine?
    var mixing = MixingState()
    private var taps: [AVAudioNodeBus: NodeTap] = [:]

    public override init() { super.init() }

    /// The engine that it is attached to.
    open var engine: AVAudioEngine? { owner }
    open var numberOfInputs: Int { 0 }
    open var numberOfOutputs: Int { 1 }

    /// Names of buses; nil, since buses have none here.
    open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }
    open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

    /// The format of what is connected to a bus; without a connection, the engine's.
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        Control.run { owner?.links.first { $0.isTo(self, bus) }?.format ?? ownFormat }
    }

    /// The format that an output was connected with; without a connection, the engine's.
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        Control.run { owner?.links.first { $0.isFrom(self, bus) }?.format ?? ownFormat }
    }

    /// The format of a node that no connection gives one.
    var ownFormat: AVAudioFormat { owner?.defaultFormat ?? .standard(SessionState.sampleRate, 2) }

    /// Seconds by which its output is later than its input, and until its output is heard.
    open var latency: TimeInterval {
        guard let (host, place) = place else { return 0 }
        return place.units.reduce(0) { $0 + Double(host.engine.graph[$1]?.instance.latency ?? 0) } / host.engine.sampleRate
    }
    open var outputPresentationLatency: TimeInterval { owner?.outputNode.presentationLatency ?? 0 }

    /// The time up to which the engine has rendered, at the rate of its output; nil while it does not run.
    open var lastRenderTime: AVAudioTime? {
        Control.run {
            guard let owner, owner.isRunning, let engine = owner.host?.engine else { return nil }
            let frame = engine.renderer.sampleTime
            let nanoseconds = engine.deviceStatus?.time.map { UInt64(max(0, $0.nanoseconds(at: frame))) }
            let rate = outputFormat(forBus: 0).sampleRate
            let sample = Int64((Double(frame.rawValue) * rate / engine.sampleRate).rounded())
            return AVAudioTime(hostTime: nanoseconds ?? mach_absolute_time(), sampleTime: sample, atRate: rate)
        }
    }

    /// Forgets what is scheduled and what echoes.
    open func reset() {}

    // MARK: - Taps

    /// Gives the sound of an output bus to a block, in buffers of that size; a bus has one tap. A format of nil is the bus's.
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        Control.run {
            if taps[bus] != nil { return Refusal.write("installTap: bus \(bus) has a tap; remove it first") }
            guard bus == 0, numberOfOutputs > 0 || self is AVAudioOutputNode else {
                return Refusal.write("installTap: the node has no output bus \(bus)")
            }
            let tap = NodeTap(bufferSize, format, tapBlock)
            taps[bus] = tap
            owner?.refresh()
            connectTaps()
        }
    }

    /// Ends a tap. Buffers that are on their way still come.
    open func removeTap(onBus bus: AVAudioNodeBus) {
        Control.run { taps.removeValue(forKey: bus)?.end() }
    }

    var hasTap: Bool { !taps.isEmpty }

    private func connectTaps() {
        guard let host = owner?.host, let outlet = host.outlet(of: self) else { return }
        for tap in taps.values {
            do { try tap.connect(host, outlet, busFormat: outputFormat(forBus: 0)) } catch {
                Refusal.write("installTap: \(error)")
            }
        }
    }

    // MARK: - Of the engine

    /// Its host and its units there; nil before the engine is prepared.
    var place: (EngineHost, EngineHost.Placed)? {
        guard let host = owner?.host, let place = host.place(of: self) else { return nil }
        return (host, place)
    }

    /// What its units are made for: others are made when it changes.
    func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] { [] }
    /// Adds its units, in the order of a chain.
    func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] { [] }
    /// Its units are new in the graph.
    func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) {}
    /// Connections have changed.
    func didConnect() {
        if owner?.host != nil { connectTaps() }
        applyMixing()
    }
    /// The engine stops.
    func willStop() {}
    /// It is about to be detached.
    func willLeave() {
        willStop()
        for tap in taps.values { tap.end() }
        taps = [:]
    }

    /// True if sound of this node reaches the other.
    func leads(to node: AVAudioNode, _ links: [NodeLink]) -> Bool {
        links.contains { $0.isFrom(self) && ($0.destination === node || $0.destination.leads(to: node, links)) }
    }

    /// Sets a parameter of one of its units, if they are there.
    func set<P: UnitParameter>(_ parameter: P, _ value: Float, element: Int = 0, unit: Int = 0) {
        Control.run {
            guard let (host, place) = place, place.units.indices.contains(unit) else { return }
            // Nothing takes commands while it does not run: its units begin with the value.
            guard owner?.isRunning ?? false || host.isFollowing else { return host.outdate(self) }
            do { try host.engine.set(parameter, value, element: element, of: place.units[unit]) } catch {
                Refusal.write("\(error)")
            }
        }
    }
}
