import RemoteIO

/// A rule that says which MIDI ports are connected to which of our input ports: one `--connect`.
///
/// `any`; a name pattern, `*Keystation*`; or an identity, `usb:0499:1617`, `path:pci-0000:00:14.0-usb-0:2`, `client:Virtual
/// Keyboard,port:0`. `@2` after any of them means our second input port.
public struct ConnectionRule: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of ports that a rule can ask for.
    public enum Selector: Hashable, Sendable {
        /// Every keyboard and every program that plays, except the system's own ports and those that would make a loop.
        case any
        /// Ports whose client, port or `client:port` has a fitting name.
        case name(NamePattern)
        /// The device, or the kind of device.
        case identity(DeviceIdentity)
    }

    /// The ports that are connected.
    public var selector: Selector
    /// Our input port, 0...15.
    public var input: Int

    public init(_ selector: Selector, input: Int = 0) {
        self.selector = selector
        self.input = input
    }

    /// True if the rule asks for this port, whichever way it carries messages.
    package func names(_ port: MIDIPort) -> Bool {
        switch selector {
        case .any: port.kind == .hardware || port.kind == .program
        case .name(let pattern): port.kind != .own && port.kind != .system && pattern.matches(port)
        case .identity(let wanted): port.kind != .own && port.kind != .system && wanted.rank(of: port.identity) != nil
        }
    }

    /// Every source to the first input port.
    public static let any = ConnectionRule(.any)

    /// Ports with a fitting name, to the first input port.
    public static func name(_ pattern: String) -> ConnectionRule { ConnectionRule(.name(NamePattern(pattern))) }

    /// Reads a rule's text. Throws `MIDIInletError.rule`.
    public init(_ text: String) throws(MIDIInletError) {
        var body = Substring(text)
        input = 0
        if let at = body.lastIndex(of: "@") {
            let digits = body[body.index(after: at)...]
            guard let number = Int(digits), (1...16).contains(number) else {
                throw .rule(text, .number(String(digits)))
            }
            input = number - 1
            body = body[..<at]
        }
        if body.allSatisfy(\.isWhitespace) { throw .rule(text, .empty) }
        if body.lowercased() == "any" {
            selector = .any
        } else if let identity = try Self.identity(body, of: text) {
            selector = .identity(identity)
        } else {
            selector = .name(NamePattern(String(body)))
        }
    }

    /// Returns nil if the first field is not a known one: then it is a name.
    private static func identity(_ body: Substring, of text: String) throws(MIDIInletError) -> DeviceIdentity? {
        var identity = DeviceIdentity()
        for (index, field) in body.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let key = parts[0].lowercased()
            guard ["usb", "serial", "path", "card", "client", "port"].contains(key), parts.count == 2 else {
                if index == 0 { return nil }
                throw .rule(text, .noValue(String(parts[0])))
            }
            let value = unescaped(parts[1])
            if value.isEmpty { throw .rule(text, .noValue(key)) }
            switch key {
            case "usb":
                let numbers = value.split(separator: ":").compactMap { UInt16($0, radix: 16) }
                guard numbers.count == 2, value.split(separator: ":").count == 2 else { throw .rule(text, .usb) }
                identity.usb = DeviceIdentity.USBModel(vendor: numbers[0], product: numbers[1])
            case "serial": identity.serial = value
            case "path": identity.path = value
            case "card": identity.cardName = value
            case "client": identity.client = value
            default:
                guard let number = Int(value), (0...255).contains(number) else { throw .rule(text, .number(value)) }
                identity.port = number
            }
        }
        return identity
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = "", rest = text
        while let character = rest.popFirst() {
            if character == "%", let code = UInt8(rest.prefix(2), radix: 16), code < 128, rest.count >= 2 {
                result.unicodeScalars.append(Unicode.Scalar(code))
                rest = rest.dropFirst(2)
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The text that makes the same rule.
    public var description: String {
        let place = input == 0 ? "" : "@\(input + 1)"
        return switch selector {
        case .any: "any" + place
        case .name(let pattern): pattern.text + place
        case .identity(let identity): identity.description + place
        }
    }
}
