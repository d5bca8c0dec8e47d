internal import Graphs
internal import Reports

/// A node that is an audio unit.
open class AVAudioUnit: AVAudioNode {
    private let wanted: AudioComponentDescription?

    public override init() {
        wanted = nil
        super.init()
    }

    /// The first unit that a description asks for. Where there is none, one sentence is written, and sound goes through as it is.
    public init(audioComponentDescription: AudioComponentDescription) {
        var wanted = audioComponentDescription
        if AudioComponentFindNext(nil, &wanted) == nil || wanted.componentType == kAudioUnitType_Generator {
            Refusal.write("no node: unit \(wanted.componentType.fourCharacters) \(wanted.componentSubType.fourCharacters)")
        }
        self.wanted = audioComponentDescription
        super.init()
    }

    /// Makes the node for a unit, and gives it or the error on another thread: an `AVAudioUnitEffect`,
    /// `AVAudioUnitMIDIInstrument` or other `AVAudioUnit`. Generators throw `kAudio_UnimplementedError`.
    open class func instantiate(
        with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping (AVAudioUnit?, (any Error)?) -> Void
    ) {
        let call = Carried(completionHandler)
        DispatchQueue.global().async {
            do { call.value(try make(audioComponentDescription), nil) } catch { call.value(nil, error) }
        }
    }

    /// Makes the node for a unit, as `instantiate(with:options:completionHandler:)`.
    open class func instantiate(
        with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) async throws -> sending AVAudioUnit { try make(audioComponentDescription) }

    private static func make(_ wanted: AudioComponentDescription) throws -> sending AVAudioUnit {
        let found = try AUAudioUnit(componentDescription: wanted).componentDescription
        switch found.componentType {
        case kAudioUnitType_MusicDevice: return AVAudioUnitMIDIInstrument(audioComponentDescription: found)
        case kAudioUnitType_Effect, kAudioUnitType_MusicEffect: return AVAudioUnitEffect(audioComponentDescription: found)
        case kAudioUnitType_Generator: throw osError(kAudio_UnimplementedError, "generators as nodes")
        default: return AVAudioUnit(audioComponentDescription: found)
        }
    }

    open override var numberOfInputs: Int { 1 }
    /// The unit: its parameters are those of this class's properties.
    open var audioUnit: AudioUnit { auAudioUnit.unit }
    open var audioComponentDescription: AudioComponentDescription { auAudioUnit.componentDescription }
    /// The names of the unit and of its maker, and the unit's version.
    open var name: String { auAudioUnit.audioUnitName ?? "" }
    open var manufacturerName: String { auAudioUnit.manufacturerName ?? "" }
    open var version: Int { Int(auAudioUnit.componentVersion) }

    /// Loads the settings that `auAudioUnit.fullState` gave, from a property list; a sampler's from an `.aupreset`.
    open func loadPreset(at url: URL) throws {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        guard let state = list as? [String: Any] else { throw osError(kAudioUnitErr_InvalidFile, url.path) }
        try check(auAudioUnit.load(state), url.path)
    }

    override var unitDescription: AudioComponentDescription { wanted ?? super.unitDescription }
    override var chain: [AUAudioUnit] { [auAudioUnit] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        var nodes: [NodeID] = []
        for unit in chain { nodes.append(try graph.add(try UnitAccess.instance(of: unit.unit, in: graph))) }
        return nodes
    }
}

extension AudioComponentDescription {
    /// One of Apple's.
    init(_ type: OSType, _ subtype: OSType) {
        self.init(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
    }
}

extension AUAudioUnit {
    /// The first unit that a description asks for; one that passes sound on where there is none.
    static func standing(for wanted: AudioComponentDescription) -> AUAudioUnit {
        for description in [wanted, AudioComponentDescription(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)] {
            do { return try AUAudioUnit(componentDescription: description) } catch { continue }
        }
        fatalError("there are more than 4 096 audio units")
    }
}

/// A unit that makes sound. None can be a node here.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing {
    open override var numberOfInputs: Int { 0 }
    /// True if it is silent.
    open var bypass = false
}

/// A unit that changes sound as it comes.
open class AVAudioUnitEffect: AVAudioUnit {
    /// True if sound is led around it.
    open var bypass: Bool {
        get { auAudioUnit.shouldBypassEffect }
        set { for unit in chain { unit.shouldBypassEffect = newValue } }
    }
}

/// A unit that changes the time of sound: the speed of the player nodes that lead to it.
open class AVAudioUnitTimeEffect: AVAudioUnit {
    /// True if it changes nothing.
    open var bypass = false { didSet { applySpeed() } }

    /// The speed that it asks for.
    var speed: Float { 1 }

    override func didConnect() {
        super.didConnect()
        applySpeed()
    }

    func applySpeed() {
        Control.run { if let owner { for case let player as AVAudioPlayerNode in owner.nodes { player.follow(owner.links) } } }
    }
}

extension AVAudioPlayerNode {
    /// Takes the speed that time effects further on ask for.
    fileprivate func follow(_ links: [NodeLink]) {
        var speed: Float = 1, node: AVAudioNode = self, seen = 0
        while let next = links.first(where: { $0.isFrom(node) })?.destination, next is AVAudioUnit, seen < 100 {
            if let effect = next as? AVAudioUnitTimeEffect, !effect.bypass { speed *= effect.speed }
            (node, seen) = (next, seen + 1)
        }
        self.speed = speed
    }
}
