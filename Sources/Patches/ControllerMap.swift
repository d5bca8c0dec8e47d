import UnitAPI

/// A control of a keyboard, a knob or a wheel, and the parameter that it moves.
public struct ControllerMap: Hashable, Sendable {
    /// A control of the keyboard that is moved.
    public enum Control: Hashable, Sendable {
        /// A controller, 0...119.
        case controller(Int)
        /// The pitch wheel, 14 bits.
        case bend
        /// Channel pressure.
        case pressure
    }

    /// The name that surfaces show; unique in its patch.
    public var name: String
    /// The keyboard: a part of its name, or its identity (`usb:0499:1617`); nil means any.
    public var keyboard: String?
    /// The channels that it listens to, 1-16; empty: all.
    public var channels = PartList()
    /// The control that is moved.
    public var control: Control
    /// The parameter that the control moves.
    public var parameter: ParameterAddress
    /// The values at the control's ends, in the parameter's own unit; the first may be the greater one. nil means those of its
    /// range.
    public var from: Float?
    public var to: Float?
    /// The curve by which the control's way spreads over the values; nil means that of the parameter's declaration.
    public var curve: ParameterSpec.Curve?
    /// True if the control moves nothing until it has reached the parameter's value: no value jumps.
    public var picksUp = false
    /// True if the instruments receive the control too.
    public var passes = false

    /// Creates a map over the parameter's whole range, of any keyboard and channel.
    public init(_ name: String, _ control: Control, moves parameter: ParameterAddress) {
        (self.name, self.control, self.parameter) = (name, control, parameter)
    }

    /// Finds what is wrong with the map in `patch`, a flattened one; nil if nothing is.
    package func fault(in patch: Patch) -> String? {
        if !channels.sorted.allSatisfy({ $0 < 16 }) { return "channels are 1-16" }
        if case .controller(let number) = control, !(0...119).contains(number) {
            return "a controller is 0...119; those above mean modes of a channel"
        }
        for value in [from, to] where value?.isFinite == false { return "the value is not a number" }
        return parameter.fault(in: patch)
    }
}

extension ParameterAddress {
    /// Finds what is wrong with the address in `patch`, a flattened one; nil if nothing is.
    func fault(in patch: Patch) -> String? {
        if patch[unit: unit] != nil { return nil }
        return "there is no unit \(unit); there are \(patch.units.map(\.name).joined(separator: ", "))"
    }
}

extension ControllerMap.Control {
    /// The word of a patch file: a number, `bend` or `pressure`.
    public var text: String {
        switch self {
        case .controller(let number): "\(number)"
        case .bend: "bend"
        case .pressure: "pressure"
        }
    }

    /// Reads the word; nil if it is none.
    public init?(_ text: String) {
        switch text {
        case "bend": self = .bend
        case "pressure": self = .pressure
        default:
            guard let number = Int(text), (0...119).contains(number) else { return nil }
            self = .controller(number)
        }
    }
}

extension ParameterSpec.Curve {
    /// The word of a patch file.
    public var name: String { self == .linear ? "linear" : "logarithmic" }

    /// The curve of that name.
    public init?(name: String) {
        switch name {
        case "linear": self = .linear
        case "logarithmic": self = .logarithmic
        default: return nil
        }
    }
}
