import Graph
import Patch
import RealtimeCore

/// The keyboards' controls in a session, beside notes: controllers that move parameters, learned or from the patch, and scenes.
extension LiveSession {
    /// The parameter for which a control is waited for; nil where none is.
    public var learning: String? { liveFilter.controls?.learning?.description }

    /// Every parameter that a control can be learned for, as `reverb.decay`, in the order of the graph.
    public var learnableParameters: [String] {
        engine.graph.nodes.filter { !PatchStage.owns($0.name) }.flatMap { node in
            node.instance.parameters.specs.filter { $0.applies == .live }.map { "\(node.name).\($0.name)" }
        }
    }

    /// The units of what sounds, by name.
    public var unitNames: [String] { engine.graph.nodes.map(\.name).filter { !PatchStage.owns($0) } }

    /// Looks controllers and scenes up in the graph that stands. What they know of what was moved and called stays.
    func renewControls(isOtherPatch: Bool = false) {
        var patch = Patch()
        (patch.controllers, patch.scenes) = (engine.controllers, engine.scenes)
        let controls = PlayerControls(patch, in: engine.graph, inputs: inputs, sampleRate: engine.sampleRate)
        liveFilter.replaceControls(with: controls, isOtherPatch: isOtherPatch)
    }

    /// Waits for a control to be moved, and lets it move the parameter from then on; nil: waits no more.
    func learn(_ text: String?) throws(LiveError) {
        var parameter: ParameterAddress?
        if let text {
            do { _ = try engine.value(text) } catch { throw .engine(error) }
            parameter = ParameterAddress(text)
        }
        _ = liveFilter.withControls { $0.learning = parameter }
    }

    /// Lets no control move the parameter any more.
    func forget(_ text: String) throws(LiveError) {
        let count = engine.controllers.count
        engine.controllers.removeAll { $0.parameter.description == text }
        if engine.controllers.count == count { throw .notLearned(text, known: engine.controllers.map(\.parameter.description)) }
        renewControls()
    }

    /// Calls a scene. All that it sets begins on one frame.
    func call(_ choice: SceneChoice) throws(LiveError) {
        let names = liveFilter.controls?.scenes ?? []
        let commands: [RenderCommand]?
        switch choice {
        case .named(let name): commands = liveFilter.recall(named: name, by: 0)
        case .next: commands = liveFilter.recall(named: nil, by: 1)
        case .previous: commands = liveFilter.recall(named: nil, by: -1)
        }
        guard let commands else { throw .unknownScene(choice.name, known: names) }
        let time = soon
        for var command in commands {
            command.time = time
            if !engine.renderer.send(command) { throw .engine(.queueFull) }
        }
    }

    /// Takes in what a keyboard has moved for what was to be learned.
    func learnWhatWasHeard() {
        guard let heard = liveFilter.withControls({ $0.takeHeard() }) ?? nil else { return }
        var map = ControllerMap(heard.parameter.description, heard.control, moves: heard.parameter)
        map.channels = PartList([heard.channel - 1])
        let keyboard = inputs.keyboards.indices.contains(heard.input) ? inputs.keyboards[heard.input] : "any"
        if keyboard != "any" { map.keyboard = keyboard }
        let inTheWay = engine.controllers.filter { $0.parameter != map.parameter && $0.isMoved(with: map) }
        // One control for a parameter, and one parameter for a control: a file may say otherwise.
        engine.controllers.removeAll { $0.parameter == map.parameter || $0.isMoved(with: map) }
        let names = Set(engine.controllers.map(\.name)), name = map.name
        var number = 2
        while names.contains(map.name) {
            map.name = "\(name)-\(number)"
            number += 1
        }
        engine.controllers.append(map)
        renewControls()
        let former = inTheWay.map(\.parameter.description).joined(separator: ", ")
        notices.append(
            "\(map.control.name) on channel \(heard.channel) moves \(heard.parameter)"
                + (former.isEmpty ? "" : ", and \(former) no more"))
    }
}

extension ControllerMap {
    /// Tells whether one move of a keyboard's control could move both this and `other`.
    fileprivate func isMoved(with other: ControllerMap) -> Bool {
        control == other.control && (keyboard == nil || other.keyboard == nil || keyboard == other.keyboard)
            && (channels.isEmpty || other.channels.isEmpty || !channels.parts.isDisjoint(with: other.channels.parts))
    }
}

extension ControllerMap.Control {
    /// The control's name, as a player says it.
    public var name: String {
        switch self {
        case .controller(let number): "controller \(number)"
        case .bend: "the pitch wheel"
        case .pressure: "pressure"
        }
    }
}
