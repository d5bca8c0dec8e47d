internal import EngineCore
internal import Graphs
internal import Reports
internal import UnitAPI

/// A node that is an audio unit.
open class AVAudioUnit: AVAudioNode {
    open override var numberOfInputs: Int { 1 }
    /// The names of the engine's unit and of its maker.
    open var name: String { String(describing: type(of: self)) }
    /// The maker, and the version of the unit.
    public var manufacturerName: String { "Carillon" }
    public var version: Int { 1 }
}

/// A unit that makes sound.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing {
    open override var numberOfInputs: Int { 0 }
    /// True if it is silent.
    open var bypass = false
}

/// A unit that changes sound as it comes.
open class AVAudioUnitEffect: AVAudioUnit {
    /// True if sound is led around it.
    open var bypass = false { didSet { if bypass != oldValue { applyBypass() } } }

    fileprivate func applyBypass() {
        Control.run {
            guard let (host, place) = place else { return }
            do {
                try host.engine.edit { (graph) throws(Fault) in
                    for unit in place.units { try graph.bypass(unit, bypass) }
                }
            } catch { Refusal.write("bypass: \(error)") }
        }
    }

    override func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) { if bypass { applyBypass() } }

    /// Adds a unit of the engine's with start values.
    func add<U: UnitAPI.AudioUnit & ~Copyable>(
        _: U.Type, _ values: [(any UnitParameter, Float)], to graph: inout Graph
    ) throws(Fault) -> NodeID {
        var start: [String: Float] = [:]
        for (parameter, value) in values { start[parameter.spec.name] = value }
        return try graph.add(U.self, startValues: start)
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
