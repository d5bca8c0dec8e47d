/// A graph as a value: its description, without units and memory.
///
/// ```
/// Patch -> Graph -> RenderPlan -> Renderer
/// ```
/// A patch is equal to another or not; it can be saved, compared, nested, sent and journalled. An engine makes its graph
/// of one (`Engine.apply`) and returns it (`Engine.patch`).
public struct Patch: Hashable, Sendable {
    /// SoundFont files for the units that name none of their own, in order of search; empty: what the system has.
    public var soundFonts: [String] = []
    /// The units, in the order in which surfaces list them.
    public var units: [PatchUnit] = []
    /// Patches inside this one. From outside each looks like a unit: its `inputs` and `outputs` are the buses.
    public var patches: [SubPatch] = []
    /// The edges. If several lead into one bus, the sound is added up in this order.
    public var connections: [PatchConnection] = []
    /// Buses of units inside that a patch around this one can lead sound to, by number.
    public var inputs: [PatchPort] = []
    /// The buses whose sound leaves. The outermost patch has one: what the I/O unit pulls.
    public var outputs: [PatchPort] = []
    /// The zones that keyboards play, each with its keys; empty: every keyboard plays the parts of the same number. Only the
    /// outermost patch has zones.
    public var zones: [Zone] = []
    /// The controls of keyboards that move parameters. Only the outermost patch has any.
    public var controllers: [ControllerMap] = []
    /// Values that are called together. Only the outermost patch has scenes.
    public var scenes: [Scene] = []
    /// MIDI ports of the system that get MIDI clock, each by a part of its name or by its identity. Only the
    /// outermost patch has them.
    public var clock: [String] = []

    /// Creates an empty patch.
    public init() {}

    /// The unit of this name, in this patch itself.
    public subscript(unit name: String) -> PatchUnit? {
        get { units.first { $0.name == name } }
        set {
            let index = units.firstIndex { $0.name == name }
            if let newValue, let index { units[index] = newValue } else if let newValue { units.append(newValue) }
            if newValue == nil, let index { units.remove(at: index) }
        }
    }
}

/// A patch inside a patch, under a name.
public struct SubPatch: Hashable, Sendable {
    /// The name that the surrounding patch uses; unique among its units and patches.
    public var name: String
    /// The patch inside. Its units are called `NAME.UNIT` from outside.
    public var patch: Patch

    /// Creates a nested patch.
    public init(_ name: String, _ patch: Patch) {
        self.name = name
        self.patch = patch
    }
}
