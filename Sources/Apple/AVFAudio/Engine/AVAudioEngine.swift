internal import Reports

/// A place that a node's output can be connected to.
open class AVAudioConnectionPoint: NSObject {
    public private(set) weak var node: AVAudioNode?
    public let bus: AVAudioNodeBus

    public init(node: AVAudioNode, bus: AVAudioNodeBus) { (self.node, self.bus) = (node, bus) }
}

extension Notification.Name {
    /// Another device plays, or at another rate.
    public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChangeNotification")
}

/// A graph of nodes that plays on a device, or is rendered by the program.
///
/// It stands on the engine's own graph: connections change while it sounds, without a click. Where it plays is the choice of
/// `CARILLON_OUTPUT`: a device, `null`, or a file, which takes real time.
open class AVAudioEngine: NSObject {
    /// The nodes that are attached, in their order, and their connections.
    private(set) var nodes: [AVAudioNode] = []
    private(set) var links: [NodeLink] = []
    var host: EngineHost?
    /// What the host has followed last, and whether that is another by now.
    private var followed: (nodes: [AVAudioNode], links: [NodeLink])?
    private var isStale = false
    private var hasStarted = false
    private var deviceName: String?
    private let run = DeviceRun()
    var manual: ManualRendering?
    /// The sequencer that plays its instruments.
    weak var music: EngineMusic?
    /// Whether the engine stops when nothing plays; stored, since an idle graph costs nothing here.
    open var isAutoShutdownEnabled = false

    private lazy var output: AVAudioOutputNode = addIO(AVAudioOutputNode())
    private lazy var input: AVAudioInputNode = addIO(AVAudioInputNode())
    private lazy var mainMixer: AVAudioMixerNode = {
        let mixer = addIO(AVAudioMixerNode())
        if !links.contains(where: { $0.isTo(output) }) {
            change {
                links.append(NodeLink(source: mixer, sourceBus: 0, destination: output, destinationBus: 0, format: nil))
            }
        }
        return mixer
    }()

    deinit {
        if let engine = host?.engine { run.end(engine) }
        for node in nodes {
            node.willLeave()
            node.didLeave()
        }
    }

    private func addIO<Node: AVAudioNode>(_ node: Node) -> Node {
        node.owner = self
        nodes.append(node)
        return node
    }

    /// Frames per second of the engine: the manual rendering format's, or what the session prefers.
    var sampleRate: Double { manual?.format.sampleRate ?? SessionState.sampleRate }

    /// The format of what has no format of its own.
    var defaultFormat: AVAudioFormat { .standard(sampleRate, 2) }

    // MARK: - Nodes

    /// The node that plays.
    open var outputNode: AVAudioOutputNode { Control.run { output } }
    /// The node that captures. Silent without a device that does.
    open var inputNode: AVAudioInputNode { Control.run { input } }
    /// The mixer that is connected to the output when it is first asked for.
    open var mainMixerNode: AVAudioMixerNode { Control.run { mainMixer } }

    open var attachedNodes: Set<AVAudioNode> { Control.run { Set(nodes) } }

    /// Takes a node in. A node belongs to one engine.
    open func attach(_ node: AVAudioNode) {
        Control.run {
            if node.owner === self { return }
            if node.owner != nil { return Refusal.write("attach: the node belongs to another engine; detach it there first") }
            node.owner = self
            change { nodes.append(node) }
        }
    }

    /// Lets a node go, with its connections and taps.
    open func detach(_ node: AVAudioNode) {
        Control.run {
            guard isAttached(node, "detach") else { return }
            node.willLeave()
            change {
                links.removeAll { $0.source === node || $0.destination === node }
                nodes.removeAll { $0 === node }
            }
            node.owner = nil
        }
    }

    private func isAttached(_ node: AVAudioNode, _ call: String) -> Bool {
        if node.owner === self { return true }
        Refusal.write("\(call): a node is not attached to this engine; attach it first")
        return false
    }

