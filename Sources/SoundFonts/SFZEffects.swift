/// The buses of effects of an SFZ file, and what of them sounds: reverb by sends to the mixer's, filters and bands as those of
/// regions that go to one bus alone, the level of each bus. Source: sfzformat.com, "effect", "bus", "type", "directtomain".
struct SFZEffects {
    /// An effect of a bus, in its order.
    private enum Effect {
        /// Shares of the sound that go on dry, and to the reverb.
        case reverb(dry: Float, wet: Float)
        /// Opcodes that a region has under other names, by the end of each.
        case filter([String: SFZText.Value])
        case band([String: SFZText.Value])
    }

    /// What a region's sound becomes on its ways to the output.
    struct Way {
        /// The share that arrives beside the reverb, and that which goes to it.
        var direct: Float = 0, reverb: Float = 0
        /// The opcodes of filters and bands: the region's outermost header.
        var header: SFZHeader?
    }

    /// What is not followed.
    private(set) var unread = SFZCount()
    private var buses: [Int: [Effect]] = [:]
    /// Levels of buses, the main one's is 0.
    private var levels: [Int: Float] = [0: 1]

    /// Nil for a file without buses: there effect 1 is the reverb, and effect 2 the chorus. `unfollowed` are names of opcodes.
    init?(_ headers: [SFZHeader], _ unfollowed: Set<String>) {
        if headers.isEmpty { return nil }
        for header in headers { add(header, unfollowed) }
    }

    private mutating func add(_ header: SFZHeader, _ unfollowed: Set<String>) {
        var opcodes = SFZOpcodes([header])
        if let level = opcodes.float("directtomain", 0...100, scale: 0.01) { levels[0] = level }
        for name in header.values.keys where name.hasPrefix("fx") && name.hasSuffix("tomain") {
            guard let bus = Int(name.dropFirst(2).dropLast(6)) else { continue }
            if let level = opcodes.float(name, 0...100, scale: 0.01) { levels[bus] = level }
        }
        let name = opcodes.text("bus") ?? "main"
        guard let bus = name == "main" ? 0 : name.hasPrefix("fx") ? Int(name.dropFirst(2)) : nil else {
            unread["bus=\(name)"] += 1
            return
        }
        switch opcodes.text("type") {
        case "fverb":
            let input = opcodes.float("reverb_input", 0...100, scale: 0.01) ?? 0
            let dry = opcodes.float("reverb_dry", 0...100, scale: 0.01) ?? 0
            let wet = opcodes.float("reverb_wet", 0...100, scale: 0.01) ?? 0
            buses[bus, default: []].append(.reverb(dry: dry, wet: input * wet))
        case "filter": buses[bus, default: []].append(.filter(Self.endings(header, "filter_")))
        case "eq": buses[bus, default: []].append(.band(Self.endings(header, "eq_")))
        case let other?:
            // Its opcodes go with it.
            unread["type=\(other)"] += 1
            return
        case nil: break
        }
        for name in opcodes.unread { unread[name] += 1 }
        for (name, value) in header.values where unfollowed.contains(name) { unread[value.name] += 1 }
    }

    private static func endings(_ header: SFZHeader, _ prefix: String) -> [String: SFZText.Value] {
        var found: [String: SFZText.Value] = [:]
        for (name, value) in header.values where name.hasPrefix(prefix) { found[String(name.dropFirst(prefix.count))] = value }
        return found
    }

    /// The ways of a region. Filters that cannot be the region's own are counted.
    mutating func way(of opcodes: SFZOpcodes) -> Way {
        var opcodes = opcodes
        var ways = [(bus: 0, level: levels[0] ?? 1)]
        for bus in opcodes.numbers(after: "effect") {
            ways.append((bus, (opcodes.float("effect\(bus)", 0...100, scale: 0.01) ?? 0) * (levels[bus] ?? 0)))
        }
        ways.removeAll { $0.level == 0 }
        var way = Way(), values: SFZText.Opcodes = [:]
        for (bus, level) in ways {
            var level = level, bands = (1...3).filter { !opcodes.contains(prefix: "eq\($0)_") }[...]
            var filters = ["", "2"].filter { !opcodes.hasFilter($0) }[...]
            for effect in buses[bus] ?? [] {
                switch effect {
                case .reverb(let dry, let wet):
                    way.reverb += level * wet
                    level *= dry
                case .filter(let ends):
                    guard ways.count == 1, let number = filters.popFirst() else {
                        unread["type=filter"] += 1
                        continue
                    }
                    for (end, value) in ends {
                        let isOfCutoff = end.hasPrefix("cutoff") || end.hasPrefix("resonance")
                        let stem = end.prefix { $0 != "_" }
                        values[isOfCutoff ? stem + number + end.dropFirst(stem.count) : "fil\(number)_\(end)"] = value
                    }
                case .band(let ends):
                    guard ways.count == 1, let number = bands.popFirst() else {
                        unread["type=eq"] += 1
                        continue
                    }
                    for (end, value) in ends { values["eq\(number)_\(end)"] = value }
                }
            }
            way.direct += level
        }
        if !values.isEmpty { way.header = SFZHeader(values) }
        return way
    }
}

extension SFZOpcodes {
    /// Whether a region has opcodes of one of its two filters, "" or "2".
    fileprivate func hasFilter(_ number: String) -> Bool {
        ["cutoff", "resonance"].contains { sets($0 + number) } || contains(prefix: "fil\(number)_")
    }
}
