/// The settings of a `MIDIClient`.
public struct MIDIClientSetup: Hashable, Sendable {
    /// The client's name, and the beginning of its ports' names.
    public var name: String
    /// Input ports, 0...16, none for a client that only plays out: each has sixteen channels of its own.
    public var ports: Int
    /// The rules for what is connected to the input ports.
    public var rules: [ConnectionRule]
    /// True if events take effect at the next slice, and not at their stamp and a constant latency.
    public var isImmediate: Bool
    /// True if what comes in is sent on the output port.
    public var isThru: Bool
    /// The port whose clock is followed (`MIDIClient.takeClock`), on an input port of its own: a part of its name, or an
    /// identity; nil means none.
    public var master: String?

    public init(
        name: String = "Carillon", ports: Int = 1, rules: [ConnectionRule] = [.any], isImmediate: Bool = false,
        isThru: Bool = false, master: String? = nil
    ) {
        (self.name, self.ports, self.rules, self.isImmediate) = (name, ports, rules, isImmediate)
        (self.isThru, self.master) = (isThru, master)
    }
}
