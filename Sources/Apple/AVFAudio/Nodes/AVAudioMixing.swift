internal import DSP
internal import Graphs
internal import Reports
internal import UnitAPI

/// How a node sounds in the mixer that it leads to.
struct MixingState {
    var volume: Float = 1
    var pan: Float = 0
    var position = AVAudio3DPoint()
    var obstruction: Float = 0, occlusion: Float = 0
    var algorithm = AVAudio3DMixingRenderingAlgorithm.equalPowerPanning
}

/// What a node has of its own at a mixer: where it stands between left and right.
public protocol AVAudioStereoMixing: AVAudioNode {
    /// -1 is left, 1 is right.
    var pan: Float { get set }
}

/// What a node has of its own at an environment node: where it is, and what is between it and the listener.
public protocol AVAudio3DMixing: AVAudioNode {
    /// Metres: to the right, up, and back.
    var position: AVAudio3DPoint { get set }
    /// Decibels, -100...0: what an obstacle takes from the direct sound, mainly from its highs.
    var obstruction: Float { get set }
    /// Decibels, -100...0: what a wall takes, also from the lows.
    var occlusion: Float { get set }
    /// How it is placed. All sources of an environment are placed for headphones where one asks for it.
    var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
}

/// A node whose level and place a mixer further on keeps.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
    /// 0...1; more is louder, up to 12 dB.
    var volume: Float { get set }
}

extension AVAudioMixing {
    /// Takes effect at once, within 20 ms.
    public var volume: Float {
        get { mixing.volume }
        set { mix(\.volume, newValue) }
    }
    /// Takes effect at once, within 20 ms.
    public var pan: Float {
        get { mixing.pan }
        set { mix(\.pan, newValue) }
    }
    /// Takes effect at once, gliding; up to 100 m from the middle in each direction.
    public var position: AVAudio3DPoint {
        get { mixing.position }
        set { mix(\.position, newValue) }
    }
    /// Takes effect at once; below -60 as -60.
    public var obstruction: Float {
        get { mixing.obstruction }
        set { mix(\.obstruction, newValue) }
    }
    /// Takes effect at once; below -60 as -60.
    public var occlusion: Float {
        get { mixing.occlusion }
        set { mix(\.occlusion, newValue) }
    }
    /// Takes effect with the environment's next connection, or at once where it has one.
    public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get { mixing.algorithm }
        set {
            mix(\.algorithm, newValue)
            owner?.refresh()
        }
    }

    private func mix<Value>(_ path: WritableKeyPath<MixingState, Value>, _ value: Value) {
        Control.run { mixing[keyPath: path] = value }
        applyMixing()
    }
}

/// A node that places the sound of others: their volume, pan and position are parameters of its inputs.
protocol SourceMixing: AVAudioNode {
    /// The parameters of an input, and what they are for a source.
    var sourceParameters: [(any UnitParameter, (MixingState) -> Float)] { get }
}

extension SourceMixing {
    /// The first input that nothing leads to.
    var freeInput: AVAudioNodeBus {
        Control.run {
            let taken = Set((owner?.links ?? []).filter { $0.isTo(self) }.map(\.destinationBus))
            return (0..<numberOfInputs).first { !taken.contains($0) } ?? numberOfInputs
        }
    }

    /// Inputs: a power of two, so that it is seldom made anew.
    func width(_ links: [NodeLink]) -> Int {
        let last = links.filter { $0.isTo(self) }.map(\.destinationBus).max() ?? 0
        var width = 8
        while width <= last { width *= 2 }
        return width
    }

    func sources(_ links: [NodeLink]) -> [MixingState] {
        (0..<width(links)).map { mixedSource(of: $0, links)?.mixing ?? MixingState() }
    }

    /// Adds its unit, whose inputs begin with what leads to them.
    func add<Mixer: UnitAPI.AudioUnit & ~Copyable>(
        _: Mixer.Type, to graph: inout Graph, _ links: [NodeLink], _ values: [String: Float]
    ) throws(Fault) -> [NodeID] {
        var setup = UnitSetup(
            sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames, inputCount: width(links), startValues: values)
        for (parameter, value) in sourceParameters { setup.elementValues[parameter.spec.name] = sources(links).map(value) }
        let unit: UnitInstance
        do throws(UnitError) { unit = try UnitInstance.make(Mixer.self, setup) } catch { throw Fault(error) }
        return [try graph.add(unit)]
    }
}

extension AVAudioNode {
    /// Sets what the inputs of mixers that it leads to, directly or by effects, have of it.
    func applyMixing() {
        guard self is any AVAudioMixing else { return }
        Control.run {
            guard let owner, owner.host != nil else { return }
            for (mixer, bus) in mixers(owner.links) {
                for (parameter, value) in mixer.sourceParameters { mixer.set(parameter, value(mixing), element: bus) }
            }
        }
    }

    /// The mixers that this node leads to, and their buses.
    func mixers(_ links: [NodeLink]) -> [(any SourceMixing, AVAudioNodeBus)] {
        links.filter { $0.isFrom(self) }.flatMap { link in
            (link.destination as? any SourceMixing).map { [($0, link.destinationBus)] }
                ?? (link.destination is AVAudioUnit ? link.destination.mixers(links) : [])
        }
    }

    /// The node that sounds at the beginning of the chain to this bus, if one does that a mixer sets.
    func mixedSource(of bus: AVAudioNodeBus, _ links: [NodeLink]) -> AVAudioNode? {
        guard let source = links.first(where: { $0.isTo(self, bus) })?.source else { return nil }
        return source is any AVAudioMixing ? source : source.mixedSource(of: 0, links)
    }
}

extension MixingState {
    var decibels: Float { min(12, Decibels.level(ofAmplitude: max(0, volume))) }
    var percent: Float { max(-100, min(100, pan * 100)) }
}
