import Graphs
import MIDI
import Patches
import UnitAPI

/// The keyboards' controls, beside notes: they move parameters and call scenes. Pure but for the values read of the units.
struct PlayerControls: Sendable {
    fileprivate struct Recall: Sendable {
        let scene: Scene
        /// The input port that it listens to; nil means all.
        let input: UInt8?
        let values: [(target: ControlTarget, value: Float)]
        let frames: Int32
    }

    /// A control that was moved while one was to be learned.
    struct Heard: Sendable, Hashable {
        let control: ControllerMap.Control
        /// The channel, 1...16, and the input port, from 0.
        let channel: Int
        let input: Int
        /// The parameter that the control is to move.
        let parameter: ParameterAddress
    }

    struct Outcome {
        var commands: [RenderCommand] = []
        /// True if instruments hear the event too.
        var passes = true
        /// The zones that are heard from now on; nil means no scene was called that says so.
        var zones: Set<String>?

        /// Nothing here hears the event.
        static let claimed = Outcome(passes: false)
    }

    let maps: [ControllerMap]
    private var knobs: [ControllerKnob] = []
    private var recalls: [Recall] = []
    /// The foot switches that are down: input port, channel and number.
    private var pressed: Set<Int> = []
    /// The scene that was called last; at first the one whose values and zones the patch has.
    private(set) var scene: String?
    /// The parameter that waits for a control to be learned.
    var learning: ParameterAddress?
    private var heard: Heard?

    /// Looks up the controllers and scenes of a patch in a graph.
    init(_ patch: Patch, in graph: Graph, inputs: KeyboardInputs, sampleRate: Double) {
        knobs = patch.controllers.compactMap { ControllerKnob($0, input: inputs.input(of: $0.keyboard), in: graph) }
        maps = knobs.map(\.map)
        recalls = patch.scenes.map { scene in
            Recall(
                scene: scene, input: inputs.input(of: scene.keyboard),
                values: scene.sortedValues.compactMap { parameter, value in
                    ControlTarget(parameter, in: graph).map { ($0, $0.spec.clamped(value)) }
                }, frames: Int32(min((scene.morph * sampleRate).rounded(), Double(ParameterRamp.longest))))
        }
        let zones = Set(patch.zones.map(\.name))
        scene =
            recalls.first { recall in
                !recall.values.isEmpty && recall.scene.zones.map { Set($0) == zones } ?? true
                    && recall.values.allSatisfy { $0.target.value == $0.value }
            }?.scene.name
    }

    /// Finds the place of each knob among the former controllers; nil for a new one.
    func places(among former: [ControllerMap]) -> [Int?] { maps.map { map in former.firstIndex(of: map) } }

    /// `places` has the former place of each knob.
    mutating func goOn(from former: PlayerControls, _ places: [Int?]) {
        for (knob, place) in places.enumerated() { if let place { knobs[knob].goOn(from: former.knobs[place]) } }
        (pressed, learning, heard) = (former.pressed, former.learning, former.heard)
        if let called = former.scene, recalls.contains(where: { $0.scene.name == called }) { scene = called }
    }

    var scenes: [String] { recalls.map(\.scene.name) }

    mutating func takeHeard() -> Heard? {
        defer { heard = nil }
        return heard
    }

    mutating func take(_ event: MusicEvent) -> Outcome {
        var outcome = Outcome()
        guard case .message(let message) = event else { return outcome }
        if let parameter = learning, let control = ControllerMap.Control(moving: message) {
            heard = Heard(
                control: control, channel: Int(message.channel) + 1, input: Int(message.port), parameter: parameter)
            learning = nil
            outcome.passes = false
            return outcome
        }
        if !recalls.isEmpty { call(message, &outcome) }
        // What calls scenes moves nothing.
        if !outcome.passes { return outcome }
        for index in knobs.indices {
            guard let place = knobs[index].place(of: message) else { continue }
            if !knobs[index].map.passes { outcome.passes = false }
            guard let value = knobs[index].value(at: place) else { continue }
            outcome.commands += knobs[index].target.commands(value)
        }
        return outcome
    }

    /// Calls the scene whose key, program or foot switch this is. Of several it is the one after that which was called last.
    private mutating func call(_ message: MIDIMessage, _ outcome: inout Outcome) {
        let slot = (Int(message.port) * 16 + Int(message.channel)) * 128 + Int(message.data1)
        let matches = recalls.filter { $0.scene.hears(message, input: $0.input) }
        if message.kind == .controlChange {
            let wasDown = pressed.contains(slot), isDown = Button.Control.isDown(message.data2, after: wasDown)
            if isDown { pressed.insert(slot) } else { pressed.remove(slot) }
            if !matches.isEmpty { outcome.passes = false }
            if wasDown || !isDown { return }
        }
        if matches.isEmpty { return }
        outcome.passes = false
        // The end of a key that calls plays nothing either.
        if message.endsNote { return }
        let last = matches.firstIndex { $0.scene.name == scene }
        perform(matches[last.map { ($0 + 1) % matches.count } ?? 0], &outcome)
    }

    /// Calls a scene by its name, or the one `steps` places further in the list, round its end; nil if there is none.
    mutating func recall(named name: String? = nil, by steps: Int = 0) -> Outcome? {
        if recalls.isEmpty { return nil }
        let last = recalls.firstIndex { $0.scene.name == scene }
        let place =
            name.map { name in recalls.firstIndex { $0.scene.name == name } }
            ?? (((last ?? (steps > 0 ? -1 : 0)) + steps) % recalls.count + recalls.count) % recalls.count
        guard let place else { return nil }
        var outcome = Outcome()
        perform(recalls[place], &outcome)
        return outcome
    }

    private mutating func perform(_ recall: Recall, _ outcome: inout Outcome) {
        scene = recall.scene.name
        outcome.zones = recall.scene.zones.map(Set.init)
        for (target, value) in recall.values {
            outcome.commands += target.commands(value, overFrames: recall.frames)
        }
    }
}

extension Scene {
    /// Returns whether a message calls the scene, or is the end of such a call.
    ///
    /// - Parameter input: the input port of its keyboard; nil means any.
    func hears(_ message: MIDIMessage, input: UInt8?) -> Bool {
        if let input, input != message.port { return false }
        if !channels.isEmpty, !channels.parts.contains(Int(message.channel)) { return false }
        switch message.kind {
        case .programChange: return program == Int(message.data1)
        case .noteOn, .noteOff: return key == Int(message.data1)
        case .controlChange: return controller == Int(message.data1)
        default: return false
        }
    }
}
