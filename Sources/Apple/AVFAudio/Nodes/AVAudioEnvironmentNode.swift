internal import DSP
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// A point in space, metres: to the right, up, and back.
public struct AVAudio3DPoint: Sendable, Equatable {
    public var x: Float = 0, y: Float = 0, z: Float = 0
    public init() {}
    public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }
}
public typealias AVAudio3DVector = AVAudio3DPoint

/// Where a listener looks, and where up is.
public struct AVAudio3DVectorOrientation: Sendable, Equatable {
    public var forward = AVAudio3DVector(x: 0, y: 0, z: -1), up = AVAudio3DVector(x: 0, y: 1, z: 0)
    public init() {}
    public init(forward: AVAudio3DVector, up: AVAudio3DVector) { (self.forward, self.up) = (forward, up) }
}

/// How a listener's head is turned to the right, lifted, and tilted to the right, degrees.
public struct AVAudio3DAngularOrientation: Sendable, Equatable {
    public var yaw: Float = 0, pitch: Float = 0, roll: Float = 0
    public init() {}
    public init(yaw: Float, pitch: Float, roll: Float) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }
}

/// Makes a point.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }
/// Makes a vector.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: y, z: z) }
/// Makes an orientation.
public func AVAudioMake3DVectorOrientation(_ forward: AVAudio3DVector, _ up: AVAudio3DVector) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}
/// Makes an orientation.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation {
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}

/// How a source is placed: between two speakers, or by the filters of a head, for headphones.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
    case equalPowerPanning, sphericalHead, HRTF, soundField
    case stereoPassThrough = 5
    case HRTFHQ, auto
}

/// How sources become softer with distance.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
    case exponential = 1
    case inverse, linear
}

/// The law by which sources become softer with distance.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject {
    fileprivate weak var owner: AVAudioEnvironmentNode?
    open var distanceAttenuationModel = AVAudioEnvironmentDistanceAttenuationModel.inverse { didSet { owner?.apply() } }
    /// Metres up to which a source is as loud as it can be, and from which on it becomes no softer.
    open var referenceDistance: Float = 1 { didSet { owner?.apply() } }
    open var maximumDistance: Float = 100_000 { didSet { owner?.apply() } }
    /// How fast sources become softer; 1 is nature.
    open var rolloffFactor: Float = 1 { didSet { owner?.apply() } }
}

/// A room around a listener: what leads to it stands where its `position` says. Stereo is folded to mono; 32 sources at most.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, SourceMixing {
    open override var numberOfInputs: Int { 32 }
    open var nextAvailableInputBus: AVAudioNodeBus { freeInput }
    /// 0...1, of the sum.
    open var outputVolume: Float = 1 { didSet { Control.run { owner?.nodes.forEach { $0.applyMixing() } } } }
    /// Where the listener is, metres, at most 100 from the middle.
    open var listenerPosition = AVAudio3DPoint() { didSet { apply() } }
    open var listenerAngularOrientation = AVAudio3DAngularOrientation() { didSet { apply() } }
    /// How sources become softer with distance.
    public let distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters()

    public override init() {
        super.init()
        distanceAttenuationParameters.owner = self
    }

    /// The same orientation by two vectors.
    open var listenerVectorOrientation: AVAudio3DVectorOrientation {
        get {
            let (yaw, pitch, roll) = radians, (sy, cy, sp, cp) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch))
            let (sr, cr) = (sin(roll), cos(roll))
            return AVAudio3DVectorOrientation(
                forward: AVAudio3DVector(x: cp * sy, y: sp, z: -cp * cy),
                up: AVAudio3DVector(x: sr * cy - cr * sp * sy, y: cr * cp, z: sr * sy + cr * sp * cy))
        }
        set {
            let (forward, up) = (newValue.forward, newValue.up)
            let yaw = atan2(forward.x, -forward.z), level = (forward.x * forward.x + forward.z * forward.z).squareRoot()
            let pitch = atan2(forward.y, level)
            // What of up is to the right of a listener who is not tilted, and what above.
            let right = up.x * cos(yaw) + up.z * sin(yaw)
            let above = -up.x * sin(pitch) * sin(yaw) + up.y * cos(pitch) + up.z * sin(pitch) * cos(yaw)
            listenerAngularOrientation = AVAudio3DAngularOrientation(
                yaw: yaw * 180 / .pi, pitch: pitch * 180 / .pi, roll: atan2(right, above) * 180 / .pi)
        }
    }

    private var radians: (Float, Float, Float) {
        let angles = listenerAngularOrientation
        return (angles.yaw * .pi / 180, angles.pitch * .pi / 180, angles.roll * .pi / 180)
    }

    var sourceParameters: [(any UnitParameter, (MixingState) -> Float)] {
        func place(_ value: Float) -> Float { value.isFinite ? max(-100, min(100, value)) : 0 }
        func loss(_ value: Float) -> Float { value.isFinite ? max(0, min(60, -value)) : 0 }
        let level = Decibels.level(ofAmplitude: max(0, outputVolume))
        return [
            (SpatialMixer.Parameter.x, { place($0.position.x) }), (SpatialMixer.Parameter.y, { place($0.position.y) }),
            (SpatialMixer.Parameter.z, { place($0.position.z) }),
            (SpatialMixer.Parameter.gain, { max(-120, min(12, $0.decibels + level)) }),
            (SpatialMixer.Parameter.obstruction, { loss($0.obstruction) }),
            (SpatialMixer.Parameter.occlusion, { loss($0.occlusion) }),
        ]
    }

    /// Of the listener and the law of distance.
    private var values: [(SpatialMixer.Parameter, Float)] {
        let (place, angles, law) = (listenerPosition, listenerAngularOrientation, distanceAttenuationParameters)
        let models: [AVAudioEnvironmentDistanceAttenuationModel] = [.inverse, .linear, .exponential]
        let all: [(SpatialMixer.Parameter, Float)] = [
            (.listenerX, place.x), (.listenerY, place.y), (.listenerZ, place.z),
            (.yaw, angles.yaw), (.pitch, angles.pitch), (.roll, angles.roll),
            (.distanceModel, Float(models.firstIndex(of: law.distanceAttenuationModel) ?? 0)),
            (.referenceDistance, law.referenceDistance), (.maximumDistance, law.maximumDistance), (.rollOff, law.rolloffFactor),
        ]
        return all.map { parameter, value in (parameter, parameter.spec.clamped(value.isFinite ? value : 1)) }
    }

    fileprivate func apply() { for (parameter, value) in values { set(parameter, value) } }

    private func hasHead(_ links: [NodeLink]) -> Bool {
        sources(links).contains { [.sphericalHead, .HRTF, .HRTFHQ].contains($0.algorithm) }
    }

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] { [Double(width(links)), hasHead(links) ? 1 : 0] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        let start = Dictionary(uniqueKeysWithValues: values.map { ($0.spec.name, $1) })
        return try add(SpatialMixer.self, to: &graph, links, start.merging(["rendering": hasHead(links) ? 1 : 0]) { $1 })
    }
}
