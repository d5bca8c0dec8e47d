/// A bus of a unit, or of a patch inside: `mixer[3]`; the first one is `mixer` alone.
public struct PatchPort: Hashable, Sendable, CustomStringConvertible {
    /// The unit's name, or the nested patch's.
    public var unit: String
    /// The bus, from 0. The place of the port decides whether it is an input or an output.
    public var bus: Int

    /// Creates a bus, by default the first one.
    public init(_ unit: String, _ bus: Int = 0) {
        self.unit = unit
        self.bus = bus
    }

    public var description: String { bus == 0 ? unit : "\(unit)[\(bus)]" }

    /// Reads what `description` writes; nil for anything else.
    public init?(text: String) {
        guard text.last == "]" else {
            if text.isEmpty || text.contains("[") { return nil }
            self.init(text)
            return
        }
        guard let open = text.firstIndex(of: "["), open != text.startIndex,
            let bus = Int(text[text.index(after: open)...].dropLast()), bus >= 0
        else { return nil }
        self.init(String(text[..<open]), bus)
    }
}

/// An edge of a patch, from an output bus to an input bus.
public struct PatchConnection: Hashable, Sendable, CustomStringConvertible {
    /// The bus that sounds.
    public var from: PatchPort
    /// The bus that listens.
    public var to: PatchPort

    /// Creates an edge.
    public init(_ from: PatchPort, to: PatchPort) {
        self.from = from
        self.to = to
    }

    public var description: String { "\(from) -> \(to)" }
}
