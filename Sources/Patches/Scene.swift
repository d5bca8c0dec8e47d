/// Values that are called together, by a name, a program change, a key or a foot switch; and which zones are heard then.
///
/// What a scene does not name stays as it is.
public struct Scene: Hashable, Sendable {
    /// The name that surfaces show; unique in its patch.
    public var name: String
    /// Seconds that values take to their targets, 0...600; 0: by each declaration. Switches change at once.
    public var morph: Double = 0
    /// The values that parameters take, each in its own unit.
    public var values: [ParameterAddress: Float] = [:]
    /// The zones that are heard from then on; nil means those that are heard already. A key that is held ends where it began.
    public var zones: [String]?
    /// The keyboard whose program changes, keys and controllers call it: a part of its name, or its identity; nil means any.
    public var keyboard: String?
    /// The channels on which they do, 1-16; empty: all.
    public var channels = PartList()
    /// The program change that calls it, 0...127.
    public var program: Int?
    /// The key that calls it, 0...127; it plays nothing then.
    public var key: Int?
    /// The foot switch that calls it when it goes down, a controller 0...119. Scenes that name the same one, or the same key
    /// or program, take turns.
    public var controller: Int?

    /// Creates a scene that changes nothing.
    public init(_ name: String) { self.name = name }

    /// Seconds of the longest morph.
    public static let longestMorph = 600.0

    /// Finds what is wrong with the scene in `patch`, a flattened one; nil if nothing is.
    package func fault(in patch: Patch) -> String? {
        if !(0...Self.longestMorph).contains(morph) { return "a morph takes 0 s to \(Int(Self.longestMorph)) s" }
        if !channels.sorted.allSatisfy({ $0 < 16 }) { return "channels are 1-16" }
        if let program, !(0...127).contains(program) { return "a program is 0...127" }
        if let key, !(0...127).contains(key) { return "a key is 0...127" }
        if let controller, !(0...119).contains(controller) { return "a controller is 0...119" }
        for zone in zones ?? [] where !patch.zones.contains(where: { $0.name == zone }) {
            return "there is no zone \(zone); there are \(patch.zones.map(\.name).joined(separator: ", "))"
        }
        for (parameter, value) in sortedValues {
            if !value.isFinite { return "\(parameter): the value is not a number" }
            if let fault = parameter.fault(in: patch) { return fault }
        }
        return nil
    }

    /// The values in the order of their parameters' names.
    public var sortedValues: [(parameter: ParameterAddress, value: Float)] {
        values.map { (parameter: $0.key, value: $0.value) }.sorted { "\($0.parameter)" < "\($1.parameter)" }
    }
}
