import DSP
import UnitAPI

/// The declarations of the spatial mixer's parameters.
enum SpatialParameters {
    static func spec(_ parameter: SpatialMixer.Parameter) -> ParameterSpec {
        switch parameter {
        case .x: place("x", "How far to the right the source is, in metres.")
        case .y: place("y", "How far up the source is, in metres.")
        case .z: place("z", "How far back the source is, in metres; what is ahead is negative.", default: -1)
        case .gain:
            .decibels(
                "gain", -120...12, 0, scope: .input,
                "How loud the source is at the reference distance; -120 dB is silence.")
        case .enable: .fadingToggle("enable", default: true, scope: .input, help: "Whether the source is heard.")
        case .obstruction:
            .decibels(
                "obstruction", 0...60, 0, scope: .input,
                "What an obstacle takes from the direct sound at 5 kHz, and nothing from the lows.")
        case .occlusion:
            .decibels(
                "occlusion", 0...60, 0, scope: .input,
                "What a wall takes at 5 kHz from direct sound and reverb, and a quarter of it from the lows.")
        case .reverbSend:
            ParameterSpec(
                "reverb-send", 0...1, default: 0, unit: .ratio, scope: .input,
                help: "How much of the source goes to the reverb, however far away it is.")
        case .listenerX: listener("listener-x", "How far to the right the listener is, in metres.")
        case .listenerY: listener("listener-y", "How far up the listener is, in metres.")
        case .listenerZ: listener("listener-z", "How far back the listener is, in metres.")
        case .yaw: angle("yaw", -180...180, "Degrees by which the head is turned to the right.")
        case .pitch: angle("pitch", -90...90, "Degrees by which the nose is lifted.")
        case .roll: angle("roll", -180...180, "Degrees by which the head is tilted, the right ear down.")
        case .distanceModel:
            .choice(
                "distance-model", DistanceModel.names, default: 0,
                help: "How sources become softer with distance: by its inverse, in a straight line, by a power of it.")
        case .referenceDistance:
            ParameterSpec(
                "reference-distance", 0.1...50, default: 1, curve: .logarithmic,
                help: "Metres up to which a source is as loud as it can be.")
        case .maximumDistance:
            ParameterSpec(
                "maximum-distance", 0.1...400, default: 100, curve: .logarithmic,
                help: "Metres from which on a source becomes no softer.")
        case .rollOff:
            ParameterSpec("roll-off", 0...4, default: 1, unit: .ratio, help: "How fast sources become softer; 1 is nature.")
        case .rendering:
            .choice(
                "rendering", SpatialRendering.names, default: 0, applies: .atStart,
                help: "How places become channels: between two speakers, in the ears of a head, among a layout's speakers.")
        case .layout:
            .choice(
                "layout", SpeakerRing.layouts, default: 0, applies: .atStart,
                help: "Which speakers there are for vbap.")
        }
    }

    private static func place(_ name: String, _ help: String, default start: Float = 0) -> ParameterSpec {
        .number(name, -100...100, start, scope: .input, help)
    }

    private static func listener(_ name: String, _ help: String) -> ParameterSpec {
        .number(name, -100...100, 0, help)
    }

    private static func angle(_ name: String, _ range: ClosedRange<Float>, _ help: String) -> ParameterSpec {
        .number(name, range, 0, help)
    }
}
