/// The assignment of ports to rules: pure, from the ports that are there and the rules.
enum ConnectionPlan {
    /// Ports without a rule are missing.
    /// The more a rule says, the earlier it chooses: one device, a kind of device, a name, anything; of two that say as
    /// much, the first. A rule for one device takes the device that fits it best and no other, so that two keyboards of
    /// one model are kept apart by where they are plugged in.
    static func choices(for ports: [MIDIPort], rules: [ConnectionRule]) -> [MIDIPortAddress: ConnectionRule] {
        var chosen = devices(ports, rules)
        for level in 0..<3 {
            for port in ports.sorted(by: { $0.address < $1.address }) where chosen[port.address] == nil {
                chosen[port.address] = rules.first { applies($0, to: port, level: level) }
            }
        }
        return chosen
    }

    /// Rules for one device each, best fit first.
    private static func devices(
        _ ports: [MIDIPort], _ rules: [ConnectionRule]
    ) -> [MIDIPortAddress: ConnectionRule] {
        struct Fit {
            let rank: DeviceIdentity.Rank
            let rule: Int
            let port: MIDIPort
        }
        var fits: [Fit] = []
        for (index, rule) in rules.enumerated() {
            guard case .identity(let wanted) = rule.selector, wanted.isOfOneDevice else { continue }
            for port in ports where canBeNamed(port) {
                if let rank = wanted.rank(of: port.identity) { fits.append(Fit(rank: rank, rule: index, port: port)) }
            }
        }
        fits.sort { a, b in
            a.rank != b.rank ? a.rank > b.rank : (a.rule, a.port.address) < (b.rule, b.port.address)
        }
        var chosen: [MIDIPortAddress: ConnectionRule] = [:]
        var deviceOfRule: [Int: MIDIPort] = [:]
        for fit in fits where chosen[fit.port.address] == nil {
            if let device = deviceOfRule[fit.rule], !isSameDevice(device, fit.port) { continue }
            // Another port of a device that belongs to an earlier rule goes to that rule too, or to none.
            deviceOfRule[fit.rule] = fit.port
            chosen[fit.port.address] = rules[fit.rule]
        }
        return chosen
    }

    private static func isSameDevice(_ a: MIDIPort, _ b: MIDIPort) -> Bool {
        a.address.client == b.address.client
            || a.identity.path != nil && a.identity.path == b.identity.path && a.identity.serial == b.identity.serial
    }

    private static func applies(_ rule: ConnectionRule, to port: MIDIPort, level: Int) -> Bool {
        switch (rule.selector, level) {
        case (.identity(let wanted), 0):
            !wanted.isOfOneDevice && canBeNamed(port) && wanted.rank(of: port.identity) != nil
        case (.name(let pattern), 1):
            canBeNamed(port) && pattern.matches(port)
        case (.any, 2):
            port.isReadable && (port.kind == .hardware || port.kind == .program)
        default: false
        }
    }

    private static func canBeNamed(_ port: MIDIPort) -> Bool {
        port.isReadable && port.kind != .own && port.kind != .system
    }

    static func refusal(of port: MIDIPort, rules: [ConnectionRule]) -> ConnectionReason {
        switch port.kind {
        case .own: .ownPort
        case .system: .systemPort
        case _ where !port.isReadable: .notReadable
        case .through where rules.contains { $0.selector == .any }: .throughPort
        case .through, .hardware, .program: .noRule
        }
    }
}
