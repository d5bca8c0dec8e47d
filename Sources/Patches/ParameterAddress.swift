/// A parameter of a unit of a patch, by its names: `reverb.decay`, `drums.reverb.decay`, `mixer.gain[3]`.
public struct ParameterAddress: Hashable, Sendable, CustomStringConvertible {
    /// The unit's name, as in the flattened patch.
    public var unit: String
    /// The parameter's name.
    public var parameter: String
    /// The input bus or band; nil for all that there are.
    public var element: Int?

    /// Creates an address.
    public init(unit: String, parameter: String, element: Int? = nil) {
        (self.unit, self.parameter, self.element) = (unit, parameter, element)
    }

    /// Reads the text's form; nil if it is none. Whether there is such a parameter only a catalogue knows.
    public init?(_ text: String) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        var name = text[text.index(after: dot)...]
        var element: Int?
        if name.last == "]", let open = name.firstIndex(of: "[") {
            let text = name[name.index(after: open)...].dropLast()
            guard let number = Int(text), (0...65_535).contains(number) else { return nil }
            element = number
            name = name[..<open]
        }
        self.init(unit: String(text[..<dot]), parameter: String(name), element: element)
        if unit.isEmpty || parameter.isEmpty || parameter.contains(where: { "[]=,* ".contains($0) }) { return nil }
    }

    /// The text that is read again.
    public var description: String { "\(unit).\(parameter)" + (element.map { "[\($0)]" } ?? "") }
}
