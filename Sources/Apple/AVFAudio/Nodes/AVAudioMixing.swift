internal import DSP
internal import EngineCore
internal import Units

/// A point in space, metres.
public struct AVAudio3DPoint: Sendable, Equatable {
    public var x: Float = 0, y: Float = 0, z: Float = 0
    public init() {}
    public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }
}

/// Makes a point.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }

/// How a node sounds in the mixer that it leads to.
struct MixingState {
    var volume: Float = 1
    var pan: Float = 0
}

/// What a node has of its own at a mixer: where it stands between left and right.
public protocol AVAudioStereoMixing: AVAudioNode {
    /// -1 is left, 1 is right.
    var pan: Float { get set }
}

/// A node whose level and place a mixer further on keeps.
public protocol AVAudioMixing: AVAudioStereoMixing {
    /// 0...1; more is louder, up to 12 dB.
    var volume: Float { get set }
}

extension AVAudioMixing {
    /// Takes effect at once, within 20 ms.
    public var volume: Float {
        get { mixing.volume }
        set {
            mixing.volume = newValue
            applyMixing()
        }
    }

    /// Takes effect at once, within 20 ms.
    public var pan: Float {
        get { mixing.pan }
        set {
            mixing.pan = newValue
            applyMixing()
        }
    }
}

extension AVAudioNode {
    /// Sets gain and pan of the inputs of mixers that it leads to, directly or by effects.
    func applyMixing() {
        guard self is any AVAudioMixing else { return }
        Control.run {
            guard let owner, owner.host != nil else { return }
            for (mixer, bus) in mixers(owner.links) {
                mixer.set(MultichannelMixer.Parameter.gain, mixing.decibels, element: bus)
                mixer.set(MultichannelMixer.Parameter.pan, mixing.percent, element: bus)
            }
        }
    }

    /// The mixers that this node leads to, and their buses.
    func mixers(_ links: [NodeLink]) -> [(AVAudioMixerNode, AVAudioNodeBus)] {
        links.filter { $0.isFrom(self) }.flatMap { link in
            (link.destination as? AVAudioMixerNode).map { [($0, link.destinationBus)] }
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
