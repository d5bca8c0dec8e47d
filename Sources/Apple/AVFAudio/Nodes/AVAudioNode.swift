internal import EngineCore
internal import Graphs
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
    private lazy var wrapped = AUAudioUnit.standing(for: unitDescription)

    /// The audio unit that makes its sound, or that stands for it and says what it is. Formats, resources and the device are
    /// the engine's business.
    open var auAudioUnit: AUAudioUnit { Control.run { wrapped } }

    /// What its audio unit is.
    var unitDescription: AudioComponentDescription { .init(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter) }
    /// The audio units whose sound its units in the engine make, one for each; none where these are of the engine's own kinds.
    var chain: [AUAudioUnit] { [] }

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
            return time(at: frame.rawValue, nanoseconds ?? mach_absolute_time(), engine)
        }
    }

    /// A frame of the engine at the rate of the output.
    func time(at frame: Int64, _ hostTime: UInt64?, _ engine: Engine) -> AVAudioTime {
        let rate = outputFormat(forBus: 0).sampleRate
        return AVAudioTime(hostTime, Int64((Double(frame) * rate / engine.sampleRate).rounded()), rate)
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
    open func removeTap(onBus bus: AVAudioNodeBus) { Control.run { taps.removeValue(forKey: bus)?.end() } }

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
    func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) {
        for (unit, node) in zip(chain, place.units) {
            UnitAccess.adopt(unit.unit, host.engine, node) { [weak self, weak host] former, new in
                if let self { host?.replace(former, with: new, of: self) }
            }
        }
    }
    /// Its units are in the graph no more.
    func didLeave() { for unit in chain { AudioUnitUninitialize(unit.unit) } }
    func didConnect() {
        if owner?.host != nil { connectTaps() }
        applyMixing()
    }
    func willStop() {}
    func willLeave() {
        willStop()
        for tap in taps.values { tap.end() }
        taps = [:]
    }

    /// True if sound of this node reaches the other.
    func leads(to node: AVAudioNode, _ links: [NodeLink]) -> Bool {
        links.contains { $0.isFrom(self) && ($0.destination === node || $0.destination.leads(to: node, links)) }
    }

    /// A parameter of its audio unit, whether it is in an engine or not.
    subscript(id: AudioUnitParameterID, scope: AudioUnitScope = kAudioUnitScope_Global, unit unit: Int = 0) -> Float {
        get {
            var value: Float = 0
            AudioUnitGetParameter(chain[unit].unit, id, scope, 0, &value)
            return value
        }
        set { change(unit) { AudioUnitSetParameter($0, id, scope, 0, newValue, 0) } }
    }

    /// Sets a parameter of the engine's unit that its audio unit has not.
    func adjust<P: UnitParameter>(_ parameter: P, _ value: Float, element: Int = 0, unit: Int = 0) {
        change(unit) { UnitAccess.adjust(parameter.spec.name, value, element: element, of: $0) }
    }

    private func change(_ unit: Int, _ set: (AudioComponentInstance) -> OSStatus) {
        Control.run {
            // Nothing takes commands while it does not run: its units begin with the value.
            if let host = owner?.host, host.place(of: self) != nil, owner?.isRunning == false, !host.isFollowing {
                didLeave()
                host.outdate(self)
            }
            Refusal.write(set(chain[unit].unit), "\(type(of: self))")
        }
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