    // MARK: - Connections

    /// Connects the first buses that are free; a mixer takes the next one. A format of nil is the source's.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        Control.run {
            let bus = (node2 as? any SourceMixing)?.freeInput ?? 0
            connect(
                node1, to: node2, fromBus: 0, toBus: links.first { $0.isFrom(node1, 0) && $0.isTo(node2) }?.destinationBus ?? bus,
                format: format)
        }
    }

    /// Connects an output bus to an input bus, in place of what each of them was connected to.
    open func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        connect(node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
    }

    /// Connects an output bus to several input buses, in place of what each of them was connected to.
    open func connect(
        _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        Control.run {
            guard isAttached(sourceNode, "connect"), isSound(format) else { return }
            guard (0..<sourceNode.numberOfOutputs).contains(sourceBus) else {
                return Refusal.write("connect: the node has no output bus \(sourceBus)")
            }
            let format = format ?? sourceNode.ownFormat
            var next = links.filter { !$0.isFrom(sourceNode, sourceBus) }
            for point in destNodes {
                guard let node = point.node, isAttached(node, "connect") else { return }
                guard (0..<node.numberOfInputs).contains(point.bus) else {
                    return Refusal.write("connect: the node has no input bus \(point.bus)")
                }
                if node === sourceNode || node.leads(to: sourceNode, next) {
                    return Refusal.write("connect: the nodes would feed each other")
                }
                next.removeAll { $0.isTo(node, point.bus) }
                next.append(
                    NodeLink(
                        source: sourceNode, sourceBus: sourceBus, destination: node, destinationBus: point.bus, format: format))
            }
            change { links = next }
        }
    }

    private func isSound(_ format: AVAudioFormat?) -> Bool {
        guard let format else { return true }
        if format.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM || format.channelCount > 2 {
            Refusal.write("connect: \(format) cannot be a bus's format; linear PCM of one or two channels can")
            return false
        }
        return true
    }

    /// Takes away what leads to an input bus.
    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) { disconnect(node) { $0.isTo(node, bus) } }

    /// Takes away all that leads to a node.
    open func disconnectNodeInput(_ node: AVAudioNode) { disconnect(node) { $0.isTo(node) } }

    /// Takes away what an output bus leads to.
    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) { disconnect(node) { $0.isFrom(node, bus) } }

    /// Takes away all that a node leads to.
    open func disconnectNodeOutput(_ node: AVAudioNode) { disconnect(node) { $0.isFrom(node) } }

    private func disconnect(_ node: AVAudioNode, _ isMeant: (NodeLink) -> Bool) {
        Control.run { if isAttached(node, "disconnectNode") { change { links.removeAll(where: isMeant) } } }
    }

    /// What leads to an input bus; nil for nothing.
    open func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        Control.run {
            links.first { $0.isTo(node, bus) }.map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) }
        }
    }

    /// What an output bus leads to.
    open func outputConnectionPoints(for node: AVAudioNode, outputBus bus: AVAudioNodeBus) -> [AVAudioConnectionPoint] {
        Control.run {
            links.filter { $0.isFrom(node, bus) }.map { AVAudioConnectionPoint(node: $0.destination, bus: $0.destinationBus) }
        }
    }

    /// Changes nodes and links; on an engine that runs, what sounds too.
    private func change(_ edit: () -> Void) {
        edit()
        isStale = true
        follow()
    }

    /// Makes what sounds follow nodes and links. What cannot be is taken back; if too many changes wait to be rendered, it
    /// follows later.
    func follow() {
        guard isStale, hasStarted, let host else { return }
        do {
            try follow(host)
        } catch  where error.kind == .tooManyEdits {
            return
        } catch {
            if let followed { (nodes, links) = followed }
            isStale = false
            Refusal.write("\(error)")
        }
    }

    private func follow(_ host: EngineHost) throws(Fault) {
        host.isFollowing = true
        defer { host.isFollowing = false }
        try host.follow(nodes, links)
        if let music, music.engine === host.engine { try music.route() }
        (followed, isStale) = ((nodes, links), false)
        for node in nodes { node.didConnect() }
    }

    /// Makes the units of nodes anew whose needs have changed, after a setting.
    func refresh() { change {} }

    // MARK: - Running

    /// True between `start` and `stop` or `pause`.
    open var isRunning: Bool { Control.run { hasStarted } }

    /// Makes what `start` would have to make.
    open func prepare() {
        Control.run {
            do { _ = try prepared() } catch { Refusal.write("prepare: \(error)") }
        }
    }

    @discardableResult
    private func prepared() throws(Fault) -> EngineHost {
        if let host {
            try follow(host)
            return host
        }
        let host = try EngineHost(sampleRate: sampleRate, maximumFrames: manual.map { Int($0.maximumFrames) } ?? 4_096)
        self.host = host
        do { try follow(host) } catch {
            self.host = nil
            throw error
        }
        return host
    }

    /// Plays. Throws an error with Apple's code, whose text has the remedy: no device, for one.
    open func start() throws {
        try Control.run {
            if hasStarted { return }
            do {
                let host = try prepared()
                if manual == nil { try play(host) }
                try manual?.begin(host)
                hasStarted = true
            } catch {
                throw NSError(
                    domain: avfaudioDomain, code: -10_875,
                    userInfo: [NSLocalizedDescriptionKey: "\(error) (\(DeviceRun.remedy))"])
            }
        }
    }

    private func play(_ host: EngineHost) throws(Fault) {
        let engine = Carried(Weak(self))
        let device = AudioDevices.name(of: output.auAudioUnit.deviceID, capturing: false) ?? "default"
        try run.start(host.engine, host.output, on: device, slice: SessionState.sliceFrames) { engine.value.object?.maintain() }
        deviceName = host.engine.grant.map { "\($0)" }
        SessionState.engine = self
    }

    /// Looks after the engine, and for another device.
    private func maintain() {
        let hasChanged = Control.run {
            guard let engine = host?.engine else { return false }
            follow()
            do { try engine.maintain() } catch { Refusal.write("\(error)") }
            guard manual == nil, let grant = engine.grant.map({ "\($0)" }), let old = deviceName, grant != old else {
                return false
            }
            deviceName = grant
            return true
        }
        if hasChanged { NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self) }
        let isLost = Control.run { host?.engine.deviceStatus?.phase == .lost }
        SessionState.follow(self, isLost: isLost, hasChanged: hasChanged)
    }

    /// Stops, and goes on with `start` where it was.
    open func pause() { Control.run { if hasStarted { halt() } } }

    /// Stops, and releases the device; players stop too.
    open func stop() {
        Control.run {
            for node in nodes { node.willStop() }
            halt()
            if let engine = host?.engine { run.end(engine) }
        }
    }

    private func halt() {
        hasStarted = false
        manual?.end()
        if let engine = host?.engine { run.stop(engine) }
    }

    /// Resets the nodes: what echoes is gone, and nothing is scheduled.
    open func reset() { Control.run { for node in nodes { node.reset() } } }

    /// Begins anew, at another rate or without a device.
    func restart(_ manual: ManualRendering?) {
        for node in nodes {
            node.willStop()
            node.didLeave()
        }
        halt()
        if let engine = host?.engine { run.end(engine) }
        (host, followed) = (nil, nil)
        self.manual = manual
    }
}

let avfaudioDomain = "com.apple.coreaudio.avfaudio"

/// A weak reference that a closure may hold.
struct Weak<Object: AnyObject> {
    weak var object: Object?
    init(_ object: Object) { self.object = object }
}

extension AVAudioFormat {
    /// Float32 in separate buffers, of one or two channels at a rate above 0.
    static func standard(_ rate: Double, _ channels: AVAudioChannelCount) -> AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) else {
            preconditionFailure("an engine's rate is above 0")
        }
        return format
    }
}
