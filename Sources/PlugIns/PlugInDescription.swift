/// An LV2 plug-in as its data describe it, without running any of it. Control side.
public struct PlugInDescription: Sendable {
    /// The URI: what it is, wherever it is installed.
    public var uri: String
    /// The title, for display.
    public var title: String
    /// The kind of plug-in by its own data: `Delay`, `Instrument`.
    public var kind: String
    /// The file of its code; empty if its data name none.
    public var library: String
    /// The ports, in order of index.
    public var ports: [PlugInPort]
    /// The titles of its presets, in order.
    public var presets: [Preset]
    /// True if the plug-in's data allow its `run` on a render thread.
    public var saysRealTime: Bool
    /// True if the plug-in requires its default state to be set at the start.
    var wantsDefaultState: Bool
    var requiredFeatures: [String]

    /// A preset of it.
    public struct Preset: Sendable, Hashable {
        /// The title: the value of the property `preset`.
        public var title: String
        var uri: String
    }

    /// The name of the plug-in's unit: `lv2:` and the last two words of its URI, `lv2:mda-delay`.
    public var name: String { PlugInName.short(uri) }

    /// The reason why the plug-in is not offered as a unit; nil if it is.
    public var refusal: String? {
        if let feature = requiredFeatures.first(where: { !PlugInFeature.offered.contains($0) }) {
            return "it requires \(feature), which is not supported"
        }
        if let port = ports.first(where: { $0.direction == .none && !$0.isOptional }) {
            return "its port \(port.symbol) is of a kind that is not known"
        }
        if !ports.contains(where: { $0.direction == .audioOutput }) { return "it has no audio output" }
        return nil
    }
}

/// One port of an LV2 plug-in.
public struct PlugInPort: Sendable {
    enum Direction: Sendable {
        case audioInput, audioOutput
        /// Control voltage: a value for each frame.
        case voltageInput, voltageOutput
        case controlInput, controlOutput
        /// Atoms: MIDI among them if `isMusic`, the song's time if `takesTime`.
        case eventInput(isMusic: Bool, takesTime: Bool)
        case eventOutput
        case none
    }

    var index: UInt32
    /// The name in code, unique in the plug-in.
    var symbol: String
    var title: String
    var direction: Direction
    /// True if the port may be left alone.
    var isOptional: Bool
    var bytes: Int
    var range: PlugInRange
    var role: Role

    enum Role: Sendable {
        case parameter
        case latency
        /// A switch for running faster or slower than real time: set to off.
        case freeWheeling
    }
}

extension PlugInPort.Direction: Equatable {
    var isMusic: Bool { if case .eventInput(isMusic: true, _) = self { true } else { false } }
    var takesTime: Bool { if case .eventInput(_, takesTime: true) = self { true } else { false } }
}

struct PlugInRange: Sendable {
    var low: Float?
    var high: Float?
    var initial: Float?
    var isToggle = false
    var isWhole = false
    var isLogarithmic = false
    /// True if the bounds are multiples of the sample rate.
    var isOfRate = false
    /// True if only the named values are meant.
    var isEnumeration = false
    /// Values that have names, lowest first.
    var points: [Point] = []
    var unit: String?
    /// A description in the plug-in's words; nil if there is none.
    var comment: String?

    struct Point: Sendable {
        var value: Float
        var label: String
    }
}

enum PlugInFeature {
    static let core = "http://lv2plug.in/ns/lv2core#"
    static let map = "http://lv2plug.in/ns/ext/urid#map"
    static let schedule = "http://lv2plug.in/ns/ext/worker#schedule"
    static let defaultState = "http://lv2plug.in/ns/ext/state#loadDefaultState"

    /// The features that a plug-in may ask for. The last three are promises: input and output never share memory, every call
    /// has at most the frames of the options, and the plug-in may declare that it keeps up with time.
    static let offered: Set<String> = [
        map, "http://lv2plug.in/ns/ext/urid#unmap", "http://lv2plug.in/ns/ext/options#options", schedule,
        "http://lv2plug.in/ns/ext/log#log", defaultState, core + "inPlaceBroken", core + "isLive", core + "hardRTCapable",
        "http://lv2plug.in/ns/ext/buf-size#boundedBlockLength",
    ]
}
